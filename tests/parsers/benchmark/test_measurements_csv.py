import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.benchmark.measurements_csv import parse, recognise
from parsers.format import Recognition, Refusal
from tests.support.measured import points, values, verdicts
from tests.support.message_lines import numbered

RUNS = ["config,run,clients,duration_s,tps", "with,1,5,3600,100.5", "with,2,5,3600,101", "without,1,5,3600,110"]


def test_row_is_a_run() -> None:
    parsed = parse(numbered(RUNS))
    assert values(parsed, "line_no", "configuration", "run", "clients", "duration_s", "metric", "unit", "value") == [
        (2, "with", "1", 5, 3600, "tps", "1/s", 100.5),
        (3, "with", "2", 5, 3600, "tps", "1/s", 101),
        (4, "without", "1", 5, 3600, "tps", "1/s", 110),
    ]
    assert verdicts(parsed) == "iPPP"


def test_runs_that_nobody_numbered_are_counted_per_configuration_and_load() -> None:
    lines = ["config,clients,tps", "a,4,1", "a,8,2", "b,4,3", "a,4,4"]
    assert values(parse(numbered(lines)), "configuration", "clients", "summary_no", "value") == [
        ("a", 4, 1, 1),
        ("a", 8, 1, 2),
        ("b", 4, 1, 3),
        ("a", 4, 2, 4),
    ]


def test_time_makes_points() -> None:
    lines = ["Time;TPS;Latency (ms)", "1795228533;1002,5;1,2", "1795228534;;1,3"]
    found = points(parse(numbered(lines)), "line_no", "part", "stamp", "utc_offset_min", "metric", "value")
    assert [(no, part, str(stamp), *rest) for no, part, stamp, *rest in found] == [
        (2, 1, "2026-11-21 02:35:33", 0, "tps", 1002.5),
        (2, 2, "2026-11-21 02:35:33", 0, "latency_avg_ms", 1.2),
        (3, 1, "2026-11-21 02:35:34", 0, "latency_avg_ms", 1.3),
    ]


def test_relative_seconds_are_offsets() -> None:
    found = parse(numbered(["config,run,t,tps", "a,1,0,10", "a,1,5,11", "b,1,0,9"]))
    assert points(found, "configuration", "run", "stamp", "offset_s", "value") == [
        ("a", "1", None, 0, 10),
        ("a", "1", None, 5, 11),
        ("b", "1", None, 0, 9),
    ]


def test_stamp_beside_runs_is_when_they_took_place() -> None:
    found = parse(numbered(["date,config,run,tps", "2003-07-28 10:00,a,1,10", "2003-07-28 11:00,a,2,11"]))
    assert [(str(stamp), run) for stamp, run in values(found, "stamp", "run")] == [
        ("2003-07-28 10:00:00", "1"),
        ("2003-07-28 11:00:00", "2"),
    ]


def test_events_between_start_and_end_are_a_rate_per_hour() -> None:
    lines = [
        "queues,events,start,end",
        "1,250000,2003-07-28 10:00:00,2003-07-28 11:00:00",
        "24,800000,2003-07-28T10:00:00-04:00,2003-07-28T14:30:00Z",
        "8,1,10:00:00,10:00:00",
    ]
    parsed = parse(numbered(lines))
    assert values(parsed, "clients", "metric", "unit", "value") == [
        (1, "events_per_hour", "1/h", 250_000),
        (24, "events_per_hour", "1/h", 1_600_000),
    ]
    assert verdicts(parsed) == "iPPR"


def test_wide_table() -> None:
    parsed = parse(numbered(["run\twithout_drbd\twith_drbd", "1\t100\t90", "2\t101\t91.5"]))
    assert values(parsed, "run", "configuration", "value") == [
        ("1", "without_drbd", 100),
        ("1", "with_drbd", 90),
        ("2", "without_drbd", 101),
        ("2", "with_drbd", 91.5),
    ]


@pytest.mark.parametrize(
    ("heading", "cell", "metric", "unit", "value"),
    [
        ("latency (us)", "2500", "latency_avg_ms", "ms", 2.5),
        ("avg latency [s]", "0.0025", "latency_avg_ms", "ms", 2.5),
        ("p99_us", "250", "latency_p99_ms", "ms", 0.25),
        ("Latency µs", "10", "latency_avg_ms", "ms", 0.01),
        ("Throughput [kB/s]", "102400", "throughput", "kB/s", 102400),
        ("throughput (MiB/s)", "100", "throughput", "MiB/s", 100),
        ("elapsed (min)", "2", "elapsed_s", "s", 120),
        ("runtime (ms)", "61500", "elapsed_s", "s", 61.5),
        ("duration_s", "61.5", "elapsed_s", "s", 61.5),
    ],
)
def test_heading_names_the_unit(heading: str, cell: str, metric: str, unit: str, value: float) -> None:
    parsed = parse(numbered([f"config,run,{heading}", f"a,1,{cell}"]))
    assert values(parsed, "metric", "unit", "value") == [(metric, unit, pytest.approx(value, rel=1e-12))]


def test_units_of_times_and_durations_count() -> None:
    found = parse(numbered(["run,time_ms,tps", "1,0,10", "1,1500,11"]))
    assert points(found, "offset_s", "value") == [(0, 10), (1.5, 11)]
    found = parse(numbered(["config,run,duration_min,events", "a,1,30,150000"]))
    assert values(found, "metric", "value", "duration_s") == [("events_per_hour", 300_000, 1800)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Konfiguration;Lauf;TPS", "ohne;1;1.234,5", "ohne;2;1.240", "ohne;3;987,25"], [1234.5, 1240, 987.25]),
        (["config;run;tps", "a;1;1.234", "a;2;1.5"], [1.234, 1.5]),
        (["config,run,tps", 'a,1,"1,234.5"', 'a,2,"987.5"'], [1234.5, 987.5]),
    ],
)
def test_thousands_may_be_set_apart(lines: list[str], expected: list[float]) -> None:
    assert values(parse(numbered(lines)), "value") == [(each,) for each in expected]


@pytest.mark.parametrize(
    ("row", "verdict", "reason"),
    [
        ("a,1,x", "R", "no number in column tps"),
        ("a,1", "R", "2 cells where the header has 3"),
        ("a,1,", "i", "row without a value"),
        ("# a,1,2", "i", "comment"),
        ("", " ", None),
    ],
)
def test_row_without_a_value(row: str, verdict: str, reason: str | None) -> None:
    parsed = parse(numbered(["config,run,tps", row]))
    assert verdicts(parsed) == f"i{verdict}"
    assert parsed.lines["reason"][1] == reason


def test_files_are_read_each_by_its_own_header() -> None:
    parsed = parse(numbered(RUNS, ["junk", "x"], ["t;tpm", "1;5"]))
    assert verdicts(parsed) == "iPPPRRiP"
    assert points(parsed, "file_id", "metric", "value") == [(2, "tpm", 5)]


@pytest.mark.parametrize("texts", [RUNS, ["t,tps", "0,1"], ["run,a,b", "1,2,3"]])
def test_own_tables_are_recognised(texts: list[str]) -> None:
    assert isinstance(recognise(pl.Series(texts)), Recognition)


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["hello world"], "no header"),
        (["name,age", "x,1"], "no column is named as a value"),
        (["# hostname;interval;timestamp;CPU;%user", "a;60;2003-07-28 10:00:00 UTC;-1;3"], "no"),
        (["run,tps", "a few words, and more"], "few rows"),
        (["run,tps"], "few rows"),
        (["run,tps", "1,fast", "2,slow", "3,4,5"], "few rows"),
    ],
)
def test_other_tables_are_refused_with_a_reason(texts: list[str], reason: str) -> None:
    refusal = recognise(pl.Series(texts))
    assert isinstance(refusal, Refusal)
    assert refusal.reason.startswith(reason)


@given(
    rows=st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 3), st.floats(0, 1e9)), max_size=20),
    separator=st.sampled_from([",", ";", "\t"]),
)
def test_what_was_written_is_read(rows: list[tuple[str, int, float]], separator: str) -> None:
    lines = [separator.join(["config", "run", "tps"]), *(separator.join(map(str, row)) for row in rows)]
    found = values(parse(numbered(lines)), "configuration", "run", "value")
    assert found == [(name, str(run), value) for name, run, value in rows]


def test_cells_may_give_their_unit() -> None:
    lines = ["run;tps;latency;duration", "1;100 tps;12 ms;0:10:00", "2;101;0.5 s;10 min", "3;102;13;600"]
    assert isinstance(recognise(pl.Series(lines)), Recognition)
    assert values(parse(numbered(lines)), "run", "metric", "value", "duration_s") == [
        ("1", "tps", 100, 600),
        ("1", "latency_avg_ms", 12, 600),
        ("2", "tps", 101, 600),
        ("2", "latency_avg_ms", 500, 600),
        ("3", "tps", 102, 600),
        ("3", "latency_avg_ms", 13, 600),
    ]


def test_a_unit_that_the_metric_does_not_have_is_no_number() -> None:
    lines = ["run,tps,throughput", "1,100 MB/s,5 kB/s", "2,100,5"]
    assert verdicts(parse(numbered(lines))) == "iRP"
