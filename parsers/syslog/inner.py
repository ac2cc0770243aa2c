r"""Stamps that programs print into the text of a line, beside the one in its head.

The innermost stamp is that of the line, if it agrees with the head: it is finer, has a year, may have a zone. Two
clocks of one instant differ by a zone, so that they agree in minute and second, whole quarters of an hour aside. A
stamp with a zone then shows the zone of the head, too.

program    `2023-12-10 00:00:19,349 INFO: text`, also after `[patroni] `: stamp and level are taken off the text
klog       `I0108 22:16:57.312242 1346259 file.go:175] text`: no year
object     `{"ts": "2023-12-09T09:40:43.291Z", "msg": "text"}`: read by `parsers.syslog.json_log`
anywhere   `... container create 2025-05-12 04:54:37.94 +0000 ...`, `22:M 08 Feb 2024 17:19:27.448 - ...`: the text
           stays as it is. Such a date may be of anything; it is evidence for a head without a year, where both are of
           the same second
"""

from collections.abc import Callable, Mapping

import polars as pl

from parsers.ascii_pattern import ascii_only
from parsers.division import divided
from parsers.leap_year import with_year
from parsers.syslog import json_log
from parsers.syslog.stamps import instant, offset_min
from parsers.syslog.words import LEVEL_LETTERS, MONTH, MONTHS, level_of

DATE = r"[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}"
TIME = r"[0-9]{2}:[0-9]{2}:[0-9]{2}"
ZONE = r"Z|[A-Z]{2,5}|[+-][0-9][0-9](?::?[0-9][0-9])?"
PREFIX = r"\[[A-Za-z][0-9A-Za-z_./ -]{0,40}\] "
PROGRAM_LEVEL = r"LOG|TRACE|DEBUG[1-5]?|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL|PANIC"

# REAL: Dec 10 00:00:19 pg-01 patroni[582]: 2023-12-10 00:00:19,397 INFO: promoted self to leader by acquiring ...
# REAL: Apr 01 20:29:43 pg1 patroni[7381]: [patroni] 2020-04-01 20:29:43,620 INFO: ...
PROGRAM = ascii_only(
    rf"^(?:{PREFIX})?(?P<date>{DATE})[ T](?P<time>{TIME})(?:[.,](?P<fraction>[0-9]{{1,9}}))?"
    rf"(?: ?(?P<offset>{ZONE}))?(?: \[?[0-9]+\]?:?(?: .{{0,200}}?)??)?"  # zone, process id, prefix of PostgreSQL
    rf" (?P<level>{PROGRAM_LEVEL})(?: patroni[\w.]*)?: +(?P<said>.*)$"
)
# REAL: I0405 07:42:07.749214      11 node_lifecycle_controller.go:684] "Controller observed a Node deletion" ...
KLOG = ascii_only(
    r"^(?P<level>[IWEF])(?P<month>[0-9]{2})(?P<day>[0-9]{2}) (?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2})\."
    r"(?P<fraction>[0-9]{6})"
    r" +[0-9]+ (?P<said>[\w./-]+:[0-9]+\] .*)$"
)
# REAL: 2026-11-24 15:17:45 0 [Note] WSREP: GCache DEBUG: opened preamble:
MYSQL = r"^\S+ +[0-9:.]+Z? [0-9]+ \[(?:Note|Warning|ERROR|System)\] "
"""A line of a MySQL server, with its level in brackets: other words of its text are none."""
ANYWHERE = ascii_only(rf"\b{DATE}[T _]{TIME}(?:[.,][0-9]{{1,9}})?(?: ?(?:Z|UTC|GMT|[+-][0-9][0-9]:?[0-9][0-9])\b)?")
PARTS = r"^(\S{10}).(\S{8})(?:[.,]([0-9]+))? ?(\S+)?$"
LEADING = (
    rf'^(?:{PREFIX}|(?:ts|time|t)="?)?({DATE}[T ]{TIME}(?:[.,][0-9]{{1,9}})?(?: ?(?:Z|UTC|GMT'
    rf"|[+-][0-9]{{2}}:?[0-9]{{2}})\b)?)"
)
DATED = rf"{DATE}[T _][0-9]{{2}}:[0-9]{{2}}:|[0-9]{{2}} {MONTH} [0-9]{{4}} [0-9]{{2}}:[0-9]{{2}}:"
MARK = rf"{DATED}|^\{{|^[IWEF][0-9]{{4}} [0-9]{{2}}:[0-9]{{2}}:"
"""What any text with a stamp holds."""
PLAIN_MARK = rf"^(?:\{{|(?:\[[A-Za-z][0-9A-Za-z_./ -]{{0,40}}\] )?{DATE}[T ]|[IWEF][0-9]{{4}} [0-9]{{2}}:[0-9]{{2}}:)"
"""What a text begins with whose stamp counts beside any head."""

EARLY_CHARACTERS = 240
WITHIN_S = 2.0
"""A program's own stamp agrees with the head if it is no further away."""
OBJECT_WITHIN_S = 60.0
"""The time of an object agrees with the head, which may be late, if both clocks are of one zone."""
ZONES_MIN = sorted(json_log.ZONES_MIN)


def read(said: pl.DataFrame) -> pl.DataFrame:
    """Give each line the stamp that its text shows, and the text without it where a program begins its line so."""
    has_mark = said["text"].str.contains(MARK).fill_null(value=False)
    if not has_mark.any():
        return said
    rows = said.with_row_index("place")
    left = rows.filter(has_mark & said["stamp"].is_not_null())
    found = []
    for begins, of_kind in KINDS.items():
        begun = left.filter(pl.col("text").str.contains(begins))
        agreed = _agreed(of_kind(begun)) if begun.height else begun
        if agreed.height:
            found.append(agreed)
            left = left.filter(~pl.col("place").is_in(agreed["place"].implode()))
    return _placed(rows, pl.concat(found, how="diagonal")) if found else said


def leading(text: pl.Expr) -> list[pl.Expr]:
    """`stamp` and `utc_offset_min` that a text begins with."""
    date, time, fraction, offset = _parts(text.str.extract(LEADING, 1))
    return [instant(date, time, fraction).alias("stamp"), offset_min(offset).alias("utc_offset_min")]


def _parts(stamp: pl.Expr) -> tuple[pl.Expr, pl.Expr, pl.Expr, pl.Expr]:
    groups = stamp.str.extract_groups(PARTS).struct.field
    return groups("1").str.replace_all("/", "-", literal=True), groups("2"), groups("3"), groups("4")


def _objects(rows: pl.DataFrame) -> pl.DataFrame:
    read = json_log.frame(json_log.read(text) for text in rows["text"])
    inner = read.rename(lambda name: f"inner_{name}").rename({"inner_text": "inner_said"})
    found = rows.hstack(inner).rename({"inner_utc_offset_min": "inner_offset"})
    return found.filter(pl.col("inner_said").is_not_null()).with_columns(
        pl.lit(OBJECT_WITHIN_S).alias("late_s"), pl.col("inner_stamp").is_not_null().alias("inner_has_year")
    )


def _programs(rows: pl.DataFrame) -> pl.DataFrame:
    groups = pl.col("text").str.extract_groups(PROGRAM).struct.field
    date = groups("date").str.replace_all("/", "-", literal=True)
    return (
        rows.filter(~pl.col("text").str.contains(MYSQL))
        .with_columns(
            instant(date, groups("time"), groups("fraction")).alias("inner_stamp"),
            offset_min(groups("offset")).alias("inner_offset"),
            groups("said").alias("inner_said"),
            level_of(groups("level")).alias("inner_level"),
            pl.lit(WITHIN_S).alias("late_s"),
            pl.lit(value=True).alias("inner_has_year"),
        )
        .filter(pl.col("inner_stamp").is_not_null())
    )


def _klog(rows: pl.DataFrame) -> pl.DataFrame:
    groups = pl.col("text").str.extract_groups(KLOG).struct.field
    date = pl.concat_str(pl.lit("2000"), groups("month"), groups("day"), separator="-")
    return rows.with_columns(
        instant(date, groups("time"), groups("fraction")).alias("inner_stamp"),
        pl.lit(None, pl.Int16).alias("inner_offset"),
        groups("said").alias("inner_said"),
        groups("level").replace_strict(LEVEL_LETTERS, default=None, return_dtype=pl.String).alias("inner_level"),
        pl.lit(WITHIN_S).alias("late_s"),
        pl.lit(value=False).alias("inner_has_year"),
    ).filter(pl.col("inner_stamp").is_not_null())


def _anywhere(rows: pl.DataFrame) -> pl.DataFrame:
    """The first date that is of the second of a head without a year."""
    early = pl.col("text").str.slice(0, EARLY_CHARACTERS)
    for number, month in enumerate(MONTHS, 1):
        early = early.str.replace_all(rf"\b([0-9]{{2}}) {month} ([0-9]{{4}}) ", f"${{2}}-{number:02}-${{1}} ")
    early = early.str.extract_all(ANYWHERE).list.head(4)
    dates = (
        rows.filter(~pl.col("has_year")).with_columns(early.alias("printed")).explode("printed").drop_nulls("printed")
    )
    date, time, fraction, offset = _parts(pl.col("printed"))
    read = dates.with_columns(
        instant(date, time, fraction).alias("inner_stamp"),
        offset_min(offset).alias("inner_offset"),
        pl.lit(None, pl.Float64).alias("late_s"),
        pl.lit(value=True).alias("inner_has_year"),
    ).filter(pl.col("inner_stamp").dt.second() == pl.col("stamp").dt.second())  # few are, and the rest is costly
    return _agreed(read).unique("place", keep="first", maintain_order=True).drop("ahead_min", strict=False)


KINDS: Mapping[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    r"^\{": _objects,
    rf"^(?:{PREFIX})?{DATE}[ T]": _programs,
    "^[IWEF][0-9]{4} ": _klog,
    DATED: _anywhere,
}
"""What finds a stamp, by a pattern of the texts that it is tried on."""


def _agreed(inner: pl.DataFrame) -> pl.DataFrame:
    """Stamps that name the instant of the head, with `ahead_min`, what zone they are ahead of it.

    `late_s`: seconds by which a head may be later; null: both are of the same second.
    """
    if not inner.height:
        return inner
    stamp, head = pl.col("inner_stamp"), pl.col("head")
    ahead_s, quarters, ahead_min, of_head = map(pl.col, ("ahead_s", "quarters", "ahead_min", "offset_of_head"))
    near_s = ahead_s - quarters * 900
    is_near = (
        pl.when(pl.col("late_s").is_null())
        .then(stamp.dt.truncate("1s") - head.dt.truncate("1s") == pl.duration(seconds=quarters * 900))
        .otherwise(near_s.is_between(-pl.col("late_s"), WITHIN_S))
    )
    is_round = (stamp.dt.second() == 0) & (stamp.dt.minute() % 15 == 0)
    is_same_zone = of_head.eq_missing(pl.col("utc_offset_min")) | of_head.is_null() | pl.col("utc_offset_min").is_null()
    agrees = (
        is_near
        & ahead_min.is_in(ZONES_MIN)
        & (of_head.is_null() | of_head.is_in(ZONES_MIN))
        & ((ahead_min == 0) | ~is_round)
        & ((ahead_min == 0) | (near_s >= -WITHIN_S))
        & is_same_zone
    ) | stamp.is_null()
    own_offset = pl.col("inner_offset").cast(pl.Int32)
    return (
        inner.with_columns(_in_year_of_inner().alias("head"))
        .with_columns(divided((stamp - head).dt.total_microseconds(), 1e6).alias("ahead_s"))
        .with_columns(
            divided(ahead_s + pl.col("late_s").fill_null(0) / 2 - WITHIN_S / 2, 900).round().alias("quarters")
        )
        .with_columns((quarters * 15).cast(pl.Int32, strict=False).alias("ahead_min"))
        .with_columns((own_offset - ahead_min).cast(pl.Int16, strict=False).alias("offset_of_head"))
        .filter(agrees.fill_null(value=False))
        .with_columns((stamp - pl.duration(minutes=ahead_min)).alias("wall"))
        .drop("head", "ahead_s", "quarters")
    )


def _in_year_of_inner() -> pl.Expr:
    """The head's stamp; without a year of its own in the year that brings it nearest to the inner one."""
    head, inner = pl.col("stamp"), pl.col("inner_stamp")
    turn = head.dt.month().cast(pl.Int32) - inner.dt.month().cast(pl.Int32)
    year = inner.dt.year() + pl.when(turn == 11).then(-1).when(turn == -11).then(1).otherwise(0)
    without_year = ~pl.col("has_year") | ~pl.col("inner_has_year")
    return pl.when(without_year).then(with_year(head, year)).otherwise(head)


def _placed(rows: pl.DataFrame, found: pl.DataFrame) -> pl.DataFrame:
    """All rows, with what was found in their texts."""
    columns = ["wall", "offset_of_head", "inner_has_year", "inner_said", "inner_level", "inner_tag", "inner_message_id"]
    missing = [pl.lit(None, pl.String).alias(name) for name in columns if name not in found.columns]
    inner = found.with_columns(missing).select("place", *columns)
    both = rows.join(inner, on="place", how="left", maintain_order="left")
    wall, is_dated = pl.col("wall"), pl.col("has_year") | pl.col("inner_has_year").fill_null(value=False)
    is_finer = pl.col("has_year") & ~pl.col("inner_has_year") & wall.is_not_null()
    of_head = pl.when(is_finer).then(pl.coalesce(with_year(wall, pl.col("stamp").dt.year()), "stamp"))
    own = [pl.coalesce(f"inner_{name}", name).alias(name) for name in ("level", "message_id")]
    return both.with_columns(
        pl.coalesce(of_head, wall, "stamp").alias("stamp"),
        is_dated.alias("has_year"),
        pl.coalesce("utc_offset_min", "offset_of_head").alias("utc_offset_min"),
        pl.coalesce("inner_said", "text").alias("text"),
        pl.coalesce("tag", "inner_tag").alias("tag"),
        *own,
    ).select(name for name in rows.columns if name != "place")
