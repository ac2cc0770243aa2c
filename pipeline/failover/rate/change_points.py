"""Where a series of a rate leaves its own level, by cumulative sums (Page 1954), and where it is back.

A level is that of the steady intervals before, by medians, so that it rests neither on a dip nor on what follows.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, pairwise
from math import fsum, hypot, sqrt
from statistics import median
from typing import NamedTuple

LEAST_BEFORE = 3
"""So many intervals show a level."""
BLOCK = 10
"""The level is taken anew after so many steady intervals."""
WINDOW = 30
"""The level that a rate is compared with is that of so many steady intervals before: it follows a slow drift."""
STRETCH = 90
"""The level that a dip is measured by is that of so many."""
SLACK = 1.5
"""Standard deviations below the level that speak for no change."""
ALARM = 4.0
"""Standard deviations beyond the slack that add up to a change."""
ALARM_EXPECTED = 1.0
"""The same in the intervals that follow a known event."""
EXPECTED = 3
"""So many intervals from a known event on may show it by less."""
STEADY = 3
"""A rate is back where the median of so many intervals is."""
TREND = 3.0
"""Standard errors by which a slope differs from none: else the level is constant."""
NOISE = 3.5
"""Standard deviations below its level that an interval may be without being part of a dip."""
EXACT = 1e-6
"""Share of a level that noise is at least taken for."""
MAD_TO_SD = 1.4826
"""Standard deviation of normal values by their median absolute deviation."""
MEDIAN_ERROR = 1.2533
"""Standard error of a median over that of a mean, for normal values."""
COVERAGE = 1.96
"""Standard errors to either end of a 95 % interval."""


class Interval(NamedTuple):
    """A rate from `start_s` to `end_s`, in seconds; one without a line is missing: nothing was done."""

    start_s: float
    end_s: float
    value: float


@dataclass(frozen=True, slots=True)
class Level:
    """The level of a rate after `count` steady intervals, how it changes an interval, and its noise (a deviation).

    `persistence`: by how much sums over intervals err more than those of independent ones.
    """

    value: float
    slope: float
    noise: float
    count: int
    persistence: float = 1.0

    @property
    def half_width(self) -> float:
        """Half the 95 % interval of the level. The end of a line is known half as well as a mean."""
        return COVERAGE * MEDIAN_ERROR * self.noise * self.persistence * (2 if self.slope else 1) / sqrt(self.count)

    def after(self, count: int) -> float:
        """The level so many intervals later: a trend goes on for twice as long as it was seen."""
        return max(self.value + self.slope * min(count, 2 * self.count), 0.0)

    def least(self, share: float) -> float:
        """The rate that is still that of the level: a share of it, or less where its noise goes further."""
        return self.value - max(SLACK * self.noise, (1 - share) * self.value)


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch below the level: positions of its first interval and of the first that is back (None: none is)."""

    first: int
    back: int | None
    level: Level


def noise_of(values: Sequence[float]) -> float:
    """Standard deviation of a series by the differences of neighbours: neither drift nor dips add to it."""
    steps = [abs(after - before) for before, after in pairwise(values)]
    return MAD_TO_SD * median(steps) / sqrt(2) if steps else 0.0


def level_of(values: Sequence[float], noise: float) -> Level:
    """The level at the end of some values, with their trend if they have one; `noise`: what it is at least."""
    if len(values) >= BLOCK:
        level = _level(values, _slope(values), noise)
        if abs(level.slope) > TREND * level.noise * sqrt(12 / len(values) ** 3):
            return level
    return _level(values, 0.0, noise)


def _slope(values: Sequence[float]) -> float:
    """The slope by the median over all pairs (Theil 1950, Sen 1968), in the unit of the values an interval."""
    return median((after - before) / (to - at) for (at, before), (to, after) in combinations(enumerate(values), 2))


def _level(values: Sequence[float], slope: float, noise: float) -> Level:
    ends = [each + slope * (len(values) - at) for at, each in enumerate(values)] if slope else values
    middle = median(ends)
    spread = MAD_TO_SD * median(abs(each - middle) for each in ends)
    # where values follow each other by r, neighbours differ by 1 - r of the variance, sums vary by (1 + r) / (1 - r)
    differing = min((noise_of(values) / spread) ** 2, 1) if spread else 1.0
    persistence = sqrt((2 - differing) / differing) if differing else 1.0
    return Level(middle, slope, max(spread, noise), len(values), persistence)


def changes(intervals: Sequence[Interval], share: float, expected: Collection[int] = ()) -> Iterator[Change]:
    """The stretches in which a rate is below a share of its own level before.

    `expected`: positions of the intervals in which known events lie.
    """
    if not intervals:
        return
    noise = noise_of([each.value for each in intervals])
    usual_s = median(each.end_s - each.start_s for each in intervals)
    awaited = {first + each for first in expected for each in range(EXPECTED)}
    steady: list[float] = []
    level = Level(0.0, 0.0, 0.0, 0)
    renewed, until, excess, first = 0, 0, 0.0, 0
    for at, each in enumerate(intervals):
        if at < until:
            continue
        count = len(steady)
        if not excess and count >= LEAST_BEFORE and (count <= BLOCK or count >= renewed + BLOCK):
            level, renewed = _level(steady[-WINDOW:], 0.0, _level(steady[-STRETCH:], 0.0, noise).noise), count
        if level.value <= 0 or each.value >= (level.value if excess else level.least(share)):
            steady += [each.value for each in intervals[first : at + 1]] if excess else [each.value]
            excess = 0.0
            continue
        if not excess:
            first = at
        weight = max((each.end_s - each.start_s) / usual_s, 1)
        scale = max(level.noise * sqrt(1 + MEDIAN_ERROR**2 / level.count), EXACT * level.value)
        excess = max(excess + weight * (level.least(share) - each.value) / scale, 0)
        if excess > (ALARM_EXPECTED if at in awaited else ALARM):
            begin = max([first, *(each for each in expected if each <= at)])  # what shows only then is no noise before
            found = _change(intervals, begin, at, level_of(steady[-STRETCH:], noise), share)
            if event := _held_until(found, expected):
                steady, excess, until, renewed = [each.value for each in intervals[first:event]], 0.0, event, 0
                continue
            yield found
            excess, until = 0.0, len(intervals) if found.back is None else found.back
            gone = found.level.after(until - first) - found.level.value
            steady = [before + gone for before in steady[-STRETCH:]]
            renewed = 0
        elif not excess:
            steady += [each.value for each in intervals[first : at + 1]]


def stop(intervals: Sequence[Interval], event: int, share: float) -> Change | None:
    """The stretch without work from a known event on, where it is longer than any before: no noise hides that one."""
    by_work = groupby(range(len(intervals)), lambda at: intervals[at].value == 0)
    stretches = [list(own) for is_idle, own in by_work if is_idle]
    found = next((own for own in stretches if own[0] >= event), None)
    before = [each.value for each in intervals[:event]]
    if found is None or len(before) < LEAST_BEFORE:
        return None
    usual_s = median(each.end_s - each.start_s for each in intervals)
    longest_s = max((_length_s(intervals, own) for own in stretches if own[0] < event), default=usual_s)
    level = level_of(before[-STRETCH:], noise_of([each.value for each in intervals]))
    if level.value <= 0 or _length_s(intervals, found) < max(longest_s, usual_s) + usual_s:
        return None
    return Change(found[0], _back(intervals, found[-1], level.least(share)), level)


def _length_s(intervals: Sequence[Interval], stretch: Sequence[int]) -> float:
    return intervals[stretch[-1]].end_s - intervals[stretch[0]].start_s


def _held_until(change: Change, expected: Collection[int]) -> int | None:
    """The first known event, where a stretch that begins before it goes on until then: its rate is the level there."""
    event = min(expected, default=0)
    is_held = event - change.first >= LEAST_BEFORE and (change.back is None or change.back > event)
    return event if is_held else None


def _change(intervals: Sequence[Interval], first: int, alarm: int, level: Level, share: float) -> Change:
    """The stretch that an alarm is of, without intervals before it that are nearer to the level and may be noise."""
    back = _back(intervals, alarm, level.least(share))
    lowest = median(each.value for each in intervals[alarm : back or len(intervals)])
    normal = max((level.value + lowest) / 2, level.value - NOISE * level.noise)
    while first < alarm and intervals[first].value > normal:
        first += 1
    return Change(first, back, level)


def _back(intervals: Sequence[Interval], first: int, bound: float) -> int | None:
    """The first interval after the first one from which on the rate is steady again."""
    for at in range(first + 1, len(intervals)):
        if intervals[at].value >= bound and median(each.value for each in intervals[at : at + STEADY]) >= bound:
            return at
    return None


def lost_work(intervals: Sequence[Interval], change: Change) -> tuple[float, float]:
    """What the level would have done and the rate did not, and half the width of its 95 % interval.

    Counted from the interval before, in which the fall may lie, until the rate is at its level again: later than where
    it is back at a share of it.
    """
    level, end = change.level, len(intervals) if change.back is None else change.back
    least = max(level.noise, EXACT * level.value)
    counted = range(change.first, end)
    while counted.stop < min(end + (end - change.first + 1) // 2, len(intervals)) and (
        intervals[counted.stop].value < level.after(counted.stop - change.first) - least
    ):
        counted = range(counted.start, counted.stop + 1)
    if change.first and intervals[change.first - 1].value < level.value - least:
        counted = range(change.first - 1, counted.stop)
    lengths = [intervals[at].end_s - intervals[at].start_s for at in counted]
    missing = (level.after(max(at - change.first, 0)) - intervals[at].value for at in counted)
    lost = fsum(each * length for each, length in zip(missing, lengths, strict=True))
    noise = COVERAGE * level.noise * level.persistence * hypot(*lengths)
    return lost, hypot(level.half_width * sum(lengths), noise)
