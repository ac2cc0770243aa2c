"""What is remembered of a file from one ingest to the next, so that only what changed is read again.

The ledger keeps for each file what reading and parsing it taught; its rows stand in the old store. It is trusted for a
file whose content is the same, as long as the program reads files as it did and the manifest says the same of it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

import polars as pl

from parsers.format import Verdict
from pipeline import store
from pipeline.archives import Listing
from pipeline.clock import FileClock
from pipeline.copies import Range
from pipeline.discovery import Archive, Discovery, Remembered, Source
from pipeline.errors import HaledgerError, UsageError
from pipeline.manifest import Manifest
from pipeline.reading import digest

MAX_HOSTS = 1000
"""Distinct host names taken from one file: more is no cluster but a list."""

RACY_NS = 3_600_000_000_000
"""A file changed in the hour before the store was written may have been read within the tick of its time stamp, and
have changed again since: its content is compared, not only its size and time."""

COUNTS = {
    Verdict.PARSED: "parsed_lines",
    Verdict.CONTINUATION: "continuation_lines",
    Verdict.IGNORED: "ignored_lines",
    Verdict.BLANK: "blank_lines",
    Verdict.REJECTED: "rejected_lines",
}

FILE_LEDGER: dict[str, tuple[pl.DataType, str]] = {
    "file_id": (pl.Int32(), "source_file"),
    "path": (pl.String(), "relative to the study"),
    "bytes": (pl.Int64(), "size when read"),
    "modified_ns": (pl.Int64(), "time stamp when read, nanoseconds since 1970"),
    "sha256": (pl.String(), "of the bytes read"),
    "override": (pl.String(), "what study.toml states about reading the file, as JSON"),
    "clock": (pl.String(), "hash of the clock its rows were written with"),
    "table_rows": (pl.String(), "rows per table of schema log, as JSON"),
    "place_sources": (pl.String(), "why the file belongs where it does, as JSON"),
    "facts": (pl.String(), "what reading and parsing learnt, as JSON"),
    "copies": (pl.String(), "which of its lines are counted in other files, as JSON"),
}


ARCHIVE: dict[str, tuple[pl.DataType, str]] = {
    "path": (pl.String(), "relative to the study"),
    "bytes": (pl.Int64(), "size when it was listed"),
    "modified_ns": (pl.Int64(), "time stamp when it was listed, nanoseconds since 1970"),
    "sha256": (pl.String(), "of the archive as it lies on disk"),
    "listing": (pl.String(), "its members and how they are reached, as JSON"),
}


@dataclass(slots=True)
class Learnt:
    """What reading and parsing one file taught; all that a later ingest needs of it besides its rows."""

    status: str
    reason: str | None = None
    format: str | None = None
    recognised_at: int | None = None
    refusals: dict[str, tuple[str, int]] = field(default_factory=dict)
    sha256: str | None = None
    encoding: str | None = None
    lines: int = 0
    verdicts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS.values(), 0))
    table_rows: dict[str, int] = field(default_factory=dict)
    own_hosts: dict[str, int] = field(default_factory=dict)
    named_hosts: list[str] = field(default_factory=list)
    stamps: str | None = None
    dates: str | None = None
    note: str | None = None

    def as_json(self) -> str:
        """For the ledger; `from_json` reads it back."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `as_json` wrote."""
        content = json.loads(text)
        content["refusals"] = {name: (reason, line) for name, (reason, line) in content["refusals"].items()}
        return cls(**content)

    def writers(self) -> tuple[str, ...]:
        """Hosts that wrote its lines, most frequent first."""
        return tuple(sorted(self.own_hosts, key=lambda host: (-self.own_hosts[host], host)))

    def add_note(self, note: str | None) -> None:
        """Add what was changed or left out in reading, if anything."""
        self.note = "; ".join(filter(None, (self.note, note))) or None

    def add_host(self, kind: str, host: str, count: int) -> None:
        """Take note of a host on so many lines: its writer (`own`) or one that they mention (`named`)."""
        if kind == "own" and (host in self.own_hosts or len(self.own_hosts) < MAX_HOSTS):
            self.own_hosts[host] = self.own_hosts.get(host, 0) + count
        elif kind == "named" and host not in self.named_hosts and len(self.named_hosts) < MAX_HOSTS:
            self.named_hosts.append(host)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The lines of a file that are counted in other files, or earlier in itself.

    `key` stands for all files that they were looked for in; `counted` is what the file teaches without those lines,
    None where there are none or it was not read without them yet.
    """

    key: str | None = None
    ranges: tuple[Range, ...] = ()
    counted: Learnt | None = None

    def lines(self) -> list[tuple[int, int]]:
        """The ranges without the words for them."""
        return [(each.first, each.last) for each in self.ranges]

    def as_json(self) -> str:
        """For the ledger; `from_json` reads it back."""
        return json.dumps([self.key, self.ranges, None if self.counted is None else self.counted.as_json()])

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `as_json` wrote."""
        key, ranges, counted = json.loads(text)
        return cls(key, tuple(Range(*each) for each in ranges), None if counted is None else Learnt.from_json(counted))


NOTHING_ELSEWHERE = Elsewhere().as_json()


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A file as the old store remembers it."""

    file_id: int
    bytes: int
    modified_ns: int
    sha256: str | None
    override: str
    clock: str | None
    learnt: Learnt
    elsewhere: Elsewhere


@dataclass(frozen=True, slots=True)
class Previous:
    """The old store: what it says about itself, its files that were read, and its other entries."""

    info: store.StoreInfo
    entries: Mapping[str, LedgerEntry]
    skipped: frozenset[tuple[str, str, str | None]]
    written_ns: int
    remembered: Remembered


@dataclass(slots=True)
class File:
    """One file on its way through the ingest. `learnt` is of all its lines."""

    file_id: int
    source: Source
    override: str
    encoding: str | None
    learnt: Learnt
    old: LedgerEntry | None = None
    elsewhere: Elsewhere = field(default_factory=Elsewhere)

    @property
    def counted(self) -> Learnt:
        """What it teaches without the lines that are counted elsewhere."""
        return self.elsewhere.counted or self.learnt


def previous_store(db: Path, own: store.StoreInfo, *, replace: bool) -> Previous | None:
    """What stands at `db`; None if nothing does, or nothing that can be built upon."""
    if not db.exists():
        return None
    try:
        with store.opened(db) as con:
            found = store.info(con, db)
            ledger = store.frame(con, "select * from log.file_ledger")
            is_of_this_program = found.reading_key == own.reading_key
            archives = store.frame(con, "select * from log.archive").iter_rows(named=True) if is_of_this_program else ()

            skipped = con.execute(
                "select path, status, reason from main.source_file where file_id not in "
                "(select file_id from log.file_ledger)"
            ).fetchall()
    except HaledgerError:
        if replace and db.is_file():
            return None
        raise
    if (found.study_key, found.study) != (own.study_key, own.study):
        if replace:
            return None
        if found.study_key != own.study_key:
            raise UsageError(
                f"{db}: holds the study {found.study!r} of another place, not this {own.study!r}; "
                "name another store with --db, or give --replace"
            )
    entries = {row["path"]: _entry(row) for row in ledger.iter_rows(named=True)}
    written_ns = db.stat().st_mtime_ns
    remembered = Remembered({row["path"]: _archive(row) for row in archives}, written_ns - RACY_NS)
    return Previous(found, entries, frozenset(skipped), written_ns, remembered)


def _entry(row: Mapping[str, Any]) -> LedgerEntry:  # a row of `FILE_LEDGER`
    return LedgerEntry(
        row["file_id"],
        row["bytes"],
        row["modified_ns"],
        row["sha256"],
        row["override"],
        row["clock"],
        Learnt.from_json(row["facts"]),
        Elsewhere.from_json(row.get("copies", NOTHING_ELSEWHERE)),
    )


def file_numbers(found: Discovery) -> dict[str, int]:
    """The number of every file by its path, read or not: from 1 in the order of paths."""
    paths = sorted([*(each.path for each in found.sources), *(each.path for each in found.skipped)])
    return {path: number for number, path in enumerate(paths, 1)}


def files_to_learn(sources: Iterable[Source], numbers: Mapping[str, int], manifest: Manifest) -> list[File]:
    """The files to read, of which nothing is known yet."""
    files = []
    for source in sources:
        stated = manifest.file_override(source.path)
        told = ("format", "encoding", "interval_s", "start", "date_order")
        override = json.dumps({name: getattr(stated, name) for name in told}, sort_keys=True, default=str)
        files.append(File(numbers[source.path], source, override, stated.encoding, Learnt("new")))
    return files


def take_over(files: Sequence[File], previous: Previous, own: store.StoreInfo) -> None:
    """Take from the ledger what is known of files that did not change."""
    if previous.info.reading_key != own.reading_key:
        return
    for file in files:
        entry = previous.entries.get(file.source.path)
        if entry is None or entry.sha256 is None or entry.override != file.override:
            continue
        if _is_same_content(file.source, entry, previous.written_ns):
            file.old = entry
            file.learnt = entry.learnt


def _is_same_content(source: Source, entry: LedgerEntry, written_ns: int) -> bool:
    if source.bytes != entry.bytes:
        return False
    if source.inside is not None:
        return source.inside.archive.is_known
    is_racy = source.modified_ns >= written_ns - RACY_NS
    if source.modified_ns == entry.modified_ns and not is_racy:
        return True
    try:
        with source.open_stored() as stream:
            return digest(stream) == entry.sha256
    except OSError:
        return False


def is_unchanged(files: Sequence[File], found: Discovery, previous: Previous, own: store.StoreInfo) -> bool:
    """Whether a store written now would be the one that is there."""
    return (
        previous.info == own
        and archive_rows(found.archives) == archive_rows(previous.remembered.archives.values())
        and len(files) == len(previous.entries)
        and all(file.old is not None and file.old.modified_ns == file.source.modified_ns for file in files)
        and {(each.path, each.status, each.reason) for each in found.skipped} == previous.skipped
    )


def archive_rows(archives: Iterable[Archive]) -> list[dict[str, object]]:
    """The rows of `log.archive`."""
    rows: list[dict[str, object]] = [
        {
            "path": each.path,
            "bytes": each.bytes,
            "modified_ns": each.modified_ns,
            "sha256": each.sha256,
            "listing": each.listing.as_json(),
        }
        for each in archives
    ]
    return sorted(rows, key=lambda row: str(row["path"]))


def _archive(row: Mapping[str, Any]) -> Archive:  # a row of `ARCHIVE`
    found = Listing.from_json(row["listing"])
    return Archive(row["path"], row["bytes"], row["modified_ns"], row["sha256"], found)


def clock_key(own: FileClock | None) -> str | None:
    """A hash of all that turns the stamps of a file into times."""
    if own is None:
        return None
    return hashlib.sha256(json.dumps(asdict(own), sort_keys=True, default=str).encode()).hexdigest()[:16]
