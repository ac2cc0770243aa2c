"""The tables that account for every file and line: source_file, rejected_line, file_ledger, clock_step, store_info."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import chain

import polars as pl

from pipeline.clock import file_clock
from pipeline.clock.file_clock import FileClock
from pipeline.discovery.walk import Skipped
from pipeline.ingest.ledger import ARCHIVE, FILE_LEDGER, STORED_OBJECT, clock_key
from pipeline.reading import duplicates, unit
from pipeline.reading.file_facts import COUNTS, File
from pipeline.store import store
from pipeline.store.own_table import OwnTable
from pipeline.study.places.assignment import Place

_as_json = json.JSONEncoder(sort_keys=True).encode

Span = tuple[datetime | None, datetime | None]
"""Earliest and latest time of a file, UTC."""

SOURCE_FILE = OwnTable(
    "main.source_file",
    "One row per file, read or not.",
    {
        "file_id": (pl.Int32(), "number of the file, from 1 in the order of paths"),
        "path": (pl.String(), "relative to the study, / between parts; !/ between an archive and its member"),
        # So that sha256sum gives the same of a file, and of a member that was unpacked
        "sha256": (
            pl.String(),
            "of the bytes as they lie on disk or in the archive, compressed or not; null if not read",
        ),
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
        "ignored_lines": (
            pl.Int64(),
            "lines set aside by rule: banners, rulers, folded repeats, lines outside the span of --since and --until",
        ),
        "blank_lines": (pl.Int64(), "lines of white space"),
        "rejected_lines": (pl.Int64(), "lines that could not be read; see rejected_line"),
        "rows": (pl.Int64(), "rows in schema log that came from the file"),
        "first_at": (pl.Datetime("us"), "earliest time in the file, UTC"),
        "last_at": (pl.Datetime("us"), "latest time in the file, UTC"),
        "timezone": (pl.String(), "zone of the file's wall clock; null where none is known"),
        "timezone_source": (pl.String(), "line, node, manifest, study or assumed (wall clock stored as UTC)"),
        "year_source": (
            pl.String(),
            "where the year comes from: explicit, in_line, sibling, filename, archive, weekday, mtime, now",
        ),
        "date_order": (
            pl.String(),
            "in which dates were read whose order does not show (12/11/09): mdy, dmy or ymd; null without such",
        ),
        "date_order_source": (
            pl.String(),
            "what showed it: stated, day, file, logs, succession, reports, half_day; assumed: nothing did",
        ),
        "status": (pl.String(), "parsed, unrecognised, skipped or unreadable"),
        "reason": (pl.String(), "why it has this status or format"),
        "modified_at": (
            pl.Datetime("us"),
            "UTC; the file's, the member's in its archive, or as the head of a gzip file states",
        ),
        "note": (pl.String(), "what was changed or left out in reading; doubts of the clock"),
    },
)

REJECTED_LINE = OwnTable(
    "main.rejected_line",
    f"One row per line that its format could not read; at most {unit.MAX_REJECTED:,} per file.",
    {
        "file_id": (pl.Int32(), "source_file"),
        "line_no": (pl.Int32(), "line in the file, from 1"),
        "reason": (pl.String(), "why it was rejected"),
        "text": (pl.String(), "the line, at most 4,096 characters"),
    },
)

STORE_INFO = OwnTable(
    "main.store_info",
    "One row: the store itself.",
    {
        name: (pl.Int32() if name == "schema_version" else pl.String(), meaning)
        for name, meaning in store.INFO_COMMENTS.items()
    },
)

OUTSIDE_SPAN = OwnTable(
    "log.outside_span",
    "One row per range of lines that lie outside the span of --since and --until.",
    {
        "file_id": (pl.Int32(), "source_file"),
        "from_line": (pl.Int32(), "first line"),
        "to_line": (pl.Int32(), "last line"),
    },
)

TABLES = (
    SOURCE_FILE,
    REJECTED_LINE,
    OUTSIDE_SPAN,
    STORE_INFO,
    FILE_LEDGER,
    ARCHIVE,
    STORED_OBJECT,
    file_clock.CLOCK_STEP,
)


def source_rows(
    files: Iterable[File],
    skipped: Mapping[int, Skipped],
    places: Mapping[str, Place],
    clocks: Mapping[int, FileClock],
    spans: Mapping[int, Span],
) -> pl.DataFrame:
    """The rows of `main.source_file`; places are by path, all else by the file's number."""
    read = (
        _source_row(each, places.get(each.source.path), clocks.get(each.file_id), spans.get(each.file_id, (None, None)))
        for each in files
    )
    unread = (_skipped_row(each, file_id) for file_id, each in skipped.items())
    return SOURCE_FILE.frame(chain(read, unread)).sort("file_id")


def ledger_rows(
    files: Iterable[File], places: Mapping[str, Place], clocks: Mapping[int, FileClock]
) -> Iterator[dict[str, object]]:
    """The rows of `log.file_ledger`."""
    for each in sorted(files, key=lambda each: each.file_id):
        yield {
            "file_id": each.file_id,
            "path": each.source.path,
            "bytes": each.source.bytes,
            "modified_ns": each.source.modified_ns,
            "sha256": each.facts.sha256,
            "etag": each.source.tag,
            "override": each.override,
            "clock": clock_key(clocks.get(each.file_id)),
            "table_rows": _as_json(each.stored.table_rows),
            "place_sources": _sources(places.get(each.source.path)),
            "facts": each.facts.as_json(),
            "copies": each.duplicate_ranges.as_json(),
            "cut": None if each.cut is None else each.cut.as_json(),
        }


def _source_row(file: File, place: Place | None, own_clock: FileClock | None, span: Span) -> dict[str, object]:
    facts = file.stored
    is_cut = facts.verdicts["rejected_lines"] > unit.MAX_REJECTED
    remarks = (
        facts.note,
        f"rejected_line holds the first {unit.MAX_REJECTED:,} rejected lines" if is_cut else None,
        own_clock.remark if own_clock else None,
        *(each.sentence() for each in (own_clock.doubts if own_clock else ())),
    )
    return {
        "file_id": file.file_id,
        "path": file.source.path,
        "sha256": facts.sha256,
        "bytes": file.source.bytes,
        "format": facts.format,
        "configuration": place.configuration if place else None,
        "run": place.run if place else None,
        "run_no": place.run_no if place else None,
        "node": place.node if place else None,
        "encoding": facts.encoding,
        "lines": facts.lines,
        **facts.verdicts,
        "rows": sum(facts.table_rows.values()),
        "first_at": span[0],
        "last_at": span[1],
        "timezone": own_clock.timezone if own_clock else None,
        "timezone_source": own_clock.timezone_source if own_clock else None,
        "year_source": own_clock.year_source if own_clock else None,
        "date_order": own_clock.date_order if own_clock else None,
        "date_order_source": own_clock.date_order_source if own_clock else None,
        "status": facts.status,
        "reason": "; ".join(filter(None, (facts.reason, duplicates.description(file.duplicate_ranges.ranges)))) or None,
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
    return _as_json(dict(place.sources) if place else {})
