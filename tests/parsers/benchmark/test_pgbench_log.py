import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.benchmark.pgbench import parse
from parsers.benchmark.pgbench_log import recognise_log
from parsers.benchmark.pgbench_progress import progress_points
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


def test_interval_is_the_step_from_the_line_above() -> None:
    # REAL
    lines = [
        "progress: 2.0 s, 2586.3 tps, lat 1.921 ms stddev 1.488, 0 failed",
        "progress: 5.0 s, 2566.6 tps, lat 1.945 ms stddev 1.725, 0 failed",
    ]
    found = parse(numbered(lines))
    assert points(found, "offset_s", "interval_s", "metric", "value")[::4] == [
        (2.0, 2.0, "tps", 2586.3),
        (5.0, 3.0, "tps", 2566.6),
    ]
    assert points(found)[1:4] == [("latency_avg_ms", 1.921), ("latency_stddev_ms", 1.488), ("failed", 0)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # an interval in which nothing ran
        ("progress: 7.0 s, 0.0 tps, lat NaN ms stddev NaN, 0 failed", [("tps", 0), ("failed", 0)]),
        (
            "progress: 1.0 s, 10.0 tps, lat 0.0 ms stddev 0.0",
            [("tps", 10), ("latency_avg_ms", 0), ("latency_stddev_ms", 0)],
        ),
        (
            "progress: 5.0 s, 99.8 tps, lat 1.5 ms stddev 0.5, 2 failed, lag 0.3 ms, 4 skipped, 6 retried, 8 retries",
            [
                ("tps", 99.8),
                ("latency_avg_ms", 1.5),
                ("latency_stddev_ms", 0.5),
                ("failed", 2),
                ("schedule_lag_avg_ms", 0.3),
                ("skipped", 4),
                ("retries", 8),
            ],
        ),
    ],
)
def test_fields_of_a_line(line: str, expected: list[tuple[str, float]]) -> None:
    assert points(parse(numbered([line]))) == expected


def test_seconds_since_1970_are_a_stamp_in_utc() -> None:
    lines = [f"progress: {second} s, 5.0 tps, lat 1.0 ms stddev 0.1" for second in ("1795228533.250", "1795228535.250")]
    found = points(parse(numbered(lines)), "stamp", "utc_offset_min", "offset_s", "interval_s")
    assert [(str(stamp), *rest) for stamp, *rest in found[::3]] == [
        ("2026-11-21 02:35:33.250000", 0, None, None),
        ("2026-11-21 02:35:35.250000", 0, None, 2.0),
    ]


def test_no_line_of_progress_gives_no_point() -> None:
    marked = numbered(["tps = 1"]).with_columns(pl.lit(1).alias("stretch"), pl.lit(1).alias("summary_no"))
    assert progress_points(marked).is_empty()
