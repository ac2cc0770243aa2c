"""What is known of a file once it was read: its format, lines, hosts, stamps; and where its lines are counted."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from sys import intern
from typing import TYPE_CHECKING, NamedTuple, Self

from parsers.format import Verdict
from pipeline.discovery.source import Source

if TYPE_CHECKING:
    from pipeline.study.manifest_entries import FileOverride  # loads pydantic

COUNTS = {
    Verdict.PARSED: "parsed_lines",
    Verdict.CONTINUATION: "continuation_lines",
    Verdict.IGNORED: "ignored_lines",
    Verdict.BLANK: "blank_lines",
    Verdict.REJECTED: "rejected_lines",
}


_as_json = json.JSONEncoder(sort_keys=True).encode

Refusals = tuple[tuple[str, str, int], ...]
"""Formats that a file is not of: name, reason, and the line that showed it."""


@lru_cache(4096)
def shared(refusals: Refusals) -> Refusals:
    """The same, as one object for all files: most files of a study are refused alike, by sixty formats."""
    return refusals


class Range(NamedTuple):
    """Lines of a file that are counted elsewhere, first and last from 1, and the words for it."""

    first: int
    last: int
    description: str


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What reading and parsing one file shows; all that assignment, clock and a later ingest need besides its rows.

    `prefixes`: what is before its lines (`parsers.line_prefix`); `other_formats`: of writers whose lines are of
    another.
    """

    status: str
    reason: str | None = None
    format: str | None = None
    recognised_at: int | None = None
    refusals: Refusals = ()
    sha256: str | None = None
    encoding: str | None = None
    lines: int = 0
    verdicts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COUNTS.values(), 0))
    table_rows: dict[str, int] = field(default_factory=dict)
    own_hosts: dict[str, int] = field(default_factory=dict)
    named_hosts: list[str] = field(default_factory=list)
    zones: list[str] = field(default_factory=list)
    weekdays: list[str] = field(default_factory=list)
    stamps: str | None = None
    dates: str | None = None
    note: str | None = None
    prefixes: tuple[str, ...] = ()
    other_formats: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> str:
        """For the ledger; `from_json` reads it back."""
        before, after = ({name: getattr(self, name) for name in names} for names in _AROUND_REFUSALS)
        return f'{_as_json(before)[:-1]}, "refusals": {_refusals_as_json(self.refusals)}, {_as_json(after)[1:]}'

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `as_json` wrote."""
        content = json.loads(text)
        content["refusals"] = shared(tuple((name, *each) for name, each in content["refusals"].items()))
        for name in ("status", "reason", "format", "encoding"):
            content[name] = content[name] and intern(content[name])
        for name in ("verdicts", "table_rows", "own_hosts"):
            content[name] = _shared_counts(tuple(content[name].items()))
        return cls(**content | {"prefixes": tuple(content["prefixes"])})

    def writers(self) -> tuple[str, ...]:
        """Hosts that wrote its lines, most frequent first."""
        return tuple(sorted(self.own_hosts, key=lambda host: (-self.own_hosts[host], host)))


_NAMES = [each.name for each in fields(FileFacts)]
_AROUND_REFUSALS = [name for name in _NAMES if name < "refusals"], [name for name in _NAMES if name > "refusals"]


@lru_cache(4096)
def _shared_counts(counts: tuple[tuple[str, int], ...]) -> dict[str, int]:
    """Those that many small files have alike, as one object that nobody changes."""
    return {intern(name): count for name, count in counts}


@lru_cache(4096)
def _refusals_as_json(refusals: Refusals) -> str:
    return _as_json({name: each for name, *each in refusals})


@dataclass(frozen=True, slots=True)
class DuplicateRanges:
    """The lines of a file that are counted in other files, or earlier in itself.

    `key` stands for all files that they were looked for in; `counted` are the facts of the file without those
    lines, None where there are none or it was not read without them yet.
    """

    key: str | None = None
    ranges: tuple[Range, ...] = ()
    counted: FileFacts | None = None

    def lines(self) -> list[tuple[int, int]]:
        """The ranges without the words for them."""
        return [(each.first, each.last) for each in self.ranges]

    def as_json(self) -> str:
        """For the ledger; `from_json` reads it back."""
        return _as_json([self.key, self.ranges, None if self.counted is None else self.counted.as_json()])

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `as_json` wrote."""
        key, ranges, counted = json.loads(text)
        return cls(
            key, tuple(Range(*each) for each in ranges), None if counted is None else FileFacts.from_json(counted)
        )


NOT_COMPARED = DuplicateRanges()
NO_DUPLICATES = NOT_COMPARED.as_json()


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A file as the old store remembers it."""

    file_id: int
    bytes: int
    modified_ns: int
    sha256: str | None
    tag: str | None
    override: str
    clock: str | None
    facts: FileFacts
    duplicate_ranges: DuplicateRanges


@dataclass(slots=True)
class File:
    """One file on its way through the ingest. `facts` is of all its lines; `cut`: without those outside a span."""

    file_id: int
    source: Source
    override: str
    declared: "FileOverride"
    facts: FileFacts
    old: LedgerEntry | None = None
    duplicate_ranges: DuplicateRanges = NOT_COMPARED
    cut: FileFacts | None = None

    @property
    def counted(self) -> FileFacts:
        """Its facts without the lines that are counted in other files: clocks are resolved from these."""
        return self.duplicate_ranges.counted or self.facts

    @property
    def stored(self) -> FileFacts:
        """What of it is in the store."""
        return self.cut or self.counted
