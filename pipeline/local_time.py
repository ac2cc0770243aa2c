"""The wall clock of one zone and UTC: from the one to the other. UTC is naive here, as everywhere behind the parsers.

Polars carries its own database of zones; a bare system has none, so that Python alone could not tell.
"""

import re
from datetime import datetime
from difflib import SequenceMatcher
from typing import Literal

import polars as pl

AMBIGUOUS: tuple[Literal["earliest"], Literal["latest"]] = ("earliest", "latest")
"""Which of the two a time is that occurs twice, in the words of Polars."""

LEAST_LIKENESS = 0.75
"""Of a name of a zone and the one that was probably meant."""

YEARS = (datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999_999))  # noqa: DTZ001  naive
"""What Python and every client can hold: an offset takes a time of 0001-01-01 or of 9999-12-31 out of it."""


def utc(wall: pl.Expr, zone: str) -> pl.Expr:
    """Wall clock of a zone as naive UTC: the earlier of an ambiguous hour, a skipped hour shifted forward."""

    def converted(stamp: pl.Expr) -> pl.Expr:
        return without_zone(stamp.dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null"))

    # The offset in force before a gap holds 25 hours earlier too; a gap is at most a day (Samoa, 2011).
    day = pl.duration(hours=25)
    return pl.coalesce(converted(wall), converted(wall - day) + day)


def local(at: pl.Expr, zone: str) -> pl.Expr:
    """Naive UTC as the wall clock of a zone."""
    return at.dt.replace_time_zone("UTC").dt.convert_time_zone(zone).dt.replace_time_zone(None)


def wall_clock(at: datetime, zone: str | None) -> datetime:
    """Naive UTC on the wall clock of a zone; as it is where there is no one zone."""
    if not zone or refused_zone(zone) is not None:
        return at
    found = pl.select(local(pl.lit(at, pl.Datetime("us")), zone)).item()
    return found if isinstance(found, datetime) else at


def without_zone(in_zone: pl.Expr) -> pl.Expr:
    """Times that know their zone as naive UTC."""
    return in_zone.dt.convert_time_zone("UTC").dt.replace_time_zone(None)


def as_utc(instant: datetime, zone: str = "UTC") -> datetime:
    """An instant as naive UTC; one without an offset is the wall clock of the zone."""
    offset = instant.utcoffset()
    if offset is not None:
        return instant.replace(tzinfo=None) - offset
    if zone == "UTC":
        return instant
    frame = pl.DataFrame({"wall": [instant]}, schema={"wall": pl.Datetime("us")})
    result = frame.select(utc(pl.col("wall"), zone)).item()
    return result if isinstance(result, datetime) else instant


def refused_zone(zone: str) -> str | None:
    """None for a zone that Polars knows, else a hint at the one that was meant, or ''."""
    if not zone:  # to Polars: no zone at all
        return ""
    try:
        pl.Series([datetime(2000, 1, 1)]).dt.replace_time_zone(zone)  # noqa: DTZ001  a wall clock is meant
    except pl.exceptions.PolarsError as error:
        hint = re.search(r"did you mean '([^']+)'", str(error))
        return f" (did you mean {hint[1]!r}?)" if hint and _is_like(zone, hint[1]) else ""
    return None


def _is_like(zone: str, known: str) -> bool:
    """Whether a name may be a misspelling of a zone's, or of its last part: the library always names some zone."""
    pairs = ((zone, known), (zone.rpartition("/")[2], known.rpartition("/")[2]))
    return any(SequenceMatcher(None, one.lower(), other.lower()).ratio() >= LEAST_LIKENESS for one, other in pairs)
