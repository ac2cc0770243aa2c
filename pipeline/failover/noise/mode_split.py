"""Whether the runs of a sample divide into two groups."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import exp, lgamma, log, sqrt
from operator import attrgetter
from statistics import fmean
from typing import Annotated, NamedTuple

from pipeline.failover.noise.samples import FARTHEST, SAMPLE, RunSample, normal_tail, sample_of, samples, student_z
from pipeline.failover.step import CONFIGURATION, Int32, step

Z2 = 1.959963984540054**2
"""Square of the normal quantile of a 95 % interval."""
LEAST_DISTANCE = 0.01
"""Share of the mean below which a distance is none."""


class ModeSplit(NamedTuple):
    """One row per sample of at least five runs: the cut that best divides its runs into two groups, and how likely
    chance makes one as clear. A cut between two values in order of size: t of Student's test between the groups, with
    a spread of at least what the stamps hide and a distance less by it. Of k runs among n there are "n over k" groups,
    each with its chance, so the p value is at most their sum; each size of the smaller group has a share of it, a group
    of one most. It is the greater of those of the values and of their logarithms, so that neither a normal nor a skewed
    (log-normal) spread looks divided. A distance below a hundredth of the mean is none.
    """

    subject: str
    item: str
    unit: str | None
    label: str | None
    clients: Int32 | None
    configuration: str
    runs: int
    is_headline: Annotated[bool, "what the configuration is about"]
    minority: Annotated[int, "runs in the smaller group; in the upper one where both are equal"]
    is_minority_high: Annotated[bool, "the smaller group has the greater values"]
    share: Annotated[float, "share of the smaller group"]
    share_ci95_low: Annotated[float, "lower end of its Wilson interval"]
    share_ci95_high: Annotated[float, "upper end"]
    minority_mean: Annotated[float, "mean of the smaller group"]
    majority_mean: Annotated[float, "mean of the others"]
    minority_runs: Annotated[list[str], "the runs of the smaller group"]
    p_value: Annotated[float, "probability of a cut as clear in a sample without modes, at most"]


@step(by=CONFIGURATION, rests_on_all=True, links=[f"from: run_sample by {', '.join(SAMPLE)}; of value"])
def mode_split(run_sample: Sequence[RunSample]) -> Iterator[ModeSplit]:
    """Divide each sample of a configuration where it is divided most clearly."""
    headlines = samples(each for each in run_sample if each.is_headline and each.subject == "milestone")
    whole = max((abs(_mean(own)) for own in headlines), default=0.0)
    for own in samples(run_sample):
        in_order = sorted(own, key=attrgetter("value", "run"))
        mean, runs = _mean(in_order), len(own)
        k, ln_p = _clearest_cut([each.value for each in in_order], mean, max(each.error for each in own))
        is_minority_high = 2 * k >= runs
        minority, majority = in_order[:k], in_order[k:]
        if is_minority_high:
            minority, majority = majority, minority
        least = LEAST_DISTANCE * max(abs(mean), 0.0 if own[0].subject == "measurement" else whole)
        yield ModeSplit(
            *sample_of(own[0]),
            runs,
            own[0].is_headline,
            len(minority),
            is_minority_high,
            len(minority) / runs,
            *_wilson(len(minority), runs),
            _mean(minority),
            _mean(majority),
            [each.run for each in sorted(minority, key=attrgetter("place"))],
            1.0 if abs(_mean(minority) - _mean(majority)) < least else exp(ln_p),
        )


def _mean(runs: Sequence[RunSample]) -> float:
    return fmean(each.value for each in runs)


def _wilson(count: int, runs: int) -> tuple[float, float]:
    middle = count + Z2 / 2
    half = sqrt(Z2 * (count * (1 - count / runs) + Z2 / 4))
    return (middle - half) / (runs + Z2), (middle + half) / (runs + Z2)


def _clearest_cut(values: Sequence[float], mean: float, error: float) -> tuple[int, float]:
    """How many values, in order of size, lie below the clearest cut, and the logarithm of its chance, at most."""
    runs = len(values)
    scales = [_Scale([each - mean for each in values], error)]
    if values[0] > 0:
        scales.append(_Scale([log(each / mean) for each in values], error / mean))
    found = []
    for k in range(1, runs):
        is_seen = values[k] - values[k - 1] > error
        z = min(each.distance_of(k) for each in scales) if is_seen else 0.0
        size = min(k, runs - k)
        # sizes 1, 2, ... up to the half share the chance as 1/2, 1/6, 1/12, ..., and both sides have half of it
        share = 1 / (size * (size + 1)) / (1 - 1 / (runs // 2 + 1)) / 2
        groups = lgamma(runs + 1) - lgamma(k + 1) - lgamma(runs - k + 1)
        found.append((min(0.0, groups + log(normal_tail(z)) - log(share)), abs(2 * k - runs), k))
    ln_p, _, k = min(found)
    return k, ln_p


class _Scale:
    """Deviations in order of size, and how far they may be off."""

    def __init__(self, deviations: Sequence[float], error: float) -> None:
        self._count, self._error = len(deviations), error
        self._sums = list(accumulate(deviations))
        self._squares = list(accumulate(each * each for each in deviations))

    def distance_of(self, k: int) -> float:
        """How far the first k lie from the others, as a normal value."""
        others = self._count - k
        low, low_squares = self._sums[k - 1], self._squares[k - 1]
        high, high_squares = self._sums[-1] - low, self._squares[-1] - low_squares
        spread = max(low_squares - low**2 / k, 0.0) + max(high_squares - high**2 / others, 0.0)
        variance = spread / (self._count - 2) + self._error**2 / 12
        distance = high / others - low / k - self._error
        if distance <= 0:
            return 0.0
        if variance <= 1e-24 * distance**2:
            return FARTHEST
        return min(student_z(distance / sqrt(variance * (1 / k + 1 / others)), self._count - 2), FARTHEST)
