"""The format of `db2 get dbm cfg`; how its lines are read is tested in test_db2_configuration.py."""

from parsers.db2.configuration import DB_CFG
from parsers.db2.configuration import DBM_CFG as FORMAT
from tests.support.configuration_lines import confidence, numbered

# REAL (DB2 11.5)
TITLE = "          Database Manager Configuration"
LINES = [
    TITLE,
    "",
    "     Node type = Enterprise Server Edition with local and remote clients",
    "",
    " Federated Database System Support           (FEDERATED) = NO",
    " Diagnostic error capture level              (DIAGLEVEL) = 3",
]


def test_file_belongs_to_one_of_both_formats() -> None:
    assert confidence(FORMAT, *LINES) > 0.9
    assert confidence(DB_CFG, *LINES) == 0
    assert confidence(FORMAT, "       Database Configuration for Database SAMPLE", *LINES) == 0


def test_values_are_of_the_manager() -> None:
    (rows,) = FORMAT.parse(numbered(LINES)).tables.values()
    found = {name: (scope, value) for scope, name, value in rows.select("scope", "name", "value").rows()}
    assert found["FEDERATED"] == ("dbm", "NO")
    assert found["DIAGLEVEL"] == ("dbm", "3")


def test_both_formats_fill_one_table() -> None:
    assert [table.name for table in FORMAT.tables] == [table.name for table in DB_CFG.tables] == ["parameter_value"]
