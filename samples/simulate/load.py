"""Numbers of a loaded system: values that scatter from run to run and from interval to interval, with known means.

Only sums, products and square roots, so that every machine gets the same numbers.
"""

from collections.abc import Sequence
from math import sqrt
from random import Random


def normal(random: Random) -> float:
    """About standard normal: twelve uniform numbers, less their mean."""
    return sum(random.random() for _ in range(12)) - 6


def between(random: Random, low: float, high: float) -> float:
    """A number between two."""
    return low + (high - low) * random.random()


def scattered(random: Random, count: int, mean: float, cv_pct: float) -> list[float]:
    """Values with exactly this mean and this sample standard deviation in percent of it."""
    drawn = _centred([normal(random) for _ in range(count)])
    deviation = sqrt(sum(each * each for each in drawn) / (count - 1))
    return [mean * (1 + cv_pct / 100 * each / deviation) for each in drawn]


def wandering(random: Random, count: int, jitter: float, drift: float, memory: float = 0.9) -> list[float]:
    """Factors of mean 1: `jitter` of each interval for itself, and a `drift` that lasts for about 1 / (1 - memory)."""
    fresh = drift * sqrt(1 - memory * memory)
    state = drift * normal(random)
    factors = []
    for _ in range(count):
        state = memory * state + fresh * normal(random)
        factors.append(state + jitter * normal(random))
    return [max(1 + each, 0.05) for each in _centred(factors)]


def counted(rates: Sequence[float], interval_s: float) -> list[int]:
    """Whole events of each interval; what is cut off counts in the next, so that the total is that of the rates."""
    total, seen, counts = 0.0, 0, []
    for rate in rates:
        total += rate * interval_s
        counts.append(round(total) - seen)
        seen += counts[-1]
    return counts


def _centred(values: Sequence[float]) -> list[float]:
    mean = sum(values) / len(values)
    return [each - mean for each in values]
