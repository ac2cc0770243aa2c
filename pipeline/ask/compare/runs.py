"""How many runs it would take to show a difference that was seen, or equality within a margin."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, isfinite, log
from statistics import NormalDist
from typing import Any, Final

LEVEL: Final = 0.05
POWER: Final = 0.8
MOST: Final = 1000
"""Beyond this many runs no one goes to measure: the difference is then as good as none."""


@dataclass(frozen=True, slots=True)
class RunsToAdd:
    """Runs to add to the side that has fewer; None where nothing is open, or no number of runs would do."""

    to_show: int | None = None
    to_equal: int | None = None


def runs_to_add(row: Mapping[str, Any]) -> RunsToAdd:  # values of any column
    """What would decide a row of the relation `comparison`."""
    if row["is_decided"] or row["is_decided"] is None:
        return RunsToAdd()
    fewer = min(row["runs"], row["reference_runs"])
    to_show = runs_to_show(row["ratio"], row["cv"], row["reference_cv"], row["comparisons"], row["common_ratio_error"])
    to_equal = row["margin_runs"]
    return RunsToAdd(
        None if to_show is None else max(1, to_show - fewer), None if to_equal is None else max(1, to_equal - fewer)
    )


def runs_to_show(
    ratio: float | None,
    cv: float | None,
    reference_cv: float | None,
    comparisons: int = 1,
    common_error: float | None = None,
) -> int | None:
    """Runs of each configuration with which a test would show a ratio as far from 1 as this one, four times in five.

    Both sides keep their coefficients of variation. For a two-sided t test
    n = (z_a + z_b)^2 (cv_1^2 + cv_2^2) / ln(ratio)^2 + z_a^2 / 4 (W. C. Guenther, Sample size formulas for normal
    theory t tests, The American Statistician 35, 1981, 243-244). The level is divided by the number of comparisons,
    the strictest that Holm's correction asks for. `common_error`: half width of the error of ln(ratio) that no further
    run makes less; the runs have to show what lies beyond it. None: no ratio, no spread, nothing beyond that error, or
    more than 1000 runs.
    """
    if ratio is None or cv is None or reference_cv is None or ratio <= 0 or ratio == 1:
        return None
    variance = cv**2 + reference_cv**2
    effect = abs(log(ratio)) - (common_error or 0.0)
    if variance <= 0 or not isfinite(variance) or effect <= 0:
        return None
    z_level = NormalDist().inv_cdf(1 - LEVEL / max(comparisons, 1) / 2)
    z_power = NormalDist().inv_cdf(POWER)
    count = (z_level + z_power) ** 2 * variance / effect**2 + z_level**2 / 4
    return ceil(count) if count <= MOST else None
