r"""Heads of dated lines: which line begins with a stamp, of which shape, and what is around the stamp.

Each line is looked at by itself, so that what is read of it depends on no other. A head may have a few short things
before its stamp: a level, a thread in brackets, a process id, a role. Prose before a date is no head.

shape        stamp
glog         `I1231 12:34:56.123456`, `I20231231 12:34:56.123456`: glog and klog
year_first   `2020-01-31T12:34:56,123+02:00`, `2020/01/31-12:34:56.123`, `2020.01.31 12:34:56`, `20200131 12:34:56`
pair         `time="2020-01-31T12:34:56Z" level=info msg="..."`
day_month    `31/Jan/2020:12:34:56 +0000`, `31-Jan-2020 12:34:56.123`, `31 Jan 2020 12:34:56.123`
month_day    `Jan 31, 2020 12:34:56 PM`, `January 31, 2020 12:34:56`
ctime        `Fri Jan 31 12:34:56 2020`, `Fri Jan 31 12:34:56.123456 CET 2020`, `Fr 31. Jan 12:34:56 CET 2020`
no_year      `Fri Jan 31 12:34:56.123`, `Jan 31 12:34:56`, `31 Jan 12:34:56.123`, `31.01. 12:34:56`, `1월 31일 12:34:56`
numeric      `31.01.2020 12:34:56`, `01/31/2020 12:34:56 PM`, `[1/31/20 12:34:56:123 CET]`, `01/31 12:34:56`
day_of_year  `2020-W05-5T12:34:56Z`, `2020W055 12:34:56`, `2020-031T12:34:56.123`: days by their numbers
short_year   `200131 12:34:56`
epoch        `1580473466`, `1580473466.123`, `1580473466123`
access       `10.0.0.1 - - [31/Jan/2020:12:34:56 +0000] "GET / HTTP/1.1"`
cjk          `2020年1月31日 12:34:56`
clock_first  `16:17:07.23  Tuesday, July 04, 2017`
request      `Started GET "/" for 127.0.0.1 at 2020-01-31 12:34:56 +0100`
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from parsers.dated.words import CAPITALS, ZONE_NAMES
from parsers.folds import SURE
from parsers.syslog.words import LEVEL_WORD
from parsers.zone_names import REGION

CLOCK = (
    r"(?P<hour>[0-9]{1,2})[:.](?P<minute>[0-5][0-9])[:.](?P<second>[0-5][0-9])"
    r"(?:[.,:](?P<fraction>[0-9]{1,9}))?(?: ?(?P<half>[AaPp]\.?[Mm]\.?))?"
)
ZONES = "|".join(sorted(ZONE_NAMES, key=lambda name: (-len(name), name)))
ZONE = rf"(?:,? ?(?P<offset>Z|[+-][0-9]{{2}}:?[0-9]{{2}}|{ZONES}|{REGION})|(?P<hours>[+-][0-9]{{2}}))?"
YEAR = r"(?P<year>(?:19|20)[0-9]{2})"
DAY = r"(?P<day>[0-3]?[0-9])"
LETTER = "[A-Za-zÀ-ɏЀ-ӿ]"  # Latin and Cyrillic
NAME = rf"(?P<name>{LETTER}+)\.?"
WEEKDAY = rf"(?:{LETTER}+\.?,? +)?"
GAP = r"(?:\([^()0-9]{1,3}\))?[T_:,;|@\t .-]{1,3}"
HALF = "(?P<half>오전|오후|午前|午後|上午|下午)"
PLAIN_CLOCK = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-5][0-9]):(?P<second>[0-5][0-9])(?:[.,:](?P<fraction>[0-9]{1,9}))?"
TO_MINUTE = r"(?P<hour>[0-2]?[0-9]):(?P<minute>[0-5][0-9])(?: ?(?P<half>[AaPp]\.?[Mm]\.?))?"
CLOCK_IN_DIGITS = r"(?P<hour>[0-2][0-9])(?P<minute>[0-5][0-9])(?P<second>[0-5][0-9])"

TOKEN = (
    r"(?:"
    rf"[\[(<]?(?:{'|'.join(CAPITALS)}|{LEVEL_WORD})[\])>]?:?"  # INFO, [warn]
    r"(?: [A-Za-z_][A-Za-z0-9_]*:)?"  # INFO: monitor:
    r"|\[[^\[\]]*\]:?|\([^()]*\):?|<[^<>]*>|\{[^{}]*\}"  # [thread-1], (1234), <0.1.0>, {-1}
    r"|[0-9]{1,19}(?::[A-Z])?[.:]?"  # 1234, 1234:M
    r"|[0-9a-fA-F]{4,16}\.[0-9a-fA-F]{4,16}::?"  # process and thread of a cluster.log
    r"|[A-Za-z][A-Za-z0-9_./@()-]*\[[0-9]{1,10}\]:?"  # name[123]:
    r"|\[[A-Z][0-9]{1,5}|=[A-Z ]{1,20} REPORT="  # [W000 of an observer; =ERROR REPORT==== of Erlang
    r"|\[[A-Za-z_]+:[a-z]+,|(?:[0-9]{2,6}:){3,5}"  # [ns_server:info, of Couchbase; 00:0000:00000:00001: of Sybase
    r"|[A-Za-z0-9][A-Za-z0-9_.-]* *\|"  # web_1  |
    r"|[A-Z]|[A-Z], ?\[?|# Time:|Log file created at:|[*#|=-]{1,5}"  # I, [ of Ruby; a slow log; *** of traces
    r")[ \t]*"
)
BEFORE = rf"^﻿?[ \t]{{0,4}}(?P<before>(?:{TOKEN}){{0,3}}?)[\[(<{{\"']? ?"
APART = BEFORE.replace(rf"(?:{TOKEN}){{0,3}}?", rf"(?:(?:{TOKEN}){{1,3}}?[ \t])?")
"""The same before a stamp that is short enough to be the end of another one."""

AFTER = r"(?P<after>(?:[^0-9A-Za-z].*)?)$"
AFTER_MINUTE = r"(?P<after>(?:[^0-9A-Za-z:.].*|[:.](?:[^0-9].*)?)?)$"
PAIRS = r'(?P<before>(?:[A-Za-z_@][A-Za-z0-9_.@-]*=(?:"[^"]*"|[^\s"]*)[ ,]+){0,4}?)'
ISO = rf"{YEAR}[-/.](?P<month>[01]?[0-9])[-/.]{DAY}{GAP}{CLOCK}{ZONE}"


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of head: its pattern, with a group for each part of the stamp, `before` and `after` it."""

    name: str
    pattern: str


SHAPES = (
    Shape(
        "glog",
        r"^[ \t]{0,8}(?P<letter>[IWEFDC])(?:(?P<year>(?:19|20)[0-9]{2})|(?P<short>[1-4][0-9]))??"
        r"(?P<month>[01][0-9])(?P<day>[0-3][0-9]) "
        rf"{CLOCK}(?P<after> .*)$",
    ),
    Shape("year_first", rf"{BEFORE}{ISO}{AFTER}"),
    # REAL (etcd 3.4): raft2026/11/22 09:10:27 INFO: 9e85cc091d4d15bb became follower at term 4
    Shape("year_first", rf"^(?P<before>[a-z]{{1,16}}){YEAR}/(?P<month>[01][0-9])/{DAY} {CLOCK}{AFTER}"),
    Shape("year_first", rf"{BEFORE}{YEAR}(?P<month>[01][0-9])(?P<day>[0-3][0-9])[T _-]{CLOCK}{ZONE}{AFTER}"),
    Shape(
        "year_first",
        rf"{BEFORE}{YEAR}(?P<month>[01][0-9])(?P<day>[0-3][0-9])[T _:-]?{CLOCK_IN_DIGITS}"
        rf"(?:[.,]?(?P<fraction>[0-9]{{1,9}}))?{ZONE}{AFTER}",
    ),
    Shape("year_first", rf"{BEFORE}{YEAR}[-/.](?P<month>[01]?[0-9])[-/.]{DAY} {HALF} ?{PLAIN_CLOCK}{AFTER}"),
    Shape(
        "pair",
        rf'^{PAIRS}date="?{YEAR}-(?P<month>[01][0-9])-(?P<day>[0-3][0-9])"?[ ,]+time="?{PLAIN_CLOCK}"?'
        r"(?P<after>(?:[ ,].*)?)$",
    ),
    Shape("year_first", rf"{BEFORE}{WEEKDAY}{YEAR}[ -]{NAME}[ -]+{DAY}{GAP}{CLOCK}{ZONE}{AFTER}"),
    Shape(
        "pair",
        rf'^{PAIRS}(?:time|ts|timestamp|@timestamp|datetime|date|t)="?(?:{ISO}|(?P<seconds>[0-9]{{10}})'
        r'(?:\.(?P<part>[0-9]{1,9}))?)"?(?P<after>(?:[ ,].*)?)$',
    ),
    Shape("day_month", rf"{BEFORE}{WEEKDAY}{DAY}\.?[ /-]{{0,2}}{NAME}[ /-]?{YEAR},?{GAP}{CLOCK}{ZONE}{AFTER}"),
    Shape("month_day", rf"{BEFORE}{WEEKDAY}{NAME}[ -]+{DAY}(?:,? |-){YEAR},?{GAP}{CLOCK}{ZONE}{AFTER}"),
    Shape("ctime", rf"{BEFORE}{WEEKDAY}{NAME} +{DAY} {CLOCK}{ZONE} {YEAR}{AFTER}"),
    Shape("ctime", rf"{BEFORE}{WEEKDAY}{DAY}\.? {NAME} {CLOCK}{ZONE} {YEAR}{AFTER}"),
    Shape("no_year", rf"{BEFORE}{WEEKDAY}{NAME} +{DAY},?{GAP}{CLOCK}{ZONE}{AFTER}"),
    Shape(
        "no_year",
        r"^\[(?P<before>W[0-9]{3}) (?P<month>[01][0-9])/(?P<day>[0-3][0-9]) " + CLOCK + AFTER,
    ),
    Shape("no_year", rf"{BEFORE}{DAY}\.? {NAME} {CLOCK}{ZONE}{AFTER}"),
    Shape(  # logcat of Android: process and thread follow
        "no_year",
        rf"^(?P<before>)(?P<month>[01][0-9])-(?P<day>[0-3][0-9]) {PLAIN_CLOCK}"
        r"(?P<after> +[0-9]+ +[0-9]+ [VDIWEFA] .*)$",
    ),
    Shape("no_year", rf"{BEFORE}(?P<month>[01]?[0-9]) ?[月월] ?{DAY} ?[日일]? {CLOCK}{AFTER}"),
    Shape(  # the layout that Hadoop and Spark write: a level and a class follow
        "short_year",
        r"^(?P<before>)(?P<short>0[89]|[123][0-9])/(?P<month>[01][0-9])/(?P<day>[0-3][0-9]) "
        rf"{CLOCK}(?P<after> (?:{'|'.join(CAPITALS)}) +"
        r"(?:[A-Za-z_][A-Za-z0-9_$]*\.)*[A-Za-z_]*[A-Z][A-Za-z0-9_$]*(?:\[[^\]]*\])?: .*)$",
    ),
    Shape(
        "numeric",
        rf"{APART}(?P<printed>(?P<first>[0-9]{{1,2}})(?P<sign>[./-])(?:[0-9]{{1,2}})[./-](?:(?:19|20)[0-9]{{2}}|[0-9]{{2}}))"
        rf"{GAP}{CLOCK}{ZONE}{AFTER}",
    ),
    *(
        Shape("day_of_year", rf"{BEFORE}{YEAR}[-/.: ]?{day}{clock}{ZONE}{AFTER}")
        for day in (r"W(?P<week>[0-5][0-9])-?(?P<weekday>[1-7])", r"(?P<day_no>[0-3][0-9]{2})")
        for clock in (f"(?:{GAP}|/){CLOCK}", f"T{CLOCK_IN_DIGITS}")
    ),
    Shape(
        "numeric",
        rf"{APART}(?P<printed>(?P<first>[0-9]{{1,2}})(?P<sign>[/-])[0-9]{{1,2}}){GAP}{CLOCK}{ZONE}{AFTER}",
    ),
    Shape("no_year", rf"{APART}{DAY}\.(?P<month>[01]?[0-9])\.{GAP}{CLOCK}{ZONE}{AFTER}"),
    Shape(
        "short_year",
        r"^(?P<before>(?:# Time: )?)(?P<short>[0-9]{2})(?P<month>[01][0-9])(?P<day>[0-3][0-9]) {1,2}" + CLOCK + AFTER,
    ),
    Shape(
        "short_year",
        r"^(?P<before>)(?P<short>[0-3][0-9])(?P<month>[01][0-9])(?P<day>[0-3][0-9]) "
        rf"{CLOCK_IN_DIGITS}(?P<after> .*[A-Za-z]{{2}}.*)$",
    ),
    Shape(
        "epoch",
        r"^[\[(]?(?P<before>(?:[0-9]{1,10}:[A-Z])?) ?(?P<seconds>1[0-9]{9})"
        r"(?:\.(?P<part>[0-9]{1,9})|(?P<milli>[0-9]{3}(?:[0-9]{3}){0,2}))?"
        r"[\])]?:?(?P<after>[ \t,|:]\D*[A-Za-z]{2}.*|[ \t].*[A-Za-z]{2}.*)$",
    ),
    Shape(  # of Redis: 3894:signal-handler (1683364211) Received SIGTERM scheduling shutdown...
        "epoch",
        r"^(?P<before>[0-9]{1,10}:signal-handler) \((?P<seconds>1[0-9]{9})\)(?P<after> .*)$",
    ),
    Shape(
        "access",
        rf"^(?P<before>\S+ \S+ \S+(?: \S+)?) \[{DAY}/{NAME}/{YEAR}:{CLOCK}{ZONE}(?P<after>\].*)$",
    ),
    Shape("cjk", rf"{BEFORE}{YEAR} ?年 ?(?P<month>[01]?[0-9]) ?[月월] ?{DAY} ?日[^0-9]{{0,12}}{CLOCK}(?P<after>.*)$"),
    Shape(
        "cjk",
        rf"{BEFORE}{YEAR} ?年 ?(?P<month>[01]?[0-9]) ?[月월] ?{DAY} ?日[^0-9]{{0,12}}"
        r"(?P<hour>[0-9]{1,2}) ?時 ?(?P<minute>[0-5]?[0-9]) ?分 ?(?P<second>[0-5]?[0-9]) ?秒(?P<after>.*)$",
    ),
    Shape("clock_first", rf"^(?P<before>){CLOCK} +{WEEKDAY}{NAME} +{DAY},? {YEAR}{AFTER}"),
    Shape(
        "clock_first",
        rf"^(?P<before> *){CLOCK} +{YEAR} ?年 ?(?P<month>[01]?[0-9]) ?月 ?{DAY} ?日"
        r"(?:[ ,]+[A-Z][a-z]+day)?(?P<after>.*)$",
    ),
    Shape("request", rf"^(?P<before>Started [A-Z]+ \"[^\"]*\" for \S+ at ){ISO}{AFTER}"),
)
"""In the order in which they are tried: the first that fits a line is its shape."""

NUMERIC = "numeric"
"""The shape whose dates the file has to order."""

GROUPS = (
    *("year", "short", "month", "name", "day", "printed", "sign", "seconds", "part", "milli"),
    *("week", "weekday", "day_no"),
    *("hour", "minute", "second", "fraction", "half", "offset", "hours", "letter", "before", "after"),
)
"""What a pattern may capture; what it does not is null."""


# REAL: (20261122 14:10:01.484)
ASIDE = r"^\s*\([^()]*\)\s*$"
"""A text in brackets, a stamp among them, is the end of what is above it."""

STAMPED = r"^\[?(?:19|20)[0-9]{2}[-/.][0-9]{2}[-/.][0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[^0-9]|$)"
"""A full stamp: a line with it that is no head has a time that no day has, and continues nothing."""

CLOCKED = (
    r"[0-9][:.][0-5][0-9][:.][0-5][0-9]|(?:^|[ \[(:])1[0-9]{9}(?:[^0-9]|[0-9]{3})|[12][0-9]{13}"
    r"|[0-9]{8}:[0-9]{6}|[0-9]T[0-2][0-9][0-5][0-9][0-5][0-9]|^[0-9]{6} [0-9]{6} |[0-9] ?時 ?[0-9]"
    r"|(?:ts|t|time)=\"?1[0-9]{9}"
)
"""What every head has."""

SHAPES_TO_MINUTE = tuple(
    Shape(each.name, each.pattern.replace(CLOCK, TO_MINUTE).replace(AFTER, AFTER_MINUTE))
    for each in SHAPES
    if each.name in {"year_first", "day_month", "month_day", "no_year", "numeric", "day_of_year", "pair"}
    and CLOCK in each.pattern
    and each.pattern.endswith(AFTER)
)
"""The same without seconds: `2020-01-31 12:34`."""

CLOCKED_TO_MINUTE = (
    r"[0-9.](?:[年月日일]|\([^()0-9]{1,3}\))?[T_:,;|@\t ./-]{1,3}[0-2]?[0-9]:[0-5][0-9](?:[^0-9:]|:[^0-9]|$)"
)


def read_heads(lines: pl.DataFrame, shapes: Sequence[Shape] = SHAPES, needs: str = CLOCKED) -> pl.DataFrame:
    """The heads among lines with `row` and `text`: `row`, `shape` and `GROUPS`, in the order of the lines.

    `needs`: what every head of these shapes has.
    """
    left = lines.select("row", "text").filter(pl.col("text").str.contains(needs) & ~pl.col("text").str.contains(ASIDE))
    found = [
        pl.DataFrame(schema={"row": left.schema["row"], "shape": pl.String(), **dict.fromkeys(GROUPS, pl.String())})
    ]
    for shape in shapes:
        if not left.height:
            break
        fits = left["text"].str.contains(shape.pattern)
        if fits.any():
            groups = left.filter(fits).with_columns(pl.col("text").str.extract_groups(shape.pattern).alias("groups"))
            read = groups.unnest("groups").with_columns(pl.lit(shape.name).alias("shape"))
            known = [name for name in GROUPS if name in read.columns]
            found.append(read.select("row", "shape", *known))
            left = left.filter(~fits)
    return pl.concat(found, how="diagonal").sort("row")


def read_all_heads(rows: pl.DataFrame) -> pl.DataFrame:
    """The heads among lines, and lines that begin with a stamp which is none, without its parts."""
    heads = read_heads(rows)
    is_left = ~pl.col("row").is_in(heads.get_column("row").implode())
    broken = rows.filter(is_left & pl.col("text").str.contains(STAMPED))
    return pl.concat([heads, broken.select("row", pl.lit("broken").alias("shape"))], how="diagonal").sort("row")


def is_head(texts: pl.Series) -> pl.Series:
    """Which texts begin with a stamp."""
    return shapes_of(texts) != ""


def shapes_of(texts: pl.Series, of: Sequence[Shape] = SHAPES) -> pl.Series:
    """The shape of the stamp that each text begins with, and signs before it and behind its year; empty without one."""
    heads = read_heads(texts.alias("text").to_frame().with_row_index("row"), of)
    shapes = pl.repeat("", texts.len(), dtype=pl.String, eager=True)
    bracket = pl.col("before").str.extract(r"^(\W)").fill_null("")
    behind = pl.col("text").str.extract(r"\b(?:19|20)[0-9]{2}([-/.])").fill_null("")
    sure = pl.when(pl.col("before").str.ends_with("signal-handler")).then(pl.lit(SURE)).otherwise(pl.lit(""))
    begun = heads.with_columns(texts.gather(heads.get_column("row")).alias("text"))
    return shapes.scatter(
        heads.get_column("row"), begun.select(pl.concat_str("shape", bracket, behind, sure)).to_series()
    )


def boundary() -> str:
    """A pattern of heads before which a file may be cut: not of dates whose order takes the whole file."""
    patterns = [shape.pattern for shape in SHAPES if shape.name != NUMERIC]
    return "|".join(re.sub(r"\(\?P<\w+>", "(?:", pattern) for pattern in patterns)
