"""What the relation `noise_test` does with the tests of samples, without a store; a test holds both together."""

from collections.abc import Iterator, Sequence
from math import exp, lgamma, log, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

MODES: Final = 0.01
LEVELS: Final = {"first_run": (0.03, 0.045), "autocorrelation": (0.03, 0.02), "drift": (0.005, 0.005)}
"""Of several configurations, and of one alone."""

POOLED: Final = 0.6


class Split(NamedTuple):
    """A row of `mode_split`."""

    item: str
    is_headline: bool
    p_value: float


class Order(NamedTuple):
    """A row of `order_test`, the only one of its configuration."""

    first_run: float | None
    autocorrelation: float | None
    drift: float | None


def control(splits: Sequence[Split], orders: Sequence[Order]) -> Iterator[str]:
    """The tests that notice something in a study."""
    kinds = {each.is_headline for each in splits}
    items: dict[str, list[float]] = {}
    for each in splits:
        items.setdefault(each.item, []).append(max(each.p_value, 1e-300))
    several = [_fisher(p) for p in items.values() if len(p) > 1]
    level = MODES / 2 if several else MODES
    for kind in kinds:
        own = [each.p_value for each in splits if each.is_headline == kind]
        if min(own) * len(own) < level / len(kinds):
            yield "mode_split"
    if several and min(several) * len(several) < level:
        yield "mode_split"
    for test, (level, alone) in LEVELS.items():
        z = [value for each in orders if (value := getattr(each, test)) is not None]
        p = [_p(value, test) for value in z]
        if len(p) == 1:
            is_noticed = p[0] < alone
        else:
            is_noticed = bool(p) and (
                min(p) * len(p) < (1 - POOLED) * level or _p(sum(z) / sqrt(len(z)), test) < POOLED * level
            )
        if is_noticed:
            yield test


def _p(z: float, test: str) -> float:
    tail = NormalDist().cdf(-z if test != "drift" else -abs(z))
    return 2 * tail if test == "drift" else tail


def _fisher(p: Sequence[float]) -> float:
    sum_of_logs = -sum(map(log, p))
    terms = (exp(j * log(sum_of_logs) - sum_of_logs - lgamma(j + 1)) for j in range(len(p))) if sum_of_logs else (1.0,)
    return min(1.0, sum(terms))
