"""Configuration of a database, an instance and the registry, and changes (`config_change`)."""

from typing import Any

import pytest

from parsers.db2.configuration import DB2_SET, DB_CFG, DBM_CFG
from tests.support import db2diag_log
from tests.support.configuration_lines import confidence
from tests.support.db2diag_log import HEADER_82, checked
from tests.support.message_lines import numbered

# REAL (DB2 11.5)
DB_TITLE = "       Database Configuration for Database SAMPLE"
DB_LINE = "     Automatic runstats                  (AUTO_RUNSTATS) = ON"
DBM_TITLE = "          Database Manager Configuration"
DBM_LINE = " Federated Database System Support           (FEDERATED) = NO"


def test_first_title_decides_whose_the_file_is() -> None:
    assert confidence(DB_CFG, DB_TITLE, DB_LINE) > 0.9
    assert confidence(DB_CFG, DB_TITLE, DB_LINE, DBM_TITLE, DBM_LINE) > 0.9
    assert confidence(DB_CFG, DBM_TITLE, DBM_LINE, DB_TITLE, DB_LINE) == 0


def test_values_are_of_the_database() -> None:
    (rows,) = DB_CFG.parse(numbered([DB_TITLE, DB_LINE])).tables.values()
    assert rows.select("scope", "name", "value", "line_no").rows() == [("db", "AUTO_RUNSTATS", "ON", 2)]


def test_manager_configuration_in_the_same_file_keeps_its_scope() -> None:
    (rows,) = DB_CFG.parse(numbered([DB_TITLE, DB_LINE, DBM_TITLE, DBM_LINE])).tables.values()
    assert rows.select("scope", "name").rows() == [("db", "AUTO_RUNSTATS"), ("dbm", "FEDERATED")]


def test_configuration_is_no_evidence_of_a_run() -> None:
    assert DB_CFG.role == "configuration"
    assert not any(table.is_dated for table in DB_CFG.tables)


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
    assert confidence(DBM_CFG, *LINES) > 0.9
    assert confidence(DB_CFG, *LINES) == 0
    assert confidence(DBM_CFG, "       Database Configuration for Database SAMPLE", *LINES) == 0


def test_values_are_of_the_manager() -> None:
    (rows,) = DBM_CFG.parse(numbered(LINES)).tables.values()
    found = {name: (scope, value) for scope, name, value in rows.select("scope", "name", "value").rows()}
    assert found["FEDERATED"] == ("dbm", "NO")
    assert found["DIAGLEVEL"] == ("dbm", "3")


def test_both_formats_fill_one_table() -> None:
    assert [table.name for table in DBM_CFG.tables] == [table.name for table in DB_CFG.tables] == ["parameter_value"]


# REAL (V9.7)
REGISTRY = ["     db2set -all", "    [i] DB2AUTOSTART=YES", "    [g] DB2AUTOSTART=yes", "    [g] DB2_PARALLEL_IO=*"]


def test_variables_of_the_registry() -> None:
    rows = DB2_SET.parse(numbered([*REGISTRY, "    [i] DB2_SKIPINSERTED=ON [DB2_WORKLOAD] [O]"])).tables[
        "parameter_value"
    ]
    assert rows.select("scope", "name", "value", "subject").rows() == [
        ("registry", "DB2AUTOSTART", "YES", "instance"),
        ("registry", "DB2AUTOSTART", "yes", "global"),
        ("registry", "DB2_PARALLEL_IO", "*", "global"),
        ("registry", "DB2_SKIPINSERTED", "ON", "instance"),
    ]


def test_variables_without_level_are_less_sure() -> None:
    assert confidence(DB2_SET, "DB2COMM=tcpip", "DB2_EVENT_LOG_CONFIG=OFF") < confidence(DB2_SET, *REGISTRY)


def test_a_file_that_mentions_a_variable_is_not_one_of_them() -> None:
    assert confidence(DB2_SET, "export DB2COMM=tcpip", "DB2COMM=tcpip", "a", "b") == 0


COLUMNS = ("scope", "database", "parameter", "old_value", "new_value")


def change(*lines: str) -> dict[str, Any]:
    (row,) = checked(db2diag_log.numbered("\n".join([HEADER_82, *lines]))).tables["config_change"].rows(named=True)
    return row


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            'CFG DBM: "Sysmon_group" From: ""  To: "db2mons" ',
            ("dbm", None, "SYSMON_GROUP", "", "db2mons"),
            id="REAL, DB2 11.5: blank behind",
        ),
        ('CFG DB SAMPLE: "Softmax" From: "100"  To: "1"', ("db", "SAMPLE", "SOFTMAX", "100", "1")),
        ('CFG (DB SAMPLE): "Softmax" From: "100"  To: "1"', ("db", "SAMPLE", "SOFTMAX", "100", "1")),
        (
            'CFG DB X: "Logarchmeth1" From: "OFF"  To: "DISK:/a "b" c/"',
            ("db", "X", "LOGARCHMETH1", "OFF", 'DISK:/a "b" c/'),
        ),
        ("CFG DB X: other words", (None, None, None, None, None)),
    ],
)
def test_change_names_parameter_and_values(text: str, expected: tuple[str | None, ...]) -> None:
    row = change(f"CHANGE  : {text}")
    assert tuple(row[name] for name in COLUMNS) == expected
    assert row["text"] == text.strip()
    assert row["is_self_tuned"] is False


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(['CHANGE  : STMM CFG DB X: "Locklist" From: "1" <automatic>  To: "2" <automatic>'], id="said"),
        pytest.param(
            [
                "EDUID   : 7240                 EDUNAME: db2stmm (X) 0",
                'CHANGE  : CFG DB X: "Locklist" From: "1" <automatic>  To: "2" <automatic>',
            ],
            id="by its EDU",
        ),
    ],
)
def test_self_tuning_is_distinguished_from_people(lines: list[str]) -> None:
    row = change(*lines)
    assert (row["is_self_tuned"], row["is_old_automatic"], row["is_new_automatic"]) == (True, True, True)
    assert (row["parameter"], row["old_value"], row["new_value"]) == ("LOCKLIST", "1", "2")
