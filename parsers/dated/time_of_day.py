"""Logs whose lines print a time of day and no date, and that no other format knows.

Written by   programs whose day their log file, a banner or nothing at all shows
One row      per line that begins with a time of day, to the minute (`[10:11] text`) only where more shows that it is a
             log; see `parsers.dated.dated_log` for the rest
Day          counted from that of the first line, as a clock that goes back by half a day passed midnight; which day
             that is, the file does not say (`parsers.format.DAYLESS`). After a clock that went back by less, which
             may be a restart days later, lines have no time. A line of nothing but a date, such as
             `--- Log opened Mon May 06 10:00:00 2024`, dates those below
Severity, continuation lines, host: as of any dated log
"""

from collections.abc import Sequence
from functools import partial

import polars as pl

from parsers.dated.heads import (
    AFTER,
    AFTER_MINUTE,
    BEFORE,
    CLOCK,
    NAME,
    TO_MINUTE,
    WEEKDAY,
    YEAR,
    ZONE,
    Shape,
    read_heads,
    shapes_of,
)
from parsers.dated.moments import is_day, with_moments
from parsers.dated.recognition import LEAST_SHARE, beside, claim, first_lines
from parsers.dated.records import TABLES, with_records
from parsers.dated.words import CAPITALS
from parsers.first_look import FirstLook
from parsers.folds import reads_folded
from parsers.format import DAYLESS, Format, Hint, Parsed, Recognition, Refusal
from parsers.syslog.words import LEVEL_WORD

CONFIDENCE = 0.005
"""Any other format that claims a file knows more of it, one that reads dates too."""

LEAST_LINES = 3
LONGEST_DAY = 120
PLACE = r"^[0-9]{1,4}[.)]\s*$"
DECLARED = '[[format]] stamp = "%H:%M"'
NUMBER = r"(?:^|\s)[-+]?[0-9]+(?:[.,:/][0-9]+)*(?:[%kMGs]|ms|km)?(?:$|\b)"
HALF_A_DAY_S = 12 * 3600
DISORDER_S = 60
"""Writers of one log disagree by so much."""

SURE, DOTTED, TO_THE_MINUTE = "time_of_day", "dotted_time", "minute_of_day"
CLOCKS = (
    Shape(SURE, rf"{BEFORE}{CLOCK.replace('[:.]', ':')}{ZONE}{AFTER}"),
    Shape(DOTTED, rf"{BEFORE}{CLOCK.replace('[:.]', '[.]')}{ZONE}{AFTER}"),
    Shape(TO_THE_MINUTE, rf"{BEFORE}{TO_MINUTE}{AFTER_MINUTE}"),
)
CLOCKED = r"[0-9][:.][0-5][0-9]"
# RECONSTRUCTED: [10:11] text        10:11: text        10:11 <nick> text        10:11 ERROR text      10:11 name: text
OF_A_LOG = (
    r"^(?:[\])>}|:]| +[\[(<{])|^[ \t]*"
    rf"(?:{LEVEL_WORD}|{'|'.join(CAPITALS)}|[A-Za-z][A-Za-z0-9_./-]*(?:\[[0-9]+\]|\([a-z]+\))?:)(?:\W|$)"
)
"""What follows a time to the minute in a log, and not in a timetable."""

shapes_of_clocks = partial(shapes_of, of=CLOCKS)

DATE_BEFORE = r"[0-9]{1,4}[-/.][0-9]{1,2}|[0-9]{4,}[ T|:_-]*$|\pL{3} +[0-9]{1,2} *$"
WORD = (
    r"(?i:log(?:file|ging)?|session|day|date|started|start|begins?|began|opened|created|changed|new|of|on|at|for|is|the|to"
    r"|time|today)"
)
# ADAPTED: --- Log opened Mon May 06 10:00:00 2024        === 2024-05-06 ===        # Date: 2024-05-06 10:11:12
DAYS = tuple(
    Shape("day", rf"^(?P<before>)[-=*#<\[ ]*(?:{WORD}[ :=]+){{0,6}}{date}[-=*#>\]\s]*$")
    for date in (
        rf"{YEAR}[-/.](?P<month>[01]?[0-9])[-/.](?P<day>[0-3]?[0-9])(?:[ T]{CLOCK}{ZONE})?",
        rf"{WEEKDAY}{NAME} +(?P<day>[0-3]?[0-9]),?(?: {CLOCK})?{ZONE} {YEAR}",
        rf"{WEEKDAY}(?P<day>[0-3]?[0-9])\.? {NAME} {YEAR}(?:,? {CLOCK}{ZONE})?",
    )
)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn numbered lines, folded ones too, into records, and give each line its verdict."""
    return reads_folded(_parse, shapes_of_clocks)(lines)


def _parse(lines: pl.DataFrame) -> Parsed:
    rows = lines.with_row_index("row")
    return parsed_by_clock(rows, read_clocks(rows))


def read_clocks(lines: pl.DataFrame) -> pl.DataFrame:
    """The heads among lines with `row`, `file_id` and `text`; not those with something like a date before the time.

    Times to the minute count only in a file that has no others.
    """
    before = pl.col("before").fill_null("").str
    heads = read_heads(lines, CLOCKS, CLOCKED).filter(~before.contains(DATE_BEFORE))
    is_coarse = pl.col("shape") == TO_THE_MINUTE
    of_files = heads.join(lines.select("row", "file_id"), on="row", maintain_order="left")
    return of_files.filter(is_coarse == is_coarse.all().over("file_id")).drop("file_id")


def parsed_by_clock(rows: pl.DataFrame, heads: pl.DataFrame) -> Parsed:
    """Records of lines numbered by `row`, of which those of `heads` begin with a time of day."""
    others = rows.join(heads.select("row"), on="row", how="anti", maintain_order="left")
    days = _days(others)
    in_files = heads.join(rows.select("row", "file_id"), on="row", maintain_order="left")
    dated = _dated(with_moments(in_files), days)
    return with_records(rows, dated, dated.filter(pl.col("clock").is_not_null()), days["row"])


def _days(rows: pl.DataFrame) -> pl.DataFrame:
    """Lines of nothing but a date: `row`, `file_id`, `date`, and `clock` where they have one."""
    short = rows.filter(pl.col("text").str.len_bytes() < LONGEST_DAY)
    named = with_moments(read_heads(short, DAYS, needs=r"(?:19|20)[0-9]{2}"))
    month = pl.coalesce(pl.col("month").cast(pl.Int32, strict=False), "by_name")
    year, day = (pl.col(name).cast(pl.Int32, strict=False) for name in ("year", "day"))
    found = named.with_columns(date=pl.when(is_day(month, day, year)).then(pl.date(year, month, day)))
    return (
        found.drop_nulls("date")
        .join(short.select("row", "file_id"), on="row")
        .select("row", "file_id", "date", "clock")
    )


def _dated(heads: pl.DataFrame, days: pl.DataFrame) -> pl.DataFrame:
    """Heads with stamps: in days since the first line of their file, or in those that lines above name."""
    both = pl.concat([heads, days], how="diagonal").sort("row")
    stretch = pl.col("date").is_not_null().cum_sum().over("file_id")
    in_stretches = both.with_columns(stretch.alias("stretch"), pl.col("clock").dt.total_seconds().alias("clock_s"))
    of_stretch = ("file_id", "stretch")
    back_s = pl.col("clock_s").shift(1).over(of_stretch) - pl.col("clock_s")
    passed = (back_s > HALF_A_DAY_S).fill_null(value=False)
    is_open = (back_s.is_between(DISORDER_S, HALF_A_DAY_S)).fill_null(value=False)
    counted = in_stretches.with_columns(
        passed.cast(pl.Int64).cum_sum().over(of_stretch).alias("nights"),
        (is_open.cast(pl.Int64).cum_sum().over(of_stretch) > 0).alias("is_open"),
        pl.col("date").forward_fill().over(of_stretch).alias("named_date"),
    )
    day = pl.coalesce("named_date", pl.lit(DAYLESS)).cast(pl.Datetime("us"))
    stamp = day + pl.duration(days="nights") + pl.col("clock")
    return (
        counted.filter(pl.col("date").is_null())
        .with_columns(
            pl.when(~pl.col("is_open")).then(stamp).alias("stamp"),
            pl.col("named_date").is_not_null().alias("has_year"),
        )
        .select(heads.columns)
    )


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file most of whose lines begin with a time of day and have words."""
    lines, heads = _looks.of(head)
    if heads.height < LEAST_LINES:
        return Refusal("hardly a line begins with a time of day", 1)
    after = heads["after"].fill_null("").str
    is_row = after.count_matches(NUMBER) * 2 >= after.count_matches(r"\S+")
    if int(is_row.sum()) > heads.height / 2:
        return Refusal("rows of numbers, each with a time of day", int(heads["line_no"][0]))
    if int(heads["before"].fill_null("").str.contains(PLACE).sum()) > heads.height / 2:
        return Refusal("a list of places with a time each", int(heads["line_no"][0]))
    if heads["shape"][0] != SURE and not _is_log_of_minutes(lines, heads):
        return Refusal(f"times as in a timetable or a list; {DECLARED} declares a log", int(heads["line_no"][0]))
    return claim(lines, heads, CONFIDENCE, "a time of day alone")


def _is_log_of_minutes(lines: pl.DataFrame, heads: pl.DataFrame) -> bool:
    """Whether times look like those of a log: not like those of a timetable, and dotted ones not like versions."""
    others = lines.join(heads.select("row"), on="row", how="anti")
    marked = int(heads["after"].fill_null("").str.contains(OF_A_LOG).sum())
    return _runs_forward(heads) and (marked * 2 > heads.height or bool(_days(others).height))


def _runs_forward(heads: pl.DataFrame) -> bool:
    """Whether times have hours of two digits and go back at midnight alone."""
    back_s = -heads["clock"].dt.total_seconds().diff().drop_nulls()
    return bool(((back_s <= 0) | (back_s > HALF_A_DAY_S)).all() and (heads["hour"].str.len_chars() == 2).all())


def may_be_of_minutes(head: pl.Series) -> bool:
    """Whether most of the first lines of a file begin with times to the minute that run forward, and with words.

    What begins at 00:00 may count from a start.
    """
    lines, heads = _looks.of(head)
    is_many = heads.height >= max(LEAST_LINES, LEAST_SHARE * lines.height)
    return is_many and heads["shape"][0] == TO_THE_MINUTE and _runs_forward(heads) and bool(heads["clock"][0])


def _seen(heads: Sequence[pl.Series]) -> list[tuple[pl.DataFrame, pl.DataFrame]]:
    lines = first_lines(heads, shapes_of_clocks)
    found = with_moments(read_clocks(lines))
    return beside(lines, found.filter(pl.col("clock").is_not_null()), len(heads))


_looks = FirstLook(_seen)

FORMAT = Format(
    name="time_of_day_log",
    title="Log with times of day alone, without a format of its own",
    tables=TABLES,
    recognise=recognise,
    parse=parse,
    needs=r"(?:^|[^0-9A-Za-z.:/-])(?:[0-9]{1,2}[:.][0-5][0-9][:.][0-5][0-9]|[0-2][0-9]:[0-5][0-9](?:[^0-9]|$))",
    hints=(
        Hint(
            r"^[\[(]?(?:[01][0-9]|2[0-3]):[0-5][0-9][\])]? +[^0-9\s]",
            f"text with times to the minute, a timetable or a log; {DECLARED} declares a log",
            is_vague=True,
        ),
    ),
    look=_looks.look,
    takes_the_rest=True,
)
