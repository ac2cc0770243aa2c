"""What the measurements come to: coverage and width by cell, with the limits that hold for them."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev

from bench.coverage.studies import Comparison, FaultInterval, Item


@dataclass(frozen=True, slots=True)
class Limit:
    """What a share or a ratio may be."""

    low: float = -math.inf
    high: float = math.inf

    def verdict(self, value: float, error: float = 0.0) -> str:
        """`ok`, `low` or `high`; with a question mark where two standard errors would bring it inside."""
        if self.low <= value <= self.high:
            return "ok"
        side, distance = ("low", self.low - value) if value < self.low else ("high", value - self.high)
        return f"{side}?" if distance <= 2 * error else side


COVERAGE = Limit(0.94, 0.985)
AT_LEAST_AS_PROMISED = Limit(0.94)  # no upper limit where a bound is added, or both ends hang on one tick of LLT
WIDTH = Limit(high=1.2)
FALSE_DIFFERENCES = Limit(high=0.05)
FAULT_COVERAGE = Limit(0.95)
NONE = Limit(high=0)
SOME = Limit(1)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How often intervals hold the truth. An interval that is not published holds nothing."""

    count: int
    population: float | None  # share that holds the population mean; None where nobody knows it
    same_runs: float  # share that holds the mean of the true times of the same runs
    ideal: float | None  # share of the true times' own t intervals that hold the population mean: the luck of the draw
    error: float  # standard error of the shares: configurations are independent, their milestones are not
    width: float  # median of published half width over that of the true times' own t interval
    mean_width: float
    missing: int  # without an interval
    improper: int  # intervals of width zero or with an end below zero
    bias_s: float  # mean of published minus true mean of the same runs


def coverage(items: Sequence[Item]) -> Coverage:
    """The coverage of some intervals."""
    by_configuration: dict[str, list[Item]] = defaultdict(list)
    for each in items:
        by_configuration[each.configuration].append(each)
    is_known = all(each.population_s is not None for each in items)
    shares = [
        fmean(each.holds(each.population_s if is_known else each.true_mean_s) for each in group)
        for group in by_configuration.values()
    ]
    ratios = [ratio for each in items if (ratio := each.width_ratio) is not None]
    errors_s = [each.mean_s - each.true_mean_s for each in items if each.mean_s is not None]
    return Coverage(
        count=len(items),
        population=fmean(each.holds(each.population_s) for each in items) if is_known else None,
        same_runs=fmean(each.holds(each.true_mean_s) for each in items),
        ideal=fmean(each.ideal_holds for each in items) if is_known else None,
        error=stdev(shares) / math.sqrt(len(shares)) if len(shares) > 1 else math.nan,
        width=median(ratios) if ratios else math.nan,
        mean_width=fmean(ratios) if ratios else math.nan,
        missing=sum(each.half_width_s is None for each in items),
        improper=sum(each.is_improper for each in items),
        bias_s=fmean(errors_s) if errors_s else math.nan,
    )


def by_item(items: Iterable[Item]) -> Mapping[str, list[Item]]:
    """The intervals of each milestone or phase."""
    found: dict[str, list[Item]] = defaultdict(list)
    for each in items:
        found[each.item].append(each)
    return found


@dataclass(frozen=True, slots=True)
class FaultCoverage:
    """How often the interval of a fault time holds it. A fault time that is not published holds nothing."""

    count: int
    share: float
    missing: int
    width_s: float  # median
    widest_s: float


def fault_coverage(faults: Sequence[FaultInterval]) -> FaultCoverage:
    """The coverage of some fault intervals."""
    widths = [width for each in faults if (width := each.width_s) is not None]
    return FaultCoverage(
        count=len(faults),
        share=fmean(each.holds for each in faults),
        missing=len(faults) - len(widths),
        width_s=median(widths) if widths else math.nan,
        widest_s=max(widths, default=math.nan),
    )


def false_share(comparisons: Sequence[Comparison]) -> float:
    """The share of differences that are none."""
    return fmean(each.is_false for each in comparisons) if comparisons else math.nan


def subjects(items: Iterable[Item]) -> Iterator[tuple[str, list[Item]]]:
    """Milestones, then phases."""
    found = list(items)
    for subject in ("milestone", "phase"):
        if chosen := [each for each in found if each.subject == subject]:
            yield subject, chosen
