import polars as pl
import pytest

from parsers.benchmark.pgbench import parse
from parsers.benchmark.pgbench_progress import progress_points
from tests.support.measured import points
from tests.support.message_lines import numbered


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
