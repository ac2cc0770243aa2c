import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.benchmark.pgbench import parse
from parsers.benchmark.pgbench_log import recognise_log
from parsers.format import Recognition
from tests.support.measured import points, verdicts
from tests.support.message_lines import numbered

# REAL: client, transaction, us, script, second, microsecond; then ADAPTED to run over a second
LINES = [
    "0 1 7635 0 1795228530 178218",
    "1 1 10187 0 1795228530 180788",
    "0 2 593 0 1795228531 822",
    "1 2 601 0 1795228531 189429",
    "1 3 skipped 0 1795228531 199429",
    "0 3 failed 0 1795228531 209429",
]


def test_second_is_one_point_and_its_other_lines_continue_it() -> None:
    parsed = parse(numbered(LINES))
    assert points(parsed, "line_no", "part", "metric", "value", "weight") == [
        (1, 1, "tps", 2, 2),
        (1, 2, "latency_avg_ms", (7.635 + 10.187) / 2, 2),
        (3, 1, "tps", 2, 2),
        (3, 2, "latency_avg_ms", (0.593 + 0.601) / 2, 2),
        (3, 4, "failed", 1, 2),
        (3, 5, "skipped", 1, 2),
    ]
    assert verdicts(parsed) == "PcPccc"
    assert [str(stamp) for (stamp,) in points(parsed, "stamp")][::2] == [
        "2026-11-21 02:35:30",
        "2026-11-21 02:35:31",
        "2026-11-21 02:35:31",
    ]


def test_aggregated_interval_gives_rate_mean_and_spread() -> None:
    # REAL: interval_start num sum sum2 min max; sd = sqrt(s2/n - (s/n)^2)
    parsed = parse(numbered(["1795228533 1002 1414508 4523614386 132 10303 0 0 0 0 0 0 0 0 0"]))
    assert points(parsed) == [
        ("tps", 1002),
        ("latency_avg_ms", pytest.approx(1.411685, abs=1e-6)),
        ("latency_stddev_ms", pytest.approx(1.587996, abs=1e-6)),
    ]


def test_interval_is_the_shortest_step_of_the_file() -> None:
    parsed = parse(
        numbered([f"{second} 50 50000 60000000 900 1100" for second in (1795228530, 1795228535, 1795228545)])
    )
    assert points(parsed, "interval_s", "value", "weight")[::3] == [(5, 10, 50)] * 3


def test_interval_without_a_transaction_has_no_latency() -> None:
    assert points(parse(numbered(["1795228533 0 0 0 0 0"]))) == [("tps", 0)]


@pytest.mark.parametrize(
    ("texts", "is_own"),
    [
        (LINES, True),
        (["1795228533 1002 1414508 4523614386 132 10303 0 0"], True),
        ([*LINES[:2], "junk"], False),
        (["1 2 3 4 5 6"], False),
        ([], False),
    ],
)
def test_log_is_recognised_by_all_of_its_lines(texts: list[str], is_own: bool) -> None:  # noqa: FBT001 - a table of cases
    assert isinstance(recognise_log(pl.Series(texts, dtype=pl.String)), Recognition) == is_own


transaction = st.builds(
    "{} {} {} 0 {} {:06d}".format,
    st.integers(0, 3),
    st.integers(1, 99),
    st.one_of(st.integers(0, 20_000).map(str), st.sampled_from(["skipped", "failed"])),
    st.integers(1795228530, 1795228533),
    st.one_of(st.integers(0, 999_999), st.integers(0, 999)),
)


def plain(line: str) -> str:
    """pgbench prints microseconds without leading zeros."""
    *rest, microsecond = line.split(" ")
    return " ".join([*rest, str(int(microsecond))])


@given(texts=st.lists(transaction.map(plain), min_size=1, max_size=30))
def test_every_transaction_is_counted_once(texts: list[str]) -> None:
    counts = [value for metric, value in points(parse(numbered(texts))) if metric in ("tps", "failed", "skipped")]
    assert sum(counts) == len(texts)  # type: ignore[arg-type]  # values are numbers
