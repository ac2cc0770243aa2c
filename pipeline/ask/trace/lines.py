"""The text of log lines: from the study where it still is, else what the store keeps of them.

A file is only believed to be the one that was read where its SHA-256 is the same; one that changed is shown, and said
to have changed. A store can come from anybody: paths that it names are looked for inside the study and nowhere else.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import duckdb

from pipeline.ask.trace.parts import query_rows
from pipeline.discovery.source import Source
from pipeline.discovery.walk import discover
from pipeline.errors import HaledgerError
from pipeline.reading.lines import Facts, read_lines
from pipeline.store.statements import Row, rows

State = Literal["as read", "changed", "not found"]

FILES: Final = "select file_id, path, sha256, encoding from main.source_file where list_contains($ids, file_id)"

LONGEST_RECORD: Final = 40
"""Lines of a record that are shown."""

DETECTED_ENCODINGS: Final = frozenset({"utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16-le", "utf-16-be"})
"""Encodings that reading finds out by itself; any other was declared in study.toml."""


@dataclass(frozen=True, slots=True)
class Study:
    """Where the logs are: a folder, or one file. `place` None: nowhere, and the store's words stand for the lines.

    `context`: lines around each that are read too.
    """

    place: Path | None = None
    context: int = 1


@dataclass(slots=True)
class SourceText:
    """A file of the study, and the text of those of its lines that were asked for, by number.

    `sha256`: as it was read. `state`: what is there now; unless it is what was read, `kept` has what the store
    keeps of the lines asked for. `ends`: of a line that begins a record of several, the last one. `context`: this many
    lines around are held.
    """

    file_id: int
    path: str
    sha256: str | None
    encoding: str | None
    state: State = "not found"
    context: int = 0
    lines: dict[int, str] = field(default_factory=dict)
    kept: dict[int, str] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)

    def record(self, line_no: int) -> list[str]:
        """The lines of the record that begins with a line, without blank ones at its end."""
        numbers = range(line_no, self.ends.get(line_no, line_no) + 1)
        found = [self.lines[number] for number in numbers if number in self.lines]
        while len(found) > 1 and not found[-1].strip():
            found.pop()
        return found

    def near(self, line_no: int) -> list[int]:
        """Numbers of the record's lines and of those around it, as far as they are held."""
        last = line_no + max(len(self.record(line_no)), 1) - 1
        return [number for number in range(line_no - self.context, last + self.context + 1) if number in self.lines]


def texts(con: duckdb.DuckDBPyConnection, wanted: Mapping[int, Iterable[int]], study: Study) -> dict[int, SourceText]:
    """Lines of files by file_id, each with this many lines around it."""
    pairs = [(file_id, line_no) for file_id, numbers in wanted.items() for line_no in sorted(set(numbers))]
    found = {
        row["file_id"]: SourceText(row["file_id"], row["path"], row["sha256"], row["encoding"], context=study.context)
        for row in rows(con, FILES, ids=list(wanted))
    }
    for row in _asked_of(con, "record_ends", pairs):
        longest = row["line_no"] + LONGEST_RECORD - 1
        found[row["file_id"]].ends[row["line_no"]] = min(row["last_line_no"], longest)
    for text in found.values():
        if study.place is not None:
            _read(study.place, text, [line_no for file_id, line_no in pairs if file_id == text.file_id])
    _add_kept(con, [text for text in found.values() if text.state != "as read"], pairs)
    return found


def _asked_of(con: duckdb.DuckDBPyConnection, name: str, pairs: Sequence[tuple[int, int]]) -> list[Row]:
    """The rows of a statement for some lines, given by file and number."""
    if not pairs:
        return []
    return query_rows(con, name, files=[file_id for file_id, _ in pairs], lines=[line_no for _, line_no in pairs])


def _add_kept(con: duckdb.DuckDBPyConnection, texts: Sequence[SourceText], pairs: Sequence[tuple[int, int]]) -> None:
    """Add what the store keeps of lines whose file is not there as it was read."""
    by_id = {text.file_id: text for text in texts}
    missing = [pair for pair in pairs if pair[0] in by_id]
    for row in _asked_of(con, "kept_texts", missing):
        by_id[row["file_id"]].kept[row["line_no"]] = row["text"]


def _read(place: Path, text: SourceText, numbers: Sequence[int]) -> None:
    """Read lines of a file of the study, if it is there."""
    source = _source(place, text.path)
    if source is None:
        return
    kept = {
        number
        for each in numbers
        for number in range(each - text.context, text.ends.get(each, each) + text.context + 1)
    }
    encoding = None if text.encoding in DETECTED_ENCODINGS else text.encoding
    facts = Facts()
    found: dict[int, str] = {}
    try:
        with source.open() as stream:
            for frame in read_lines(stream, text.file_id, facts, encoding):
                first, last = frame.get_column("line_no")[0], frame.get_column("line_no")[-1]
                for number in kept.intersection(range(first, last + 1)):
                    found[number] = frame.get_column("text")[number - first]
            sha256 = source.seen(stream, facts.bytes, facts.sha256).sha256
    except (OSError, LookupError):
        return
    text.lines = dict(sorted(found.items()))
    text.state = "as read" if sha256 == text.sha256 else "changed"


def _source(place: Path, path: str) -> Source | None:
    """The file or member of an archive that a path of the store names; None where there is none."""
    root = place.resolve()
    if root.is_file():
        return _found(root, path)
    outer = path.partition("!/")[0]
    direct = root / outer
    try:
        is_inside = direct.resolve().is_relative_to(root) and direct.is_file()
    except (OSError, ValueError):
        return None
    if is_inside:
        parent = outer.rpartition("/")[0]
        return _found(direct, path.removeprefix(f"{parent}/") if parent else path)
    return _found(root, path)  # a name that is not text is escaped: only the walk knows it


def _found(entry: Path, path: str) -> Source | None:
    try:
        return next((each for each in discover(entry).sources if each.path == path), None)
    except HaledgerError:
        return None
