import polars as pl
import pytest

from parsers.db2.snapshot import FORMAT
from parsers.format import Verdict
from tests.support.configuration_lines import confidence, verdicts
from tests.support.message_lines import numbered

# RECONSTRUCTED (labels: message templates of the client)
SNAPSHOT = [
    "              Database Snapshot",
    "",
    "Database name                              = ABSOLUT",
    "First database connect timestamp           = 07-28-2003 10:31:02.118234",
    "Last reset timestamp                       = ",
    "Snapshot timestamp                         = 07-28-2003 10:40:02.118234",
    "",
    "Commit statements attempted                = 10234",
    "Total buffer pool write time (milliseconds)= 64210",
    "Log write time (sec.ns)                    = 38.000000004",
    "UOW log space used (Bytes)                 = Not Collected",
]
# REAL (DB2 10.5 or later)
TABLESPACES = [
    "             Tablespace Snapshot",
    "Snapshot timestamp                         = 2022-08-02 14:19:43.798840",
    "Database name                              = YKSPAS3",
    "Tablespace name                            = SYSCATSPACE",
    "  Tablespace Page size (bytes)             = 4096",
    "Tablespace name                            = USERSPACE1",
    "  Tablespace Page size (bytes)             = 8192",
]
# REAL (V9.7)
HADR = [
    "    HADR Status",
    "    Role = Primary",
    "    Synchronization mode = Nearsync",
    "    Local host = db1",
    "    Primary log position(file, page, LSN) = S0000002.LOG, 18, 000000000FA18D7C",
]
# REAL (a program's log)
PREFIXED = [
    "DEBUG:main:>>Total buffer pool read time (milliseconds) = 657",
    "DEBUG:main:>>",
    "DEBUG:main:>>Commit statements                          = 1",
    "DEBUG:main:>>Rollback statements                        = 0",
]
STATEMENT = [
    "              Application Snapshot",
    "Application handle                         = 7",
    "Dynamic SQL statement text:",
    "select a from t",
    "where b = 1",
    "",
    "Rows read                                  = 5",
]


def elements(*texts: str) -> pl.DataFrame:
    return FORMAT.parse(numbered(texts)).tables["snapshot_element"]


def test_elements_of_a_snapshot() -> None:
    rows = elements(*SNAPSHOT)
    assert rows.select("element", "number", "unit").tail(4).rows() == [
        ("commit_sql_stmts", 10234.0, None),
        ("pool_write_time", 64210.0, "ms"),
        ("log_write_time", 38.000000004, "s"),
        ("uow_log_space_used", None, "bytes"),
    ]
    about = rows.select("level", "database", "counted_since", "date_order").unique().rows()
    assert about == [("database", "ABSOLUT", "07-28-2003 10:31:02.118234", "day")]
    assert {str(stamp) for stamp in rows["stamp"]} == {"2003-07-28 10:40:02.118234"}
    without = rows.filter(pl.col("value").is_null())["label"].to_list()
    assert without == ["Last reset timestamp", "UOW log space used (Bytes)"]


def test_date_whose_order_is_open_is_no_stamp() -> None:
    texts = [text.replace("07-28-2003", "07-08-2003") for text in SNAPSHOT]
    rows = elements(*texts)
    assert rows["stamp"].null_count() == rows.height
    assert rows["date_order"].unique().to_list() == ["open"]
    assert rows["printed_at"].unique().to_list() == ["07-08-2003 10:40:02.118234"]


def test_another_snapshot_of_the_file_shows_the_order() -> None:
    texts = [text.replace("07-28-2003", "07-08-2003") for text in SNAPSHOT]
    assert elements(*texts, *SNAPSHOT)["stamp"].null_count() == 0


@pytest.mark.parametrize(("printed", "number"), [("0.000000004", 4e-9), ("0.4", None), ("7", None), ("1.000000000", 1)])
def test_nanoseconds_need_nine_digits(printed: str, number: float | None) -> None:
    assert elements(SNAPSHOT[0], f"Log write time (sec.ns) = {printed}")["number"].to_list() == [number]


def test_snapshots_and_things_within_them_are_distinguished() -> None:
    rows = elements(*SNAPSHOT, *TABLESPACES).filter(unit="bytes")
    assert rows.select("snapshot_no", "level", "database", "entity_kind", "entity", "number").rows() == [
        (1, "database", "ABSOLUT", None, None, None),
        (2, "tablespace", "YKSPAS3", "tablespace", "SYSCATSPACE", 4096.0),
        (2, "tablespace", "YKSPAS3", "tablespace", "USERSPACE1", 8192.0),
    ]


def test_status_of_hadr_is_a_table_of_its_own() -> None:
    tables = FORMAT.parse(numbered([*SNAPSHOT, "", *HADR, "", "Rows read = 5"])).tables
    rows = tables["hadr_status_value"]
    assert rows.select("name", "value", "host", "database", "status_no").rows() == [
        ("HADR_ROLE", "Primary", "db1", "ABSOLUT", 1),
        ("HADR_SYNCMODE", "Nearsync", "db1", "ABSOLUT", 1),
        ("LOCAL_HOST", "db1", "db1", "ABSOLUT", 1),
        ("PRIMARY_LOG_FILE", "S0000002.LOG", "db1", "ABSOLUT", 1),
        ("PRIMARY_LOG_PAGE", "18", "db1", "ABSOLUT", 1),
        ("PRIMARY_LOG_POS", "000000000FA18D7C", "db1", "ABSOLUT", 1),
    ]
    assert {str(stamp) for stamp in rows["stamp"]} == {"2003-07-28 10:40:02.118234"}
    assert tables["snapshot_element"]["element"].to_list()[-1] == "rows_read"


def test_prefix_of_every_line_is_taken_off() -> None:
    assert elements(*PREFIXED)["element"].to_list() == ["pool_read_time", "commit_sql_stmts", "rollback_sql_stmts"]
    assert verdicts(FORMAT, *PREFIXED)[1] == Verdict.IGNORED


def test_text_of_a_statement_holds_no_elements() -> None:
    assert elements(*STATEMENT)["element"].to_list() == ["application_handle", "rows_read"]
    ignored, blank, parsed = Verdict.IGNORED, Verdict.BLANK, Verdict.PARSED
    assert verdicts(FORMAT, *STATEMENT) == [ignored, parsed, ignored, ignored, ignored, blank, parsed]


def test_table_of_a_query_is_read_beside_snapshots() -> None:
    table = ["ts,log_reads,log_writes", "2024-07-04 06:30:52,1,2"]
    rows = FORMAT.parse(numbered(SNAPSHOT, table, TABLESPACES)).tables["snapshot_element"]
    assert rows.filter(file_id=1)["number"].to_list() == [1.0, 2.0]


@pytest.mark.parametrize("texts", [SNAPSHOT, TABLESPACES, HADR, PREFIXED, ["ts,log_reads,log_writes"]])
def test_own_files_are_recognised(texts: list[str]) -> None:
    assert confidence(FORMAT, *texts) >= 0.9


@pytest.mark.parametrize("texts", [[], [""], ["x = 1"], ["   Database Snapshot"], ["Rows read = 1"]])
def test_other_files_are_refused(texts: list[str]) -> None:
    assert confidence(FORMAT, *texts) == 0


@pytest.mark.parametrize("heading", [["   HADR status", ""], []])
def test_the_section_of_hadr_alone_has_all_that_it_says(heading: list[str]) -> None:
    pairs = ["Role = Standby", "State = Peer", "Synchronization mode = Sync", "Heartbeat missed = 2", "Local host = b"]
    lines = [*heading, *(f"     {pair}" for pair in pairs)]
    assert confidence(FORMAT, *lines) > 0
    found = FORMAT.parse(numbered(lines)).tables["hadr_status_value"].select("name", "value").rows()
    assert found == [
        ("HADR_ROLE", "Standby"),
        ("HADR_STATE", "Peer"),
        ("HADR_SYNCMODE", "Sync"),
        ("HEARTBEAT_MISSED", "2"),
        ("LOCAL_HOST", "b"),
    ]
