"""Elements of monitors, and what commands print of an instance."""

import polars as pl
import pytest

from parsers.db2.instance_message import INSTANCE_MESSAGE, instance_messages
from parsers.db2.monitor_table import read, recognise
from parsers.db2.snapshot_element import identifier, is_counter, unit
from parsers.format import Recognition, Verdict
from tests.support.message_lines import numbered

# RECONSTRUCTED: a query of MON_GET_DATABASE and MON_GET_TRANSACTION_LOG, exported with its header
TABLE = [
    "TIMESTAMP,DB_NAME,MEMBER,TOTAL_APP_COMMITS,LOG_WRITES,APPLS_CUR_CONS",
    "2024-07-04-06.30.52.620854,SAMPLE,0,10234,182300,4",
    "2024-07-04-06.31.52.620854,SAMPLE,0,12034,,5",
    "2024-07-04-06.32.52.620854,SAMPLE,0",
    "",
]


def test_columns_become_elements() -> None:
    rows, line_verdicts = read(numbered(TABLE))
    columns = ("line_no", "part", "database", "entity_kind", "entity", "element", "number", "is_counter")
    assert rows.select(columns).rows() == [
        (2, 1, "SAMPLE", "member", "0", "commit_sql_stmts", 10234.0, True),
        (2, 2, "SAMPLE", "member", "0", "log_writes", 182300.0, True),
        (2, 3, "SAMPLE", "member", "0", "appls_cur_cons", 4.0, False),
        (3, 1, "SAMPLE", "member", "0", "commit_sql_stmts", 12034.0, True),
        (3, 2, "SAMPLE", "member", "0", "log_writes", None, True),
        (3, 3, "SAMPLE", "member", "0", "appls_cur_cons", 5.0, False),
    ]
    assert [str(stamp) for stamp in rows["stamp"].unique().sort()] == [
        "2024-07-04 06:30:52.620854",
        "2024-07-04 06:31:52.620854",
    ]
    assert [Verdict(each).name for each in line_verdicts["verdict"]] == [
        "IGNORED",
        "PARSED",
        "PARSED",
        "REJECTED",
        "BLANK",
    ]


@pytest.mark.parametrize(
    ("header", "is_known"),
    [
        (TABLE[0], True),
        ("ts;log_reads;log_writes", True),
        ("ts,log_reads", False),
        ("log_reads,log_writes", False),
        ("time,value", False),
        ("", False),
    ],
)
def test_header_needs_a_time_and_two_elements(header: str, *, is_known: bool) -> None:
    assert isinstance(recognise(pl.Series([header])), Recognition) == is_known


@pytest.mark.parametrize(
    ("label", "element", "counts", "of"),
    [
        # labels: message templates of the client
        ("Commit statements attempted", "commit_sql_stmts", True, None),
        ("Rollback statements", "rollback_sql_stmts", True, None),
        ("Number partial page log IOs", "num_log_part_page_io", True, None),
        ("Log write time (sec.ns)", "log_write_time", True, "s"),
        ("Total buffer pool write time (milliseconds)", "pool_write_time", True, "ms"),
        ("LSN Gap cleaner triggers", "pool_lsn_gap_clns", True, None),
        ("Time waited for prefetch (ms)", "time_waited_for_prefetch", True, "ms"),
        ("Secondary logs allocated currently", "sec_logs_allocated", False, None),
        ("Total log space available (Bytes)", "total_log_space_available", False, "bytes"),
        ("Buffer pool ID currently in use", "buffer_pool_id_currently_in_use", False, None),
        ("Number of accessed tablespaces", "number_of_accessed_tablespaces", False, None),
        ("Tablespace Page size (bytes)", "tablespace_page_size", False, "bytes"),
        ("Database name", "database_name", False, None),
        # names of the monitor functions
        ("TOTAL_APP_COMMITS", "commit_sql_stmts", True, None),
        ("LOG_WRITES", "log_writes", True, None),
        ("POOL_DATA_L_READS", "pool_data_l_reads", True, None),
        ("APPLS_CUR_CONS", "appls_cur_cons", False, None),
    ],
)
def test_element_by_its_label(label: str, element: str, *, counts: bool, of: str | None) -> None:
    assert (identifier(label), is_counter(label), unit(label)) == (element, counts, of)


def test_messages_of_one_line_are_its_parts() -> None:
    # REAL: the text extraction joined lines, without a blank before the date
    line = (
        "db2set db207-28-2003 10:27:12 0 0 SQL1064N DB2STOP processing was successful. SQL1064N DB2STOP processing was"
        " successful. [138] > time db2start 07-28-2003 10:27:32 1 2 SQL1063N DB2START processing was successful."
    )
    found = instance_messages(numbered(["", line]))
    assert found.schema == INSTANCE_MESSAGE.schema
    rows = found.select("line_no", "part", "stamp", "member", "port", "message_id").rows()
    assert [(no, part, str(stamp), *rest) for no, part, stamp, *rest in rows] == [
        (2, 1, "2003-07-28 10:27:12", 0, 0, "SQL1064N"),
        (2, 2, "2003-07-28 10:27:32", 1, 2, "SQL1063N"),
    ]


def test_no_stamp_or_an_impossible_one_gives_no_row() -> None:
    lines = [
        "SQL1063N DB2START processing was successful.",
        "13-28-2003 10:27:04 0 0 SQL1063N DB2START processing was successful.",
    ]
    assert instance_messages(numbered(lines)).is_empty()
