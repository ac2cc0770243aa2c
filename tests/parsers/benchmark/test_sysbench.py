import polars as pl
import pytest

from parsers.benchmark.sysbench import parse, recognise
from parsers.format import Recognition
from tests.support.measured import points, values, verdicts
from tests.support.message_lines import numbered

# REAL, shortened
V10 = [
    "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)",
    "",
    "Running the test with following options:",
    "Number of threads: 4",
    "Report intermediate results every 2 second(s)",
    "Threads started!",
    "[ 2s ] thds: 4 tps: 910.43 qps: 18242.56 (r/w/o: 12.9/3.6/1.8) lat (ms,95%): 9.39 err/s: 1.50 reconn/s: 0.00",
    "[ 4s ] thds: 4 tps: 746.01 qps: 14948.64 (r/w/o: 10.4/2.9/1.4) lat (ms,95%): 9.56 err/s: 0.50 reconn/s: 0.00",
    "SQL statistics:",
    "    queries performed:",
    "        read:                            160244",
    "    transactions:                        11429  (951.47 per sec.)",
    "    queries:                             228886 (19054.85 per sec.)",
    "    ignored errors:                      17     (1.42 per sec.)",
    "General statistics:",
    "    total time:                          12.0110s",
    "    total number of events:              11429",
    "Latency (ms):",
    "         min:                                    0.62",
    "         avg:                                    4.20",
    "         max:                                  401.14",
    "         95th percentile:                        9.91",
    "         sum:                                47999.78",
    "Threads fairness:",
    "    events (avg/stddev):           2857.2500/530.31",
]


def test_summary_gives_its_numbers_with_load_and_length() -> None:
    parsed = parse(numbered(V10))
    assert values(parsed, "line_no", "part", "metric", "value") == [
        (12, 1, "tps", 951.47),
        (12, 2, "transactions", 11429),
        (13, 1, "qps", 19054.85),
        (13, 2, "queries", 228886),
        (14, 1, "ignored_errors", 17),
        (19, 1, "latency_min_ms", 0.62),
        (20, 1, "latency_avg_ms", 4.20),
        (21, 1, "latency_max_ms", 401.14),
        (22, 1, "latency_p95_ms", 9.91),
    ]
    assert set(values(parsed, "summary_no", "clients", "duration_s", "is_valid")) == {(1, 4, 12.011, True)}
    assert verdicts(parsed) == "i iPPiPPcccPPPccccPPPPccc"


def test_intervals_are_points() -> None:
    assert points(parse(numbered(V10)), "offset_s", "interval_s", "clients", "metric", "value")[:6] == [
        (2, 2, 4, "tps", 910.43),
        (2, 2, 4, "qps", 18242.56),
        (2, 2, 4, "latency_p95_ms", 9.39),
        (2, 2, 4, "errors_per_second", 1.5),
        (2, 2, 4, "reconnects_per_second", 0),
        (4, 2, 4, "tps", 746.01),
    ]


# REAL, 0.5
V05 = [
    "[   5s] threads: 64, tps: 22036.40, reads/s: 308621.83, writes/s: 0.00, response time: 3.40ms (95%)",
    "OLTP test statistics:",
    "    transactions:                        6563120 (21731.99 per sec.)",
    "    deadlocks:                           0      (0.00 per sec.)",
    "    read/write requests:                 91883680 (304247.86 per sec.)",
    "    other operations:                    13126240 (43463.98 per sec.)",
    "General statistics:",
    "    total time:                          302.0027s",
    "    total time taken by event execution: 19306.5354s",
    "    response time:",
    "         min:                                  1.73ms",
    "         approx.  95 percentile:               3.73ms",
]


def test_layout_of_0_5() -> None:
    parsed = parse(numbered(V05))
    assert values(parsed) == [
        ("tps", 21731.99),
        ("transactions", 6563120),
        ("deadlocks", 0),
        ("rw_requests_per_second", 304247.86),
        ("rw_requests", 91883680),
        ("latency_min_ms", 1.73),
        ("latency_p95_ms", 3.73),
    ]
    assert set(values(parsed, "clients", "duration_s")) == {(64, 302.0027)}
    assert points(parsed) == [
        ("tps", 22036.4),
        ("reads_per_second", 308621.83),
        ("writes_per_second", 0),
        ("latency_p95_ms", 3.4),
    ]
    assert verdicts(parsed) == "PcPPPccccc" + "PP"


@pytest.mark.parametrize("seconds", [1, 10, 1800])
def test_a_counter_below_zero_is_no_rate(seconds: int) -> None:
    line = f"[ 10s] threads: 8, tps: 5.00, reads/s: {(2**64 - 2) / seconds:.2f}, writes/s: 9.00"
    parsed = parse(numbered([line, *V05]))
    assert parsed.lines["reason"].to_list()[0] == "a counter that ran below zero"
    assert (values(parsed), points(parsed)) == (values(parse(numbered(V05))), points(parse(numbered(V05))))


@pytest.mark.parametrize(
    ("line", "metric", "value"),
    [
        # product knowledge: 0.4, 1.1, and the tests of CPU, memory and files
        (
            "[   10s] threads: 4, tps: 5.00, reads: 70.1, writes: 20, response time: 9.9ms (99%), errors: 0.1",
            "tps",
            5.0,
        ),
        ("    events/s (eps):                      1282.05", "events_per_second", 1282.05),
        ("    events per second:  1234.5", "events_per_second", 1234.5),
        ("Total operations: 1234 ( 5678.90 per second)", "ops", 5678.9),
        ("102400.00 MiB transferred (8374.06 MiB/sec)", "mib_per_second", 8374.06),
        ("    reads/s:                      12.5", "reads_per_second", 12.5),
        ("         99th percentile:                        9.91", "latency_p99_ms", 9.91),
    ],
)
def test_lines_of_other_versions_and_tests(line: str, metric: str, value: float) -> None:
    parsed = parse(numbered([line]))
    assert (values(parsed) or points(parsed))[0] == (metric, value)


def test_percentile_names_its_metric() -> None:
    line = "[ 2s ] thds: 4 tps: 9.4 qps: 18.5 (r/w/o: 1/3/1) lat (ms,99%): 12.5 err/s: 0.00 reconn/s: 0.00"
    assert ("latency_p99_ms", 12.5) in points(parse(numbered([line])))


def test_runs_appended_to_one_file_are_numbered() -> None:
    parsed = parse(numbered(V10 + V10[:7] + V10))
    numbers = [number for metric, number in values(parsed, "metric", "summary_no") if metric == "tps"]
    assert numbers == [1, 3]
    assert {number for (number,) in points(parsed, "summary_no")} == {1, 2, 3}


@pytest.mark.parametrize("after", [[], V10[7:8]], ids=["at the end", "before an interval"])
def test_a_checkpoint_report_is_no_run(after: list[str]) -> None:
    checkpoint = ["[ 2s ] Checkpoint report:", *V10[8:]]
    parsed = parse(numbered([*V10[:7], *checkpoint, *checkpoint, *after, *V10[8:]]))
    own = parse(numbered([*V10[:7], *after, *V10[8:]]))
    assert values(parsed, "summary_no", "metric", "value") == values(own, "summary_no", "metric", "value")
    assert points(parsed, "summary_no", "value") == points(own, "summary_no", "value")
    assert "R" not in verdicts(parsed)


def test_fatal_error_makes_the_figures_invalid() -> None:
    lines = [*V10[:8], "FATAL: mysql_drv_query() returned error 2013 (Lost connection)", *V10[8:]]
    assert set(values(parse(numbered(lines)), "is_valid")) == {(False,)}


@pytest.mark.parametrize(
    ("texts", "is_own"),
    [
        (V10, True),
        (V05, True),
        (V10[:1], True),
        (["sysbench is a benchmark"], False),
        # REAL: the readme beside a series of runs
        (["readonly, 16 tables, 10M rows, Dimitris InnoDB settings", "tcmalloc only"], False),
    ],
)
def test_recognition(texts: list[str], is_own: bool) -> None:  # noqa: FBT001 - a table of cases
    assert isinstance(recognise(pl.Series(texts)), Recognition) == is_own


def test_other_line_is_rejected() -> None:
    assert verdicts(parse(numbered(["tcmalloc only", "    foo: 3"]))) == "RR"
