"""Plain syslog lines: a BSD or ISO stamp, a host, a tag and a text, each after one blank.

Most lines of most files are so. They are cut by position and by blanks, several times faster than by the groups of a
pattern; the result is the same as that of `parsers.syslog.framing.read_heads`. Patterns only look at short pieces that
are cut out already, so that they are done within a few bytes.
"""

import re
from collections.abc import Sequence
from functools import cache

import polars as pl

from parsers import fixed_stamp
from parsers.ascii_pattern import ascii_only
from parsers.syslog import inner
from parsers.syslog.stamps import micros, offset_min
from parsers.syslog.text import MESSAGE_SCHEMA
from parsers.syslog.words import LEVEL_WORD, MONTH, NO_HOST, level_of

# REAL: Nov  3 09:23:38 veridian automount[7998]: lookup(file): lookup for foobar failed
BSD_DAY = rf"^{MONTH} [ 0-9][0-9] $"
BSD_DAY_WIDTH = len("Nov  3 ")
BSD_WIDTH = BSD_DAY_WIDTH + fixed_stamp.TIME_WIDTH

# REAL: 2019-03-22T10:45:14.906552+08:00 15sp1-1 pacemaker-controld[1740]:  notice: State transition ...
ISO_DAY = r"^[0-9]{4}-[0-9][0-9]-[0-9][0-9]$"
ISO_DAY_WIDTH = len("2019-03-22")
ISO_STAMP = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?:Z|[+-](?:0[0-9]"
    r"|1[0-5]):?[0-5][0-9])? "
)

HOST = r"^[\w.-]*[A-Za-z.][\w.-]*$"  # not a bare number
TAG = r"^[A-Za-z_/][\w./-]*(?:\([\w.:/-]*\))?(?:\[[0-9]{1,18}\])?:$"  # with the resource or module in parentheses

# ADAPTED: [ID 702911 daemon.notice] text, of Solaris; [7705431.110245] text, of the Linux kernel
MARK = r"^\[(?:ID [0-9]|[ 0-9])"
SOLARIS = r"^\[ID (?P<msgid>[0-9]+) (?P<facility>[a-z][a-z0-9]*)\.(?P<level>[a-z]+)\] (?P<said>[^\s\[].*)$"
UPTIME = r"^\[ *(?P<uptime_s>[0-9]{1,9}\.[0-9]{3,9})\] (?P<said>[^\s\[].*)$"

TEXT = r"^(?:[^\s\[]|\[[^\sI0-9])"
NO_TEXT = rf"^(?:{LEVEL_WORD}: |(?:--- )?(?:last )?message repeated )|{inner.PLAIN_MARK}|^\\\[ *[0-9]"
"""What a text begins with that the patterns must read: a level, a finer stamp, a folded repeat, an escaped uptime."""

ESCAPES = ("#0", "#177")
"""What escaped bytes begin with, which the patterns must decode."""


def read_plain(
    lines: pl.DataFrame, words: Sequence[str] = (), *, has_dates: bool = True
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Messages of plain lines, messages of plain lines that hold one of the words, and the lines that are not plain.

    `lines` are numbered by `row` from 0. `has_dates`: a line with a date in its text may be plain.
    """
    bsd, others = _dated_bsd(lines)
    dated = [bsd, _dated_iso(others)] if others.height else [bsd]
    texts = [each for cut in dated if cut.height for each in _texts(_heads(cut)) if each.height]
    plain = mentioning = pl.DataFrame(schema=MESSAGE_SCHEMA)
    if texts:
        plain, mentioning = _sorted_out(pl.concat(map(_complete, texts)), words, has_dates=has_dates)
    is_left = pl.repeat(value=True, n=lines.height, eager=True)
    for each in (plain, mentioning):
        is_left = is_left.scatter(each["row"], values=False)
    return plain, mentioning, lines.filter(is_left)


def _dated_bsd(lines: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lines with a BSD stamp, cut at the blanks behind it, and the others."""
    text = lines["text"].str
    days = fixed_stamp.day(text.slice(0, BSD_DAY_WIDTH), BSD_DAY, "%Y %b %e ", year="2000 ")
    time = fixed_stamp.second_of_day(text.slice(BSD_DAY_WIDTH, fixed_stamp.TIME_WIDTH))
    stamped = lines.with_columns(stamp=fixed_stamp.instant(days, time))
    is_dated = stamped["stamp"].is_not_null()
    others = lines.clear() if is_dated.all() else lines.filter(~is_dated)
    dated = stamped if is_dated.all() else stamped.filter(is_dated)
    behind = pl.col("text").str.slice(BSD_WIDTH).str.splitn(" ", 4)
    cut = dated.select(
        *("row", "file_id", "line_no", "stamp"),
        pl.lit(value=False).alias("has_year"),
        pl.lit(None, pl.Int16).alias("utc_offset_min"),
        pl.lit("bsd").alias("framing"),
        behind.struct.rename_fields(["cut", "host", "head", "text"]).alias("behind"),
    )
    return cut.unnest("behind"), others


def _dated_iso(lines: pl.DataFrame) -> pl.DataFrame:
    """Lines with an ISO stamp, cut at the blanks behind it."""
    cut = (
        lines.filter(pl.col("text").str.contains(ISO_STAMP))
        .with_columns(pl.col("text").str.splitn(" ", 4).struct.rename_fields(["printed", "host", "head", "text"]))
        .unnest("text")
    )
    days = fixed_stamp.day(cut["printed"].str.slice(0, ISO_DAY_WIDTH), ISO_DAY, "%Y-%m-%d")
    printed = pl.col("printed").str
    time = fixed_stamp.second_of_day(cut["printed"].str.slice(ISO_DAY_WIDTH + 1, fixed_stamp.TIME_WIDTH))
    behind = printed.slice(ISO_DAY_WIDTH + 1 + fixed_stamp.TIME_WIDTH).str
    return (
        cut.with_columns(stamp=fixed_stamp.instant(days, time))
        .select(
            *("row", "file_id", "line_no"),
            (pl.col("stamp") + pl.duration(microseconds=micros(behind.extract(r"^[.,]([0-9]{1,9})")))).alias("stamp"),
            pl.lit(value=True).alias("has_year"),
            offset_min(behind.extract(r"(Z|[+-][0-9][0-9]:?[0-9][0-9])$")).alias("utc_offset_min"),
            pl.lit("iso").alias("framing"),
            pl.lit("").alias("cut"),
            *("host", "head", "text"),
        )
        .filter(pl.col("stamp").is_not_null())
    )


def _heads(cut: pl.DataFrame) -> pl.DataFrame:
    """The lines with a host and a tag, taken apart."""
    hosts = cut["host"].unique().drop_nulls()
    hosts = hosts.filter(hosts.str.contains(ascii_only(HOST)) & ~hosts.str.contains(NO_HOST))
    fits = (pl.col("cut") == "") & pl.col("host").is_in(hosts.implode()) & pl.col("head").str.contains(ascii_only(TAG))
    named = pl.col("head").str.head(-1).str.splitn("[", 2).struct.rename_fields(["tag", "pid"])
    return (
        cut.filter(fits)
        .with_columns(named.alias("head"))
        .unnest("head")
        .with_columns(pl.col("pid").str.head(-1).cast(pl.Int64, strict=False))
    )


def _texts(named: pl.DataFrame) -> list[pl.DataFrame]:
    """The lines by the marks before their text, marks taken off."""
    marked = named.filter(pl.col("text").str.contains(MARK))  # no plain texts themselves
    return [named, *_marked(marked)] if marked.height else [named]


def _marked(named: pl.DataFrame) -> list[pl.DataFrame]:
    """Messages behind Solaris' message id, and behind the kernel's uptime."""
    is_bsd = pl.col("framing") == "bsd"
    solaris, uptime = (
        named.with_columns(pl.col("text").str.extract_groups(ascii_only(pattern)))
        .unnest("text")
        .filter(pl.col("said").is_not_null())
        .rename({"said": "text"})
        .with_columns(pl.when(is_bsd).then(pl.lit(framing)).otherwise("framing").alias("framing"))
        for pattern, framing in ((SOLARIS, "solaris"), (UPTIME, "linux_kernel"))
    )
    return [solaris.with_columns(level_of(pl.col("level"))), uptime]


def _sorted_out(messages: pl.DataFrame, words: Sequence[str], *, has_dates: bool) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The messages with a plain text: those without, and those with one of the words in tag or text."""
    texts, tags = messages["text"].str, messages["tag"].unique()
    tags = tags.filter((" " + tags + ": ").str.contains_any(pl.Series(words, dtype=pl.String).implode()))
    is_relevant = texts.contains(_any_of(*words, *ESCAPES)) | messages["tag"].is_in(tags.implode())
    beginnings = [word[1:] for word in words if word.startswith(" ")]  # the blank is that behind the tag
    if beginnings:
        is_relevant |= texts.contains(f"^(?:{_any_of(*beginnings)})")
    shows_year = ~messages["has_year"] & texts.contains(inner.DATED)
    is_plain = texts.contains(TEXT) & ~texts.contains(NO_TEXT)
    is_dated = is_plain & shows_year & ~(is_relevant & texts.contains(_any_of(*ESCAPES)))
    is_plain &= ~shows_year
    plain = _complete(messages.filter(is_plain & ~is_relevant))
    relevant = messages.filter(is_plain & is_relevant).filter(~pl.col("text").str.contains_any(list(ESCAPES)))
    if not (has_dates and is_dated.any()):
        return plain, _complete(relevant)
    dated = _complete(inner.read(_complete(messages.filter(is_dated))))
    is_relevant = is_relevant.filter(is_dated)
    return pl.concat([plain, dated.filter(~is_relevant)]), pl.concat([_complete(relevant), dated.filter(is_relevant)])


def _complete(messages: pl.DataFrame) -> pl.DataFrame:
    missing = [
        pl.lit(None, dtype).alias(name) for name, dtype in MESSAGE_SCHEMA.items() if name not in messages.columns
    ]
    return messages.with_columns(missing).select(pl.col(name).cast(dtype) for name, dtype in MESSAGE_SCHEMA.items())


@cache
def _any_of(*words: str) -> str:
    return "|".join(re.escape(word) for word in words)
