import polars as pl
import pytest

from parsers.benchmark.tpcc_mysql import parse, recognise
from parsers.format import Recognition
from tests.support.measured import numbered, points, values, verdicts

# REAL
LINES = [
    "  10, trx: 12920, 95%: 9.483, 99%: 18.738, max_rt: 213.169, 12919|98.778, 1292|101.096, 1293|443.955",
    "  20, trx: 12666, 95%: 7.074, 99%: 15.578, max_rt: 53.733, 12668|50.420, 1267|35.846, 1266|58.292, 1267|37.421",
]


def test_interval_gives_new_orders_per_minute_and_latencies() -> None:
    parsed = parse(numbered(LINES))
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
    parsed = parse(
        numbered([" [connection]: 16 (threads)", "     [connection]: 16", *LINES, "<TpmC>", "  75840.000 TpmC"])
    )
    assert values(parsed, "metric", "value", "clients") == [("tpmC", 75840, 16)]
    assert verdicts(parsed) == "iiPPiP"


def test_time_that_starts_again_is_another_run() -> None:
    parsed = parse(numbered([*LINES, *LINES]))
    assert points(parsed, "summary_no", "offset_s", "interval_s")[::4] == [
        (1, 10, 10),
        (1, 20, 10),
        (2, 10, 10),
        (2, 20, 10),
    ]


@pytest.mark.parametrize("line", ["junk", "10, trx: many", LINES[0].replace("  10,", "  0,")])
def test_other_line_is_rejected(line: str) -> None:
    assert verdicts(parse(numbered([line]))) == "R"


def test_recognition() -> None:
    assert isinstance(recognise(pl.Series(LINES)), Recognition)
    assert not isinstance(recognise(pl.Series(["10, trx"])), Recognition)
