import itertools
import math
import re
from datetime import timedelta
from statistics import fmean, stdev
from typing import Any

import duckdb
import pytest
from scipy import stats

from tests.support.hand_made import T0, Ledger

MARGIN = "[study]\nmargin_pct = 5\n"


def _store(
    samples: dict[str, list[float]], toml: str = "", excluded: tuple[str, ...] = ()
) -> duckdb.DuckDBPyConnection:
    """Runs that take this many seconds to `complete`, with recorded fault times: only arithmetic is left."""
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


def _pairs(pairs: dict[str, tuple[list[float], list[float]]], toml: str = "") -> duckdb.DuckDBPyConnection:
    """Comparisons of a configuration with a reference of its own, in one study."""
    samples: dict[str, list[float]] = {}
    for name, (reference, tuned) in pairs.items():
        samples |= {f"{name}, reference": reference, name: tuned}
        toml += f'\n[configuration."{name}, reference"]\n[configuration."{name}"]\nreference = "{name}, reference"\n'
    return _store(samples, toml)


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


def test_spread() -> None:
    cases: dict[str, tuple[list[float], float, float | None, tuple[float, float] | None]] = {
        # seconds; mean, standard deviation, interval
        "one run has no spread": ([40.0], 40.0, None, None),
        "two runs have no interval": ([40.0, 42.0], 41.0, math.sqrt(2), None),
        # sum of squares 32 over 7; t(7) = 2.3646
        "worked by hand: sqrt(32/7)": ([2, 4, 4, 4, 5, 5, 7, 9], 5.0, 2.13809, (3.21252, 6.78748)),
    }
    con = _store({name: seconds for name, (seconds, *_) in cases.items()})
    for name, (seconds, mean_s, stddev_s, ci) in cases.items():
        row = _complete(con, "milestone_stats", name)
        assert row["runs"] == len(seconds), name
        assert row["mean_s"] == pytest.approx(mean_s), name
        assert row["stddev_s"] == (None if stddev_s is None else pytest.approx(stddev_s, abs=1e-5)), name
        cv_pct = None if stddev_s is None else pytest.approx(100 * stddev_s / mean_s, abs=1e-3)
        assert row["cv_pct"] == cv_pct, name
        interval = None if row["ci95_low_s"] is None else (row["ci95_low_s"], row["ci95_high_s"])
        assert interval == (None if ci is None else pytest.approx(ci, abs=1e-4)), name


def test_t_quantile_is_students() -> None:
    rows = Ledger().build().execute("select df, level, t from t_quantile").fetchall()
    assert len(rows) == 600
    for df, level, t in rows:
        assert t == pytest.approx(stats.t.ppf((1 + level) / 2, df), abs=1e-10)


def test_p_values_at_their_limits() -> None:
    pairs = {
        "equal means": ([60.0, 61, 62], [60.0, 61, 62]),
        "hardly any spread, far apart": ([60.0] * 3 + [60.001], [40.0, 40.001, 40]),
        "no spread on one side": ([60.0, 60, 60], [40.0, 41, 45]),
        "two runs a side": ([60.0, 61], [40.0, 44]),
        "hundreds of runs": ([60 + (i % 7) / 10 for i in range(250)], [60 + (i % 5) / 9 for i in range(240)]),
    }
    con = _pairs(pairs)
    for name, (reference, tuned) in pairs.items():
        # from moments: scipy warns of samples without spread, and warnings are errors here
        samples = (_exact(tuned), _exact(reference))
        moments = [x for values in samples for x in (fmean(values), stdev(values), len(values))]
        expected = stats.ttest_ind_from_stats(*moments, equal_var=False).pvalue
        p_value = _complete(con, "milestone_change", name)["p_value"]
        assert p_value == pytest.approx(expected, rel=1e-7, abs=1e-12), name


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


def test_an_interval_that_excludes_one_says_so_in_the_verdict_and_p_is_raw_welch() -> None:
    toml = "[study]\nmargin_pct = 5\n"
    samples = {"default": [10.0, 10.2, 10.4]} | {f"c{i}": [10.0 + i / 9, 10.3, 10.5] for i in range(9)}
    con = _store(samples | {"wide": [14.0, 17.0, 19.0]}, toml)
    row = _complete(con, "milestone_change", "wide")
    expected = stats.ttest_ind(samples["default"], [14.0, 17.0, 19.0], equal_var=False).pvalue
    assert row["p_value"] == pytest.approx(expected)
    assert str(row["verdict"]).endswith("inconclusive: anything from 13 % to 136 % more")


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


ALIKE = ([60.0, 62, 64, 61], [61.0, 62, 63, 60])
SHORTER = ([60.0, 61, 62, 61], [40.0, 40.5, 40.2, 41])


@pytest.mark.parametrize(
    ("toml", "cases"),
    [
        pytest.param(
            "",
            {
                "less": (SHORTER, r"^33\.7 % less \(95 % CI 32\.\d to 3\d\.\d %\)$"),
                "more": (SHORTER[::-1], r"^50\.\d % more \(95 % CI 4\d\.\d to 5\d\.\d %\)$"),
                "none shown": (ALIKE, r"^no difference shown; differences above 4\.\d % are ruled out$"),
                "interval of logarithms and test of values disagree": (
                    ([3.0, 2, 2.5, 3, 2, 560], [2.0, 2.5, 2, 3, 2.5, 2]),
                    r"^no difference shown by the test of the means; inconclusive: anything from \d+ % to ",
                ),
                "two runs": (([60.0, 61], [40.0, 41]), "^33 % less; no interval with fewer than 3 runs$"),
                "two runs, far above": (
                    ([2.0, 2.2], [29.0, 31.9]),
                    r"^14\.5 times as long; no interval with fewer than 3 runs$",
                ),
                "a thousand times": (
                    ([3.0, 3.05, 3.1], [3000.0, 3050, 3100]),
                    r"^1000 times as long \(95 % CI \d+ to \d+\)$",
                ),
                "almost nothing left": (([3000.0, 3050, 3100], [1.0, 1.02, 1.04]), r"^over 99\.9 % less$"),
            },
            id="no margin",
        ),
        pytest.param(
            MARGIN,
            {
                "equivalent": (
                    ALIKE,
                    r"^equal within the margin of 5\.0 %; differences above 4\.\d % are ruled out$",
                ),
                "shown, but inside the margin": (
                    ([60.0, 60.1, 60.2, 60.1], [59.0, 59.1, 59.2, 59.1]),
                    r"^1\.7 % less \(95 % CI 1\.\d to 1\.9 %\), inside the margin of 5\.0 %$",
                ),
            },
            id="a margin",
        ),
    ],
)
def test_verdicts_follow_from_the_interval(
    toml: str, cases: dict[str, tuple[tuple[list[float], list[float]], str]]
) -> None:
    con = _pairs({name: samples for name, (samples, _) in cases.items()}, toml)
    found = {name: str(_complete(con, "milestone_change", name)["verdict"]) for name in cases}
    wrong = {name: found[name] for name, (_, verdict) in cases.items() if not re.search(verdict, found[name])}
    assert wrong == {}


def test_statistics_are_over_used_runs_only_and_the_others_are_shown_beside() -> None:
    con = _store({"tuned": [40.0, 42.0, 90.0]}, excluded=("run3",))
    row = _complete(con, "milestone_stats", "tuned")
    assert (row["runs"], row["mean_s"]) == (2, 41.0)
    both = _complete(con, "milestone_sensitivity", "tuned")
    assert (both["runs"], both["runs_with_excluded"], both["mean_s"]) == (2, 3, 41.0)
    assert both["mean_with_excluded_s"] == pytest.approx(172 / 3)


def test_outlier_is_flagged_and_kept() -> None:
    samples = {"a slow run": [40.0, 41, 40.5, 41.5, 40.2, 60], "none": [40.0, 41, 40.5, 41.5, 40.2, 41.2]}
    samples["too few to tell"] = [40.0, 41, 60]
    con = _store(samples)
    flagged = ("a slow run", "run6")
    assert con.execute("select distinct configuration, run from outlier").fetchall() == [flagged]
    assert [_complete(con, "milestone_stats", name)["runs"] for name in samples] == [6, 6, 3]
    doubts = con.execute("select severity, configuration, run from finding where kind = 'outlier'").fetchall()
    assert doubts == [("note", *flagged)]  # a warning is left to the test over the whole study
    lines = con.execute(
        "select line.run, line.item, milestone.milestone "
        "from (select unnest(lines) as line from finding where kind = 'outlier') "
        "inner join milestone on line.file_id = milestone.file_id and line.line_no = milestone.line_no"
    ).fetchall()
    assert lines == [("run6", "complete", "complete")]


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


def test_drift_is_spearmans() -> None:
    samples = {"ties": [40.0, 41, 42, 42, 43, 45], "none": [40.0, 44, 41, 45, 39, 42]}  # ranks 1 2 3.5 3.5 5 6
    rows = _store(samples).execute("select configuration, rho, is_significant from drift").fetchall()
    found = {configuration: (rho, is_significant) for configuration, rho, is_significant in rows}
    for name, seconds in samples.items():
        rho = stats.spearmanr(range(6), seconds).statistic
        assert found[name] == (pytest.approx(rho), abs(rho) > 0.9), name


def test_findings_name_few_runs_spread_and_exclusion() -> None:
    con = _store({"tuned": [40.0, 60.0, 90.0]}, excluded=("run3",))
    found = con.execute(
        "select kind, run from finding where kind not in ('fault_disagreement', 'overlapping_runs') order by kind"
    ).fetchall()
    assert found == [("excluded", "run3"), ("few_runs", None), ("spread", None)]


def test_without_a_run_in_use_it_is_said_so() -> None:
    con = _store({"none": [40.0]}, excluded=("run1",))
    assert con.execute("select text from finding where kind = 'few_runs'").fetchall() == [
        ("No run of `none` is used: no confidence interval can be given.",)
    ]


def test_five_runs_are_enough_and_four_are_few() -> None:
    runs = [40.0, 41.0, 42.0, 43.0, 44.0]
    con = _store({"one": runs[:1], "two": runs[:2], "four": runs[:4], "five": runs})
    found = dict(con.execute("select configuration, text from finding where kind = 'few_runs'").fetchall())
    assert found == {
        "one": "Only 1 run of `one` is used: no confidence interval can be given.",
        "two": "Only 2 runs of `two` are used: no confidence interval can be given.",
        "four": "Only 4 runs of `four` are used: the intervals are wide.",
    }
