"""Runs that it takes to show a difference, held to the exact power of the t test."""

from math import log, sqrt

import pytest
from scipy import stats

from pipeline.ask.compare.runs import POWER, runs_to_show


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
