"""Lines that are in a study more than once, found so that they are counted once.

messages.1 and messages.1.gz, a log dropped twice, an earlier copy of a log that grew, rotated copies that overlap, one
file that holds a log twice: the lines are the same, what happened did not happen again. Only files of one format,
configuration, run and node are compared; the same content of another node or run is another matter.

What a log says several times is never dropped. Proof is a whole file that is, or is the beginning of, another one; or
else a stretch of at least three dated lines, of more than one time, in the same order, that reaches from the beginning
of one file to the end of one, or is in one file twice in a row with the clock stepping back in between. Stamps say
which files may overlap at all; lines are then compared exactly. The result depends on the files of the group only.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fnmatch import fnmatch
from functools import cached_property
from itertools import pairwise

import polars as pl

from parsers.format import LINE_SCHEMA, VERDICT_SCHEMA, Format, Parsed, Verdict
from parsers.line_prefix import bare
from parsers.star import lines_of
from pipeline.discovery.compression import without_suffix
from pipeline.discovery.source import Source
from pipeline.failure import Failure
from pipeline.parallel import run_one
from pipeline.reading.file_facts import Range
from pipeline.reading.lines import Facts, read_lines, text_bytes
from pipeline.reading.overlap import IndexedLines, Overlap, overlaps, repeats
from pipeline.reading.stamps import STEP_S, Stamps

MAX_LINES = 20_000_000
"""Files of more lines are not compared: 8 bytes of each line are held in memory."""

PROOF_LINES = 3
SAMPLED_LINES = 1000
"""Looked at about the beginning and the end of a stretch, for times and for the heads of records."""

Place = tuple[str, str | None, str | None, str]
"""Configuration, run, node, format."""


@dataclass(frozen=True)
class Log:
    """A parsed file as it is compared with others; `stamps` and `lines` are of all of it."""

    file_id: int
    source: Source
    place: Place
    parser: Format
    encoding: str | None
    prefixes: tuple[str, ...]
    sha256: str | None
    lines: int
    stamps: Stamps | None

    @property
    def path(self) -> str:
        """As people see it."""
        return self.source.path

    @property
    def is_plain(self) -> bool:
        """Whether it lies on disk as it is; of two copies this one is kept."""
        return self.source.inside is None and without_suffix(self.path) == self.path

    @cached_property
    def indexed(self) -> IndexedLines:
        """Its lines as they are compared. Raises OSError."""
        facts = Facts()
        found = [frame.get_column("text").hash() for frame in self.frames(facts)]
        hashes = pl.concat(found) if found else pl.Series(dtype=pl.UInt64())
        return IndexedLines(hashes, is_open=facts.is_open)

    @property
    def hashes(self) -> pl.Series:
        """One of each line. Raises OSError."""
        return self.indexed.hashes

    def held_numbers(self) -> int:
        """How many numbers are in memory for its lines."""
        if "indexed" not in vars(self):
            return 0
        return 3 * self.lines if self.indexed.is_indexed else self.lines

    def frames(self, facts: Facts | None = None) -> Iterator[pl.DataFrame]:
        """The lines, without what is before them. Raises OSError."""
        with self.source.open() as stream:
            for frame in read_lines(stream, self.file_id, facts or Facts(), self.encoding):
                yield bare(frame, self.prefixes).select(frame.columns) if self.prefixes else frame

    def stretch(self, first: int, count: int) -> Iterator[pl.DataFrame]:
        """The given number of lines from one on, counted from 0."""
        for frame in self.frames():
            start = int(frame.get_column("line_no")[0]) - 1
            begin, end = max(first - start, 0), min(first + count - start, frame.height)
            if end > begin:
                yield frame[begin:end]
            if start >= first + count:
                return

    def span(self) -> tuple[datetime, datetime] | None:
        """First and last stamp as printed."""
        return self.stamps.span() if self.stamps else None

    @cached_property
    def days(self) -> dict[tuple[bool, int, date], tuple[datetime, datetime, int]]:
        """First and last stamp and number of rows per day and offset; the years of lines without one do not count."""
        days: dict[tuple[bool, int, date], tuple[datetime, datetime, int]] = {}
        for day in self.stamps.days if self.stamps else ():
            key = (day.year_no is None, day.offset_min or 0, day.first.date())
            first, last, rows = days.get(key, (day.first, day.last, 0))
            days[key] = (min(first, day.first), max(last, day.last), rows + day.rows)
        return days

    @cached_property
    def seams(self) -> list[int]:
        """Lines, counted from 0, at which the clock steps back: where another copy may begin."""
        if self.stamps is None:
            return []
        steps = {step.line_no - 1 for step in self.stamps.steps} | {line - 1 for line, _ in self.stamps.turns}
        return sorted(steps)


@dataclass(frozen=True, slots=True)
class Group:
    """Files that may hold the same lines. `key` changes with anything that the result depends on."""

    logs: tuple[Log, ...]
    key: str


def groups(logs: Iterable[Log]) -> list[Group]:
    """Files of one format, configuration, run and node together."""
    by_place: dict[Place, list[Log]] = defaultdict(list)
    for log in logs:
        by_place[log.place].append(log)
    return [_group(each) for _, each in sorted(by_place.items(), key=lambda each: str(each[0]))]


def _group(logs: Sequence[Log]) -> Group:
    in_order = tuple(sorted(logs, key=lambda log: log.path))
    content = repr([(log.path, log.sha256, log.encoding, log.place) for log in in_order])
    return Group(in_order, hashlib.sha256(content.encode()).hexdigest()[:16])


def copies(group: Group) -> dict[int, tuple[Range, ...]]:
    """The lines of each file, by its number, that are counted elsewhere. Of what cannot be read there are none."""
    found: dict[int, tuple[Range, ...]] = {}
    kept: list[Log] = []
    most_held = 0
    logs = [each for each in group.logs if each.lines <= MAX_LINES]
    for log in sorted(logs, key=_rank) if len(logs) > 1 else logs:
        try:
            ranges = [*_counted_elsewhere(log, kept), *_repeated_within(log)]
        except OSError:  # reading it for its rows has reported it
            continue
        kept.append(log)
        if ranges:
            found[log.file_id] = tuple(_joined(ranges))
        most_held += 3 * log.lines
        if most_held > MAX_LINES and sum(each.held_numbers() for each in kept) > MAX_LINES:
            _release(kept)
    _release(kept)
    return found


def _release(logs: Iterable[Log]) -> None:
    """Hashes are read again if they are asked for again."""
    for log in logs:
        vars(log).pop("indexed", None)


def _rank(log: Log) -> tuple[float, int, bool, bool, int, str]:
    """What reaches furthest is counted where it is, of equals the one that lies there plainly, by its usual name."""
    span = log.span()
    last = (span[1] - datetime(1, 1, 1)).total_seconds() if span else 0.0  # noqa: DTZ001  a wall clock
    is_usual = any(fnmatch(log.source.name.lower(), pattern.lower()) for pattern in log.parser.file_names)
    return (-last, -log.lines, not log.is_plain, not is_usual, len(log.path), log.path)


# --- in other files --------------------------------------------------------------------------------------------------


def _counted_elsewhere(log: Log, others: Iterable[Log]) -> Iterator[Range]:
    """In the order of the others: the first one that has a line is named for it."""
    for other in others:
        if not _may_overlap(log, other) or not log.indexed.may_overlap(other.indexed):
            continue
        for found in overlaps(log.hashes, other.hashes):
            if found.is_cut and not log.indexed.is_open:
                continue
            if not _is_same_text(log, other, found) or not _is_proof(log, other, found):
                continue
            first, end = _whole_records(log, found)
            if first < end:
                yield Range(first + 1, end, _description(log, other, found, first, end))
            if found.length == log.lines:
                return
            break


def _description(log: Log, other: Log, found: Overlap, first: int, end: int) -> str:
    if found.length == log.lines == other.lines:
        return f"a copy of {other.path}, counted once"
    there = first - found.first + found.other_first + 1
    whose = f"lines {there:,}-{there + end - first - 1:,} of {other.path}, counted once"
    return f"its lines are {whose}" if found.length == log.lines else f"lines {first + 1:,}-{end:,} are {whose}"


def _may_overlap(log: Log, other: Log) -> bool:
    """By stamps where there are any; files without are copies only if they have one name."""
    if log.stamps is None or other.stamps is None:
        is_alike = log.source.name == other.source.name and log.lines == other.lines
        return log.stamps is other.stamps and is_alike
    own, others = log.days, other.days
    common = [
        key
        for key, (first, last, _) in own.items()
        if key in others and first <= others[key][1] and others[key][0] <= last
    ]
    if len(common) <= 2 or log.seams or other.seams:
        return bool(common)
    common.sort()
    # Days in the midst of an overlap are the same in both; of two different logs hardly any has as many lines
    return 2 * sum(own[key][2] == others[key][2] for key in common[1:-1]) >= len(common) - 2


def _is_proof(log: Log, other: Log, found: Overlap) -> bool:
    is_whole = found.length == log.lines
    if is_whole and log.stamps is None:  # recognised by the name
        return True
    if is_whole and found.first == found.other_first == 0:
        return log.stamps is not None
    return log.parser.boundary is not None and other.lines >= PROOF_LINES and _is_proved(log, found)


def _is_proved(log: Log, found: Overlap) -> bool:
    """Whether a stretch has dated lines enough, and of more than one time."""
    edge = min(found.length, SAMPLED_LINES)
    stamps: dict[int, datetime] = {}
    for first in {found.first, found.first + found.length - edge}:
        stamps |= _stamps(_parsed(log, log.stretch(first, edge)), log.parser)
    return len(stamps) >= PROOF_LINES and len(set(stamps.values())) > 1


def _stamps(parsed: Parsed, parser: Format) -> dict[int, datetime]:
    """The stamp of each dated line."""
    dated = {table.name for table in parser.tables if table.is_dated}
    frames = [lines_of(rows).select("line_no", "stamp") for name, rows in parsed.rows.items() if name in dated]
    return {line: stamp for frame in frames for line, stamp in frame.drop_nulls().iter_rows()}


def _is_same_text(log: Log, other: Log, found: Overlap) -> bool:
    """Hashes may agree by chance; the last line of a file that was copied while it grew may be cut."""
    length = found.length - found.is_cut
    own = _Texts(log.stretch(found.first, length))
    its = _Texts(other.stretch(found.other_first, length))
    while length:
        step = min(length, max(own.ready(), 1), max(its.ready(), 1))
        mine, yours = own.take(step), its.take(step)
        if not len(mine) or not mine.equals(yours):
            return False
        length -= len(mine)
    if not found.is_cut:
        return True
    last = _line(log, found.first + found.length - 1)
    whole = _line(other, found.other_first + found.length - 1)
    return whole.startswith(last)


def _line(log: Log, number: int) -> str:
    return "".join(text for frame in log.stretch(number, 1) for text in frame.get_column("text").to_list())


class _Texts:
    """The lines of frames, to be taken in other portions than they come in."""

    def __init__(self, frames: Iterator[pl.DataFrame]) -> None:
        self._frames = frames
        self._held = pl.Series(dtype=pl.String())

    def ready(self) -> int:
        """Lines that can be taken at once."""
        while not len(self._held) and (frame := next(self._frames, None)) is not None:
            self._held = frame.get_column("text")
        return len(self._held)

    def take(self, count: int) -> pl.Series:
        """The given number of lines, of those that are ready."""
        taken, self._held = self._held.head(count), self._held.slice(count)
        return taken


def _whole_records(log: Log, found: Overlap) -> tuple[int, int]:
    """The stretch without what belongs to records that begin before it or end behind it, counted from 0."""
    first, end = found.first, found.first + found.length
    if first > 0:
        heads = _heads(log, max(0, first - SAMPLED_LINES), first + SAMPLED_LINES)
        first = min((line for line in heads if first <= line < end), default=end)
    if end < log.lines:
        heads = _heads(log, max(0, end - SAMPLED_LINES), end + 1)
        end = max((line for line in heads if first <= line <= end), default=first)
    return first, end


def _heads(log: Log, first: int, end: int) -> list[int]:
    """The lines that are or begin a row, as they are read with the lines around them."""
    verdicts = _parsed(log, log.stretch(first, end - first)).lines
    return [line - 1 for line in verdicts.filter(pl.col("verdict") == Verdict.PARSED).get_column("line_no").to_list()]


def _parsed(log: Log, frames: Iterable[pl.DataFrame]) -> Parsed:
    """What a part of a file gives: nothing where its parser fails at that."""
    lines = pl.concat([pl.DataFrame(schema=LINE_SCHEMA), *frames])
    parsed = run_one(log.parser.parse, lines, text_bytes(lines))
    return Parsed({}, pl.DataFrame(schema=VERDICT_SCHEMA)) if isinstance(parsed, Failure) else parsed


# --- in itself -------------------------------------------------------------------------------------------------------


def _repeated_within(log: Log) -> Iterator[Range]:
    """A log that is in its own file twice: `cat messages messages`."""
    seams = _short_seams(log) or log.seams
    if not seams or log.parser.boundary is None:
        return
    for found in repeats(log.hashes, seams):
        if _is_same_text(log, log, found) and _is_proved(log, found):
            first, end = _whole_records(log, found)
            if first < end:
                there = found.other_first + first - found.first + 1
                description = (
                    f"lines {first + 1:,}-{end:,} repeat lines {there:,}-{there + end - first - 1:,}, counted once"
                )
                yield Range(first + 1, end, description)


def _short_seams(log: Log) -> list[int]:
    """Steps back that are too small to be kept as steps: in a log of two seconds."""
    span = log.span()
    is_short = span is not None and 0 < (span[1] - span[0]).total_seconds() <= STEP_S
    if not is_short or log.lines > SAMPLED_LINES or not _says_twice(log.hashes):
        return []
    stamps = sorted(_stamps(_parsed(log, log.frames()), log.parser).items())
    return [line - 1 for (_, before), (line, at) in pairwise(stamps) if at < before]


def _says_twice(hashes: pl.Series) -> bool:
    """Whether two different lines occur more than once, as those of two times in a stretch that is repeated must."""
    return int(hashes.is_duplicated().sum()) > 0 and hashes.filter(hashes.is_duplicated()).n_unique() > 1


# --- ranges ----------------------------------------------------------------------------------------------------------


def _joined(ranges: Sequence[Range]) -> Iterator[Range]:
    """Ranges in order that do not share a line."""
    last = 0
    for each in sorted(ranges, key=lambda each: (each.first, -each.last)):
        if each.last > last:
            yield each._replace(first=max(each.first, last + 1))
            last = each.last


def description(ranges: Sequence[Range]) -> str:
    """Why lines of a file are not counted, in words."""
    texts = list(dict.fromkeys(each.description for each in ranges))
    more = f" and {len(texts) - 5} more stretches" if len(texts) > 5 else ""
    return "; ".join(texts[:5]) + more


def split(lines: pl.DataFrame, ranges: Sequence[Range]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lines of one file that are to be counted, and those that are counted elsewhere."""
    is_duplicate = pl.any_horizontal(
        pl.lit(value=False), *(pl.col("line_no").is_between(each.first, each.last) for each in ranges)
    )
    return lines.filter(~is_duplicate), lines.filter(is_duplicate)


def is_whole(ranges: Sequence[Range], lines: int) -> bool:
    """Whether no line of a file is left."""
    return sum(each.last - each.first + 1 for each in ranges) == lines
