"""The order of runs in time: blocks, turns, pairs; comparisons of pairs."""

from collections.abc import Mapping, Sequence
from math import exp, log

import duckdb
import pytest
from scipy import stats

from pipeline.errors import UsageError
from pipeline.study import manifest
from tests.support.hand_made import Ledger, rows

DAY = 86_400.0
Timed = Sequence[tuple[float | None, float]]  # second, value
A = [60.0, 61.5, 59.0, 62.0, 60.5, 58.0]
B = [40.0, 41.2, 39.5, 41.0, 40.6, 38.8]


def store(runs: Mapping[str, Timed], toml: str = "") -> duckdb.DuckDBPyConnection:
    """Measured runs of configurations at their times; `default` is the reference."""
    ledger = Ledger(toml)
    for configuration, timed in runs.items():
        for number, (second, value) in enumerate(timed, 1):
            file_id = ledger.file(f"{configuration}/run{number}/x", "pgbench", configuration, f"run{number}", None)
            row = {"summary_no": 1, "is_valid": True, "metric": "tps", "unit": "1/s", "value": value}
            ledger.add("measurement_value", file_id, second, **row)
    return ledger.build()


def at(seconds: Sequence[float | None], values: Sequence[float] = A) -> Timed:
    return list(zip(seconds, values, strict=True))


def _logs(values: Sequence[float]) -> list[float]:
    return [log(each) for each in values]


TURNS = {"default": at([0, 300, 400, 700, 800, 1100]), "x": at([100, 200, 500, 600, 900, 1000], B)}
MIXED = {"default": at([0, 100, 500, 600, 700, 1100]), "x": at([200, 300, 400, 800, 900, 1000], B)}
BLOCKS = {"default": at([100 * i for i in range(6)]), "x": at([10 * DAY + 100 * i for i in range(6)], B)}
UNKNOWN = {"default": at([None] * 6), "x": at([None] * 6, B)}


@pytest.mark.parametrize(
    ("runs", "toml", "expected"),
    [
        pytest.param(TURNS, "", ("paired", True), id="turns, either first"),
        pytest.param(TURNS, "[study]\npaired = false\n", ("paired", False), id="turns, but stated not"),
        pytest.param(MIXED, "", ("interleaved", False), id="mixed"),
        pytest.param(MIXED, '[configuration."x"]\npaired = true\n', ("interleaved", True), id="stated of one"),
        pytest.param(BLOCKS, "", ("blocked", False), id="blocks"),
        pytest.param(UNKNOWN, "", ("unknown", False), id="no times"),
        pytest.param(UNKNOWN, "[study]\npaired = true\n", ("unknown", True), id="no times, stated"),
        pytest.param(
            {"default": at([0, 200, 400, 600, 800, 1000]), "x": at([1100, 900, 700, 500, 300, 100], B)},
            "",
            ("interleaved", False),
            id="alternating, but numbers do not match",
        ),
        pytest.param({name: runs[:4] for name, runs in TURNS.items()}, "", ("interleaved", False), id="too few pairs"),
    ],
)
def test_order_of_runs(runs: Mapping[str, Timed], toml: str, expected: tuple[str, bool]) -> None:
    assert rows(store(runs, toml), "select run_order, is_paired from design") == [expected]


def test_half_blocks_are_partly_blocked() -> None:
    seconds = [*range(20), *range(200, 220)]
    other = [*range(100, 120), *range(300, 320)]
    con = store({"default": at(seconds, [60.0] * 40), "x": at(other, [40.0] * 40)})
    assert rows(con, "select run_order, stretches from design") == [("partly blocked", 4)]


def test_blocks_are_said_once_and_warned_of_when_far_apart() -> None:
    con = store({**BLOCKS, "y": at([200 * DAY + 100 * i for i in range(6)])})
    ((severity, configuration, text),) = rows(
        con, "select severity, configuration, text from finding where kind = 'design'"
    )
    assert (severity, configuration) == ("warning", None)
    assert "2 configurations" in text
    assert "up to 200 days apart (farthest: `y` on 2004-02-13, `default` on 2003-07-28)" in text
    near = store({"default": BLOCKS["default"], "x": at([1000 + 100 * i for i in range(6)], B)})
    assert rows(near, "select severity, configuration from finding where kind = 'design'") == [("note", "x")]


@pytest.mark.parametrize("runs", [pytest.param(TURNS, id="turns"), pytest.param(UNKNOWN, id="unknown")])
def test_other_orders_are_no_doubt(runs: Mapping[str, Timed]) -> None:
    assert rows(store(runs), "select * from finding where kind = 'design'") == []


def test_pairs_are_compared_by_their_differences() -> None:
    con = store(TURNS)
    (row,) = rows(
        con,
        "select subject, item, unit, configuration, reference, pairs, difference, difference_ci95_low,"
        " difference_ci95_high, ratio, ratio_ci95_low, ratio_ci95_high, df, correlation, p_value"
        " from paired_comparison",
    )
    differences = [x - y for x, y in zip(B, A, strict=True)]
    difference = stats.ttest_1samp(differences, 0).confidence_interval()
    logs = stats.ttest_rel(_logs(B), _logs(A))
    interval = logs.confidence_interval()
    assert row[:6] == ("measurement", "tps", "1/s", "x", "default", 6)
    assert row[6:9] == pytest.approx((sum(differences) / 6, difference.low, difference.high))
    mean_log = sum(_logs(B)) / 6 - sum(_logs(A)) / 6
    assert row[9:12] == pytest.approx((exp(mean_log), exp(interval.low), exp(interval.high)))
    assert row[12] == 5
    assert row[13] == pytest.approx(stats.pearsonr(A, B).statistic)
    assert row[14] == pytest.approx(logs.pvalue, rel=0.05)


def test_pairs_that_all_differ_alike_have_no_p_value() -> None:
    alike = {name: [(when, value) for when, _ in TURNS[name]] for name, value in (("default", 60.0), ("x", 40.0))}
    assert rows(store(alike), "select difference, p_value from paired_comparison") == [(-20, None)]


def test_periods_of_unknown_times_have_no_gap() -> None:
    assert rows(store(UNKNOWN), "select gap_days from design") == [(None,)]


def test_without_pairs_there_is_no_such_comparison() -> None:
    assert rows(store(MIXED), "select * from paired_comparison") == []


def test_declared_pairs_in_blocks_are_doubted() -> None:
    con = store(BLOCKS, "[study]\npaired = true\n")
    ((severity, text),) = rows(con, "select severity, text from finding where kind = 'design'")
    assert (severity, "declares pairs for `x`" in text) == ("warning", True)


def test_paired_is_true_or_false() -> None:
    with pytest.raises(UsageError, match=r"'paired' in .study.: expected true or false"):
        manifest.parse(b"[study]\npaired = 1\n", name="study")
