"""Whether a file that no other format claims is a log of dated lines, by its first lines."""

import re
from collections.abc import Sequence

import polars as pl

from parsers.dated.heads import read_heads, shapes_of
from parsers.dated.moments import is_dated, with_moments
from parsers.first_look import FirstLook, by_file, together
from parsers.folds import Kinds, unfolded
from parsers.format import Recognition, Refusal

CONFIDENCE = 0.01
"""Any other format that claims a file knows more of it."""

LEAST_SHARE = 0.5
LEAST_SHARE_OF_RECORDS = 0.02
LEAST_EXPLAINED = 0.8
SNIFFED_LINES = 400
EARLY = 25
"""A log of long records begins with a stamp within this many lines."""

# ADAPTED: at java.lang.Thread.run(Thread.java:748)        Caused by: x        ... 12 more        goroutine 1 [running]:
BELOW = (
    r"^(?:[ \t]|at |Caused by|\.\.\.|Traceback|goroutine |#[0-9]|[\]})|+=*~-]"
    r"|[A-Za-z_$][A-Za-z0-9_$.]*(?:Exception|Error)\b"
    r"|(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|SEVERE|FINE|FINER|FINEST|CONFIG)\b|Query_time|SET timestamp|use |\w+=)"
)
CODE = (
    r"^\s*(?:#!|<\?|<!|<html|import \w|from \w+ import|#include|package [\w.]+;|(?:public |private )?class \w|def \w+\("
    r"|diff --git|@@ -|\{\s*$|\[\s*$|INSERT INTO|CREATE TABLE|function\b)"
)
# ADAPTED: Date,Source,Severity,Message, a log that its viewer exported
HEADER_OF_TEXT = r"(?i)\b(?:message|msg|text|description|event|log)\b"
# REAL: ORA-16198: LGWR received timedout error from KSR
ORACLE = r"^(?:\[[\w-]+\([0-9]+\)\])?(?:ORA|CRS)-[0-9]{4,5}:"
ENOUGH_IDS = 2
# ADAPTED: *** 2020-01-31 12:34:56        # Time: 2020-01-31T12:34:56Z        =INFO REPORT==== 31-Jan-2020::12:34:56 ===
MARK = r"^(?:[*#|=\s-]*|[A-Z] ?|# Time: *|=[A-Z ]+ REPORT=+ *|Started [A-Z]+ .*)$"


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Claim a file most of whose lines begin with a stamp and have words, or whose other lines continue such lines."""
    return claim(*_looks.of(head), CONFIDENCE, "a date and a time")


def claim(lines: pl.DataFrame, heads: pl.DataFrame, confidence: float, what: str) -> Recognition | Refusal:
    """Claim a file by its first lines and the heads among them, which begin with `what`."""
    if not lines.height:
        return Refusal("no line to decide by", 1)
    first_no = int(lines["line_no"][0])
    if not heads.height:
        return Refusal(f"no line begins with {what}", first_no)
    if re.search(CODE, str(lines["text"][0])):
        return Refusal("its first line is of a program or a document", first_no)
    if reason := _is_no_log(lines, heads) or _is_too_few(lines, heads, what):
        return Refusal(reason, int(heads["line_no"][0]))
    shape = heads["shape"].mode().sort()[0]
    reason = f"{heads.height} of the first {lines.height} lines begin with {what} ({shape})"
    return Recognition(confidence, reason, int(heads["line_no"][0]))


def first_lines(heads: Sequence[pl.Series], kinds_of: Kinds = shapes_of) -> pl.DataFrame:
    """The first lines of files that are not blank, numbered by `row`; `file_id` counts the files."""
    lines = unfolded(together(heads), kinds_of).filter(~pl.col("is_absorbed")).drop("is_absorbed")
    filled = lines.filter(pl.col("text").str.contains(r"[^\s\x00]"))
    return filled.filter(pl.int_range(pl.len()).over("file_id") < SNIFFED_LINES).with_row_index("row")


def beside(lines: pl.DataFrame, heads: pl.DataFrame, count: int) -> list[tuple[pl.DataFrame, pl.DataFrame]]:
    """The first lines of each file, and the heads among them."""
    placed = heads.join(lines.select("row", "file_id", "line_no"), on="row", maintain_order="left")
    return list(zip(by_file(lines, count), by_file(placed, count), strict=True))


def _seen(heads: Sequence[pl.Series]) -> list[tuple[pl.DataFrame, pl.DataFrame]]:
    lines = first_lines(heads)
    return beside(lines, with_moments(read_heads(lines)).filter(is_dated()), len(heads))


def _is_no_log(lines: pl.DataFrame, heads: pl.DataFrame) -> str | None:
    """What lines with these heads are instead of a log; None if they may be one."""
    worded = heads.filter(~_is_alone(heads))
    texts = worded.select(pl.concat_str(pl.col("before").fill_null(""), pl.col("after").fill_null("")).alias("text"))
    if worded.height and int(texts["text"].str.contains(r"\p{L}{2}").sum()) < LEAST_SHARE * worded.height:
        return "its dated lines are numbers"
    if not worded.height and lines.height - heads.height < heads.height / 2:
        return "dates without a text"
    return "a table with a header" if _is_table(lines, heads) else None


def _is_too_few(lines: pl.DataFrame, heads: pl.DataFrame, what: str) -> str | None:
    """Why too few lines have a stamp; None where they are enough, or the others continue them."""
    few = f"only {heads.height} of {lines.height} lines begin with {what}"
    share = heads.height / lines.height
    if share >= LEAST_SHARE and (heads.height > 1 or lines.height == 1):
        return None
    first = int(heads["row"][0])
    below = lines.filter(pl.col("row") > first)
    if _is_alone(heads)[0] and below["text"].str.contains(ORACLE).sum() >= ENOUGH_IDS:
        return None
    if heads.height < 2 or first > int(lines["row"][0]) + EARLY or share < LEAST_SHARE_OF_RECORDS:
        return few
    below = below.join(heads.select("row"), on="row", how="anti")
    continued = heads.height + int(below["text"].str.contains(BELOW).sum())
    is_under_stamps = int(_is_alone(heads).sum()) >= LEAST_SHARE * heads.height
    is_explained = continued >= LEAST_EXPLAINED * (heads.height + below.height)
    return None if is_under_stamps or is_explained else few


def _is_alone(heads: pl.DataFrame) -> pl.Series:
    """Which stamps have a line for themselves."""
    is_mark = heads["before"].fill_null("").str.contains(MARK)
    return is_mark & (heads["after"].str.strip_chars(" \t:*=-]") == "")


def _is_table(lines: pl.DataFrame, heads: pl.DataFrame) -> bool:
    """Whether the first line names the columns of the others, none of which is a message."""
    first = str(lines["text"][0])
    if lines["row"][0] in heads["row"] or first.startswith("#") or re.search(HEADER_OF_TEXT, first):
        return False
    for delimiter in (",", ";", "\t", "|"):
        counts = lines["text"].str.count_matches(delimiter, literal=True)
        if counts[0] >= 2 and int((counts == counts[0]).sum()) >= LEAST_EXPLAINED * len(counts):
            return True
    return False


_looks = FirstLook(_seen)
look = _looks.look
"""Look at the first lines of several files together, for `recognise` of each."""
