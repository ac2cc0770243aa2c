"""Measurements: whose they are, what statistics they give, dips around a fault, and what more load brings."""

from collections.abc import Mapping
from math import sqrt
from typing import Any

import duckdb
import pytest
from scipy import stats

from tests.support.hand_made import Ledger, add_default_run, rows

Rows = list[tuple[Any, ...]]  # of any columns


def add_value(ledger: Ledger, file_id: int, value: float, metric: str = "tps", **columns: Any) -> None:
    unit = {"tps": "1/s", "failed": "count", "events_per_hour": "1/h"}.get(metric, "s")
    row = {"summary_no": 1, "is_valid": True, "metric": metric, "unit": unit, "value": value}
    ledger.add("measurement_value", file_id, None, **(row | columns))


def add_point(ledger: Ledger, file_id: int, second: float | None, value: float, **columns: Any) -> None:
    row = {
        "summary_no": 1,
        "metric": "tps",
        "unit": "1/s",
        "value": value,
        "interval_s": 1.0,
        "is_interval_end": False,
    }
    ledger.add("measurement_point", file_id, second, **(row | columns))


def add_cluster_log(ledger: Ledger, configuration: str, run: str) -> None:
    """A log of the cluster in which nothing fails."""
    file_id = ledger.file(f"{configuration}/{run}/engine_A.log", "vcs_engine", configuration, run, "sun-ha3")
    ledger.add("vcs_event", file_id, 5, kind="resource_online", message_id="V-16-1-10298", message_number=10298)


def measured(samples: dict[str, list[float]], toml: str = "", **columns: Any) -> duckdb.DuckDBPyConnection:
    """Runs of configurations, each in its folder."""
    ledger = Ledger(toml)
    for configuration, run_values in samples.items():
        for number, value in enumerate(run_values, 1):
            file_id = ledger.file(f"{configuration}/run{number}/x", "pgbench", configuration, f"run{number}", None)
            add_value(ledger, file_id, value, **columns)
        if not run_values:
            ledger.file(f"{configuration}/x", "dated_log", configuration, None, None)
    return ledger.build()


# --- runs ------------------------------------------------------------------------------------------------------------


def test_folder_names_the_run() -> None:
    con = measured({"on": [1.0, 2.0]})
    assert rows(con, "select run, value from measurement order by run") == [("run1", 1), ("run2", 2)]
    assert rows(con, "select run, run_no, used from run order by run") == [("run1", 1, True), ("run2", 2, True)]


def test_summaries_of_a_file_without_a_run_are_runs() -> None:
    ledger = Ledger()
    file_id = ledger.file("on/all.txt", "sysbench", "on", None, None)
    for number, value in enumerate((5.0, 7.0, 6.0), 1):
        add_value(ledger, file_id, value, summary_no=number)
    con = ledger.build()
    assert rows(con, "select run, value from measurement order by run") == [("1", 5), ("2", 7), ("3", 6)]
    assert rows(con, "select run, run_no from run order by run") == [("1", 1), ("2", 2), ("3", 3)]
    assert rows(con, "select runs, mean from measurement_stats") == [(3, 6)]


def test_summaries_are_counted_per_load_and_label() -> None:
    ledger = Ledger()
    file_id = ledger.file("on/all.txt", "sysbench", "on", None, None)
    for number, clients in enumerate((16, 64, 16), 1):
        add_value(ledger, file_id, 100.0 * number, summary_no=number, clients=clients)
    con = ledger.build()
    assert rows(con, "select run, clients, value from measurement order by value") == [
        ("1", 16, 100),
        ("1", 64, 200),
        ("2", 16, 300),
    ]
    assert rows(con, "select clients, runs, mean from measurement_stats order by clients") == [
        (16, 2, 200),
        (64, 1, 200),
    ]


def test_several_files_of_a_folder_without_runs_are_one_run_and_that_is_reported() -> None:
    ledger = Ledger()
    for name in ("a", "b"):
        add_value(ledger, ledger.file(f"on/{name}.txt", "pgbench", "on", None, None), 5.0 if name == "a" else 7.0)
    con = ledger.build()
    assert rows(con, "select configuration, run from run") == [("on", "1")]
    assert rows(con, "select runs, mean from measurement_stats") == [(1, 6)]
    assert rows(con, "select run from finding where kind = 'averaged_files'") == [("1",)]


def test_metrics_that_rest_on_the_same_few_runs_are_one_finding_the_main_one_first() -> None:
    ledger = Ledger()
    for configuration in ("on", "off"):
        file_id = ledger.file(f"{configuration}/run1/x", "sysbench", configuration, "run1", None)
        for metric in ("qps", "tps", "nopm"):
            add_value(ledger, file_id, 5.0, metric)
    (text,) = rows(ledger.build(), "select text from finding where kind = 'few_runs'")[0]
    assert text == ("`tps`, `nopm` and `qps` of 2 configurations rest on 1 run: no confidence interval can be given.")


def missing(con: duckdb.DuckDBPyConnection) -> Rows:
    return rows(con, "select run, line_no, text from finding where kind = 'missing_result' order by run")


def test_a_run_whose_benchmark_ended_without_a_result_is_reported_with_its_last_line() -> None:
    ledger = Ledger()
    for number in (1, 2, 3):
        file_id = ledger.file(f"on/run{number}/x", "sysbench", "on", f"run{number}", None)
        if number == 2:
            for second in (1, 2):
                add_point(ledger, file_id, float(second), 5.0)
        else:
            add_value(ledger, file_id, 5.0)
    con = ledger.build()
    last = rows(con, "select max(line_no) from measurement_series where run = 'run2'")[0][0]
    ((run, line_no, text),) = missing(con)
    assert (run, line_no >= last) == ("run2", True)
    assert text == (
        "No result of sysbench in run2 of `on`, while 2 of its 3 runs have one: no mean holds this run; its output "
        "ends there."
    )
    assert rows(con, "select runs from measurement_stats") == [(2,)]


def test_runs_with_nothing_but_series_are_reported() -> None:
    ledger = Ledger()
    for configuration, numbers in (("off", (1, 2)), ("on", (1, 2, 3))):
        for number in numbers:
            file_id = ledger.file(f"{configuration}/run{number}/x", "pgbench", configuration, f"run{number}", None)
            for second in (1, 2):
                add_point(ledger, file_id, float(second), 5.0)
            if configuration == "on" and number == 3:
                add_value(ledger, file_id, 5.0)
    con = ledger.build()
    ((configuration, text),) = rows(con, "select configuration, text from finding where kind = 'series_alone'")
    assert configuration == "off"
    assert text == (
        "pgbench gives tps over time in 2 runs of `off` and no value for a whole run, so no mean and no ratio includes "
        "them. What the program prints at its end is missing, or a table with a value a run."
    )


@pytest.mark.parametrize(("with_result", "found"), [(2, []), (3, ["run4", "run5"])])
def test_a_run_without_a_file_of_the_benchmark_is_reported_where_most_runs_have_one(
    with_result: int, found: list[str]
) -> None:
    ledger = Ledger()
    for number in range(1, 6):
        name = f"run{number}"
        ledger.file(f"on/{name}/iostat.txt", "iostat", "on", name, "sun-ha3")
        if number <= with_result:
            add_value(ledger, ledger.file(f"on/{name}/x", "sysbench", "on", name, None), 5.0)
    assert [run for run, _, _ in missing(ledger.build())] == found


def test_a_load_that_a_run_lacks_is_reported_where_most_runs_were_under_it() -> None:
    ledger = Ledger()
    for number in range(1, 5):
        file_id = ledger.file(f"on/run{number}/x", "sysbench", "on", f"run{number}", None)
        for place, clients in enumerate((16, 64, 128), 1):
            if (clients, number) != (64, 3) and (clients != 128 or number == 1):
                add_value(ledger, file_id, 5.0, summary_no=place, clients=clients)
    ((run, _, text),) = missing(ledger.build())
    assert run == "run3"
    assert text == (
        "No result of sysbench under 64 clients in run3 of `on`, while 3 of its 4 runs have one: no mean holds this "
        "run under that load."
    )


def test_runs_that_are_left_out_or_of_another_configuration_lack_no_result() -> None:
    ledger = Ledger('[[run]]\nconfiguration = "on"\nrun = 3\nexclude = "the disk was full"\n')
    for name in ("run1", "run2"):
        add_value(ledger, ledger.file(f"on/{name}/x", "sysbench", "on", name, None), 5.0)
    add_cluster_log(ledger, "on", "run3")
    add_cluster_log(ledger, "off", "run1")
    assert missing(ledger.build()) == []


def test_table_of_runs_names_configurations_and_runs() -> None:
    ledger = Ledger('[study]\nreference = "without"\n[[run]]\nconfiguration = "with"\nrun = 3\nexclude = "no"\n')
    file_id = ledger.file("runs.csv", "measurements_csv", "study", None, None)
    for configuration, base in (("without", 100.0), ("with", 90.0)):
        for run in (1, 2, 3):
            add_value(ledger, file_id, base + run, configuration=configuration, run=str(run), summary_no=None)
    con = ledger.build()
    assert rows(con, "select configuration, run, used from run order by all") == [
        ("with", "1", True),
        ("with", "2", True),
        ("with", "3", False),
        ("without", "1", True),
        ("without", "2", True),
        ("without", "3", True),
    ]
    assert rows(con, "select configuration, runs, mean from measurement_stats order by 1") == [
        ("with", 2, 91.5),
        ("without", 3, 102),
    ]
    ratio = "select relative_ratio from measurement_ratio where configuration = 'with'"
    assert rows(con, ratio) == [(pytest.approx(91.5 / 102),)]


def test_measured_run_without_a_failover_counts_though_it_has_logs_of_one() -> None:
    ledger = Ledger()
    for run in ("run01", "run02"):
        add_value(ledger, ledger.file(f"load/{run}/pgbench.txt", "pgbench", "load", run, None), 100.0)
        add_cluster_log(ledger, "load", run)
    con = ledger.build()
    assert rows(con, "select run, used, excluded_reason, flags from run order by run") == [
        ("run01", True, None, "no_incident"),
        ("run02", True, None, "no_incident"),
    ]
    assert rows(con, "select runs, mean from measurement_stats") == [(2, 100)]


def test_measured_run_without_a_failover_is_set_aside_among_failovers() -> None:
    ledger = Ledger()
    add_default_run(ledger)
    add_value(ledger, ledger.file("default/run02/pgbench.txt", "pgbench", "default", "run02", None), 100.0)
    add_cluster_log(ledger, "default", "run02")
    con = ledger.build()
    assert rows(con, "select run, used, excluded_reason from run order by run") == [
        ("run01", True, None),
        ("run02", False, "no node loss found; a service was started on `sun-ha3` at 2003-07-28 10:27:09"),
    ]


def test_run_that_a_table_numbers_is_the_folder_of_that_number() -> None:
    ledger = Ledger()
    ledger.file("on/run01/pgbench.txt", "pgbench", "on", "run01", None)
    add_value(
        ledger, ledger.file("runs.csv", "measurements_csv", "study", None, None), 5.0, configuration="on", run="1"
    )
    con = ledger.build()
    assert rows(con, "select configuration, run from measurement") == [("on", "run01")]
    assert rows(con, "select configuration, run from run") == [("on", "run01")]


def test_dated_number_of_a_folder_split_by_incidents_is_of_the_incident_it_lies_in() -> None:
    ledger = Ledger()
    add_default_run(ledger, run=None)
    add_default_run(ledger, run=None, shift_s=7200)
    file_id = ledger.file("default/x.csv", "measurements_csv", "default", None, None)
    for number, second in enumerate((30.0, 7230.0), 1):
        add_point(ledger, file_id, second, 10.0 * number)
    con = ledger.build()
    assert rows(con, "select run, value from measurement_series order by run") == [("1", 10), ("2", 20)]


# --- statistics ------------------------------------------------------------------------------------------------------

ON, OFF = [2398.4, 2357.9, 2476.1, 1803.3], [4221.2, 4588.4, 3470.3, 2273.6]
BOTH = '[study]\nreference = "off"\n'


def test_interval_of_a_mean_is_students() -> None:
    con = measured({"on": ON})
    ((runs, mean, stddev, cv_pct, low, high),) = rows(
        con, "select runs, mean, stddev, cv_pct, ci95_low, ci95_high from measurement_stats"
    )
    half = stats.t.ppf(0.975, 3) * stddev / 2
    assert (runs, mean, stddev) == (4, pytest.approx(2258.925), pytest.approx(307.7, abs=0.05))
    assert (cv_pct, low, high) == (
        pytest.approx(100 * stddev / mean),
        pytest.approx(mean - half),
        pytest.approx(mean + half),
    )


def test_ratio_has_standard_error_and_welchs_p() -> None:
    con = measured({"on": ON, "off": OFF}, BOTH)
    ((ratio, stderr, p_value, p_holm),) = rows(
        con, "select relative_ratio, stderr, p_value, p_holm from measurement_ratio where configuration = 'on'"
    )
    # throughput.md, 8: ratio 0.621, SE about 0.097
    assert (ratio, stderr) == (pytest.approx(0.621, abs=0.0005), pytest.approx(0.097, abs=0.0005))
    assert p_value == p_holm == pytest.approx(stats.ttest_ind(ON, OFF, equal_var=False).pvalue)
    own = "select relative_ratio, stderr, ci95_low, p_value, verdict from measurement_ratio where configuration = 'off'"
    assert rows(con, own) == [(1, None, None, None, "reference")]


def test_only_the_same_load_and_label_are_compared() -> None:
    ledger = Ledger(BOTH)
    for configuration, loads in (("on", (16, 64)), ("off", (16, 32))):
        file_id = ledger.file(f"{configuration}/run1/x", "sysbench", configuration, "run1", None)
        for clients in loads:
            add_value(ledger, file_id, 10.0 * clients, clients=clients)
            add_value(ledger, file_id, 1.0, "elapsed_s", clients=clients, label=f"{configuration}.sh")
    con = ledger.build()
    found = rows(con, "select metric, clients, relative_ratio from measurement_ratio where reference <> configuration")
    assert found == [("tps", 16, 1)]
    reported = rows(con, "select configuration, text from finding where kind = 'not_comparable'")
    assert [(configuration, text.split("`")[1]) for configuration, text in reported] == [("on", "elapsed_s")]


def test_first_configuration_is_the_proposed_reference_where_nobody_named_one() -> None:
    runs = {"sync": [1.0, 2.0, 3.0], "async": [4.0, 5.0, 6.0]}
    compared = "select configuration, reference, is_proposed, ratio, ratio_ci95_low, verdict from comparison"
    con = measured(runs)
    ((*sides, is_proposed, ratio, low, verdict),) = rows(con, compared)
    assert (sides, is_proposed, ratio) == (["sync", "async"], True, pytest.approx(0.4))
    assert rows(con, "select distinct reason from comparison_pair") == [("the first by name",)]
    assert rows(con, "from measurement_ratio") == rows(con, "from milestone_change") == []
    said = (
        "Nobody named the reference, so the report compares with `async`, the first by name. Name another one by "
        "`reference` under [study] in study.toml, or by --reference."
    )
    assert rows(con, "select text from finding where kind = 'no_reference'") == [(said,)]

    named = measured(runs, '[study]\nreference = "async"')
    assert rows(named, compared) == [("sync", "async", False, ratio, low, verdict)]
    ((_, _, _, other_way, _, _),) = rows(measured(runs, '[study]\nreference = "sync"'), compared)
    assert other_way == pytest.approx(1 / ratio)

    several = measured({"tuned": [1.0], "default 2": [2.0], "default 1": [3.0], "other": [4.0]})
    assert rows(several, "select distinct reference, reason from comparison_pair") == [
        ("default 1", "the first of several with a name like a reference's")
    ]
    assert rows(measured({"only": [1.0, 2.0]}), "from comparison_pair") == []
    beside = measured({"baseline": [], "default": [], "other": [3.0], "tuned": [4.0]})
    assert {reference for (reference,) in rows(beside, "select reference from comparison_pair")} == {"other"}


def test_counts_are_not_compared() -> None:
    con = measured({"on": [1.0, 2.0], "off": [3.0, 4.0]}, BOTH, metric="failed")
    assert rows(con, "select count(*) from measurement_stats") == [(2,)]
    assert rows(con, "select count(*) from measurement_ratio") == [(0,)]


def test_figure_that_does_not_stand_for_its_run_is_left_out_and_reported() -> None:
    ledger = Ledger()
    for number, (value, is_valid) in enumerate(((5.0, True), (500.0, False)), 1):
        file_id = ledger.file(f"on/run{number}/x", "pgbench", "on", f"run{number}", None)
        add_value(ledger, file_id, value, is_valid=is_valid, doubt=None if is_valid else "clients aborted")
    con = ledger.build()
    assert rows(con, "select runs, mean from measurement_stats") == [(1, 5)]
    assert rows(con, "select severity, run, text from finding where kind = 'invalid_measurement'") == [
        (
            "warning",
            "run2",
            "Figures of on/run2/x in run2 of `on` are left out of all statistics: clients aborted.",
        )
    ]


# --- series ----------------------------------------------------------------------------------------------------------


def test_parts_of_a_second_are_joined_as_if_one_file_held_them() -> None:
    ledger = Ledger()
    latencies = ([1.0, 2.0, 6.0], [3.0, 5.0])
    for number, times in enumerate(latencies):
        file_id = ledger.file(f"on/log.{number}", "pgbench", "on", None, None)
        mean = sum(times) / len(times)
        part = {"summary_no": None, "weight": float(len(times))}
        add_point(ledger, file_id, 1.0, len(times), **part)
        # a line's numbers are its parts
        ledger.line_no -= 1
        add_point(ledger, file_id, 1.0, mean, metric="latency_avg_ms", unit="ms", part=2, **part)
        ledger.line_no -= 1
        spread = sqrt(sum((each - mean) ** 2 for each in times) / len(times))
        add_point(ledger, file_id, 1.0, spread, metric="latency_stddev_ms", unit="ms", part=3, **part)
    found: dict[str, float] = dict(rows(ledger.build(), "select metric, value from measurement_series"))
    # 1 2 6 3 5: mean 3.4, population sd sqrt(75/5 - 3.4^2)
    assert found == {
        "tps": 5,
        "latency_avg_ms": pytest.approx(3.4),
        "latency_stddev_ms": pytest.approx(sqrt(15 - 3.4**2)),
    }


def test_series_of_several_files_stay_apart() -> None:
    ledger = Ledger()
    for name in ("a", "b"):
        file_id = ledger.file(f"on/{name}", "sysbench", "on", None, None)
        for offset_s in (2.0, 4.0):
            add_point(ledger, file_id, None, 1.0, offset_s=offset_s)
    assert rows(ledger.build(), "select series_no, count(*) from measurement_series group by 1 order by 1") == [
        (1, 2),
        (2, 2),
    ]


DIP = "select event, baseline, dip_s, outage_s, recovered_s, lowest, depth_pct, is_recovered, lost from measurement_dip"


def series(
    rates: Mapping[int, float], *, run: str = "run01", toml: str = "", **columns: Any
) -> duckdb.DuckDBPyConnection:
    """A failover at second 0 with a rate by second."""
    ledger = Ledger(toml)
    add_default_run(ledger, run=run)
    file_id = ledger.file(f"default/{run}/rate.csv", "measurements_csv", "default", run, None)
    for second, rate in rates.items():
        add_point(ledger, file_id, second, rate, **columns)
    return ledger.build()


FAULT = '[[run]]\nconfiguration = "default"\nrun = 1\nfault_at = 2003-07-28T10:27:04Z\n'


def test_dip_around_the_fault() -> None:
    rates = dict.fromkeys(range(-10, 30), 100.0) | {2: 60.0, 3: 0.0, 4: 0.0, 5: 0.0, 6: 50.0, 7: 89.0, 8: 95.0}
    con = series(rates, toml=FAULT)
    # 40 + 100 + 100 + 100 + 50 + 11 + 5 transactions were not done
    assert rows(con, DIP) == [("fault", 100, 2, 3, 8, 0, 100, True, 406)]
    bounds = "select baseline_intervals, resolution_s, dip_duration_low_s, dip_duration_high_s from measurement_dip"
    assert rows(con, bounds) == [(12, 1, 5, 7)]


def test_missing_intervals_count_as_idle() -> None:
    rates = {second: 100.0 for second in range(-10, 30) if second not in (3, 4, 5)}
    assert rows(series(rates, toml=FAULT), DIP) == [("fault", 100, 3, 3, 6, 0, 100, True, 300)]


def test_stamp_at_the_end_of_an_interval_is_distinguished_from_one_at_its_begin() -> None:
    rates = dict.fromkeys(range(-10, 30), 100.0) | {3: 0.0}
    con = series(rates, toml=FAULT, is_interval_end=True)
    assert rows(con, DIP) == [("fault", 100, 2, 1, 3, 0, 100, True, 100)]


def test_rate_that_never_falls_has_no_dip() -> None:
    con = series({second: 100.0 + second % 3 for second in range(-9, 30)}, toml=FAULT)
    assert rows(con, DIP) == [("fault", 101, None, 0, None, None, None, None, None)]
    assert rows(con, "select baseline_low < baseline and baseline < baseline_high from measurement_dip") == [(True,)]


def test_dip_is_of_the_last_event_before_it_and_of_the_fault() -> None:
    event = '[[event]]\nat = 2003-07-28T10:27:{}Z\nconfiguration = "default"\nrun = "run01"\ntext = "{}"\n'
    toml = event.format("09", "load") + event.format("14", "switch")
    rates = dict.fromkeys(range(-10, 30), 100.0) | {12: 50.0}
    con = series(rates, toml=FAULT + toml)
    found = rows(con, "select event, text, event_s, dip_s, recovered_s, lost from measurement_dip order by event_s")
    no_dip = (None, None, None)
    assert found == [
        ("fault", None, 10, 12, 13, 50),
        ("event", "load", 15, *no_dip),
        ("event", "switch", 20, 2, 3, 50),
    ]


def test_series_without_event_is_watched_for_changes() -> None:
    ledger = Ledger()
    file_id = ledger.file("on/x", "pgbench", "on", None, None)
    for second, rate in enumerate((10.0, 12.0, 11.0, 0.0, 0.0, 11.0), 1):
        add_point(ledger, file_id, None, rate, offset_s=float(second), is_interval_end=True)
    assert rows(ledger.build(), DIP) == [("series", 11, 0, 2, 2, 0, 100, True, 22)]


def test_rates_per_minute_lose_transactions_not_minutes() -> None:
    rates = dict.fromkeys(range(-10, 30), 600.0) | {3: 0.0}
    con = series(rates, toml=FAULT, metric="tpm", unit="1/min")
    assert rows(con, "select lost from measurement_dip") == [(pytest.approx(10),)]


# --- load ------------------------------------------------------------------------------------------------------------


def test_scaling_of_events_over_queues() -> None:
    # seed 003: a problem between 16 and 20 queues; the numbers in between are made up
    events = {1: 250_000, 8: 900_000, 16: 1_400_000, 20: 1_390_000, 24: 1_600_000}
    ledger = Ledger()
    file_id = ledger.file("queues.csv", "measurements_csv", "study", None, None)
    for queues, rate in events.items():
        add_value(ledger, file_id, rate, "events_per_hour", clients=queues)
    con = ledger.build()
    found = rows(
        con, "select clients, per_client, speed_up, efficiency, marginal_gain, is_saturated from measurement_scaling"
    )
    assert found[0] == (1, 250_000, 1, 1, None, None)
    assert found[-1] == (24, pytest.approx(66_666.67), 6.4, pytest.approx(6.4 / 24), 52_500, False)
    assert [queues for queues, *_, is_saturated in found if is_saturated] == [20]


def test_one_load_has_no_scaling() -> None:
    assert rows(measured({"on": [1.0]}, clients=4), "select * from measurement_scaling") == []


def test_mix_of_a_workload_is_in_shares() -> None:
    ledger = Ledger()
    file_id = ledger.file("mix.csv", "workload_mix", "study", None, None)
    for sql_type, count in (("SELECT", 75), ("UPDATE", 25)):
        ledger.add("statement_count", file_id, None, sql_type=sql_type, count=count)
    found = rows(ledger.build(), "select configuration, sql_type, share_pct from workload_mix")
    assert found == [("study", "SELECT", 75), ("study", "UPDATE", 25)]
