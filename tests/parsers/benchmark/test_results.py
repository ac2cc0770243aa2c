"""What benchmarks print at their end: BenchmarkSQL, HammerDB, tpcc-mysql, dd."""

import polars as pl
import pytest

from parsers.benchmark import benchmarksql, tpcc_mysql
from parsers.benchmark.benchmarksql_result import result_points
from parsers.benchmark.dd import FORMAT
from parsers.benchmark.hammerdb_result import result_in
from parsers.benchmark.shell_time import FORMAT as SHELL_TIME
from parsers.benchmark.tpcc_mysql import recognise
from parsers.format import Recognition
from tests.support.measured import points, values, verdicts
from tests.support.message_lines import numbered

# RECONSTRUCTED from the header
BENCHMARKSQL = [
    "run,elapsed,latency,dblatency,ttype,rbk,dskipped,error",
    "57,12,11,10,NEW_ORDER,0,0,0",
    "57,512,9,8,PAYMENT,0,0,0",
    "57,1043,12,11,NEW_ORDER,1,0,0",
    "57,1050,40,11,NEW_ORDER,0,0,1",
    "57,990,5,4,NEW_ORDER,0,0,0",
]


def test_second_is_one_point_and_a_late_line_a_part_of_it() -> None:
    parsed = benchmarksql.parse(numbered(BENCHMARKSQL))
    assert points(parsed, "line_no", "offset_s", "metric", "value", "weight") == [
        (2, 0, "tps", 2, 2),
        (2, 0, "tpmC", 60, 2),
        (2, 0, "latency_avg_ms", 10, 2),
        (4, 1, "tps", 1, 1),
        (4, 1, "tpmC", 0, 1),
        (4, 1, "latency_avg_ms", 12, 1),
        (4, 1, "failed", 1, 1),
        (6, 0, "tps", 1, 1),
        (6, 0, "tpmC", 60, 1),
        (6, 0, "latency_avg_ms", 5, 1),
    ]
    assert verdicts(parsed) == "iPcPcP"


def test_other_lines_are_no_transactions() -> None:
    assert result_points(numbered(["57,x,11,10,NEW_ORDER,0,0,0", "57,12"])).is_empty()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # REAL
        ("Vuser 1:TEST RESULT : System achieved 2602 NOPM from 6190 PostgreSQL TPM", [2602, 6190]),
        ('"TEST RESULT : System achieved 192869 NOPM from 443601 SQL Server TPM"', [192869, 443601]),
        ("System achieved 6190 Db2 TPM at 2602 NOPM", [2602, 6190]),
        ("System achieved peace", []),
    ],
)
def test_result(text: str, expected: list[float]) -> None:
    assert [each["value"] for each in result_in(text)] == expected


# REAL
TPCC = [
    "  10, trx: 12920, 95%: 9.483, 99%: 18.738, max_rt: 213.169, 12919|98.778, 1292|101.096, 1293|443.955",
    "  20, trx: 12666, 95%: 7.074, 99%: 15.578, max_rt: 53.733, 12668|50.420, 1267|35.846, 1266|58.292, 1267|37.421",
]


def test_interval_gives_new_orders_per_minute_and_latencies() -> None:
    parsed = tpcc_mysql.FORMAT.parse(numbered(TPCC))
    assert points(parsed, "offset_s", "interval_s", "metric", "value")[:4] == [
        (10, 10, "tpmC", 77520),
        (10, 10, "latency_p95_ms", 9.483),
        (10, 10, "latency_p99_ms", 18.738),
        (10, 10, "latency_max_ms", 213.169),
    ]
    assert points(parsed)[4] == ("tpmC", 75996)
    assert verdicts(parsed) == "PP"


def test_load_and_result() -> None:
    # RECONSTRUCTED
    parsed = tpcc_mysql.FORMAT.parse(
        numbered([" [connection]: 16 (threads)", "     [connection]: 16", *TPCC, "<TpmC>", "  75840.000 TpmC"])
    )
    assert values(parsed, "metric", "value", "clients") == [("tpmC", 75840, 16)]
    assert verdicts(parsed) == "iiPPiP"


def test_time_that_starts_again_is_another_run() -> None:
    parsed = tpcc_mysql.FORMAT.parse(numbered([*TPCC, *TPCC]))
    assert points(parsed, "summary_no", "offset_s", "interval_s")[::4] == [
        (1, 10, 10),
        (1, 20, 10),
        (2, 10, 10),
        (2, 20, 10),
    ]


@pytest.mark.parametrize("line", ["junk", "10, trx: many", TPCC[0].replace("  10,", "  0,")])
def test_other_line_is_rejected(line: str) -> None:
    assert verdicts(tpcc_mysql.FORMAT.parse(numbered([line]))) == "R"


def test_recognition() -> None:
    assert isinstance(recognise(pl.Series(TPCC)), Recognition)
    assert not isinstance(recognise(pl.Series(["10, trx"])), Recognition)


# RECONSTRUCTED: coreutils, busybox, BSD
LAST = [
    "1000000000 bytes (1.0 GB, 954 MiB) copied, 2.5 s, 400 MB/s",
    "1000000000 bytes (953.7MB) copied, 2.500000 seconds, 381.5MB/s",
    "1000000000 bytes transferred in 2.500000 secs (400000000 bytes/sec)",
]


@pytest.mark.parametrize("last", LAST)
def test_a_copy_has_its_rate_and_time(last: str) -> None:
    lines = numbered(["dd if=/dev/zero of=x bs=1M", "953+1 records in", "953+1 records out", last])
    assert isinstance(FORMAT.recognise(lines["text"]), Recognition)
    rows = FORMAT.parse(lines).tables["measurement_value"].select("metric", "unit", "value").rows()
    assert rows == [("MB/s", "MB/s", 400.0), ("bytes", "bytes", 1e9), ("copy_s", "s", 2.5)]


def test_a_timed_copy_keeps_both() -> None:
    rows = SHELL_TIME.parse(numbered([LAST[0], "real\t0m2.600s"])).tables["measurement_value"]
    assert rows["metric"].to_list() == ["MB/s", "bytes", "copy_s", "elapsed_s"]


def test_progress_of_a_copy_is_no_copy() -> None:
    progress = ["536870912 bytes (537 MB, 512 MiB) copied, 1 s, 537 MB/s", "800000000 bytes copied, 2 s, 400 MB/s"]
    copy = ["953+1 records in", "953+1 records out", LAST[0]]
    for parse in (FORMAT.parse, SHELL_TIME.parse):
        both = parse(numbered([*progress, *copy, *progress, *copy]))
        sizes = both.tables["measurement_value"].filter(pl.col("metric") == "bytes")["value"].to_list()
        assert sizes == [1e9, 1e9]
