"""What a log format is to haledger: how it is recognised, where it may be cut, how it is read, what it fills.

Every module of this package with a `FORMAT` is a format; nothing else has to be told about it.
Parsing is pure: numbered lines of some files in, frames out, the same for one file as for six hundred.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Literal

import polars as pl

import parsers

LINE_SCHEMA: dict[str, pl.DataType] = {
    "file_id": pl.Int32(),
    "line_no": pl.Int32(),
    "text": pl.String(),
}
"""Numbered lines: sorted by file and line, many files together. `text` has no line end and is never null."""

KEY_SCHEMA: dict[str, pl.DataType] = {
    "file_id": pl.Int32(),
    "line_no": pl.Int32(),
    "part": pl.Int16(),
}
"""Where a row came from. `part` is 1, and counts on where one line holds several messages."""

STAMP_SCHEMA: dict[str, pl.DataType] = {
    "stamp": pl.Datetime("us"),
    "has_year": pl.Boolean(),
    "utc_offset_min": pl.Int16(),
}
"""The time as printed: the writer's wall clock, year 2000 where none is printed (`has_year` false), and minutes
east of UTC where the line states a zone. The pipeline's clock turns it into `at` (UTC) and `local_at`."""

VERDICT_SCHEMA: dict[str, pl.DataType] = {
    "file_id": pl.Int32(),
    "line_no": pl.Int32(),
    "verdict": pl.UInt8(),
    "reason": pl.String(),
}
"""One row per input line, in the input's order. `reason` is set for rejected lines, may be set for ignored ones."""


class Verdict(IntEnum):
    """What became of a line. Every line has exactly one."""

    PARSED = 1
    CONTINUATION = 2
    IGNORED = 3
    BLANK = 4
    REJECTED = 5


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table: its name, type and meaning with its unit.

    `host` tells that the column holds host names: `own` the writer of the line, `named` a host that the text mentions.
    """

    name: str
    dtype: pl.DataType
    comment: str
    host: Literal["own", "named"] | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """How the rows of a table read as log messages, for the relation `event`: SQL expressions over its columns."""

    source: str
    text: str
    severity: str = "null"
    message_id: str = "null"
    process: str = "null"
    pid: str = "null"


@dataclass(frozen=True, slots=True)
class Table:
    """A table that one or more formats fill. `grain` says what one row is; both it and the columns become comments.

    `message`: its rows are log messages; then a view of its name in `pipeline/sql/views` adds configuration, run, node.
    """

    name: str
    grain: str
    columns: tuple[Column, ...]
    is_dated: bool = True
    message: Message | None = None

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """The frame a parser hands over: key, stamp if dated, then the columns."""
        stamps = STAMP_SCHEMA if self.is_dated else {}
        return {**KEY_SCHEMA, **stamps, **{column.name: column.dtype for column in self.columns}}

    def empty(self) -> pl.DataFrame:
        """The table without a row."""
        return pl.DataFrame(schema=self.schema)


@dataclass(frozen=True, slots=True)
class Recognition:
    """A format's claim on a file. `confidence` is 0 to 1: from 0.9 on a signature that no other format has."""

    confidence: float
    reason: str
    line_no: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a file is not of a format, and the line on which that became clear."""

    reason: str
    line_no: int


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a parser made of some lines: a frame per table that got rows, and a verdict for every line."""

    tables: dict[str, pl.DataFrame]
    lines: pl.DataFrame


@dataclass(frozen=True, slots=True)
class Format:
    """One log format.

    `recognise` sees the first lines of a file (at most 400, from the first 64 KiB). `parse` sees numbered lines of
    one or more files. `boundary` matches a line before which a file may be cut into chunks without tearing a record;
    None: the file is always handed over whole. `file_names` are patterns that only break a tie. `role`: a log of what
    happened, a configuration that was in force, or measurements. `needs`: a pattern that fits at least one of the first
    lines of any file that `recognise` claims, so that most files need not be looked at closely.
    """

    name: str
    title: str
    tables: tuple[Table, ...]
    recognise: Callable[[pl.Series], Recognition | Refusal]
    parse: Callable[[pl.DataFrame], Parsed]
    boundary: str | None
    file_names: tuple[str, ...] = ()
    role: Literal["log", "configuration", "measurement"] = "log"
    needs: str | None = None


@cache
def formats() -> dict[str, Format]:
    """Every format of this package by name."""
    found = {}
    for module_info in pkgutil.iter_modules(parsers.__path__):
        module = importlib.import_module(f"parsers.{module_info.name}")
        candidate = getattr(module, "FORMAT", None)
        if isinstance(candidate, Format):
            found[candidate.name] = candidate
    return dict(sorted(found.items()))


@cache
def tables() -> dict[str, Table]:
    """Every table that some format fills, by name."""
    return {table.name: table for each in formats().values() for table in each.tables}
