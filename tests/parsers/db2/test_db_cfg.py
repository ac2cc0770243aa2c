"""The format of `db2 get db cfg`; how its lines are read is tested in test_db2_configuration.py."""

from parsers.db2.configuration import DB_CFG as FORMAT
from tests.support.configuration_lines import confidence, numbered

# REAL (DB2 11.5)
TITLE = "       Database Configuration for Database SAMPLE"
LINE = "     Automatic runstats                  (AUTO_RUNSTATS) = ON"
DBM_TITLE = "          Database Manager Configuration"
DBM_LINE = " Federated Database System Support           (FEDERATED) = NO"


def test_first_title_decides_whose_the_file_is() -> None:
    assert confidence(FORMAT, TITLE, LINE) > 0.9
    assert confidence(FORMAT, TITLE, LINE, DBM_TITLE, DBM_LINE) > 0.9
    assert confidence(FORMAT, DBM_TITLE, DBM_LINE, TITLE, LINE) == 0


def test_values_are_of_the_database() -> None:
    (rows,) = FORMAT.parse(numbered([TITLE, LINE])).tables.values()
    assert rows.select("scope", "name", "value", "line_no").rows() == [("db", "AUTO_RUNSTATS", "ON", 2)]


def test_manager_configuration_in_the_same_file_keeps_its_scope() -> None:
    (rows,) = FORMAT.parse(numbered([TITLE, LINE, DBM_TITLE, DBM_LINE])).tables.values()
    assert rows.select("scope", "name").rows() == [("db", "AUTO_RUNSTATS"), ("dbm", "FEDERATED")]


def test_configuration_is_no_evidence_of_a_run() -> None:
    assert FORMAT.role == "configuration"
    assert not any(table.is_dated for table in FORMAT.tables)
