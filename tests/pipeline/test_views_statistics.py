import itertools
import math
import random
import re
from datetime import timedelta
from statistics import fmean, stdev
from typing import Any

import duckdb
import pytest
from scipy import stats

from tests.pipeline.hand_made import T0, Ledger

MARGIN = "[study]\nmargin_pct = 5\n"


def _store(
    samples: dict[str, list[float]], toml: str = "", excluded: tuple[str, ...] = ()
) -> duckdb.DuckDBPyConnection:
    """Runs that take so many seconds to `complete`, with recorded fault times: only arithmetic is left."""
    ledger = Ledger(toml)
    toml_runs = []
    for configuration, seconds in samples.items():
        for number, value in enumerate(seconds, start=1):
            run = f"run{number}"
            diag = ledger.file(f"{configuration}/{run}/db2diag.log", "db2diag", configuration, run, "b")
            ledger.add(
                "db2diag_record", diag, value, kind="crash_recovery_done", message="x", function="sqlpresr", probe=3170
            )
            # a second stamp keeps the file's resolution at a microsecond
            ledger.add("db2diag_record", diag, 5000.000001, kind="other", message="y")
            exclude = 'exclude = "wrong node"\n' if run in excluded else ""
            toml_runs.append(
                f'[[run]]\nconfiguration = "{configuration}"\nrun = {number}\nfault_at = {T0.isoformat()}Z\n{exclude}'
            )
    ledger.study_toml = toml + "\n" + "\n".join(toml_runs)
    return ledger.build()


def _complete(
    con: duckdb.DuckDBPyConnection, relation: str, configuration: str
) -> dict[str, Any]:  # columns of many types
    result = con.execute(
        f"select * from {relation} where configuration = ? and milestone = 'complete'", [configuration]
    )
    names = [each[0] for each in result.description]
    row = result.fetchone()
    assert row is not None
    return dict(zip(names, row, strict=True))


def _exact(seconds: list[float]) -> list[float]:
    """The values as stamps hold them: whole microseconds."""
    return [timedelta(seconds=value).total_seconds() for value in seconds]


@pytest.mark.parametrize(
    ("seconds", "mean_s", "stddev_s", "ci"),
    [
        pytest.param([40.0], 40.0, None, None, id="one run has no spread"),
        pytest.param([40.0, 42.0], 41.0, math.sqrt(2), None, id="two runs have no interval"),
        # sum of squares 32 over 7; t(7) = 2.3646
        pytest.param([2, 4, 4, 4, 5, 5, 7, 9], 5.0, 2.13809, (3.21252, 6.78748), id="worked by hand: sqrt(32/7)"),
    ],
)
def test_spread(seconds: list[float], mean_s: float, stddev_s: float | None, ci: tuple[float, float] | None) -> None:
    row = _complete(_store({"tuned": seconds}), "milestone_stats", "tuned")
    assert row["runs"] == len(seconds)
    assert row["mean_s"] == pytest.approx(mean_s)
    assert row["stddev_s"] == (None if stddev_s is None else pytest.approx(stddev_s, abs=1e-5))
    assert row["cv_pct"] == (None if stddev_s is None else pytest.approx(100 * stddev_s / mean_s, abs=1e-3))
    interval = None if row["ci95_low_s"] is None else (row["ci95_low_s"], row["ci95_high_s"])
    assert interval == (None if ci is None else pytest.approx(ci, abs=1e-4))


def test_t_quantile_is_students() -> None:
    rows = Ledger().build().execute("select df, level, t from t_quantile").fetchall()
    assert len(rows) == 600
    for df, level, t in rows:
        assert t == pytest.approx(stats.t.ppf((1 + level) / 2, df), abs=1e-10)


@pytest.mark.parametrize("seed", range(8))
def test_comparison_agrees_with_scipy(seed: int) -> None:
    source = random.Random(seed)  # noqa: S311 - sample data
    spread = source.choice([0.5, 3, 10])
    effect = source.choice([0, 0.5, 8])
    reference = _exact([source.gauss(60, spread) for _ in range(source.randint(3, 14))])
    tuned = _exact([source.gauss(60 - effect, 3) for _ in range(source.randint(3, 14))])
    row = _complete(_store({"default": reference, "tuned": tuned}), "milestone_change", "tuned")
    expected = stats.ttest_ind(tuned, reference, equal_var=False)
    assert row["p_value"] == pytest.approx(expected.pvalue, abs=1e-9)
    u, v = ((stats.sem(values) / (sum(values) / len(values))) ** 2 for values in (tuned, reference))
    df = (u + v) ** 2 / (u**2 / (len(tuned) - 1) + v**2 / (len(reference) - 1))
    t = stats.t.ppf(0.975, df)
    ratio = (sum(tuned) / len(tuned)) / (sum(reference) / len(reference))
    assert row["ratio"] == pytest.approx(ratio)
    assert row["ratio_ci95_low"] == pytest.approx(ratio * math.exp(-t * math.sqrt(u + v)))
    assert row["ratio_ci95_high"] == pytest.approx(ratio * math.exp(t * math.sqrt(u + v)))
    assert row["reduction_pct"] == pytest.approx(100 * (1 - ratio))


@pytest.mark.parametrize(
    ("reference", "tuned"),
    [
        pytest.param([60.0, 61, 62], [60.0, 61, 62], id="equal means"),
        pytest.param([60.0] * 3 + [60.001], [40.0, 40.001, 40], id="hardly any spread, far apart"),
        pytest.param([60.0, 60, 60], [40.0, 41, 45], id="no spread on one side"),
        pytest.param([60.0, 61], [40.0, 44], id="two runs a side"),
        pytest.param(
            [60 + (i % 7) / 10 for i in range(250)], [60 + (i % 5) / 9 for i in range(240)], id="hundreds of runs"
        ),
    ],
)
def test_p_value_at_its_limits(reference: list[float], tuned: list[float]) -> None:
    row = _complete(_store({"default": reference, "tuned": tuned}), "milestone_change", "tuned")
    # from moments: scipy warns of samples without spread, and warnings are errors here
    moments = [x for values in (_exact(tuned), _exact(reference)) for x in (fmean(values), stdev(values), len(values))]
    expected = stats.ttest_ind_from_stats(*moments, equal_var=False).pvalue
    assert row["p_value"] == pytest.approx(expected, rel=1e-7, abs=1e-12)


def test_samples_without_any_spread_have_the_width_of_their_stamps() -> None:
    con = _store({"default": [60.0] * 3, "tuned": [40.0] * 3, "same": [60.0] * 3})
    assert _complete(con, "milestone_change", "tuned")["p_value"] < 1e-6
    same = _complete(con, "milestone_change", "same")
    assert same["p_value"] == pytest.approx(1)
    assert same["ratio_ci95_low"] < 1 < same["ratio_ci95_high"]
    for name in ("same", "tuned"):
        assert str(_complete(con, "milestone_change", name)["verdict"]).endswith(
            "the spread is below what the stamps can show"
        )
        stats_row = _complete(con, "milestone_stats", name)
        assert stats_row["ci95_low_s"] < stats_row["mean_s"] < stats_row["ci95_high_s"]


def test_reference_has_ratio_one_and_no_interval_and_no_p() -> None:
    row = _complete(_store({"default": [60.0, 61, 62], "tuned": [40.0, 41, 42]}), "milestone_change", "default")
    assert (row["reference"], row["ratio"], row["reduction_pct"], row["verdict"]) == ("default", 1, 0, "reference")
    assert [row[name] for name in ("ratio_ci95_low", "ratio_ci95_high", "p_value", "p_holm")] == [None] * 4


def test_holm_corrects_over_the_whole_table() -> None:
    samples = {
        "default": [60.0, 61, 62, 63],
        "a": [60.5, 62, 62.5, 64.5],
        "b": [57.0, 59, 59.5, 61],
        "c": [40.0, 41, 42, 43],
    }
    con = _store(samples)
    rows = con.execute(
        "select configuration, p_value, p_holm from milestone_change where p_value is not null order by p_value"
    ).fetchall()
    # Worked rule: k-th smallest of m times (m - k + 1), never below the one before, at most 1.
    assert [name for name, _, _ in rows] == ["c", "b", "a"]
    raw = [p for _, p, _ in rows]
    expected = [min(1, (3 - i) * p) for i, p in enumerate(raw)]
    assert [p for _, _, p in rows] == pytest.approx(list(itertools.accumulate(expected, max)))


@pytest.mark.parametrize(
    ("reference", "tuned", "toml", "verdict"),
    [
        pytest.param(
            [60.0, 61, 62, 61], [40.0, 40.5, 40.2, 41], "", r"^33\.7 % less \(95 % CI 32\.\d to 3\d\.\d %\)$", id="less"
        ),
        pytest.param(
            [40.0, 40.5, 40.2, 41],
            [60.0, 61, 62, 61],
            "",
            r"^50\.\d % more \(95 % CI 4\d\.\d to 5\d\.\d %\)$",
            id="more",
        ),
        pytest.param(
            [60.0, 62, 64, 61],
            [61.0, 62, 63, 60],
            "",
            r"^no difference shown; differences above 4\.\d % are ruled out$",
            id="none shown",
        ),
        pytest.param(
            [60.0, 62, 64, 61],
            [61.0, 62, 63, 60],
            MARGIN,
            r"^equal within the margin of 5\.0 %; differences above 4\.\d % are ruled out$",
            id="equivalent",
        ),
        pytest.param(
            [60.0, 60.1, 60.2, 60.1],
            [59.0, 59.1, 59.2, 59.1],
            MARGIN,
            r"^1\.7 % less \(95 % CI 1\.\d to 1\.9 %\), inside the margin of 5\.0 %$",
            id="shown, but inside the margin",
        ),
        pytest.param([60.0, 61], [40.0, 41], "", "^33 % less; no interval with fewer than 3 runs$", id="two runs"),
    ],
)
def test_verdict_speaks_from_the_interval(reference: list[float], tuned: list[float], toml: str, verdict: str) -> None:
    row = _complete(_store({"default": reference, "tuned": tuned}, toml), "milestone_change", "tuned")
    assert re.search(verdict, str(row["verdict"])), row["verdict"]


def test_statistics_are_over_used_runs_only_and_the_others_are_shown_beside() -> None:
    con = _store({"tuned": [40.0, 42.0, 90.0]}, excluded=("run3",))
    row = _complete(con, "milestone_stats", "tuned")
    assert (row["runs"], row["mean_s"]) == (2, 41.0)
    both = _complete(con, "milestone_sensitivity", "tuned")
    assert (both["runs"], both["runs_with_excluded"], both["mean_s"]) == (2, 3, 41.0)
    assert both["mean_with_excluded_s"] == pytest.approx(172 / 3)


@pytest.mark.parametrize(
    ("seconds", "flagged"),
    [
        pytest.param([40.0, 41, 40.5, 41.5, 40.2, 60], ["run6"], id="one slow run"),
        pytest.param([40.0, 41, 40.5, 41.5, 40.2, 41.2], [], id="none"),
        pytest.param([40.0, 41, 60], [], id="too few runs to tell"),
    ],
)
def test_outlier_is_flagged_and_kept(seconds: list[float], flagged: list[str]) -> None:
    con = _store({"tuned": seconds})
    assert [run for (run,) in con.execute("select distinct run from outlier").fetchall()] == flagged
    assert _complete(con, "milestone_stats", "tuned")["runs"] == len(seconds)
    doubts = con.execute("select severity, run from finding where kind = 'outlier'").fetchall()
    assert doubts == [("note", run) for run in flagged]  # a warning is left to the test over the whole study


@pytest.mark.parametrize(
    ("names", "toml", "expected"),
    [
        pytest.param(["default", "tuned"], "", {"default": "default", "tuned": "default"}, id="by name"),
        pytest.param(["a-untuned", "tuned"], "", {"a-untuned": "a-untuned", "tuned": "a-untuned"}, id="whole word"),
        pytest.param(["defaults", "tuned"], "", {"defaults": None, "tuned": None}, id="not a whole word"),
        pytest.param(["NFS default", "FCP default"], "", {"NFS default": None, "FCP default": None}, id="two names"),
        pytest.param(
            ["default", "x"],
            '[study]\nreference = "x"\n',
            {"default": "x", "x": "x"},
            id="the study's wins over the name",
        ),
        pytest.param(
            ["a", "b", "c"],
            '[configuration.a]\n[configuration.b]\nreference = "a"\n[configuration.c]\n',
            {"a": "a", "b": "a", "c": None},
            id="its own",
        ),
    ],
)
def test_reference(names: list[str], toml: str, expected: dict[str, str | None]) -> None:
    con = _store({name: [1.0, 2.0] for name in names}, toml)
    assert dict(con.execute("select configuration, reference from configuration_order").fetchall()) == expected


def test_order_is_the_manifests_then_reference_first_then_natural() -> None:
    names = ["v10", "v9", "default", "named"]
    con = _store({name: [1.0] for name in names}, "[configuration.named]\nlabel = 'Named'\n")
    rows = con.execute("select configuration, label from configuration_order order by position").fetchall()
    assert rows == [("named", "Named"), ("default", "default"), ("v9", "v9"), ("v10", "v10")]


@pytest.mark.parametrize(
    ("seconds", "rho"),
    [
        # ranks 1 2 3.5 3.5 5 6 against 1..6
        pytest.param(
            [40.0, 41, 42, 42, 43, 45], stats.spearmanr(range(6), [40, 41, 42, 42, 43, 45]).statistic, id="ties"
        ),
        pytest.param(
            [40.0, 44, 41, 45, 39, 42], stats.spearmanr(range(6), [40, 44, 41, 45, 39, 42]).statistic, id="none"
        ),
    ],
)
def test_drift_is_spearmans(seconds: list[float], rho: float) -> None:
    row = _store({"tuned": seconds}).execute("select rho, is_significant from drift").fetchone()
    assert row == (pytest.approx(rho), abs(rho) > 0.9)


def test_findings_name_few_runs_spread_and_exclusion() -> None:
    con = _store({"tuned": [40.0, 60.0, 90.0]}, excluded=("run3",))
    found = con.execute("select kind, run from finding where kind <> 'fault_disagreement' order by kind").fetchall()
    assert found == [("excluded", "run3"), ("few_runs", None), ("spread", None)]


def test_measurements_are_empty_relations_with_the_contracts_columns() -> None:
    con = Ledger().build()
    for relation in ("measurement", "measurement_series", "measurement_stats", "measurement_ratio"):
        assert con.execute(f"select * from {relation}").fetchall() == []
