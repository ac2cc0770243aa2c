"""The one module that resolves year and zone, and records where it took them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from pipeline.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Stamps:
    """What the dated rows of one file say about its clock; `as_json` and `from_json` carry it through the ledger."""


@dataclass(frozen=True, slots=True)
class StampFacts:
    """A file as `settle` needs it: its key, where it belongs, and what its stamps say."""

    file_id: int
    path: str
    configuration: str
    run: str | None
    node: str | None
    format: str | None
    modified_at: datetime | None
    stamps: Stamps


@dataclass(frozen=True, slots=True)
class FileClock:
    """Year and zone of one file, with their source."""

    timezone: str | None
    timezone_source: str | None
    year_source: str | None
    first_year: int | None


def facts_of(frame: pl.DataFrame) -> pl.DataFrame:
    """One row per file_id over parsed dated rows (any order, any tables: key and stamp columns are enough)."""
    raise NotImplementedError


def merge(earlier: pl.DataFrame, later: pl.DataFrame) -> pl.DataFrame:
    """Facts of two consecutive chunks as the facts of both."""
    raise NotImplementedError


def stamps(facts: pl.DataFrame) -> dict[int, Stamps]:
    """Facts by file_id, as `StampFacts` takes them."""
    raise NotImplementedError


def settle(files: Sequence[StampFacts], manifest: Manifest, now: datetime) -> dict[str, FileClock]:
    """The clock of every file by its path."""
    raise NotImplementedError


def apply(frame: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Replace the stamp columns by `at` (naive UTC) and `local_at` (wall clock with year); clocks by file_id."""
    raise NotImplementedError


def clock_steps(files: Sequence[StampFacts], clocks: Mapping[str, FileClock]) -> pl.DataFrame:
    """Backward steps of more than 2 s inside one file: file_id, line_no, step_s, is_dst. For `log.clock_step`."""
    raise NotImplementedError


def doubts(frame: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Rows per file_id that a clock could not place exactly: undated_rows, gap_rows, ambiguous_rows."""
    raise NotImplementedError
