"""95 % intervals: of a standard deviation and a coefficient of variation, for normal quantities, and of a share."""

import math

LEVEL = 0.95
NORMAL_975 = 1.959963984540054
"""Quantile of the normal distribution that `LEVEL` asks for on either side."""
FAR = 20.0
"""Standard deviations from the mean beyond which no quantile in use lies."""


def stddev_interval(stddev: float, runs: int) -> tuple[float, float]:
    """Interval of a standard deviation, by the chi-square distribution of its square."""
    low, high = _quantiles(runs - 1)
    return stddev * math.sqrt((runs - 1) / high), stddev * math.sqrt((runs - 1) / low)


def cv_interval(cv: float, runs: int) -> tuple[float, float | None]:
    """Interval of a standard deviation over its mean; the upper end None where the data set no bound.

    Vangel's modification of McKay's approximation: M. G. Vangel, Confidence intervals for a normal coefficient of
    variation, The American Statistician 50 (1996).
    """
    low, high = _quantiles(runs - 1)

    def end(quantile: float) -> float | None:
        square = ((quantile + 2) / runs - 1) * cv**2 + quantile / (runs - 1)
        return cv / math.sqrt(square) if square > 0 else None

    return end(high) or 0.0, end(low)


def chi_square_quantile(probability: float, freedom: int) -> float:
    """The value that a chi-square variable stays below with this probability, by bisection."""
    low, high = 0.0, freedom + FAR * math.sqrt(2 * freedom) + FAR
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if _lower_gamma(freedom / 2, middle / 2) < probability else (low, middle)
    return (low + high) / 2


def _quantiles(freedom: int) -> tuple[float, float]:
    tail = (1 - LEVEL) / 2
    return chi_square_quantile(tail, freedom), chi_square_quantile(1 - tail, freedom)


def _lower_gamma(shape: float, x: float) -> float:
    """The regularised lower incomplete gamma function, by its power series (all terms are positive)."""
    if x <= 0:
        return 0.0
    term = total = 1 / shape
    step = shape
    while term > total * 1e-16:
        step += 1
        term *= x / step
        total += term
    return total * math.exp(shape * math.log(x) - x - math.lgamma(shape))


def share_interval(count: int, runs: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, as relation `recovery` has it."""
    share, z2 = count / runs, NORMAL_975**2
    middle = share + z2 / (2 * runs)
    half = math.sqrt(z2 * (share * (1 - share) / runs + z2 / (4 * runs**2)))
    low, high = (middle - half) / (1 + z2 / runs), (middle + half) / (1 + z2 / runs)
    return 0.0 if count == 0 else low, 1.0 if count == runs else high
