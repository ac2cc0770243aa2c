from parsers.db2.configuration import DB2_SET as FORMAT
from tests.support.configuration_lines import confidence, numbered

# REAL (V9.7)
REGISTRY = ["     db2set -all", "    [i] DB2AUTOSTART=YES", "    [g] DB2AUTOSTART=yes", "    [g] DB2_PARALLEL_IO=*"]


def test_variables_of_the_registry() -> None:
    rows = FORMAT.parse(numbered([*REGISTRY, "    [i] DB2_SKIPINSERTED=ON [DB2_WORKLOAD] [O]"])).tables[
        "parameter_value"
    ]
    assert rows.select("scope", "name", "value", "subject").rows() == [
        ("registry", "DB2AUTOSTART", "YES", "instance"),
        ("registry", "DB2AUTOSTART", "yes", "global"),
        ("registry", "DB2_PARALLEL_IO", "*", "global"),
        ("registry", "DB2_SKIPINSERTED", "ON", "instance"),
    ]


def test_variables_without_level_are_less_sure() -> None:
    assert confidence(FORMAT, "DB2COMM=tcpip", "DB2_EVENT_LOG_CONFIG=OFF") < confidence(FORMAT, *REGISTRY)


def test_a_file_that_mentions_a_variable_is_not_one_of_them() -> None:
    assert confidence(FORMAT, "export DB2COMM=tcpip", "DB2COMM=tcpip", "a", "b") == 0
