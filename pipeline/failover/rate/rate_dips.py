"""What an event does to a rate: when it falls, how far, for how long, and how much work is lost."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import Setting
from pipeline.failover.rate.change_points import Change, Interval, Level, changes, level_of, lost_work, noise_of, stop
from pipeline.failover.stamps import seconds
from pipeline.failover.step import RUN, Int32, grouped, step

PER = {"1/s": 1, "1/min": 60, "1/h": 3600}
"""Seconds by the unit of a rate."""
RECOVERED_PCT = 90.0
"""Share of its level at which a rate is back, where study.toml gives no other."""


class RateInterval(NamedTuple):
    """An interval of a series, as the relation `rate_interval` has it."""

    configuration: str
    run: str
    metric: str
    unit: str
    label: str | None
    clients: Int32 | None
    series_no: int
    is_repeated: bool
    start_at: datetime | None
    start_s: float
    end_s: float
    value: float
    length_s: float
    file_id: Int32
    line_no: Int32


class RateEvent(NamedTuple):
    """An instant at which rates may change, as the relation `rate_event` has it."""

    configuration: str
    run: str
    event: str
    text: str | None
    event_at: datetime
    event_low_at: datetime


class MeasurementDip(NamedTuple):
    """One row per series of a rate and event in its time: how far the rate fell, how long nothing ran, when it was
    back. The event is the run's fault, an event of study.toml, or, without either, each change of the rate to less
    than its own level. A dip that begins after the next event of study.toml is that one's; a fault keeps its dip.
    The level is the median of the steady intervals before, with their trend where they have one. A dip is a stretch
    below a share of the level and below its noise. Back is a rate of 90 % of the level, or of `recovered_pct` of
    study.toml, that lasts. Where nothing ran for a time after a fault, that is the dip.
    Times are known to the interval of the series. Ends (`_low`, `_high`) hold 95 % of the noise.
    """

    configuration: str
    run: str
    metric: Annotated[str, "what was measured"]
    unit: Annotated[str, "unit of the rate"]
    label: str | None
    clients: Int32 | None
    series_no: Annotated[int, "number of the series among those of its run and metric"]
    is_repeated: Annotated[bool, "from the logs of a program's threads, while the run has its progress too"]
    event: Annotated[str, "fault, event (of study.toml) or series (a change of the rate that no event explains)"]
    text: Annotated[str | None, "text of the event of study.toml"]
    event_at: Annotated[datetime | None, "time of the event, UTC; null where the series has no clock"]
    event_s: Annotated[float, "the same in seconds since the series began"]
    resolution_s: Annotated[float, "length of an interval, seconds: how finely the times are known"]
    baseline: Annotated[float, "level of the rate before"]
    baseline_low: Annotated[float, "lower end of its interval"]
    baseline_high: Annotated[float, "upper end of its interval"]
    baseline_intervals: Annotated[int, "of how many intervals it is the level"]
    recovered_pct: Annotated[float, "the share of the baseline at which the rate counts as back, percent"]
    file_id: Annotated[Int32, "file of the lowest interval; without a dip of the one after the event"]
    line_no: Int32
    outage_s: Annotated[
        float | None,
        "length of the first stretch of intervals without work after the event, seconds; 0 if there is none; null "
        "where the series ends before a whole interval after the event",
    ] = None
    dip_s: Annotated[float | None, "from the event to the begin of the first interval below; null without a dip"] = None
    lowest: Annotated[float | None, "lowest rate of the dip"] = None
    depth_pct: Annotated[float | None, "how far that is below the baseline, percent of it"] = None
    depth_low_pct: Annotated[float | None, "lower end of its interval"] = None
    depth_high_pct: Annotated[float | None, "upper end of its interval"] = None
    dip_duration_s: Annotated[
        float | None, "from the first interval below to the first that is back, else to the end"
    ] = None
    dip_duration_low_s: Annotated[float | None, "least that the intervals allow, seconds"] = None
    dip_duration_high_s: Annotated[float | None, "most that they allow, seconds; null where the rate is not back"] = (
        None
    )
    recovered_s: Annotated[
        float | None, "from the event to the begin of the first interval that is back; null if none is, or no dip"
    ] = None
    recovered_low_s: Annotated[float | None, "least that the intervals allow, seconds"] = None
    recovered_high_s: Annotated[float | None, "most that they allow, seconds"] = None
    is_recovered: Annotated[
        bool | None, "the series shows that; false: dip and loss are those up to its end; null without a dip"
    ] = None
    lost: Annotated[
        float | None,
        "work that the baseline would have done and the rate did not, until it is wholly back: transactions, queries",
    ] = None
    lost_low: Annotated[float | None, "lower end of its interval"] = None
    lost_high: Annotated[float | None, "upper end of its interval"] = None


class Watched(NamedTuple):
    """An instant in the time of a series, in seconds since the series began."""

    event: str
    text: str | None
    at: datetime | None
    at_s: float
    low_s: float


@step(by=RUN, rests_on_all=True, links=["from: rate_interval by configuration, run, metric, unit, series_no"])
def measurement_dip(
    rate_interval: Sequence[RateInterval],
    rate_event: Sequence[RateEvent],
    study__setting: Sequence[Setting],
) -> Iterator[MeasurementDip]:
    """The dips of each series of a run."""
    set_pct = next((each.recovered_pct for each in study__setting), None)
    for series in grouped(rate_interval, "metric", "series_no").values():
        yield from _dips(series, rate_event, set_pct or RECOVERED_PCT)


def _dips(series: Sequence[RateInterval], events: Sequence[RateEvent], pct: float) -> Iterator[MeasurementDip]:
    intervals = [Interval(each.start_s, each.end_s, each.value) for each in series]
    known = sorted(filter(None, (_watched(series, each) for each in events)), key=attrgetter("at_s", "event"))
    positions = [next(at for at, each in enumerate(intervals) if each.end_s > own.low_s) for own in known]
    found = list(changes(intervals, pct / 100, positions))
    if not known:
        for change in found:
            at_s = intervals[change.first].start_s
            own = Watched("series", None, series[change.first].start_at, at_s, at_s)
            yield _dip(series, intervals, own, change.level, change, pct)
        return
    noise = noise_of([each.value for each in intervals])
    for own, position in zip(known, positions, strict=True):
        before = [each.value for each in intervals[:position]]
        until = min((each for each in positions if each > position), default=len(intervals))
        # a rate that falls only after the next event falls because of that one; a failover may take its time
        after = [each for each in found if position <= each.first and (own.event == "fault" or each.first < until)]
        first = next(iter(after), None)
        if own.event == "fault":
            idle = (each for each in after if any(one.value == 0 for one in intervals[each.first : each.back]))
            first = next(idle, stop(intervals, position, pct / 100) or first)
        level = first.level if first is not None else level_of(before, noise) if before else None
        if level is not None and level.value > 0:
            yield _dip(series, intervals, own, level, first, pct)


def _watched(series: Sequence[RateInterval], event: RateEvent) -> Watched | None:
    """An event in the time of a series, if it is."""
    first = series[0]
    if first.start_at is None:
        return None
    at_s, low_s = (
        first.start_s + seconds(each) - seconds(first.start_at) for each in (event.event_at, event.event_low_at)
    )
    inside = first.start_s <= at_s < series[-1].end_s
    return Watched(event.event, event.text, event.event_at, at_s, max(low_s, first.start_s)) if inside else None


def _outage_s(intervals: Sequence[Interval], at_s: float, resolution_s: float) -> float | None:
    """How long nothing was done, the first time after an instant."""
    idle_s = 0.0
    for each in intervals:
        if each.end_s > at_s and each.value == 0:
            idle_s += each.end_s - max(each.start_s, at_s)
        elif idle_s:
            break
    return idle_s if idle_s or intervals[-1].end_s - at_s >= resolution_s else None


def _dip(
    series: Sequence[RateInterval],
    intervals: Sequence[Interval],
    own: Watched,
    level: Level,
    change: Change | None,
    pct: float,
) -> MeasurementDip:
    step_s = series[0].length_s
    shown = next(each for each in series if each.end_s > own.at_s)
    row = MeasurementDip(
        *series[0][:8],
        own.event,
        own.text,
        own.at,
        own.at_s,
        step_s,
        level.value,
        max(level.value - level.half_width, 0),
        level.value + level.half_width,
        level.count,
        pct,
        shown.file_id,
        shown.line_no,
        _outage_s(intervals, own.at_s, step_s),
    )
    if change is None:
        return row
    end_s = intervals[-1].end_s if change.back is None else intervals[change.back].start_s
    begin_s = max(intervals[change.first].start_s, own.at_s)
    lowest = min(series[change.first : change.back], key=attrgetter("value"))
    lost, half_width = (each / PER[lowest.unit] for each in lost_work(intervals, change))
    is_back = change.back is not None
    return row._replace(
        dip_s=begin_s - own.at_s,
        lowest=lowest.value,
        depth_pct=100 * (1 - lowest.value / level.value),
        depth_low_pct=100 * (1 - lowest.value / row.baseline_low) if row.baseline_low else None,
        depth_high_pct=100 * (1 - lowest.value / row.baseline_high),
        dip_duration_s=end_s - begin_s,
        dip_duration_low_s=max(end_s - begin_s - step_s, 0),
        dip_duration_high_s=end_s - begin_s + step_s if is_back else None,
        recovered_s=end_s - own.at_s if is_back else None,
        recovered_low_s=max(end_s - own.at_s - step_s, 0) if is_back else None,
        recovered_high_s=end_s - own.at_s + step_s if is_back else None,
        is_recovered=is_back,
        lost=lost,
        lost_low=lost - half_width,
        lost_high=lost + half_width,
        file_id=lowest.file_id,
        line_no=lowest.line_no,
    )
