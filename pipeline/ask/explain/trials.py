"""Advice is tried before it is given: the first lines of a file are read with a setting, and what came of it counts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import polars as pl

from parsers.format import LINE_SCHEMA, Format, Layout, Verdict, drafted, format_of, formats
from pipeline.ask.settings import format_name, glob_of, text_of
from pipeline.reading.recognition import recognise

LEAST_SHARE = 0.2
"""A setting that reads fewer of the lines is no advice: formats read a stray line of many texts."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a setting reads. `setting`: its lines in study.toml; `rows`: those of each table, of `line_count` lines."""

    setting: tuple[str, ...]
    read_count: int
    line_count: int
    rows: Mapping[str, int]


def try_formats(path: str, head: pl.Series, names: Iterable[str], formats: Mapping[str, Format]) -> Trial | None:
    """The first of some formats that reads the lines and has its marks in them: some read any name with a value."""
    marked = (name for name in names if _has_mark(head, formats[name]))
    tried = (_trial(head, formats[name], _of_file(path, "format", name)) for name in marked)
    return next((trial for trial in tried if trial is not None), None)


def try_draft(path: str, head: pl.Series) -> Trial | None:
    """A declared layout of a log, if lines are dated by it."""
    layout = drafted(format_name(path.rsplit("/", 1)[-1], formats()), head)
    return None if layout is None else _trial(head, format_of(layout.name, layout), _of_layout(path, layout))


def try_encoding(path: str, head: pl.Series, encoding: str, formats: Mapping[str, Format]) -> Trial | None:
    """An encoding by which the lines, which were decoded so, are of a format."""
    decision = recognise(head, path.rsplit("/", 1)[-1], formats)
    if decision.format is None:
        return None
    return _trial(head, formats[decision.format], _of_file(path, "encoding", encoding))


def _has_mark(head: pl.Series, each: Format) -> bool:
    """Whether a line is one that the format needs; of a format that needs none, one that looks like it."""
    marks = [each.needs] if each.needs is not None else [hint.pattern for hint in each.hints]
    return not marks or any(head.str.contains(mark).any() for mark in marks)


def _of_file(path: str, key: str, value: str) -> tuple[str, ...]:
    return ("[[files]]", f"match = {text_of(glob_of(path))}", f"{key} = {text_of(value)}")


def _of_layout(path: str, layout: Layout) -> tuple[str, ...]:
    values = {"name": layout.name, "match": glob_of(path), "stamp": layout.stamp}
    return ("[[format]]", *(f"{key} = {text_of(value)}" for key, value in values.items() if value is not None))


def _trial(head: pl.Series, each: Format, setting: tuple[str, ...]) -> Trial | None:
    """What a format reads of some lines; None where that is too little."""
    numbers = pl.int_range(1, len(head) + 1, dtype=pl.Int32, eager=True)
    frame = pl.DataFrame({"text": head, "line_no": numbers}).with_columns(file_id=pl.lit(1, pl.Int32))
    parsed = each.parse(frame.select(pl.col(name).cast(dtype) for name, dtype in LINE_SCHEMA.items()))
    aside = set() if each.reports is None else {each.reports.marks.name, each.reports.invocations.name}
    rows = {name: table.height for name, table in parsed.tables.items() if table.height and name not in aside}
    verdicts = parsed.lines.get_column("verdict")
    read_count = int(verdicts.is_in([Verdict.PARSED, Verdict.CONTINUATION]).sum())
    line_count = int((verdicts != Verdict.BLANK).sum())
    return Trial(setting, read_count, line_count, rows) if rows and read_count >= LEAST_SHARE * line_count else None
