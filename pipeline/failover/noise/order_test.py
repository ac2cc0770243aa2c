"""Whether the order of runs shows in their values."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from hashlib import md5
from itertools import pairwise
from math import log, sqrt
from operator import attrgetter
from statistics import correlation, fmean, stdev
from typing import Annotated, NamedTuple

from pipeline.failover.noise.samples import FARTHEST, SAMPLE, RunSample, sample_of, samples, sign, student_z
from pipeline.failover.step import CONFIGURATION, Int32, step

LEAST_CORRELATED = 6
"""Runs from which on neighbours are compared."""


class OrderTest(NamedTuple):
    """One row per configuration's headline (its last milestone, throughput or elapsed time), from five runs on: three
    tests of the order of its runs, as normal values. The first run: its distance from the others (Student's t); the
    lesser of those of the values and of their logarithms. Autocorrelation: Bartels' rank version of von Neumann's
    ratio, from six runs on; equal values are drawn apart, so that it holds however many there are. Drift: Spearman's
    rank correlation with the order.
    """

    subject: str
    item: str
    unit: str | None
    label: str | None
    clients: Int32 | None
    configuration: str
    runs: int
    first_value: Annotated[float, "value of the first run"]
    other_mean: Annotated[float, "mean of the others"]
    first_z: Annotated[
        float | None,
        "how far the first run is on the slow side of the others, as a normal value; where slow is unknown, on the "
        "upper side; null where the others are all alike and known exactly",
    ]
    slow_sign: Annotated[
        Int32 | None, "1 where a greater value is slower, -1 where a lesser one is, null where neither is known"
    ]
    neighbour_correlation: Annotated[
        float | None, "correlation of the ranks of runs that follow each other, 1 less half of the ratio"
    ]
    autocorrelation_z: Annotated[float | None, "the same as a normal value"]
    rho: Annotated[float | None, "Spearman's correlation of value and order"]
    drift_z: Annotated[float | None, "the same as a normal value"]


@step(by=CONFIGURATION, rests_on_all=True, links=[f"from: run_sample by {', '.join(SAMPLE)}; of value"])
def order_test(run_sample: Sequence[RunSample]) -> Iterator[OrderTest]:
    """Test the order of the headlines of a configuration."""
    for own in samples(each for each in run_sample if each.is_headline):
        in_time = sorted(own, key=attrgetter("place"))
        first, *others = values = [each.value for each in in_time]
        first_t = _first_t(values, max(each.error for each in own))
        has_order = min(values) < max(values)  # what never changes has none
        rho = correlation(range(len(values)), _ranks(values)) if has_order else None
        neighbours = _neighbour_correlation(in_time) if has_order and len(own) >= LEAST_CORRELATED else None
        yield OrderTest(
            *sample_of(own[0]),
            len(values),
            first,
            fmean(others),
            None if first_t is None else _slow_z(first_t, own[0].slow_sign, len(values)),
            own[0].slow_sign,
            neighbours,
            None if neighbours is None else _autocorrelation_z(neighbours, len(values)),
            rho,
            None if rho is None else _drift_z(rho, len(values)),
        )


def _first_t(values: Sequence[float], error: float) -> float | None:
    """Student's t of the first value against the others; None where these are all alike, without an error."""
    first, *others = values
    mean = fmean(others)
    if abs(first - mean) <= error:
        return 0.0
    plain = _t(first, others, error)
    if plain is None or min(values) <= 0:
        return plain
    of_logarithms = _t(log(first), [log(each) for each in others], error / mean)
    if of_logarithms is None:
        return plain
    return sign(plain) * min(abs(plain), abs(of_logarithms)) if sign(of_logarithms) == sign(plain) else 0.0


def _t(first: float, others: Sequence[float], error: float) -> float | None:
    spread = sqrt((stdev(others) ** 2 + error**2 / 12) * (1 + 1 / len(others)))
    return (first - fmean(others)) / spread if spread else None


def _slow_z(first_t: float, slow_sign: int | None, runs: int) -> float:
    slow_t = first_t if slow_sign is None else slow_sign * first_t
    return max(-FARTHEST, min(student_z(slow_t, runs - 2), FARTHEST))


def _ranks(values: Sequence[float]) -> list[float]:
    """The place of each value in order of size; equal ones have the mean of theirs."""
    in_order = sorted(values)
    return [(bisect_left(in_order, each) + bisect_right(in_order, each) + 1) / 2 for each in values]


def _neighbour_correlation(in_time: Sequence[RunSample]) -> float:
    """One less half of Bartels' ratio."""
    runs = len(in_time)
    in_order = sorted(in_time, key=lambda each: (each.value, _drawn(each)))
    rank_of = {each.run: rank for rank, each in enumerate(in_order)}
    squares = sum((rank_of[after.run] - rank_of[before.run]) ** 2 for before, after in pairwise(in_time))
    return 1 - squares / (runs * (runs**2 - 1) / 12) / 2


def _drawn(run: RunSample) -> str:
    """An order that knows nothing of time, of equal values: few different ones would follow each other too often."""
    return md5(f"{run.configuration} {run.item} {run.run}".encode(), usedforsecurity=False).hexdigest()


def _autocorrelation_z(neighbours: float, runs: int) -> float:
    # degrees of freedom of a correlation that is spread as the ratio is
    df = 5 * runs * (runs + 1) * (runs - 1) ** 2 / ((runs - 2) * (5 * runs**2 - 2 * runs - 9)) - 1
    return student_z(neighbours * sqrt(df / max(1 - neighbours**2, 1e-9)), df)


def _drift_z(rho: float, runs: int) -> float:
    # half a step nearer to none, as few ranks allow few values
    steady = sign(rho) * max(abs(rho) - 6 / (runs**3 - runs), 0.0)
    return student_z(steady * sqrt((runs - 2) / (1 - steady**2)), runs - 2)
