"""Logs whose layout study.toml declares as `[[format]]`: their stamps are read as those of any dated log are."""

import re
from collections import Counter
from functools import partial

import polars as pl

from parsers.dated.heads import APART, BEFORE, GROUPS, SHAPES, Shape, read_heads
from parsers.dated.moments import is_dated, with_moments
from parsers.dated.records import LOG_RECORD, parsed
from parsers.dated.severity import level, level_of_letter
from parsers.dated.time_of_day import may_be_of_minutes, parsed_by_clock
from parsers.format import Format, Layout, Parsed, Recognition, Refusal
from parsers.stamp_format import pattern_of

ANYWHERE = tuple(
    Shape(each.name, each.pattern.replace(start, r"^(?P<before>(?:.*?[^0-9A-Za-z])?)"))
    for each in SHAPES
    for start in (BEFORE, APART)
    if each.pattern.startswith(start)
)
"""The shapes of stamps that may be anywhere in a line."""


def of_layout(layout: Layout) -> Format:
    """The format of a log that study.toml declares. Patterns are valid."""
    begins = layout.begins or (_stamp_pattern(layout) if layout.stamp else None)
    return Format(
        name=layout.name,
        title="Log that study.toml declares",
        tables=(LOG_RECORD,),
        recognise=partial(_recognise, layout),
        parse=partial(_parse, layout),
        boundary=None if begins is None or _is_of_day(layout) else re.sub(r"\(\?P?<\w+>", "(?:", begins),
    )


def _is_of_day(layout: Layout) -> bool:
    """Whether a stamp is declared as a time of day alone."""
    written = layout.stamp or ""
    return "%" in written and not re.search(r"\(\?P<(?:day|month|name|seconds)>", pattern_of(written))


def _recognise(layout: Layout, head: pl.Series) -> Recognition | Refusal:
    lines = pl.DataFrame({"text": head}).with_row_index("row")
    found = _heads(layout, lines)
    if not found.height:
        return Refusal("no line begins a record as study.toml declares", 1)
    return Recognition(1.0, "study.toml declares it", int(found["row"][0]) + 1)


def _parse(layout: Layout, lines: pl.DataFrame) -> Parsed:
    rows = lines.with_row_index("row")
    heads = _heads(layout, rows)
    found = parsed_by_clock(rows, heads) if _is_of_day(layout) else parsed(rows, heads)
    if LOG_RECORD.name not in found.rows:
        return found
    return Parsed({LOG_RECORD.name: _named(layout, lines, found.tables[LOG_RECORD.name])}, found.lines)


def _heads(layout: Layout, rows: pl.DataFrame) -> pl.DataFrame:
    """The first lines of records: `row`, `shape` and the parts of their stamps."""
    begun = rows.select("row", "text")
    if layout.begins is not None:
        begun = begun.filter(pl.col("text").str.contains(layout.begins))
    if layout.begins is not None and "<stamp>" in layout.begins:
        stamp = pl.col("text").str.extract_groups(layout.begins).struct.field("stamp")
        return _in_text(begun.with_columns(stamp.alias("stamp_text")).drop_nulls("stamp_text"), layout)
    if layout.stamp is None:
        return read_heads(begun, ANYWHERE)
    if "%" in layout.stamp:
        return _of_pattern(begun, rf"^(?P<before>.*?){_stamp_pattern(layout)}(?P<after>.*)$")
    stamp_text = _first_group(pl.col("text"), layout.stamp)
    return _in_text(begun.with_columns(stamp_text.alias("stamp_text")).drop_nulls("stamp_text"), layout)


def _in_text(begun: pl.DataFrame, layout: Layout) -> pl.DataFrame:
    """The parts of stamps that were found as `stamp_text`, with what is before and after it in the line."""
    printed = begun.select("row", pl.col("stamp_text").alias("text"))
    is_spelt = layout.stamp is not None and "%" in layout.stamp
    heads = _of_pattern(printed, f"^{_stamp_pattern(layout)}") if is_spelt else read_heads(printed, ANYWHERE)
    around = begun.select(
        "row", pl.col("text").str.splitn(pl.col("stamp_text"), 2).struct.rename_fields(["before", "after"]).alias("x")
    ).unnest("x")
    return heads.drop("before", "after").join(around, on="row", maintain_order="left").select(heads.columns)


def _of_pattern(lines: pl.DataFrame, pattern: str) -> pl.DataFrame:
    """The lines that a pattern fits, with its groups as parts of a stamp."""
    fitting = lines.filter(pl.col("text").str.contains(pattern))
    groups = fitting.with_columns(pl.col("text").str.extract_groups(pattern).alias("groups")).unnest("groups")
    lacking = [pl.lit(None, pl.String).alias(name) for name in GROUPS if name not in groups.columns]
    return groups.with_columns(lacking).select("row", pl.lit("declared").alias("shape"), *GROUPS)


def _stamp_pattern(layout: Layout) -> str:
    written = layout.stamp or ""
    return pattern_of(written) if "%" in written else written


def _first_group(text: pl.Expr, pattern: str) -> pl.Expr:
    """The first group of a pattern, else all that it matches."""
    return pl.coalesce(text.str.extract(pattern, 1), text.str.extract(f"({pattern})", 1))


def _named(layout: Layout, lines: pl.DataFrame, records: pl.DataFrame) -> pl.DataFrame:
    """Records with the hosts and severities that the patterns find in their first lines."""
    first = records.select("file_id", "line_no").join(
        lines.select("file_id", "line_no", "text"), on=["file_id", "line_no"], how="left", maintain_order="left"
    )
    found = {}
    for name, pattern in (("host", layout.host), ("severity", layout.severity)):
        if pattern is not None:
            found[name] = first.select(_first_group(pl.col("text"), pattern).alias(name))[name]
        elif layout.begins is not None and f"<{name}>" in layout.begins:
            group = pl.col("text").str.extract_groups(layout.begins).struct.field(name)
            found[name] = first.select(group.alias(name))[name]
    columns = []
    if "host" in found:
        columns.append(pl.coalesce(pl.lit(found["host"]), "host").alias("host"))
    if "severity" in found:
        printed = pl.lit(found["severity"])
        columns.append(pl.coalesce(level(printed), level_of_letter(printed), "level").alias("level"))
    return records.with_columns(columns)


LEAST_DRAFTED = 0.5
"""A log of one's own is drafted where this share of the first lines have a stamp."""

AROUND = " \t[](){}<>\"',;|=-"
RUN = re.compile(r"[0-9]+|[A-Za-z\u00c0-\u024f\u0400-\u04ff]+|\s+|.")


def draft(name: str, head: pl.Series) -> Layout | None:
    """The layout of a log with stamps anywhere in its lines, by its first ones; None where few have one."""
    lines = head.alias("text").to_frame().with_row_index("row").filter(pl.col("text").str.contains(r"\S"))
    found = read_heads(lines, ANYWHERE)
    dated = with_moments(found).filter(is_dated())
    if dated.height < max(2, LEAST_DRAFTED * lines.height):
        return Layout(name, stamp="%H:%M") if may_be_of_minutes(head) else None
    spellings = Counter(_spelt(text) for text in _printed(lines, dated))
    return Layout(name, stamp=spellings.most_common(1)[0][0])


def _printed(lines: pl.DataFrame, heads: pl.DataFrame) -> list[str]:
    """The stamps as printed: what is between the text before and after each."""
    around = heads.select("row", "before", "after").join(lines, on="row", maintain_order="left")
    return [
        text[len(before or "") : len(text) - len(after or "")].strip(AROUND)
        for _, before, after, text in around.iter_rows()
    ]


def _spelt(stamp: str) -> str:
    """A pattern of stamps like this one: its digits and letters may be others."""
    return "".join(_spelt_part(found[0]) for found in RUN.finditer(stamp))


def _spelt_part(part: str) -> str:
    if part.isdigit():
        return "[0-9]+"
    if part.isspace():
        return r"\s+"
    return (
        part if part in {"T", "Z"} else r"\pL+" if part.isalpha() else re.sub(r"[.^$*+?()\[\]{}|\\]", r"\\\g<0>", part)
    )
