"""What the parts of a stamp mean: a wall clock, whether it has a year, and how far from UTC it is."""

from collections.abc import Mapping

import polars as pl

from parsers.dated.words import MONTH_NUMBERS
from parsers.division import divided
from parsers.leap_year import is_leap, with_year
from parsers.syslog.stamps import micros, offset_min
from parsers.zone_names import is_zone

EARLIEST, LATEST = 1970, 2100
OPEN = "open"
"""The order of dates that nothing in the file shows."""

LEAP_YEAR = 2000
"""Stands for a year that is not printed."""

MOST_PLACES = 64
"""Zones by place that are looked up in one read, at most."""

_FIELDS = r"^([0-9]{1,2})[./-]([0-9]{1,2})(?:[./-]([0-9]{2,4}))?$"
_ORDERS = ("mdy", "dmy", "ymd")
HALF_DAY, DAY_FIRST = "half", "dmy"
"""Marks of a date with AM or PM, and of one printed in a language that puts the day first."""


def with_moments(heads: pl.DataFrame) -> pl.DataFrame:
    """Heads with `stamp`, `has_year`, `utc_offset_min` and `date_order`; those that name no month are left out.

    `stamp` is null where there is no such day or time, and where the order of a numeric date does not show by itself
    (`date_order` is open): `in_order_of_file` may know it.
    """
    named = heads.with_columns(_month_by_name()).filter(pl.col("name").is_null() | pl.col("by_name").is_not_null())
    ordered = _with_order(named.with_columns(_clock()))
    month = pl.coalesce(_number("month"), "by_name", "month_in_order")
    day = pl.coalesce(_number("day"), "day_in_order")
    year = pl.coalesce(_number("year"), _full_year(_number("short")), "year_in_order")
    is_real = is_day(month, day, pl.coalesce(year, LEAP_YEAR)).fill_null(value=False)
    date = pl.when(is_real).then(pl.date(pl.coalesce(year, pl.lit(LEAP_YEAR)), month, day))
    is_year = year.is_null() | year.is_between(EARLIEST, LATEST)
    stamp = pl.when(is_year).then(pl.coalesce(date, *_days_by_number(year)).cast(pl.Datetime("us")) + pl.col("clock"))
    since = pl.from_epoch(_micros_since_1970(), time_unit="us")
    is_since = pl.col("seconds").is_not_null()
    hours = pl.concat_str("hours", pl.lit("00"))
    return ordered.with_columns(
        pl.when(is_since).then(since).otherwise(stamp).alias("stamp"),
        (is_since | year.is_not_null()).alias("has_year"),
        pl.when(is_since)
        .then(pl.lit(0, pl.Int16))
        .otherwise(_offset(pl.coalesce("offset", hours), stamp))
        .alias("utc_offset_min"),
    )


NEAR_S = 2
"""A program prints its second since 1970 and its wall clock this near to each other."""


def with_zones_of_seconds(heads: pl.DataFrame) -> pl.DataFrame:
    """Heads in order; one of seconds since 1970 in the zone of the wall clock that the next line of its file shows."""
    utc, below = pl.col("stamp"), pl.col("stamp").shift(-1)
    year = pl.coalesce(pl.when(~pl.col("has_year").shift(-1)).then(utc.dt.year()), below.dt.year())
    ahead_s = divided((with_year(below, year) - utc).dt.total_microseconds(), 1e6)
    minutes = divided(ahead_s, 900).round() * 15
    is_alone = pl.col("utc_offset_min").shift(-1).is_null() & (pl.col("file_id") == pl.col("file_id").shift(-1))
    is_near = (ahead_s - minutes * 60).abs().le(NEAR_S) & minutes.abs().le(14 * 60)
    is_shown = (pl.col("seconds").is_not_null() & is_alone & is_near).fill_null(value=False)
    return heads.with_columns(
        pl.when(is_shown).then(utc + pl.duration(minutes=minutes)).otherwise(utc).alias("stamp"),
        pl.when(is_shown)
        .then(minutes.cast(pl.Int16, strict=False))
        .otherwise("utc_offset_min")
        .alias("utc_offset_min"),
    )


def is_dated() -> pl.Expr:
    """Whether a head has a moment, or a numeric date that only the whole file can order."""
    return pl.col("stamp").is_not_null() | (pl.col("date_order") == OPEN)


def in_order_of_file(frame: pl.DataFrame, declared: Mapping[int, str]) -> pl.DataFrame:
    """Rows of whole files with numeric dates in the order that study.toml declares for the file, else that it shows."""
    is_numeric = pl.col("printed_at").is_not_null()
    printed = frame.filter(is_numeric)
    if not printed.height:
        return frame
    fields = printed.select("file_id", *_fields(pl.col("printed_at")))
    known = pl.concat(
        [_order_of(group, declared) for _, group in fields.group_by(["file_id", "sign"], maintain_order=True)]
    )
    sign = pl.col("printed_at").str.extract(r"^[0-9]+([/-])", 1)
    ordered = frame.with_columns(sign.alias("sign")).join(
        known, on=["file_id", "sign"], how="left", maintain_order="left"
    )
    moment = _moment(_fields(pl.col("printed_at")), pl.col("order"))
    has_year = pl.col("printed_at").str.contains("^[0-9]+[/-][0-9]+[/-]")
    return ordered.with_columns(
        pl.when(is_numeric).then(moment).otherwise("stamp").alias("stamp"),
        pl.when(is_numeric).then(pl.col("order").is_not_null() & has_year).otherwise("has_year").alias("has_year"),
        pl.when(is_numeric).then("reason").otherwise("date_order").alias("date_order"),
    ).drop("sign", "order", "reason")


def printed_at(mark: pl.Expr | None = None) -> pl.Expr:
    """`01/02/2020 45296.123`: a numeric date, the seconds of its day, and a mark that says more of its order."""
    seconds = divided(pl.col("clock").dt.total_microseconds(), 1_000_000)
    half = pl.when(pl.col("half").is_not_null()).then(pl.lit(HALF_DAY))
    marks = half if mark is None else pl.coalesce(mark, half)
    is_open = pl.col("printed").is_not_null() & (pl.col("sign") != ".")
    text = pl.concat_str("printed", seconds.cast(pl.String), marks, separator=" ", ignore_nulls=True)
    return pl.when(is_open & pl.col("clock").is_not_null()).then(text)


# --- parts -----------------------------------------------------------------------------------------------------------


def _number(name: str) -> pl.Expr:
    return pl.col(name).cast(pl.Int32, strict=False)


def _month_by_name() -> pl.Expr:
    word = pl.col("name").str.to_lowercase()
    return word.replace_strict(MONTH_NUMBERS, default=None, return_dtype=pl.Int32).alias("by_name")


def _clock() -> pl.Expr:
    """Time of day as a duration; null for one that no day has."""
    printed = _number("hour")
    is_afternoon = pl.col("half").str.contains("^[Pp]|[후後下]")
    halved = (printed % 12) + pl.when(is_afternoon).then(12).otherwise(0)
    hour = pl.when(pl.col("half").is_null()).then(printed).when(printed.is_between(1, 12)).then(halved)
    minute, second = (_number(name).fill_null(0) for name in ("minute", "second"))
    is_time = (hour < 24) & (minute < 60) & (second < 60)
    seconds = (hour.cast(pl.Int64) * 60 + minute) * 60 + second
    clock = pl.duration(microseconds=seconds * 1_000_000 + micros(pl.col("fraction")))
    return pl.when(is_time).then(clock).alias("clock")


def _days_by_number(year: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """The day of a week by ISO 8601, and that of a year, by its number; null where the year has none such."""
    fourth = pl.date(year, 1, 4)  # always in the first week
    in_week = fourth + pl.duration(
        days=(_number("week") - 1) * 7 + _number("weekday") - fourth.dt.weekday().cast(pl.Int32)
    )
    in_year = pl.date(year, 1, 1) + pl.duration(days=_number("day_no") - 1)
    return (
        pl.when(in_week.dt.iso_year() == year).then(in_week),
        pl.when(in_year.dt.year() == year).then(in_year),
    )


def is_day(month: pl.Expr, day: pl.Expr, year: pl.Expr) -> pl.Expr:
    """Whether a year has such a day."""
    return month.is_between(1, 12) & (day >= 1) & (day <= _days(month, year))


def _days(month: pl.Expr, year: pl.Expr) -> pl.Expr:
    """Days of a month."""
    return (
        pl.when(month == 2)
        .then(28 + is_leap(year).cast(pl.Int32))
        .when(month.is_in([4, 6, 9, 11]))
        .then(30)
        .otherwise(31)
    )


def _full_year(year: pl.Expr) -> pl.Expr:
    return pl.when(year < 69).then(year + 2000).when(year < 100).then(year + 1900).otherwise(year)


def _offset(printed: pl.Expr, stamp: pl.Expr) -> pl.Expr:
    """Minutes east of UTC; null for a name that several zones have, and for digits that are no zone.

    The rules of a place, such as Europe/Berlin, are those of the stamp; the hour that comes twice is open.
    """
    placed = pl.struct(printed.alias("place"), stamp.alias("at")).map_batches(_of_places, return_dtype=pl.Int16)
    is_place = printed.str.contains("/", literal=True)
    return pl.when(is_place.fill_null(value=False)).then(placed).otherwise(offset_min(printed))


def _of_places(stamps: pl.Series) -> pl.Series:
    """Minutes east of UTC of `at` in `place`, which are few in a file."""
    frame = stamps.struct.unnest().with_columns(pl.lit(None, pl.Int16).alias("east"))
    for place in frame["place"].drop_nulls().unique(maintain_order=True).head(MOST_PLACES):
        if not is_zone(place):
            continue
        local = pl.col("at").dt.replace_time_zone(place, ambiguous="null", non_existent="null")
        east = (local.dt.base_utc_offset() + local.dt.dst_offset()).dt.total_minutes().cast(pl.Int16)
        frame = frame.with_columns(pl.when(pl.col("place") == place).then(east).otherwise("east").alias("east"))
    return frame["east"]


def _micros_since_1970() -> pl.Expr:
    """Microseconds of `seconds`, with the digits of a fraction or those that follow without a sign."""
    digits = pl.coalesce("part", "milli")
    return pl.col("seconds").cast(pl.Int64, strict=False) * 1_000_000 + micros(digits)


# --- order of numeric dates ------------------------------------------------------------------------------------------


def _field(date: pl.Expr, group: int) -> pl.Expr:
    return date.str.extract(_FIELDS, group).cast(pl.Int32, strict=False)


def _fields(printed: pl.Expr) -> tuple[pl.Expr, ...]:
    """What `printed_at` holds: the three numbers, the sign between them, seconds of the day, and the mark."""
    parts = printed.str.split(" ")
    date = parts.list.get(0)
    return (
        _field(date, 1).alias("one"),
        _field(date, 2).alias("two"),
        _field(date, 3).alias("three"),
        date.str.extract(r"^[0-9]+([/-])", 1).alias("sign"),
        parts.list.get(1).cast(pl.Float64, strict=False).alias("clock_s"),
        parts.list.get(2, null_on_oob=True).alias("mark"),
        (date.str.extract(_FIELDS, 3).str.len_chars() == 2).fill_null(value=False).alias("is_short"),
    )


def _moment(fields: tuple[pl.Expr, ...], order: pl.Expr) -> pl.Expr:
    """The moment of what `printed_at` holds, in an order."""
    one, two, three, _, clock_s, *_ = fields
    month = pl.when(order == "mdy").then(one).otherwise(two)
    day = pl.when(order == "dmy").then(one).when(order == "mdy").then(two).when(order == "ymd").then(three)
    year = _full_year(pl.when(order == "ymd").then(one).otherwise(three)).fill_null(LEAP_YEAR)
    clock = pl.duration(microseconds=(clock_s * 1_000_000).round().cast(pl.Int64))
    return pl.when(is_day(month, day, year)).then(pl.date(year, month, day).cast(pl.Datetime("us")) + clock)


def _with_order(heads: pl.DataFrame) -> pl.DataFrame:
    """`date_order` and the parts of numeric dates, as far as each date shows its order by itself."""
    one, two, year = (_field(pl.col("printed"), group) for group in (1, 2, 3))
    is_short = pl.col("printed").str.extract(_FIELDS, 3).str.len_chars() == 2
    may_begin_with_year = is_short & pl.col("half").is_null() & is_day(two, year, _full_year(one))
    reason = (
        pl.when(pl.col("sign") == ".")
        .then(pl.lit("dots"))
        .when(may_begin_with_year)
        .then(pl.lit(OPEN))
        .when((one > 12) | (two > 12))
        .then(pl.lit("day"))
        .when(pl.col("half").is_not_null())
        .then(pl.lit("half_day"))
        .when(pl.col("printed").is_not_null())
        .then(pl.lit(OPEN))
    )
    is_day_first = (reason == "dots") | ((reason == "day") & (one > 12))
    is_known = reason != OPEN
    return heads.with_columns(
        reason.alias("date_order"),
        pl.when(is_known).then(_full_year(year)).alias("year_in_order"),
        pl.when(is_known).then(pl.when(is_day_first).then(two).otherwise(one)).alias("month_in_order"),
        pl.when(is_known).then(pl.when(is_day_first).then(one).otherwise(two)).alias("day_in_order"),
    )


def _order_of(dates: pl.DataFrame, declared: Mapping[int, str]) -> pl.DataFrame:
    """The order of the dates of one file with one sign, and how it is known."""
    file_id = dates["file_id"][0]
    given = declared.get(file_id)
    order, reason = (given, "stated") if given is not None and given in _ORDERS else _shown_order(dates)
    schema = {"file_id": pl.Int32(), "sign": pl.String(), "order": pl.String(), "reason": pl.String()}
    return pl.DataFrame([(file_id, dates["sign"][0], order, reason)], schema, orient="row")


def _shown_order(dates: pl.DataFrame) -> tuple[str | None, str]:
    """The order, None where nothing shows; and the reason: day, half_day, language, succession or open."""
    possible = [order for order in _ORDERS if _is_possible(dates, order)]
    if len(possible) == 1:
        return possible[0], "day"
    if DAY_FIRST in dates["mark"] and "dmy" in possible:
        return "dmy", "language"
    if HALF_DAY in dates["mark"] and "mdy" in possible:
        return "mdy", "half_day"
    moved = sorted((_moved(dates, order), order) for order in possible)
    if moved and moved[0][0] < moved[1][0]:
        return moved[0][1], "succession"
    return None, OPEN


def _is_possible(dates: pl.DataFrame, order: str) -> bool:
    """Whether every date is one of some day in an order; a year comes first only where all have two digits."""
    if order == "ymd" and not (dates["is_short"].all() and HALF_DAY not in dates["mark"]):
        return False
    month, day, _ = _PLACES[order]
    return bool(dates.select(pl.col(month).is_between(1, 12).all() & pl.col(day).is_between(1, 31).all()).item())


_PLACES = {"mdy": ("one", "two", "three"), "dmy": ("two", "one", "three"), "ymd": ("two", "three", "one")}
"""Where month, day and year are in each order."""


def _moved(dates: pl.DataFrame, order: str) -> tuple[int, int]:
    """How many days the dates go back, and how many they move in all, from line to line."""
    month, day, year = _PLACES[order]
    days = dates.select(
        (_full_year(pl.col(year)).fill_null(LEAP_YEAR) * 372 + pl.col(month) * 31 + pl.col(day)).alias("day")
    )["day"]
    steps = days.diff().drop_nulls()
    return int(-steps.filter(steps < 0).sum()), int(steps.abs().sum())
