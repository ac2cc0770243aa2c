"""Times as iostat and the scripts around it print them, in any locale.

A date such as 11/05/26 says neither which field is the month nor the century, and `Time: 03:49:57 PM` says no date at
all. Such a time stays open: `date_text` and `clock_s` without a stamp. `pipeline/reading/report_clock.py` decides,
with the whole file.
"""

from collections.abc import Callable

import polars as pl

from parsers.zone_names import ZONES_MIN

DATE = r"[0-9]{1,4}[./年-][0-9]{1,2}[./月-][0-9]{1,4}日?"
CLOCK = r"[0-9]{1,2}[:時][0-9]{2}[:分][0-9]{2}秒?(?:[.,][0-9]{1,6})?"
HALF_DAY = r"[AaPp]\.?[Mm]\.?"
ZONE = r"(?:[A-Z]{3,5}|[+-][0-9]{2}:?[0-9]{2})"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH = "|".join(MONTHS)

# Lines that put a time before what follows: `Time: 03:49:57 PM`, `zzz ***`, `TS 1294325021.003`, `### `
_LEAD = r"(?:Time: *|zzz \**|TS [0-9.]+ |[#*=-]+ )?"
NUMERIC = rf"^{_LEAD}(?:{DATE}[T, ]+)?{CLOCK}(?: ?{HALF_DAY})?(?: ?(?:{ZONE}|Z))?$"
# REAL (illumos manual): Mon Nov 24 14:58:36 2003. OSWatcher puts `zzz ***` before it, `date` a zone into it.
WORDED = (
    rf"^{_LEAD}(?:[A-Z][a-z]{{2,8}},? )?(?:(?:{_MONTH}) +[0-9]{{1,2}}|[0-9]{{1,2}} (?:{_MONTH})(?: [0-9]{{4}})?),? +"
    rf"{CLOCK}(?: ?{HALF_DAY})?(?: {ZONE})?(?: [0-9]{{4}})?$"
)
EPOCH = r"^[0-9]{9,10}(?:\.[0-9]+)?$"
TIME_LINE = rf"{NUMERIC}|{WORDED}|{EPOCH}"
LOOKS_LIKE_TIME = r"[0-9][:時][0-9][0-9][:分][0-9][0-9]|^[0-9]{9,10}(?:\.[0-9]+)?$"
"""Cheap to look for before `TIME_LINE`."""

WRAPPED = rf"^(?:zzz|TS [0-9.]+|[#*=-]+ |{WORDED[1:-1]}$)"
"""Lines of scripts around the tool; iostat of Solaris prints the worded form itself, which is no worse."""


# The two forms of long files, read without the general pattern, which is slow.
PLAIN = r"^[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4} [0-9]{2}:[0-9]{2}:[0-9]{2}(?: [AP]M)?$"
ISO = r"^[0-9]{4}-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9][+-][0-9]{4}$"


def times_of(texts: pl.Series) -> pl.DataFrame:
    """What each printed time says: the columns of `time_columns` beside it."""
    frame = texts.to_frame("time_text")
    is_plain, is_iso = texts.str.contains(PLAIN), texts.str.contains(ISO)
    text = pl.col("time_text")
    forms = ((is_plain, _plain_columns), (is_iso, _iso_columns), (~is_plain & ~is_iso, time_columns))
    parts = [frame.filter(of_form).with_columns(columns(text)) for of_form, columns in forms if of_form.any()]
    return pl.concat(parts) if parts else frame.with_columns(time_columns(text))


def _plain_columns(text: pl.Expr) -> list[pl.Expr]:
    fields = text.str.split_exact(" ", 2).struct
    clock = fields.field("field_1").str.to_time("%H:%M:%S", strict=False)
    seconds = clock.cast(pl.Duration("us")).dt.total_seconds()
    half = fields.field("field_2")
    in_day = pl.when(half.is_null()).then(seconds).when(seconds >= 46_800).then(None).otherwise(seconds % 43_200)
    clock_s = (in_day + pl.when(half == "PM").then(43_200).otherwise(0)).cast(pl.Float64)
    return [
        pl.lit(None, pl.Datetime("us")).alias("stamp"),
        pl.lit(True).alias("has_year"),
        pl.lit(None, pl.Int16).alias("utc_offset_min"),
        fields.field("field_0").alias("date_text"),
        clock_s.alias("clock_s"),
    ]


def _iso_columns(text: pl.Expr) -> list[pl.Expr]:
    stamp = text.str.head(19).str.to_datetime("%Y-%m-%dT%H:%M:%S", time_unit="us", strict=False)
    minutes = text.str.slice(20, 2).cast(pl.Int32) * 60 + text.str.slice(22, 2).cast(pl.Int32)
    offset = pl.when(text.str.slice(19, 1) == "-").then(-minutes).otherwise(minutes)
    return [
        pl.when(stamp.dt.year().is_between(1970, 9998)).then(stamp).alias("stamp"),
        pl.lit(True).alias("has_year"),
        pl.when(offset.abs() <= 14 * 60).then(offset).cast(pl.Int16).alias("utc_offset_min"),
        pl.lit(None, pl.String).alias("date_text"),
        pl.lit(None, pl.Float64).alias("clock_s"),
    ]


def time_columns(text: pl.Expr) -> list[pl.Expr]:
    """What a printed time says: stamp, has_year, utc_offset_min, date_text, clock_s; all null where it is none."""
    numeric = text.str.extract_groups(
        r"(?:(?P<date>(?P<a>[0-9]{1,4})(?P<by>[./年-])(?P<b>[0-9]{1,2})[./月-](?P<c>[0-9]{1,4}))日?[T, ]+)?"
        r"(?P<hour>[0-9]{1,2})[:時](?P<minute>[0-9]{2})[:分](?P<second>[0-9]{2})秒?(?:[.,](?P<fraction>[0-9]{1,6}))?"
        rf" ?(?P<half>{HALF_DAY})?(?: ?(?P<zone>{ZONE}|Z))?"
    ).struct.field
    month = text.str.extract(rf"\b({_MONTH})\b")
    month_no = month.replace_strict(list(MONTHS), list(range(1, 13)), default=None, return_dtype=pl.Int32)
    day = pl.coalesce(
        text.str.extract(rf"(?:{_MONTH}) +([0-9]{{1,2}})\b"), text.str.extract(rf"([0-9]{{1,2}}) (?:{_MONTH})")
    )
    year = pl.coalesce(text.str.extract(r"\b((?:19|20)[0-9]{2})$"), text.str.extract(rf"(?:{_MONTH}),? ([0-9]{{4}}) "))
    clock_s = _clock_s(numeric)
    is_iso = numeric("a").str.len_chars() == 4
    is_dotted = numeric("by") == "."
    years = pl.when(is_iso).then(_number(numeric("a"))).when(is_dotted).then(full_year(numeric("c")))
    resolved = pl.coalesce(
        _instant(years, _number(numeric("b")), pl.when(is_iso).then(numeric("c")).otherwise(numeric("a")), clock_s),
        _instant(pl.coalesce(_number(year), pl.lit(2000)), month_no, day, clock_s),
        pl.from_epoch(
            pl.when(text.str.contains(EPOCH)).then(text.str.extract(r"^([0-9]{9,10})").cast(pl.Int64, strict=False)),
            time_unit="s",
        ).cast(pl.Datetime("us")),
    )
    is_epoch = text.str.contains(EPOCH)
    offset = pl.when(is_epoch).then(pl.lit(0)).otherwise(_offset_min(numeric("zone")))
    is_open = resolved.is_null() & numeric("hour").is_not_null()
    return [
        resolved.alias("stamp"),
        (is_epoch | numeric("date").is_not_null() | year.is_not_null()).alias("has_year"),
        offset.cast(pl.Int16).alias("utc_offset_min"),
        pl.when(is_open & ~is_iso).then(numeric("date")).alias("date_text"),
        pl.when(is_open).then(clock_s).alias("clock_s"),
    ]


def full_year(text: pl.Expr) -> pl.Expr:
    """A year of two digits: 69 to 99 are of the last century, as `strptime` has it."""
    year = _number(text)
    return pl.when(year < 69).then(year + 2000).when(year < 100).then(year + 1900).otherwise(year)


def _number(text: pl.Expr) -> pl.Expr:
    return text.cast(pl.Int32, strict=False)


def _clock_s(field: Callable[[str], pl.Expr]) -> pl.Expr:
    hour, half = _number(field("hour")), field("half").str.head(1).str.to_lowercase()
    in_day = pl.when(half == "p").then(hour % 12 + 12).when(half == "a").then(hour % 12).otherwise(hour)
    whole = in_day.cast(pl.Float64) * 3600 + _number(field("minute")) * 60 + _number(field("second"))
    fraction = (pl.lit("0.") + field("fraction")).cast(pl.Float64, strict=False).fill_null(0.0)
    is_real = (in_day < 24) & (_number(field("minute")) < 60) & (_number(field("second")) < 61)
    return pl.when(is_real).then(whole + fraction)


def _instant(year: pl.Expr, month: pl.Expr, day: pl.Expr, clock_s: pl.Expr) -> pl.Expr:
    """A date that exists and its time of day; else null."""
    day_no = _number(day)
    text = pl.format(
        "{}-{}-{}",
        year.cast(pl.String),
        month.cast(pl.String).str.zfill(2),
        day_no.cast(pl.String).str.zfill(2),
    )
    date = text.str.to_date("%Y-%m-%d", strict=False)
    is_sane = date.dt.year().is_between(1970, 9998)
    midnight = pl.when(is_sane).then(date).cast(pl.Datetime("us"))
    return midnight + pl.duration(microseconds=(clock_s * 1_000_000).round().cast(pl.Int64))


def _offset_min(zone: pl.Expr) -> pl.Expr:
    named = zone.replace_strict(list(ZONES_MIN), list(ZONES_MIN.values()), default=None, return_dtype=pl.Int32)
    parts = zone.str.extract_groups(r"^(?P<sign>[+-])(?P<hours>[0-9]{2}):?(?P<minutes>[0-9]{2})$").struct.field
    minutes = _number(parts("hours")) * 60 + _number(parts("minutes"))
    given = pl.when(parts("sign") == "-").then(-minutes).otherwise(minutes)
    return pl.coalesce(named, pl.when(given.abs() <= 14 * 60).then(given))
