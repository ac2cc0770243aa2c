"""A hundred studies of random numbers: what the views compute is what scipy computes."""

import math
import random
from datetime import timedelta
from statistics import fmean, stdev
from typing import Any

import duckdb
import numpy as np
import pytest
from scipy import stats

from tests.support.hand_made import T0, Ledger

STUDIES = 100
BATCH = 25  # studies in one store, each a configuration with its own reference
LONGEST_S = 3500  # an incident ends after an hour
REFERENCE = "reference of "

Study = tuple[list[float], list[float]]  # seconds of the reference's runs, and of the others


def study_of(source: random.Random) -> Study:
    """Seconds of the runs of two configurations: of any size, any spread, any number, cut as stamps are."""
    centre = 10 ** source.uniform(-2, 2.5)
    spread = source.choice([0.001, 0.02, 0.1, 0.5]) * centre
    effect = source.choice([1, 1, 1.01, 0.7, 3])
    digits = source.choice([0, 3, 6])

    def sample(mean: float) -> list[float]:
        shape = source.choice(["normal", "lognormal", "two modes"])
        values = []
        for _ in range(source.choice([2, 3, 4, 5, 10, 11, 25])):
            value = source.gauss(mean, spread)
            if shape == "lognormal":
                value = source.lognormvariate(math.log(mean), spread / mean)
            elif shape == "two modes" and source.random() < 0.2:
                value = mean * 1.6
            values.append(round(min(max(value, 1e-3), LONGEST_S), digits) + 1e-6)
        return values

    return sample(centre), sample(centre * effect)


def exact(seconds: list[float]) -> list[float]:
    """The values as stamps hold them: whole microseconds."""
    return [timedelta(seconds=value).total_seconds() for value in seconds]


def stored(studies: dict[str, Study]) -> duckdb.DuckDBPyConnection:
    """A store with the runs of all studies, their fault times recorded: only arithmetic is left."""
    toml = []
    ledger = Ledger()
    for name, (reference, others) in studies.items():
        toml.append(f'[configuration."{name}"]\nreference = "{REFERENCE}{name}"\n')
        toml.append(f'[configuration."{REFERENCE}{name}"]\nreference = "{REFERENCE}{name}"\n')
        for configuration, seconds in ((f"{REFERENCE}{name}", reference), (name, others)):
            for number, value in enumerate(seconds, 1):
                run = f"run{number}"
                diag = ledger.file(f"{configuration}/{run}/db2diag.log", "db2diag", configuration, run, "b")
                ledger.add(
                    "db2diag_record", diag, value, kind="crash_recovery_done", message="x", function="f", probe=1
                )
                # a second stamp keeps the file's resolution at a microsecond
                ledger.add("db2diag_record", diag, 5000.000001, kind="other", message="y")
                toml.append(
                    f'[[run]]\nconfiguration = "{configuration}"\nrun = {number}\nfault_at = {T0.isoformat()}Z\n'
                )
    ledger.study_toml = "\n".join(toml)
    return ledger.build()


@pytest.fixture(scope="module", params=range(STUDIES // BATCH))
def batch(request: pytest.FixtureRequest) -> tuple[dict[str, Study], duckdb.DuckDBPyConnection]:
    source = random.Random(1000 + request.param)  # noqa: S311  sample data
    studies = {f"study {number}": study_of(source) for number in range(BATCH)}
    return studies, stored(studies)


def rows_of(con: duckdb.DuckDBPyConnection, relation: str) -> dict[str, dict[str, Any]]:  # columns of many types
    """Rows about `complete` by configuration."""
    result = con.execute(f"select * from {relation} where milestone = 'complete'")
    names = [each[0] for each in result.description]
    return {row[0]: dict(zip(names, row, strict=True)) for row in result.fetchall()}


STAMP_S = 1e-6  # what the stamps of db2diag.log are cut to


def t_quantile(df: float) -> float:
    """The 97.5 % quantile of Student's t."""
    return float(stats.t.ppf(0.975, df))


def test_statistics_are_scipys(batch: tuple[dict[str, Study], duckdb.DuckDBPyConnection]) -> None:
    studies, con = batch
    found = rows_of(con, "milestone_stats")
    for name, study in studies.items():
        for configuration, seconds in zip((f"{REFERENCE}{name}", name), map(exact, study), strict=True):
            row, n = found[configuration], len(seconds)
            mean, spread = float(np.mean(seconds)), float(np.std(seconds, ddof=1))
            assert row["runs"] == n
            assert row["mean_s"] == pytest.approx(mean, rel=1e-9)
            assert row["stddev_s"] == pytest.approx(spread, rel=1e-9, abs=1e-9)
            assert row["cv_pct"] == pytest.approx(100 * spread / mean, rel=1e-8, abs=1e-9)
            assert (row["min_s"], row["max_s"]) == (min(seconds), max(seconds))
            assert row["median_s"] == pytest.approx(float(np.median(seconds)), rel=1e-9)
            if n < 3:
                assert row["ci95_low_s"] is row["ci95_high_s"] is None
                continue
            within_runs = t_quantile(n - 1) * max(spread, STAMP_S / math.sqrt(12)) / math.sqrt(n)
            half = 0.5 * STAMP_S if min(seconds) == max(seconds) else within_runs
            assert row["ci95_low_s"] == pytest.approx(max(mean - half, 0), rel=1e-9, abs=1e-9)
            assert row["ci95_high_s"] == pytest.approx(mean + half, rel=1e-9, abs=1e-9)


def test_changes_are_scipys(batch: tuple[dict[str, Study], duckdb.DuckDBPyConnection]) -> None:
    studies, con = batch
    found = rows_of(con, "milestone_change")
    raw = {}
    beyond = {name: row["p_value"] for name, row in found.items() if row["p_value"] is not None}
    for name, study in studies.items():
        row = found[name]
        reference, others = map(exact, study)
        mean, reference_mean = fmean(others), fmean(reference)
        ratio = mean / reference_mean
        assert row["ratio"] == pytest.approx(ratio, rel=1e-9)
        assert row["difference_s"] == pytest.approx(mean - reference_mean, rel=1e-9, abs=1e-9)
        assert row["reduction_pct"] == pytest.approx(100 * (1 - ratio), rel=1e-9, abs=1e-7)
        u, v = ((stdev(each) / fmean(each)) ** 2 / len(each) for each in (others, reference))
        if u + v == 0:
            continue
        p_value = stats.ttest_ind_from_stats(
            mean, stdev(others), len(others), reference_mean, stdev(reference), len(reference), equal_var=False
        ).pvalue
        assert row["p_value"] == pytest.approx(float(p_value), rel=1e-7, abs=1e-9), name
        raw[name] = float(p_value)
        # half a stamp in common where all runs give the same: Holm corrects the p of what lies beyond it
        common = math.hypot(*(0.5 * STAMP_S for each in (others, reference) if min(each) == max(each)))
        beyond[name] = stats.ttest_ind_from_stats(
            max(abs(mean - reference_mean) - common, 0),
            stdev(others),
            len(others),
            0,
            stdev(reference),
            len(reference),
            equal_var=False,
        ).pvalue
        if min(len(others), len(reference)) < 3:
            assert row["ratio_ci95_low"] is row["ratio_ci95_high"] is None
            continue
        # no less spread than the stamps cause
        u, v = (
            max(stdev(each), STAMP_S / math.sqrt(12)) ** 2 / fmean(each) ** 2 / len(each)
            for each in (others, reference)
        )
        common = math.hypot(*(0.5 * STAMP_S / fmean(each) for each in (others, reference) if min(each) == max(each)))
        df = (u + v) ** 2 / (u**2 / (len(others) - 1) + v**2 / (len(reference) - 1))
        factor = math.exp(t_quantile(df) * math.sqrt(u + v) + common)
        assert row["ratio_ci95_low"] == pytest.approx(ratio / factor, rel=1e-9)
        assert row["ratio_ci95_high"] == pytest.approx(ratio * factor, rel=1e-9)
    for name, p_holm in holm(beyond).items():
        assert found[name]["p_holm"] == pytest.approx(p_holm, rel=1e-7, abs=1e-9)
        assert name not in raw or found[name]["p_holm"] >= found[name]["p_value"] - 1e-12


def holm(p_values: dict[str, float]) -> dict[str, float]:
    """Holm's step-down adjustment, as in his paper of 1979."""
    adjusted, highest = {}, 0.0
    for rank, (name, p_value) in enumerate(sorted(p_values.items(), key=lambda each: each[1])):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_value))
        adjusted[name] = highest
    return adjusted


@pytest.mark.parametrize(
    ("seconds", "mean_s", "stddev_s"),
    [
        pytest.param([1e6 + 1, 1e6 + 2, 1e6 + 3], 1e6 + 2, 1.0, id="a small spread on a large mean"),
        pytest.param([1e-6, 2e-6, 3e-6], 2e-6, 1e-6, id="microseconds"),
        pytest.param([0.1] * 10, 0.1, 0.0, id="equal values have no spread at all"),
        pytest.param([0.1, 0.2, 0.3], 0.2, 0.1, id="numbers that are no binary fractions"),
    ],
)
def test_arithmetic_keeps_its_digits(seconds: list[float], mean_s: float, stddev_s: float) -> None:
    """Over a table of numbers, as milestones never lie so far from the fault."""
    con = Ledger().build()
    con.execute("create table numbers (x double)")
    con.executemany("insert into numbers values (?)", [[value] for value in seconds])
    found = con.execute("select favg(x), stddev_samp(x) from numbers").fetchall()[0]
    assert found[0] == pytest.approx(mean_s, rel=1e-12)
    assert found[1] == pytest.approx(stddev_s, rel=1e-9, abs=1e-15)
