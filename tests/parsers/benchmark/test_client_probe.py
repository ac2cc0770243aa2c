import polars as pl
import pytest

from parsers.benchmark.client_probe import parse, recognise
from parsers.format import Parsed, Recognition
from tests.support.measured import verdicts
from tests.support.message_lines import numbered

HEADER = "asked_at,outcome,elapsed_ms,reason"
# REAL: the probe of samples/pacemaker-postgresql
ANSWERED = "2026-11-21T12:01:34.684992Z,ok,14.7,"
FAILED = """2026-11-21T12:02:15.885266Z,failed,3.1,"[Errno 111] Connect call failed ('10.77.0.10', 5432)\""""


def questions(parsed: Parsed) -> list[tuple[object, ...]]:
    frame = parsed.tables.get("client_question")
    return [] if frame is None else frame.select("is_answered", "elapsed_s", "reason", "target").rows()


def test_form_to_write() -> None:
    parsed = parse(numbered([HEADER, ANSWERED, FAILED, "", "# by hand"]))
    assert questions(parsed) == [
        (True, 0.0147, None, None),
        (False, 0.0031, "[Errno 111] Connect call failed ('10.77.0.10', 5432)", None),
    ]
    stamps = parsed.tables["client_question"].select(
        pl.col("stamp").dt.to_string("%F %T%.6f"), "has_year", "utc_offset_min"
    )
    assert stamps.row(0) == ("2026-11-21 12:01:34.684992", True, 0)
    assert verdicts(parsed) == "iPP i"


WITHOUT_HEADER = [
    "# a loop of the shell",
    "2026-11-22T14:10:47.835Z OK",
    "2026-11-22T14:10:47.903Z OK 3.9 ms",
    "2026-11-22 14:10:48 ok 2",
    "1795356648.5\tFAILED\t1 s\tconnection refused",
    "2026-11-22T14:10:50+01:00, timed out",
    "2026-11-22T14:10:51Z;503;1.5",
]


def test_rows_without_a_header_are_read() -> None:
    found = recognise(pl.Series(WITHOUT_HEADER))
    assert isinstance(found, Recognition)
    assert "without a header" in found.reason
    parsed = parse(numbered([*WITHOUT_HEADER, "Terminated"]))
    assert questions(parsed) == [
        (True, None, None, None),
        (True, 0.0039, None, None),
        (True, None, None, None),
        (False, 1.0, "connection refused", None),
        (False, None, "timed out", None),
        (False, None, "503", None),
    ]
    assert parsed.tables["client_question"]["utc_offset_min"].to_list() == [0, 0, None, 0, 60, 0]
    assert verdicts(parsed) == "iPPPPPPR"


@pytest.mark.parametrize(
    ("line", "row"),
    [
        # REAL: probes that were recorded beside etcd, Redis, Galera and Patroni
        pytest.param("2026-11-22T14:10:50.813Z ", (False, None, "no answer", None), id="nothing came back"),
        pytest.param("2026-11-22T14:06:49.640Z port=6401 OK", (True, None, None, "port=6401"), id="of one of several"),
        pytest.param(
            "2026-11-22T14:06:59.640Z port=6401 Could not connect to Redis at 127.0.0.1:6401: Connection refused",
            (False, None, "Could not connect to Redis at 127.0.0.1:6401: Connection refused", "port=6401"),
            id="a complaint",
        ),
        pytest.param(
            "2026-11-22T14:10:21.610Z ERROR 2002 (HY000): Can't connect to local server (111)",
            (False, None, "ERROR 2002 (HY000): Can't connect to local server (111)", None),
            id="a number that is no time",
        ),
        pytest.param(
            "2026-11-22T14:14:50.108Z 2026-11-22T14:14:50.110Z 73 ok",
            (True, 0.002, None, None),
            id="counted, with its end",
        ),
        pytest.param(
            "2026-11-22T14:19:12.943Z 2026-11-22T14:19:12.944Z 1264 FAIL connection to server failed: timeout",
            (False, 0.001, "connection to server failed: timeout", None),
            id="failed, with its end",
        ),
    ],
)
def test_rows_of_shell_loops(line: str, row: tuple[object, ...]) -> None:
    head = [f"2026-11-22T14:06:4{number}.640Z OK" for number in range(5)]
    assert isinstance(recognise(pl.Series([*head, line])), Recognition)
    assert questions(parse(numbered([*head, line])))[-1] == row


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("2026-11-22 14:10:47 ERROR cannot connect to node {}", id="levels of a log"),
        pytest.param("2026-11-22 14:10:47 OK: {} rows written", id="a log that says what is ok"),
        pytest.param("1795356648 23{}", id="a series of numbers"),
        pytest.param("1795356648 {}", id="exit codes"),
    ],
)
def test_other_lines_without_a_header_are_no_probe(line: str) -> None:
    assert not isinstance(recognise(pl.Series([line.format(number) for number in range(10)])), Recognition)


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        pytest.param(
            # REAL: header of JMeter's results, its columns cut after the eighth
            [
                "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success",
                "1795262495484,9,ping,200,OK,t 1-1,text,true",
                "1795262496484,9,ping,200,OK,t 1-1,text,false",
            ],
            [(True, 0.009, None, "ping"), (False, 0.009, None, "ping")],
            id="JMeter: success before the code",
        ),
        pytest.param(
            ["time;code;seconds;url", "2026-11-21 12:01:34;200;0,014;/a", "2026-11-21 12:01:35;000;;/a"],
            [(True, None, None, "/a"), (False, None, "000", "/a")],
            id="status of HTTP, a time without a zone; a column of another name left alone",
        ),
        pytest.param(
            # the loop of docs/client-view.md
            ["asked_at,http_code,elapsed_s", "2026-11-21T12:01:34.684Z,200,0.004123", "2026-11-21T12:01:35Z,000,1.001"],
            [(True, 0.004123, None, None), (False, 1.001, "000", None)],
            id="curl",
        ),
        pytest.param(
            ["ts\telapsed_s\terror", "1795262495.5\t0.25\t", "1795262496.5\t1\ttimeout"],
            [(True, 0.25, None, None), (False, 1.0, "timeout", None)],
            id="no outcome: what has a reason failed",
        ),
        pytest.param(
            ["at,status", "2026-11-21T12:01:34+01:00,UP", "2026-11-21T12:01:35+01:00,refused"],
            [(True, None, None, None), (False, None, "refused", None)],
            id="an outcome that says why",
        ),
    ],
)
def test_other_spellings(lines: list[str], rows: list[tuple[object, ...]]) -> None:
    assert isinstance(recognise(pl.Series(lines)), Recognition)
    assert questions(parse(numbered(lines))) == rows


@pytest.mark.parametrize(
    "row",
    [
        "soon,ok,1,",
        "2026-02-30T12:00:00Z,ok,1,",
        "2026-11-21T12:00:00Z,perhaps,1,",
        "2026-11-21T12:00:00Z,ok,x,",
        "1,2",
    ],
)
def test_row_that_shows_no_time_or_no_outcome_is_rejected(row: str) -> None:
    assert verdicts(parse(numbered([HEADER, ANSWERED, row, HEADER]))) == "iPRi"


@pytest.mark.parametrize(
    ("texts", "is_own"),
    [
        ([HEADER], True),
        (["time,tps,success", "1795262495,400,398", "1795262496,400,250"], False),
        (["time,tps,errors", "1795262495,400,0"], False),
        (["run,outcome", "1,ok"], False),
        (["at,status", "2026-11-21T12:01:34Z,deployed"], False),
        (["at,status"], False),
        ([" node_id | name | event  | ok | timestamp", " 1 | a | reload | t  | 2021-12-13 09:48:47"], False),
        ([], False),
    ],
)
def test_recognition(texts: list[str], is_own: bool) -> None:  # noqa: FBT001 - a table of cases
    assert isinstance(recognise(pl.Series(texts, dtype=pl.String)), Recognition) == is_own


def test_cells_may_give_their_unit_and_lines_have_bars() -> None:
    lines = [
        "| asked_at | outcome | elapsed | reason |",
        "|---|---|---|---|",
        "| 2026-11-21T12:01:34Z | ok | 12 ms | |",
        "| 2026-11-21T12:01:35Z | failed | 1.5 s | refused |",
        "| 2026-11-21T12:01:36Z | failed | 0:00:02.250 | |",
        "| 2026-11-21T12:01:37Z | ok | 14 | |",
    ]
    assert isinstance(recognise(pl.Series(lines)), Recognition)
    parsed = parse(numbered(lines))
    assert questions(parsed) == [
        (True, 0.012, None, None),
        (False, 1.5, "refused", None),
        (False, 2.25, None, None),
        (True, 0.014, None, None),
    ]
    assert verdicts(parsed) == "iiPPPP"


@pytest.mark.parametrize(
    ("stamp", "read", "east"),
    [
        ("Tue Nov 24 11:57:06 UTC 2026", "2026-11-24 11:57:06", 0),
        ("Sun Nov  1 11:57:06 2026", "2026-11-01 11:57:06", None),
        ("Tue Nov 24 11:57:06 +0100 2026", "2026-11-24 11:57:06", 60),
        ("Tue Nov 24 11:57:06 CET 2026", "2026-11-24 11:57:06", 60),
        ("Tue Nov 24 11:57:06 CST 2026", "2026-11-24 11:57:06", None),  # of several parts of the world
        ("[2026-11-24 11:57:06]", "2026-11-24 11:57:06", None),
    ],
)
def test_times_of_shell_loops(stamp: str, read: str, east: int | None) -> None:
    lines = [f"{stamp} OK", f"{stamp} OK (12 ms)", f"{stamp} ok", f"{stamp} FAILED connection refused"]
    assert isinstance(recognise(pl.Series(lines)), Recognition)
    parsed = parse(numbered(lines))
    assert questions(parsed)[1:] == [
        (True, 0.012, None, None),
        (True, None, None, None),
        (False, None, "connection refused", None),
    ]
    found = parsed.tables["client_question"].select(pl.col("stamp").dt.to_string("%F %T"), "utc_offset_min")
    assert found.rows() == [(read, east)] * 4
