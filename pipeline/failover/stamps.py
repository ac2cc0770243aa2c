"""Stamps of lines as numbers, which are exact to the microsecond, and how fine they are."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from pipeline.failover.evidence import ClusterLine

EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  times of logs are in UTC, without a zone
MICROSECOND = timedelta(microseconds=1)
SECOND_US = 1_000_000


def microseconds(instant: datetime) -> int:
    """Microseconds of the epoch."""
    return (instant - EPOCH) // MICROSECOND


def seconds(instant: datetime) -> float:
    """Seconds of the epoch."""
    return microseconds(instant) / SECOND_US


def duration_us(duration_s: float) -> int:
    """A duration in whole microseconds."""
    return round(SECOND_US * duration_s)


def instant(instant_us: float) -> datetime:
    """The instant of a number of microseconds."""
    return EPOCH + timedelta(microseconds=round(instant_us))


def resolutions(
    of: Iterable[Any],
    cluster_line: Iterable[ClusterLine],  # rows with a file and an instant
) -> Mapping[tuple[int, datetime], float]:
    """How fine the stamps of rows are, seconds, by file and instant: a log's lines of one instant are equally so."""
    wanted = {(each.file_id, each.at) for each in of}
    lines = (each for each in cluster_line if (each.file_id, each.at) in wanted) if wanted else ()
    return {(each.file_id, each.at): each.resolution_s for each in lines}
