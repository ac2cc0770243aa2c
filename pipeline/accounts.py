"""The tables that account for every file and line: source_file, rejected_line, file_ledger, clock_step, store_info."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import duckdb
import polars as pl

from pipeline import clock, copies, parsing, store
from pipeline.assignment import Place
from pipeline.clock import FileClock
from pipeline.discovery import Archive, Skipped
from pipeline.ledger import ARCHIVE, COUNTS, FILE_LEDGER, File, archive_rows, clock_key

Span = tuple[datetime | None, datetime | None]
"""Earliest and latest time of a file, UTC."""

Columns = Mapping[str, tuple[pl.DataType, str]]
"""Type and meaning of each column."""

SOURCE_FILE: dict[str, tuple[pl.DataType, str]] = {
    "file_id": (pl.Int32(), "number of the file, from 1 in the order of paths"),
    "path": (pl.String(), "relative to the study, / between parts; !/ between an archive and its member"),
    # So that sha256sum gives the same of a file, and of a member that was unpacked
    "sha256": (pl.String(), "of the bytes as they lie on disk or in the archive, compressed or not; null if not read"),
    "bytes": (pl.Int64(), "size of the same bytes"),
    "format": (pl.String(), "name of the recognised format"),
    "configuration": (pl.String(), "folder group"),
    "run": (pl.String(), "run as found in the path; null above the runs and where time splits runs"),
    "run_no": (pl.Int32(), "number in the run's name"),
    "node": (pl.String(), "host whose log it is"),
    "encoding": (pl.String(), "how bytes were read as text"),
    "lines": (pl.Int64(), "lines read = parsed + continuation + ignored + blank + rejected"),
    "parsed_lines": (pl.Int64(), "lines that are or begin a row"),
    "continuation_lines": (pl.Int64(), "lines that belong to the row above them"),
    "ignored_lines": (pl.Int64(), "lines set aside by rule: banners, rulers, folded repeats"),
    "blank_lines": (pl.Int64(), "lines of white space"),
    "rejected_lines": (pl.Int64(), "lines that could not be read; see rejected_line"),
    "rows": (pl.Int64(), "rows in schema log that came from the file"),
    "first_at": (pl.Datetime("us"), "earliest time in the file, UTC"),
    "last_at": (pl.Datetime("us"), "latest time in the file, UTC"),
    "timezone": (pl.String(), "zone of the file's wall clock; null where none is known"),
    "timezone_source": (pl.String(), "line, node, manifest, study or assumed (wall clock stored as UTC)"),
    "year_source": (
        pl.String(),
        "where the year comes from: explicit, in_line, sibling, filename, archive, mtime, now",
    ),
    "date_order": (
        pl.String(),
        "in which dates were read whose order does not show (12/11/09): mdy, dmy or ymd; null without such",
    ),
    "date_order_source": (
        pl.String(),
        "what told it: stated, day, file, logs, succession, reports, half_day; assumed: nothing did",
    ),
    "status": (pl.String(), "parsed, unrecognised, skipped or unreadable"),
    "reason": (pl.String(), "why it has this status or format"),
    "modified_at": (
        pl.Datetime("us"),
        "UTC; the file's, the member's in its archive, or as the head of a gzip file states",
    ),
    "note": (pl.String(), "what was changed or left out in reading; doubts of the clock"),
}

REJECTED_LINE: dict[str, tuple[pl.DataType, str]] = {
    "file_id": (pl.Int32(), "source_file"),
    "line_no": (pl.Int32(), "line in the file, from 1"),
    "reason": (pl.String(), "why it was rejected"),
    "text": (pl.String(), "the line, at most 4,096 characters"),
}

CLOCK_STEP: dict[str, tuple[pl.DataType, str]] = {
    "file_id": (clock.STEP_SCHEMA["file_id"], "source_file"),
    "line_no": (clock.STEP_SCHEMA["line_no"], "line that the step landed on"),
    "step_s": (clock.STEP_SCHEMA["step_s"], "seconds, negative"),
    "is_dst": (clock.STEP_SCHEMA["is_dst"], "the end of summer time"),
}

STORE_INFO: dict[str, tuple[pl.DataType, str]] = {
    name: (pl.Int32() if name == "schema_version" else pl.String(), meaning)
    for name, meaning in store.INFO_COMMENTS.items()
}


TABLES: dict[str, tuple[Columns, str]] = {
    "main.source_file": (SOURCE_FILE, "One row per file, read or not."),
    "main.rejected_line": (
        REJECTED_LINE,
        f"One row per line that its format could not read; at most {parsing.MAX_REJECTED:,} per file.",
    ),
    "main.store_info": (STORE_INFO, "One row: the store itself."),
    "log.file_ledger": (FILE_LEDGER, "One row per file that was read: what the next ingest has to know."),
    "log.archive": (
        ARCHIVE,
        "One row per archive: what the next ingest has to know, so as not to list it again.",
    ),
    "log.clock_step": (CLOCK_STEP, "One row per line stamped more than 0.9 s before the line above it."),
}
"""Columns and grain of each table."""


def create_tables(con: duckdb.DuckDBPyConnection) -> None:
    """Create the tables that account for files and lines, without rows."""
    for relation, (columns, grain) in TABLES.items():
        types = {name: dtype for name, (dtype, _) in columns.items()}
        store.create_table(con, relation, types, grain, {name: text for name, (_, text) in columns.items()})


def source_rows(
    files: Iterable[File],
    skipped: Mapping[int, Skipped],
    places: Mapping[str, Place],
    clocks: Mapping[int, FileClock],
    spans: Mapping[int, Span],
) -> pl.DataFrame:
    """The rows of `main.source_file`; places are by path, all else by the file's number."""
    rows = [
        _source_row(each, places.get(each.source.path), clocks.get(each.file_id), spans.get(each.file_id, (None, None)))
        for each in files
    ]
    rows += [_skipped_row(each, file_id) for file_id, each in skipped.items()]
    return _frame(SOURCE_FILE, rows).sort("file_id")


def ledger_rows(files: Iterable[File], places: Mapping[str, Place], clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """The rows of `log.file_ledger`."""
    rows = [
        {
            "file_id": each.file_id,
            "path": each.source.path,
            "bytes": each.source.bytes,
            "modified_ns": each.source.modified_ns,
            "sha256": each.learnt.sha256,
            "override": each.override,
            "clock": clock_key(clocks.get(each.file_id)),
            "table_rows": json.dumps(each.counted.table_rows, sort_keys=True),
            "place_sources": _sources(places.get(each.source.path)),
            "facts": each.learnt.as_json(),
            "copies": each.elsewhere.as_json(),
        }
        for each in sorted(files, key=lambda each: each.file_id)
    ]
    return _frame(FILE_LEDGER, rows)


def write_source_file(con: duckdb.DuckDBPyConnection, rows: pl.DataFrame) -> None:
    """Fill `main.source_file`."""
    store.insert(con, "main.source_file", rows)


def write_file_ledger(con: duckdb.DuckDBPyConnection, rows: pl.DataFrame) -> None:
    """Fill `log.file_ledger`."""
    store.insert(con, "log.file_ledger", rows)


def write_archives(con: duckdb.DuckDBPyConnection, archives: Iterable[Archive]) -> None:
    """Fill `log.archive`."""
    store.insert(con, "log.archive", _frame(ARCHIVE, archive_rows(archives)))


def write_clock_step(con: duckdb.DuckDBPyConnection, steps: Iterable[pl.DataFrame]) -> None:
    """Fill `log.clock_step`."""
    store.insert(con, "log.clock_step", pl.concat([pl.DataFrame(schema=clock.STEP_SCHEMA), *steps]))


def write_store_info(con: duckdb.DuckDBPyConnection, info: store.StoreInfo) -> None:
    """Fill `main.store_info`."""
    store.insert(con, "main.store_info", _frame(STORE_INFO, [asdict(info)]))


def _source_row(file: File, place: Place | None, own_clock: FileClock | None, span: Span) -> dict[str, object]:
    learnt = file.counted
    is_cut = learnt.verdicts["rejected_lines"] > parsing.MAX_REJECTED
    remarks = (
        learnt.note,
        f"rejected_line holds the first {parsing.MAX_REJECTED:,} rejected lines" if is_cut else None,
        own_clock.remark if own_clock else None,
        *(each.sentence() for each in (own_clock.doubts if own_clock else ())),
    )
    return {
        "file_id": file.file_id,
        "path": file.source.path,
        "sha256": learnt.sha256,
        "bytes": file.source.bytes,
        "format": learnt.format,
        "configuration": place.configuration if place else None,
        "run": place.run if place else None,
        "run_no": place.run_no if place else None,
        "node": place.node if place else None,
        "encoding": learnt.encoding,
        "lines": learnt.lines,
        **learnt.verdicts,
        "rows": sum(learnt.table_rows.values()),
        "first_at": span[0],
        "last_at": span[1],
        "timezone": own_clock.timezone if own_clock else None,
        "timezone_source": own_clock.timezone_source if own_clock else None,
        "year_source": own_clock.year_source if own_clock else None,
        "date_order": own_clock.date_order if own_clock else None,
        "date_order_source": own_clock.date_order_source if own_clock else None,
        "status": learnt.status,
        "reason": "; ".join(filter(None, (learnt.reason, copies.told(file.elsewhere.ranges)))) or None,
        "modified_at": file.source.modified_at,
        "note": "; ".join(filter(None, remarks)) or None,
    }


def _skipped_row(entry: Skipped, file_id: int) -> dict[str, object]:
    counts = dict.fromkeys(("lines", "rows", *COUNTS.values()), 0)
    return {
        "file_id": file_id,
        "path": entry.path,
        "bytes": entry.bytes,
        "sha256": entry.sha256,
        "status": entry.status,
        "reason": entry.reason,
        **counts,
    }


def _sources(place: Place | None) -> str:
    return json.dumps(dict(place.sources) if place else {}, sort_keys=True)


def _frame(columns: Columns, rows: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Rows as a frame; values are what SQL takes, a missing one is null."""
    schema = {name: dtype for name, (dtype, _) in columns.items()}
    return pl.DataFrame({name: [row.get(name) for row in rows] for name in schema}, schema=schema)
