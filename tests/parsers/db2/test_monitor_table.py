import polars as pl
import pytest

from parsers.db2.monitor_table import read, recognise
from parsers.format import Recognition, Verdict
from tests.support.configuration_lines import numbered

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
