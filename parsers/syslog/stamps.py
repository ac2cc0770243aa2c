"""Stamps of log lines out of the groups that a framing's pattern found: wall clock, zone, what is wrong with them.

No framing has all groups. A date is `date`, or `month` and `day` with or without a year, or `seconds` since 1970.
"""

import polars as pl

from parsers.division import divided
from parsers.syslog.words import MONTHS
from parsers.zone_names import SURE_MIN

GROUPS = (
    *("date", "month", "day", "year", "year_after", "received", "seconds", "time", "fraction", "offset", "epoch"),
)
"""What a pattern may capture of the time."""


def stamp_columns() -> list[pl.Expr]:
    """`stamp`, `has_year` and `utc_offset_min` from columns named as `GROUPS`, strings or null.

    `stamp` and `has_year` are null where a line gives no time. A zone by a name that several zones have is not known:
    CST means three things.
    """
    date = pl.coalesce(pl.col("date").str.replace_all("/", "-", literal=True), _date_of_month())
    stamp = pl.coalesce(instant(date, pl.col("time"), pl.col("fraction")), _since_1970())
    has_time = pl.col("time").is_not_null() | pl.col("seconds").is_not_null()
    has_year = pl.any_horizontal(pl.col(name).is_not_null() for name in ("date", "year", "year_after", "received"))
    offset = pl.when(pl.col("seconds").is_not_null()).then(pl.lit(0, pl.Int16)).otherwise(offset_min(pl.col("offset")))
    return [
        stamp.alias("stamp"),
        pl.when(has_time).then(has_year | pl.col("seconds").is_not_null()).alias("has_year"),
        pl.coalesce(offset, _offset_by_epoch(stamp)).alias("utc_offset_min"),
    ]


def fault() -> pl.Expr:
    """What is wrong with a stamp whose columns are beside its groups; null if nothing."""
    is_number = pl.col("offset").str.contains(r"^[+-][0-9]")
    return (
        pl.when(pl.col("stamp").is_null() & pl.col("time").is_not_null())
        .then(pl.lit("impossible date or time"))
        .when(is_number & pl.col("utc_offset_min").is_null())
        .then(pl.lit("impossible zone"))
    )


def instant(date: pl.Expr, time: pl.Expr, fraction: pl.Expr) -> pl.Expr:
    """Wall clock of `2000-02-29`, `10:27:04` and the digits of a fraction, cut to microseconds."""
    whole = (date + " " + time).str.to_datetime("%Y-%m-%d %H:%M:%S", time_unit="us", strict=False)
    return whole + pl.duration(microseconds=micros(fraction), time_unit="us")


def offset_min(offset: pl.Expr) -> pl.Expr:
    """Minutes east of UTC of `Z`, `CET`, `+08:00`, `+0800` or `+08`; null where no zone is so far away, or of CST."""
    digits = offset.str.replace(":", "", literal=True)
    hours = digits.str.slice(1, 2).cast(pl.Int16, strict=False)
    minutes = digits.str.slice(3, 2).replace("", "0").cast(pl.Int16, strict=False)
    east = hours * 60 + minutes
    signed = pl.when(offset.str.starts_with("-")).then(-east).otherwise(east)
    possible = (hours <= 15) & (minutes < 60)
    named = offset.replace_strict(SURE_MIN, default=None, return_dtype=pl.Int16)
    return pl.coalesce(named, pl.when(possible).then(signed).cast(pl.Int16))


def micros(fraction: pl.Expr) -> pl.Expr:
    """Microseconds of the digits of a fraction, cut; 0 where there is none."""
    return fraction.str.slice(0, 6).str.pad_end(6, "0").cast(pl.Int64, strict=False).fill_null(0)


def _since_1970() -> pl.Expr:
    """Wall clock in UTC of `seconds` and `fraction`."""
    seconds = pl.col("seconds").cast(pl.Int64, strict=False)
    return pl.from_epoch(seconds * 1_000_000 + micros(pl.col("fraction")), time_unit="us")


def _date_of_month() -> pl.Expr:
    """`2000-03-07` of `Mar` and `7`, with the year where one is printed."""
    month = pl.col("month").replace_strict({name: f"{no:02}" for no, name in enumerate(MONTHS, 1)}, default=None)
    year = pl.coalesce("year", "year_after", _year_received(month), pl.lit("2000"))
    return pl.concat_str(year, month, pl.col("day").str.zfill(2), separator="-")


def _year_received(month: pl.Expr) -> pl.Expr:
    """Year of a line by its time of receipt, `2006.01` or `2006-01`: the year before, if a December line came then."""
    year = pl.col("received").str.slice(0, 4).cast(pl.Int32, strict=False)
    came_late = (pl.col("received").str.slice(5, 2) == "01") & (month == "12")
    return (year - came_late.cast(pl.Int32)).cast(pl.String).str.zfill(4)


def _offset_by_epoch(stamp: pl.Expr) -> pl.Expr:
    """Zone of a collector's line: its stamp less the epoch seconds, if that is near a quarter of an hour."""
    ahead_s = (stamp.dt.epoch("s") - pl.col("epoch").cast(pl.Int64, strict=False)).cast(pl.Float64)
    quarters = divided(ahead_s, 900).round()
    is_zone = ((ahead_s - quarters * 900).abs() <= 120) & (quarters.abs() <= 14 * 4)
    return pl.when(is_zone).then((quarters * 15).cast(pl.Int16, strict=False))
