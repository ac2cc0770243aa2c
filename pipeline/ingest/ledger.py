"""What is remembered of a file from one ingest to the next, so that only what changed is read again.

The ledger keeps for each file what reading and parsing it taught; its rows are in the old store. It is trusted for a
file whose content is the same, as long as the program reads files as it did and the manifest says the same of it.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from functools import lru_cache
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
import polars as pl

from pipeline.discovery.address import Address
from pipeline.discovery.archives import Listing
from pipeline.discovery.entry_names import MANIFEST_NAME
from pipeline.discovery.source import CHANGED, Archive, Source
from pipeline.discovery.walk import Discovery, Looked, Remembered
from pipeline.errors import HaledgerError, UsageError
from pipeline.reading.file_facts import (
    NO_DUPLICATES,
    NOT_COMPARED,
    DuplicateRanges,
    File,
    FileFacts,
    LedgerEntry,
)
from pipeline.reading.lines import digest
from pipeline.store import part, store
from pipeline.store.locate import key_of
from pipeline.store.own_table import OwnTable
from pipeline.study.manifest_file import KnownManifest

if TYPE_CHECKING:  # these load pydantic
    from pipeline.clock.file_clock import FileClock
    from pipeline.study.manifest import Declared, Manifest

RACY_NS = 3_600_000_000_000
"""A file changed in the hour before the store was written may have been read within the tick of its time stamp, and
have changed again since: its content is compared, not only its size and time."""

SMALL_BYTES = 65_536
"""To compare the content of a file up to this size takes hardly longer than to ask for its size and time."""


FILE_LEDGER = OwnTable(
    "log.file_ledger",
    "One row per file that was read: what the next ingest has to know.",
    {
        "file_id": (pl.Int32(), "source_file"),
        "path": (pl.String(), "relative to the study"),
        "bytes": (pl.Int64(), "size when read"),
        "modified_ns": (pl.Int64(), "time stamp when read, nanoseconds since 1970"),
        "sha256": (pl.String(), "of the bytes read"),
        "etag": (pl.String(), "of the object when read; null for a file on disk"),
        "override": (pl.String(), "what study.toml declares about reading the file, as JSON"),
        "clock": (pl.String(), "hash of the clock its rows were written with"),
        "table_rows": (pl.String(), "rows per table of schema log, as JSON"),
        "place_sources": (pl.String(), "why the file belongs where it does, as JSON"),
        "facts": (pl.String(), "what reading and parsing found, as JSON"),
        "copies": (pl.String(), "which of its lines are counted in other files, as JSON"),
        "cut": (
            pl.String(),
            "what lies in the span of --since and --until, as JSON; null: all of it",
        ),
    },
)

ARCHIVE = OwnTable(
    "log.archive",
    "One row per archive: what the next ingest has to know, so as not to list it again.",
    {
        "path": (pl.String(), "relative to the study"),
        "bytes": (pl.Int64(), "size when it was listed"),
        "modified_ns": (pl.Int64(), "time stamp when it was listed, nanoseconds since 1970"),
        "sha256": (pl.String(), "of the archive as it lies on disk"),
        "listing": (pl.String(), "its members and how they are reached, as JSON"),
        "etag": (pl.String(), "of the object when it was listed; null for a file on disk"),
    },
)

STORED_OBJECT = OwnTable(
    "log.stored_object",
    "One row per object of a study in object storage that is no archive: what its first bytes showed.",
    {
        "path": (pl.String(), "relative to the study"),
        "bytes": (pl.Int64(), "size when it was looked at"),
        "etag": (pl.String(), "ETag when it was looked at"),
        "header_ns": (pl.Int64(), "time that the head of a gzip file gives of its content, nanoseconds since 1970"),
        "reason": (pl.String(), "why it is not read; null where it is"),
    },
)


NEW = FileFacts("new")


@dataclass(frozen=True, slots=True)
class Previous:
    """The old store: what it says about itself, its files that were read, and what it knows of archives."""

    info: store.StoreInfo
    entries: Mapping[str, LedgerEntry]
    remembered: Remembered


class Stamp(NamedTuple):
    """By what a file is known to be the same: its size and time stamp when read, SHA-256, ETag of an object."""

    bytes: int
    modified_ns: int
    sha256: str | None
    tag: str | None


def previous_store(db: Path, own: store.StoreInfo, *, replace: bool) -> Previous | None:
    """What is at `db`; None if nothing does, or nothing that can be built upon."""
    if not db.exists():
        return None
    try:
        with store.opened(db) as con:
            found = store.info(con, db)
            if replace and found.parts:
                part.refuse_damaged(part.listed(con), db, is_thorough=True)
            entries = dict(_entries(con))
            listed = remembered(con, db) if found.reading_key == own.reading_key else Remembered(racy_from_ns=racy(db))
    except HaledgerError:
        if not replace or not db.is_file():
            raise
        if not store.is_own(db):
            raise UsageError(
                f"{db}: not a store that haledger wrote, so that --replace does not touch it; name another file"
            ) from None
        return None
    if (found.study_key, found.study) != (own.study_key, own.study):
        if replace:
            return None
        if found.study_key != own.study_key:
            raise UsageError(
                f"{db}: holds the study {found.study!r} of another place, not this {own.study!r}; "
                "name another store with --db, or give --replace"
            )
    return Previous(found, entries, listed)


def remembered(con: duckdb.DuckDBPyConnection, db: Path) -> Remembered:
    """What a store knows of archives and stored objects."""
    archives = store.frame(con, "select * from log.archive").iter_rows(named=True)
    objects = con.execute("select * from log.stored_object").fetchall()
    return Remembered(
        {row["path"]: _archive(row) for row in archives}, racy(db), {row[0]: Looked(*row) for row in objects}
    )


def racy(db: Path) -> int:
    """The time stamp from which on a time stamp proves nothing, nanoseconds since 1970."""
    return db.stat().st_mtime_ns - RACY_NS


def stamps(con: duckdb.DuckDBPyConnection) -> dict[str, Stamp]:
    """The files that a store was made of, by path, as they were when they were read."""
    rows = con.execute("select path, bytes, modified_ns, sha256, etag from log.file_ledger").fetchall()
    return {path: Stamp(*values) for path, *values in rows}


def skipped_entries(con: duckdb.DuckDBPyConnection) -> frozenset[tuple[str, str, str | None]]:
    """Path, status and reason of the entries that were not read."""
    return frozenset(
        con.execute(
            "select path, status, reason from main.source_file where file_id not in "
            "(select file_id from log.file_ledger)"
        ).fetchall()
    )


def _entries(con: duckdb.DuckDBPyConnection) -> Iterator[tuple[str, LedgerEntry]]:
    """The files of `FILE_LEDGER` by their paths, some at a time: as text they take several times as much memory."""
    found = con.execute("select * from log.file_ledger")
    names = [name for name, *_ in found.description or ()]
    while rows := found.fetchmany(1000):
        for values in rows:
            row = dict(zip(names, values, strict=True))
            yield row["path"], _entry(row)


def _entry(row: Mapping[str, Any]) -> LedgerEntry:  # a row of `FILE_LEDGER`
    copies = row.get("copies", NO_DUPLICATES)
    return LedgerEntry(
        row["file_id"],
        row["bytes"],
        row["modified_ns"],
        row["sha256"],
        row.get("etag"),
        intern(row["override"]),
        row["clock"] and intern(row["clock"]),
        FileFacts.from_json(row["facts"]),
        NOT_COMPARED if copies == NO_DUPLICATES else DuplicateRanges.from_json(copies),
    )


def file_numbers(found: Discovery) -> dict[str, int]:
    """The number of every file by its path, read or not: from 1 in the order of paths."""
    paths = sorted([*(each.path for each in found.sources), *(each.path for each in found.skipped)])
    return {path: number for number, path in enumerate(paths, 1)}


def files_to_read(sources: Iterable[Source], numbers: Mapping[str, int], manifest: "Manifest") -> list[File]:
    """The files to read, of which nothing is known yet."""
    from pipeline.study.manifest_entries import layout_of  # loads pydantic

    files = []
    for source in sources:
        declared = manifest.file_override(source.path)
        options = ("format", "encoding", "interval_s", "start", "date_order")
        read_as = {name: getattr(declared, name) for name in options} | {"layout": layout_of(declared)}
        override = json.dumps(read_as, sort_keys=True, default=str)
        files.append(File(numbers[source.path], source, override, declared, NEW))
    return files


def take_over(files: Sequence[File], previous: Previous, own: store.StoreInfo) -> None:
    """Take from the ledger what is known of files that did not change."""
    if (previous.info.reading_key, previous.info.parts) != (own.reading_key, own.parts):
        return  # other rows, or rows that are to lie elsewhere
    for file in files:
        entry = previous.entries.get(file.source.path)
        if entry is None or entry.override != file.override or CHANGED in (entry.facts.note or ""):
            continue
        stamp = Stamp(entry.bytes, entry.modified_ns, entry.sha256, entry.tag)
        if is_same_content(file.source, stamp, previous.remembered.racy_from_ns):
            file.old = entry
            file.facts = entry.facts


def forget(files: Sequence[File]) -> None:
    """Let go of what was taken over, so that all are read again."""
    for file in files:
        file.old, file.facts = None, NEW


def is_same_content(source: Source, was: Stamp, racy_from_ns: int) -> bool:
    """Whether a file has the bytes that it had when it was read."""
    if source.bytes != was.bytes or was.sha256 is None:
        return False
    if source.inside is not None:
        return source.inside.archive.is_known
    if source.tag is not None:
        return source.tag == was.tag
    is_dated = source.modified_ns == was.modified_ns and source.touched_ns < racy_from_ns
    if is_dated and source.bytes > SMALL_BYTES:
        return True
    try:
        with source.open_stored() as stream:
            return digest(stream) == was.sha256
    except OSError:
        return False


def remember(con: duckdb.DuckDBPyConnection, found: Discovery, study_toml: "Declared") -> None:
    """Write what the next ingest has to know of archives and objects."""
    ARCHIVE.fill(con, archive_rows(found.archives))
    STORED_OBJECT.fill(con, _object_rows(found, study_toml))


def _object_rows(found: Discovery, study_toml: "Declared") -> list[tuple[object, ...]]:
    rows = [astuple(each) for each in found.objects]
    if study_toml.tag is not None:
        size = len(study_toml.manifest.content)
        rows.append(astuple(Looked(MANIFEST_NAME, size, study_toml.tag, None, "the study's manifest")))
    return rows


def known_manifest(db: Path, study: Address) -> KnownManifest | None:
    """The study.toml of an address as the store of this study has it; None where there is none, or it has no ETag."""
    if not db.exists():
        return None
    try:
        with store.opened(db) as con:
            return stored_manifest(con) if store.info(con, db).study_key == key_of(study) else None
    except (HaledgerError, duckdb.Error):  # the ingest says what is wrong with the store
        return None


def stored_manifest(con: duckdb.DuckDBPyConnection) -> KnownManifest | None:
    """The study.toml of an address as its store has it; None where there is none, or it has no ETag."""
    found = con.execute(  # fetchone would leave the result open
        "select etag, content from log.stored_object, study.manifest where path = ?", [MANIFEST_NAME]
    ).fetchall()
    return KnownManifest(*found[0]) if found else None


def archive_rows(archives: Iterable[Archive]) -> list[dict[str, object]]:
    """The rows of `log.archive`."""
    rows: list[dict[str, object]] = [
        {
            "path": each.path,
            "bytes": each.bytes,
            "modified_ns": each.modified_ns,
            "sha256": each.sha256,
            "listing": each.listing.as_json(),
            "etag": each.tag,
        }
        for each in archives
    ]
    return sorted(rows, key=lambda row: str(row["path"]))


def _archive(row: Mapping[str, Any]) -> Archive:  # a row of `ARCHIVE`
    found = Listing.from_json(row["listing"])
    return Archive(row["path"], row["bytes"], row["modified_ns"], row["sha256"], found, row["etag"])


@lru_cache(4096)  # most files of a study have one of a few clocks
def clock_key(own: "FileClock | None") -> str | None:
    """A hash of all that turns the stamps of a file into times."""
    if own is None:
        return None
    return hashlib.sha256(json.dumps(asdict(own), sort_keys=True, default=str).encode()).hexdigest()[:16]
