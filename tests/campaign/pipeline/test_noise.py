"""How runs vary: modes, first runs, autocorrelation, drift, warm-up; false alarms over a whole study."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import comb
from random import Random
from typing import Any

import duckdb
import pytest
from scipy import stats

from bench.noise.samples import Noise, Sample, Setting
from bench.noise.simulation import examined, shares
from pipeline.store import relations
from pipeline.store.findings import findings as all_findings
from tests.support.hand_made import Ledger, add_default_run, rows

NOISE = ("mode_split", "first_run", "autocorrelation", "drift")
STEADY = [60.2, 59.1, 61.0, 60.6, 58.9, 60.1, 59.6, 60.9, 59.9, 59.5]
Rows = list[tuple[Any, ...]]  # of any columns


def samples_of(series: Mapping[str, Sequence[float]], error: float = 0.0) -> list[Sample]:
    """A sample for each configuration, its headline."""
    return [(name, "complete", True, list(values), error) for name, values in series.items()]


def measured(series: Mapping[str, Sequence[float]], toml: str = "") -> duckdb.DuckDBPyConnection:
    """A store with the throughput of runs in run folders."""
    ledger = Ledger(toml)
    for configuration, values in series.items():
        for number, value in enumerate(values, 1):
            file_id = ledger.file(f"{configuration}/run{number}/x", "pgbench", configuration, f"run{number}", None)
            row = {"summary_no": 1, "is_valid": True, "metric": "tps", "unit": "1/s", "value": value}
            ledger.add("measurement_value", file_id, None, **row)
    return ledger.build()


def findings(con: duckdb.DuckDBPyConnection) -> Rows:
    kinds = [each.kind for each in all_findings() if each.subject == "variation" and each.kind != "design"]
    return rows(
        con, f"select severity, kind, configuration, text from finding where kind in {tuple(kinds)} order by kind, text"
    )


# --- the arithmetic ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def macros() -> duckdb.DuckDBPyConnection:
    con = duckdb.connect(":memory:")
    relations.create_macros(con)
    return con


@pytest.mark.parametrize("z", [-3.0, -0.5, 0.0, 0.5, 1.96, 4.0, 12.0, 30.0])
def test_normal_tail(macros: duckdb.DuckDBPyConnection, z: float) -> None:
    found = macros.execute("select normal_tail(?::double)", [z]).fetchone()
    assert found == (pytest.approx(stats.norm.sf(z), rel=1e-6),)


@pytest.mark.parametrize("df", [3, 4, 8, 10.8, 30, 198])
@pytest.mark.parametrize("tail", [0.4, 0.05, 0.01, 0.001])
def test_student_z(macros: duckdb.DuckDBPyConnection, df: float, tail: float) -> None:
    t = float(stats.t.isf(tail, df))
    found = macros.execute("select normal_tail(student_z(?, ?)), student_z(?, ?)", [t, df, -t, df]).fetchone()
    assert found is not None
    assert found[0] == pytest.approx(tail, rel=0.005)
    assert found[1] == pytest.approx(-stats.norm.isf(tail), abs=0.01)


def test_modes_p_value_is_bonferronis_over_all_groups_of_the_size() -> None:
    values = [-1.0, -0.4, 0.3, 0.9, -0.7, 0.2, 0.6, 5.5, 6.1, 0.1]  # below zero: no logarithms
    (found,) = examined(samples_of({"a": values})).splits
    low, high = [each for each in values if each < 2], [each for each in values if each > 2]
    tail = stats.ttest_ind(high, low, alternative="greater").pvalue
    share = 1 / (2 * 3) / (1 - 1 / 6) / 2
    assert (found.minority, found.is_minority_high) == (2, True)
    assert found.p_value == pytest.approx(comb(10, 2) * tail / share, rel=0.01)


def test_shares_of_modes_have_wilsons_interval() -> None:
    values = [10.5, 12.1, 10.4, 10.6, 12.0, 10.5, 10.45, 12.2, 10.55, 10.5]
    (found,) = examined(samples_of({"a": values})).splits
    wilson = stats.binomtest(3, 10).proportion_ci(method="wilson")
    assert (found.minority, found.share, found.minority_runs) == (3, 0.3, ["run002", "run005", "run008"])
    assert (found.share_ci95_low, found.share_ci95_high) == pytest.approx((wilson.low, wilson.high))
    assert found.minority_mean == pytest.approx(12.1)


def test_first_run_is_compared_with_the_spread_of_the_others() -> None:
    values = [4.0, *[each - 60 for each in STEADY[1:]]]
    (found,) = examined(samples_of({"a": values})).orders
    others = values[1:]
    t = (values[0] - sum(others) / 9) / (stats.tstd(others) * (1 + 1 / 9) ** 0.5)
    assert found.first_z == pytest.approx(stats.norm.isf(stats.t.sf(t, 8)), abs=0.01)
    assert found.first_value == 4.0


def test_first_run_has_no_distance_from_others_that_are_alike_and_exact() -> None:
    found = examined(samples_of({"a": [4.125, *[5.125] * 9]}))
    assert [each.first_z for each in found.orders] == [None]
    assert "first_run" not in {each.test for each in found.tests}


def test_autocorrelation_is_bartels_ratio() -> None:
    (found,) = examined(samples_of({"a": [61.0, 60.0, 62.0, 64.0, 63.0, 66.0, 65.0, 67.0]})).orders
    ranks = [2, 1, 3, 5, 4, 7, 6, 8]
    ratio = sum((b - a) ** 2 for a, b in pairwise(ranks)) / (8 * 63 / 12)
    assert found.neighbour_correlation == pytest.approx(1 - ratio / 2)


# --- what is no noise -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "error"),
    [
        pytest.param([60.0] * 10, 0.0, id="all the same"),
        pytest.param([60.0] * 9 + [61.0], 1.0, id="one tick"),
        pytest.param([60.0, 61.0] * 5, 1.0, id="neighbouring ticks"),
        pytest.param([60.0] * 5 + [61.0] * 5, 2.0, id="within the interval of the fault time"),
        pytest.param([100.0 + 1e-13 * i for i in range(9)] + [100.3], 0.0, id="less than a hundredth of the mean"),
    ],
)
def test_what_the_stamps_hide_divides_nothing(values: list[float], error: float) -> None:
    found = examined(samples_of({"a": values}, error))
    assert [each.p_value for each in found.splits if each.p_value < 0.5] == []
    assert "first_run" not in found.noticed


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param(Setting("clean", 4, 4, Noise()), id="normal"),
        pytest.param(Setting("clean", 1, 1, Noise(0.3, is_skewed=True)), id="log-normal, one configuration"),
        pytest.param(Setting("clean", 6, 2, Noise(0.005, quantum=1.0)), id="whole seconds, 0.3 s around 60"),
        pytest.param(Setting("clean", 6, 2, Noise(0.3, is_skewed=True), runs=6), id="log-normal, six runs"),
    ],
)
def test_at_most_one_clean_study_in_ten_is_doubted(setting: Setting) -> None:
    assert shares(setting, 100, 1).get("any", 0) <= 0.1


# --- what is ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "test"),
    [
        pytest.param(Setting("1 of 10", 1, 1, Noise(0.02, slow_runs=1, slow_by=0.3), 1), "mode_split", id="one slow"),
        pytest.param(Setting("3 of 10", 1, 1, Noise(0.01, slow_runs=3, slow_by=0.1), 1), "mode_split", id="modes"),
        pytest.param(
            Setting("2 of 10", 8, 3, Noise(0.02, slow_runs=2, slow_by=0.3), 1), "mode_split", id="among 24 samples"
        ),
        pytest.param(Setting("ar", 8, 1, Noise(phi=0.6), 8), "autocorrelation", id="eight autocorrelated series"),
        pytest.param(Setting("ar", 1, 1, Noise(phi=0.6), 1, runs=40), "autocorrelation", id="a long one"),
        pytest.param(Setting("first", 4, 1, Noise(first_sd=3), 4), "first_run", id="slow first runs"),
        pytest.param(Setting("first of 2", 2, 1, Noise(first_sd=3), 2), "first_run", id="two slow first runs"),
        pytest.param(Setting("trend", 4, 1, Noise(trend_sd=3), 4), "drift", id="drift"),
    ],
)
def test_noise_is_noticed_in_four_of_five_studies(setting: Setting, test: str) -> None:
    assert shares(setting, 100, 3)[test] >= 0.8


def test_an_item_is_noticed_over_its_configurations() -> None:
    slow = [60.0 + 0.9 * (each - 60) + 2.4 * (i in (2, 5, 7)) for i, each in enumerate(STEADY)]
    alone = examined(samples_of({"a": slow}))
    many = examined(samples_of(dict.fromkeys("abcdefgh", slow)))
    assert "mode_split" not in alone.noticed
    assert {each.scope for each in many.tests if each.test == "mode_split" and each.is_noticed} == {"item"}


# --- the store --------------------------------------------------------------------------------------------------------


def test_modes_of_measurements_are_said_once_with_shares() -> None:
    slow = [each if i not in (2, 5, 7) else 0.7 * each for i, each in enumerate(STEADY)]
    found = findings(measured({"a": slow, "b": STEADY, "c": slow[::-1]}))
    modes = [each for each in found if each[1] == "mode_split"]
    assert [each[:3] for each in modes] == [("warning", "mode_split", None)]
    assert modes[0][3] == (
        "`tps` divides into two modes: 3 of 10 runs (11 to 60 %) of `a` at 42.5, the others at 59.7; "
        "3 of 10 runs (11 to 60 %) of `c` at 42.5, the others at 59.7."
    )


def test_a_slow_first_run_of_throughput_is_a_low_one() -> None:
    slow, fast = [50.0, *STEADY[1:]], [70.0, *STEADY[1:]]
    found = findings(measured({"a": slow, "b": slow}))
    assert [each[:2] for each in found if each[1] == "first_run"] == [("warning", "first_run")]
    assert "the first run is an outlier: 17 % lower than the others on average" in str(found)
    assert not [each for each in findings(measured({"a": fast, "b": fast})) if each[1] == "first_run"]


def test_order_is_that_of_time_not_of_numbers() -> None:
    ledger = Ledger()
    for number, value in enumerate([50.0, *STEADY[1:]], 1):
        file_id = ledger.file(f"a/run{number}/x", "pgbench", "a", f"run{number}", None)
        row = {"summary_no": 1, "is_valid": True, "metric": "tps", "unit": "1/s", "value": value}
        ledger.add("measurement_value", file_id, 1000 - 60 * number, **row)
    con = ledger.build()
    assert rows(con, "select run, source from run_time order by place limit 1") == [("run10", "file")]
    assert rows(con, "select first_value from order_test") == [(STEADY[-1],)]


def test_failovers_feed_phases_and_the_last_milestone() -> None:
    ledger = Ledger()
    for i in range(6):
        add_default_run(ledger, "default", f"run{i + 1}", shift_s=4000 * i)
    con = ledger.build()
    found = rows(con, "select distinct subject, item from run_sample where is_headline or subject = 'milestone'")
    assert found == [("milestone", "complete")]
    assert rows(con, "select count(distinct item), count(*) from run_sample where subject = 'phase'") == [(2, 12)]
    assert [each for each in findings(con) if each[0] == "warning"] == []


@pytest.mark.parametrize(("ramp", "notes"), [pytest.param(0.85, 1, id="ramp"), pytest.param(1, 0, id="none")])
def test_a_ramp_inside_runs_is_a_note(ramp: float, notes: int) -> None:
    random = Random(3)  # noqa: S311 - a simulation, no secret
    ledger = Ledger()
    for number in range(1, 6):
        file_id = ledger.file(f"a/run{number}/x", "pgbench", "a", f"run{number}", None)
        ledger.add(
            "measurement_value", file_id, None, summary_no=1, is_valid=True, metric="tps", unit="1/s", value=1000.0
        )
        for second in range(20):
            value = 1000 * (ramp if second < 5 else 1) + random.gauss(0, 30)
            point = {"summary_no": 1, "metric": "tps", "unit": "1/s", "interval_s": 1.0, "is_interval_end": False}
            ledger.add("measurement_point", file_id, 600 * number + second, value=value, **point)
    con = ledger.build()
    assert rows(con, "select runs, is_noticed from warm_up") == [(5, bool(notes))]
    texts = [text for severity, kind, _, text in findings(con) if (severity, kind) == ("note", "warm_up")]
    assert len(texts) == notes
    assert all("in the first quarter of a run than later in `a`" in text for text in texts)
