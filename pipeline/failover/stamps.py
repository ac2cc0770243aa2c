"""Stamps of lines as numbers, which are exact to the microsecond, and how fine they are."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from pipeline.failover.evidence import ClusterLine

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  times of logs are in UTC, without a zone
MICROSECOND = timedelta(microseconds=1)
SECOND_US = 1_000_000

Resolutions = Mapping[tuple[int | None, datetime], float]
"""Seconds by file and instant."""


def microseconds(instant: datetime) -> int:
    """Microseconds of the epoch."""
    return (instant - EPOCH) // MICROSECOND


def seconds(instant: datetime) -> float:
    """Seconds of the epoch."""
    return microseconds(instant) / SECOND_US


def duration_us(duration_s: float) -> int:
    """A duration in whole microseconds."""
    return round(SECOND_US * duration_s)


def end_of(stamp: datetime, resolution_s: float) -> datetime:
    """The next possible stamp: one is cut, and its line may lie as much later as the resolution."""
    return stamp + timedelta(microseconds=duration_us(resolution_s))


def instant(instant_us: float) -> datetime:
    """The instant of a number of microseconds."""
    return EPOCH + timedelta(microseconds=round(instant_us))


def resolutions(stamps: Iterable[tuple[int | None, datetime]], cluster_line: Iterable[ClusterLine]) -> Resolutions:
    """How fine stamps are, by file and instant: the lines of a log that have one stamp are equally exact."""
    wanted = set(stamps)
    lines = (each for each in cluster_line if (each.file_id, each.at) in wanted) if wanted else ()
    return {(each.file_id, each.at): each.resolution_s for each in lines}
