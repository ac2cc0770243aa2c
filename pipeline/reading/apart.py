"""Reads files on the workers of a cluster, which see the study under the same path; gives what `read_files` gives.

Batches of files are sent as paths, or as steps into an archive, the largest first, and come back as facts and rows. A
file too large for one batch is read here, and its spans are sent as lines. A file that ends the process which reads it
is unreadable; the others of its batch are read.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter

import polars as pl

from parsers.star import Rows
from pipeline.child import Child
from pipeline.cluster import Cluster, called_apart
from pipeline.discovery.address import Place
from pipeline.discovery.archives import Listing
from pipeline.discovery.compression import CODECS
from pipeline.discovery.containers import identity_at, seekable
from pipeline.discovery.walk import Archive, Source
from pipeline.errors import MachineError
from pipeline.failure import Failure
from pipeline.fan import fan
from pipeline.memory import MEBIBYTE
from pipeline.reading.file_facts import FileFacts
from pipeline.reading.file_reading import FileToRead, read_files
from pipeline.reading.staging import Sink

BATCH_BYTES = 32 * MEBIBYTE
MAX_FILES = 1000
"""Files of a batch: at most this number, and until they have these bytes."""

SPANNED_BYTES = 128 * MEBIBYTE
"""A larger file is sent in spans."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Files that one worker reads."""

    files: tuple[FileToRead, ...]

    @property
    def size(self) -> int:
        """Bytes as they lie there."""
        return sum(each.source.bytes for each in self.files)


@dataclass(slots=True)
class BatchRead:
    """What came of a batch: facts by file, rows, other frames; and files that the worker does not see, with why."""

    facts: dict[int, FileFacts] = field(default_factory=dict)
    rows: list[tuple[str, Rows]] = field(default_factory=list)
    frames: list[tuple[str, pl.DataFrame]] = field(default_factory=list)
    unseen: dict[int, str] = field(default_factory=dict)

    def add_rows(self, name: str, rows: Rows) -> None:
        """Take rows of a table."""
        self.rows.append((name, rows))

    def add(self, name: str, frame: pl.DataFrame) -> None:
        """Take a frame as it is."""
        self.frames.append((name, frame))

    def join(self, other: "BatchRead") -> None:
        """Take what came of other files."""
        self.facts |= other.facts
        self.rows += other.rows
        self.frames += other.frames
        self.unseen |= other.unseen


def read_files_apart(
    files: Sequence[FileToRead], stage: Sink, step: Callable[[int], None] = lambda _bytes: None, *, cluster: Cluster
) -> dict[int, FileFacts]:
    """Recognise and parse files on workers, stage their rows here, and give the facts of each by its number.

    Raises MachineError where a worker does not see a file that can be read here.
    """
    facts: dict[int, FileFacts] = {}
    by_id = {each.file_id: each for each in files}
    spanned = [each for each in files if each.source.bytes > SPANNED_BYTES and _archive(each.source) is None]
    own = {each.file_id for each in spanned}
    for outcome in cluster.fan(read_batch, batches([each for each in files if each.file_id not in own]), _SIZE):
        found = _one_by_one(outcome.job, cluster) if isinstance(outcome, Failure) else outcome
        for number, problem in found.unseen.items():
            found.join(_seen_here(by_id[number], problem))
        for name, rows in found.rows:
            stage.add_rows(name, rows)
        for name, frame in found.frames:
            stage.add(name, frame)
        facts |= found.facts
        step(sum(by_id[number].source.bytes for number in found.facts))
    for each in spanned:
        facts |= read_files([each], stage, step, cluster.fan)
    return facts


_SIZE: Callable[[Batch], int] = attrgetter("size")


def read_batch(batch: Batch) -> BatchRead:
    """Read files on a worker, one unit at a time: it has a batch for each of its threads."""
    found = BatchRead()
    problems = {location: _problem(location) for location in {each.source.location for each in batch.files}}
    for each in batch.files:
        if (problem := problems[each.source.location]) is not None:
            found.unseen[each.file_id] = problem
    there = [each for each in batch.files if each.file_id not in found.unseen]
    found.facts = read_files(there, found, run_all=partial(fan, threads=1))
    return found


def read_one_by_one(batch: Batch) -> BatchRead:
    """Read files in a process of its own; one that ends it is unreadable, and the next has a new process."""
    found = BatchRead()
    with Child() as child:
        for each in batch.files:
            outcome = called_apart(child, read_batch, Batch((each,)), each.source.bytes)
            if isinstance(outcome, Failure):
                found.facts[each.file_id] = FileFacts("unreadable", f"reading it {outcome.reason}")
            else:
                found.join(outcome)
    return found


def _one_by_one(batch: Batch, cluster: Cluster) -> BatchRead:
    (outcome,) = cluster.fan(read_one_by_one, [batch], _SIZE)
    if not isinstance(outcome, Failure):
        return outcome
    reason = f"reading it {outcome.reason}"
    return BatchRead({each.file_id: FileFacts("unreadable", reason) for each in batch.files})


def batches(files: Sequence[FileToRead]) -> list[Batch]:
    """Files in batches, the largest first. All members of a compressed archive are in one: it is gone through once."""
    groups: dict[object, list[FileToRead]] = defaultdict(list)
    for each in _without_listings(files):
        groups[_archive(each.source) or each.file_id].append(each)
    found: list[Batch] = []
    held: list[FileToRead] = []
    size = 0
    for group in sorted(groups.values(), key=lambda group: (-Batch((*group,)).size, group[0].file_id)):
        own = Batch((*group,)).size
        if held and (size + own > BATCH_BYTES or len(held) + len(group) > MAX_FILES):
            found.append(Batch((*held,)))
            held, size = [], 0
        held += group
        size += own
    return [*found, Batch((*held,))] if held else found


def _archive(source: Source) -> str | None:
    """The compressed archive that a file is a member of."""
    if source.inside is None or not any(step.kind in CODECS for step in source.inside.steps[:-1]):
        return None
    return source.inside.archive.path


def _without_listings(files: Sequence[FileToRead]) -> Iterator[FileToRead]:
    """Files as they are sent: what else is in their archives stays here."""
    slim: dict[str, Archive] = {}
    for each in files:
        inside = each.source.inside
        if inside is None:
            yield each
            continue
        archive = slim.setdefault(inside.archive.path, replace(inside.archive, listing=Listing((), ())))
        yield replace(each, source=replace(each.source, inside=replace(inside, archive=archive)))


def _problem(location: Place) -> str | None:
    try:
        identity_at(location)
        with seekable(location):
            return None
    except OSError as error:
        return (error.strerror or str(error)).lower()


def _seen_here(file: FileToRead, problem: str) -> BatchRead:
    """What a file is that a worker does not see; what can be read here is not passed over in silence."""
    if _problem(file.source.location) is None:
        raise MachineError(
            f"a worker cannot read {file.source.location}: {problem}; workers need the study under the same path, with "
            "the right to read it"
        )
    found = BatchRead()
    found.facts = read_files([file], found)
    return found
