"""Two configurations against each other: any two, of one store or of two, with the statistics of the store."""

from functools import cache
from math import exp, log, sqrt
from pathlib import Path
from statistics import fmean, stdev

import duckdb
import pytest
from scipy import stats

from pipeline.ask.compare.compare import Comparison, Pair, compare
from pipeline.ask.compare.runs import POWER, runs_to_show
from pipeline.ask.compare.sides import sides
from pipeline.errors import StoreError, UsageError
from pipeline.ingest.ingest import ingest

SLOW = [100.0, 102.0, 98.0, 101.0, 99.0, 100.0]
FAST = [111.0, 113.0, 109.0, 112.0, 110.0, 111.0]
ALIKE = [100.5, 101.5, 99.0, 101.0, 99.5, 100.0]


def study(folder: Path, samples: dict[str, list[float]], toml: str = "") -> Path:
    """A study with a table of transactions per second, one row a run."""
    folder.mkdir()
    lines = [f"{name},{run},8,60,{value}" for name, values in samples.items() for run, value in enumerate(values, 1)]
    (folder / "results.csv").write_text("\n".join(["config,run,clients,duration_s,tps", *lines]) + "\n")
    (folder / "study.toml").write_text(toml)
    store = folder.with_name(f"{folder.name}-store.duckdb")
    ingest(folder, store)
    return store


@cache
def compared(a: str, b: str, store: Path) -> Pair:
    return throughput(compare(*sides(a, b, store, store.parent)))


def throughput(comparison: Comparison) -> Pair:
    return next(pair for pair in comparison.pairs if pair.item == "tps")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    samples = {"slow": SLOW, "fast": FAST, "alike": ALIKE, "single": [100.0]}
    toml = '[study]\nreference = "slow"\nmargin_pct = 5\n[configuration.alike]\nlabel = "As it was"\n'
    return study(tmp_path_factory.mktemp("compare") / "study", samples, toml)


def test_any_two_configurations_are_compared_for_any_reference(store: Path) -> None:
    found = compared("fast", "slow", store)
    u, v = (stdev(each) ** 2 / (len(each) * fmean(each) ** 2) for each in (FAST, SLOW))
    df = (u + v) ** 2 / ((u**2 + v**2) / 5)
    half_width = stats.t.ppf(0.975, df) * sqrt(u + v)
    ratio = fmean(FAST) / fmean(SLOW)
    assert (found.runs, found.reference_runs) == (6, 6)
    assert found.ratio == pytest.approx(ratio)
    assert found.ratio_ci95_low == pytest.approx(ratio * exp(-half_width), rel=1e-6)
    assert found.ratio_ci95_high == pytest.approx(ratio * exp(half_width), rel=1e-6)
    assert found.difference == pytest.approx(11.0)
    assert found.p_value == pytest.approx(stats.ttest_ind(FAST, SLOW, equal_var=False).pvalue, rel=1e-6)
    assert found.stddev == pytest.approx(stdev(FAST))
    assert found.verdict.startswith("11.0 % more (95 % CI")
    assert (found.is_decided, found.more_runs_to_show, found.equivalence) == (True, None, "beyond the margin")


def test_the_other_way_round_gives_the_reciprocal_interval(store: Path) -> None:
    one = compared("fast", "slow", store)
    other = compared("slow", "fast", store)
    assert one.ratio_ci95_low is not None
    assert other.ratio_ci95_high == pytest.approx(1 / one.ratio_ci95_low)
    assert other.difference == pytest.approx(-one.difference)


def test_equal_means_the_whole_interval_inside_the_margin(store: Path) -> None:
    found = compared("alike", "slow", store)
    assert found.verdict.startswith("equal within the margin of 5.0 %")
    assert (found.equivalence, found.is_decided) == ("inside the margin", True)


def test_what_is_open_says_how_many_runs_would_resolve_it(store: Path) -> None:
    found = throughput(compare(*sides("alike", "slow", store, store.parent), margin_pct=1.0))
    assert found.verdict.startswith("no difference shown")
    assert (found.equivalence, found.is_decided) == ("not shown", False)
    assert found.more_runs_to_equal is not None
    # the interval of so many runs, with means and spreads as they are, reaches the margin for the first time
    cvs = stdev(ALIKE) / fmean(ALIKE), stdev(SLOW) / fmean(SLOW)
    ratio = fmean(ALIKE) / fmean(SLOW)

    def far_end(runs: int) -> float:
        u, v = (cv**2 / runs for cv in cvs)
        df = (u + v) ** 2 / ((u**2 + v**2) / (runs - 1))
        half_width = stats.t.ppf(0.975, df) * sqrt(u + v)
        return float(max(ratio * exp(half_width) - 1, 1 - ratio * exp(-half_width)))

    needed = found.more_runs_to_equal + len(SLOW)
    assert far_end(needed) <= 0.01 < far_end(needed - 1)


def test_one_run_has_no_interval_and_asks_for_more(store: Path) -> None:
    found = compared("single", "slow", store)
    assert (found.stddev, found.ratio_ci95_low, found.p_value) == (None, None, None)
    assert (found.equivalence, found.is_decided) == ("no interval", False)


def test_without_a_margin_no_equality_is_claimed(tmp_path: Path) -> None:
    made = study(tmp_path / "study", {"a": SLOW, "b": ALIKE})
    found = compare(*sides("a", "b", made, tmp_path))
    assert found.margin_pct is None
    assert throughput(found).equivalence == "no margin"


def test_two_stores_of_configurations_with_one_name(tmp_path: Path) -> None:
    before, after = study(tmp_path / "before", {"x": SLOW}), study(tmp_path / "after", {"x": FAST, "y": SLOW})
    found = throughput(compare(*sides("after-store.duckdb:x", "before-store.duckdb", None, tmp_path)))
    assert found.ratio == pytest.approx(fmean(FAST) / fmean(SLOW))
    assert {each.name for each in (before, after)} == {"before-store.duckdb", "after-store.duckdb"}


def test_as_the_store_itself_compares_with_its_reference(store: Path) -> None:
    found = compared("fast", "slow", store)
    with duckdb.connect(str(store), read_only=True) as con:
        query = (
            "select relative_ratio, ci95_low, ci95_high, p_value, verdict from measurement_ratio "
            "where configuration = 'fast' and metric = 'tps'"
        )
        stored = con.execute(query).fetchall()
    own = (found.ratio, found.ratio_ci95_low, found.ratio_ci95_high, found.p_value)
    assert stored[0][:4] == pytest.approx(own)
    assert stored[0][4] == found.verdict


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        pytest.param("fst", "slow", "did you mean fast?", id="a misspelt name"),
        pytest.param("fast", "fast", "the same configuration", id="twice the same"),
        pytest.param("study-store.duckdb", "slow", "which configuration", id="a store with several"),
        pytest.param("study-store.duckdb:nope", "slow", "no configuration of", id="a store without it"),
        pytest.param("\x1b[31m", "slow", "no configuration of", id="a hostile name"),
        pytest.param("x" * 5000, "slow", "no configuration of", id="a name that no file can have"),
    ],
)
def test_names_that_mean_nothing_are_refused_with_the_choices(store: Path, a: str, b: str, message: str) -> None:
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        sides(a, b, store, store.parent)


def test_without_a_store_the_way_to_one_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store here"):
        sides("a", "b", None, tmp_path)


def test_a_label_names_a_configuration_too(store: Path) -> None:
    assert sides("as it was", "slow", store, store.parent)[0].configuration == "alike"


def power_of(ratio: float, cv: float, runs: int, comparisons: int = 1) -> float:
    """Exact power of a two-sided two-sample t test on logarithms, both sides with this spread (noncentral t)."""
    df = 2 * (runs - 1)
    shift = abs(log(ratio)) / (cv * sqrt(2 / runs))
    critical = stats.t.ppf(1 - 0.05 / comparisons / 2, df)
    return float(stats.nct.sf(critical, df, shift) + stats.nct.cdf(-critical, df, shift))


@pytest.mark.parametrize("comparisons", [1, 8])
@pytest.mark.parametrize("cv", [0.02, 0.05, 0.1, 0.3])
@pytest.mark.parametrize("ratio", [0.5, 0.9, 1.05, 1.3])
def test_planned_runs_have_the_power_and_clearly_fewer_do_not(ratio: float, cv: float, comparisons: int) -> None:
    runs = runs_to_show(ratio, cv, cv, comparisons)
    if runs is None or runs < 4:  # a difference far beyond the spread; the formula is made for more
        return
    assert power_of(ratio, cv, runs + 1, comparisons) >= POWER
    assert power_of(ratio, cv, max(2, runs - 2), comparisons) < POWER


def test_worked_by_hand() -> None:
    # (1.959964 + 0.841621)^2 * 2 * 0.1^2 / ln(1.1)^2 + 1.959964^2 / 4 = 7.848880 * 0.02 / 0.00908403 + 0.960365 = 18.24
    assert runs_to_show(1.1, 0.1, 0.1) == 19


@pytest.mark.parametrize(
    ("ratio", "cv", "reference_cv"),
    [
        pytest.param(None, 0.1, 0.1, id="no ratio"),
        pytest.param(1.0, 0.1, 0.1, id="no difference"),
        pytest.param(1.1, 0.0, 0.0, id="no spread"),
        pytest.param(1.1, None, 0.1, id="one run has no spread"),
        pytest.param(1.0001, 0.3, 0.3, id="more runs than anybody makes"),
        pytest.param(-1.0, 0.3, 0.3, id="a ratio that none can be"),
    ],
)
def test_no_number_of_runs_is_made_up(ratio: float | None, cv: float | None, reference_cv: float | None) -> None:
    assert runs_to_show(ratio, cv, reference_cv) is None
