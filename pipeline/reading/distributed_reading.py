"""Reads files on the workers of a cluster, which see the study under the same path; gives what `read_files` gives.

Batches of files are sent as paths, or as steps into an archive, the largest first, and come back as facts and rows;
where workers share a folder for rows, these stay there (`pipeline/reading/shared_rows.py`), and a batch that an earlier
ingest left in it is not read again. A file too large for one batch is read here, and its spans are sent as lines. A
file that ends the process which reads it is unreadable; the others of its batch are read.
"""

import hashlib
import platform
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import attrgetter

import polars as pl

from parsers.star import Rows
from pipeline.child import child_process
from pipeline.cluster import Cluster
from pipeline.discovery.address import Place
from pipeline.discovery.archives import Listing
from pipeline.discovery.compression import CODECS
from pipeline.discovery.containers import identity_at, seekable
from pipeline.discovery.source import Archive, Source
from pipeline.discovery.written_files import Folder
from pipeline.errors import MachineError, StoreError
from pipeline.failure import Failure
from pipeline.memory import MEBIBYTE
from pipeline.parallel import called_in_subprocess, run_parallel
from pipeline.reading.file_facts import FileFacts
from pipeline.reading.file_reading import FileToRead, read_files
from pipeline.reading.frames import Frames, in_memory
from pipeline.reading.shared_rows import (
    RemoteBatch,
    RowFiles,
    RowsPlace,
    StagedBatch,
    account,
    accounts,
    register_batch,
)
from pipeline.reading.staging import Stage

BATCH_BYTES = 32 * MEBIBYTE
MAX_FILES = 1000
"""Files of a batch: at most this number, and until they have these bytes."""

SPANNED_BYTES = 128 * MEBIBYTE
"""A larger file is sent in spans."""

EXPANSION = 32
"""Logs are up to this many times longer than what a compressor made of them."""

NAME_DIGITS = 32

RACY_NS = 2_000_000_000
"""A file that changed so shortly before an account of it was written may have changed once more since."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Files that one worker reads. `place`: where it leaves their rows; None: it answers with them."""

    files: tuple[FileToRead, ...]
    place: RowsPlace | None = None

    @property
    def size(self) -> int:
        """Bytes as they lie there."""
        return sum(each.source.bytes for each in self.files)

    @property
    def budget_bytes(self) -> int:
        """What its budget goes by: more than its units may take together, each of which has one of its own."""
        return MEBIBYTE * len(self.files) + EXPANSION * self.size


@dataclass(slots=True)
class BatchRead:
    """What came of a batch: facts by file, rows, other frames; and files that the worker does not see, with why.

    `staged`: what it left in the place for rows; `unwritable`: why it cannot write there.
    """

    facts: dict[int, FileFacts] = field(default_factory=dict)
    rows: list[tuple[str, Rows]] = field(default_factory=list)
    frames: list[tuple[str, pl.DataFrame]] = field(default_factory=list)
    unseen: dict[int, str] = field(default_factory=dict)
    staged: list[tuple[Folder, StagedBatch]] = field(default_factory=list)
    unwritable: str | None = None

    def add_rows(self, name: str, rows: Rows) -> None:
        """Take rows of a table."""
        self.rows.append((name, rows))

    def add(self, name: str, frame: pl.DataFrame) -> None:
        """Take a frame as it is."""
        self.frames.append((name, frame))

    def waiting(self) -> Frames:
        """A place where rows of one file wait: a worker has memory for a batch."""
        return in_memory()

    def join(self, other: "BatchRead") -> None:
        """Take what came of other files."""
        self.facts |= other.facts
        self.rows += other.rows
        self.frames += other.frames
        self.unseen |= other.unseen
        self.staged += other.staged
        self.unwritable = self.unwritable or other.unwritable


class Reader:
    """Reads on the workers of a cluster. `folder`: where these leave rows; None: they answer with them."""

    def __init__(self, cluster: Cluster, folder: Folder | None) -> None:
        self._cluster = cluster
        self._folder = folder
        self._accounts = accounts(folder) if folder else {}

    def read(
        self,
        files: Sequence[FileToRead],
        stage: Stage,
        remote: list[RemoteBatch],
        step: Callable[[int], None] = lambda _bytes: None,
    ) -> dict[int, FileFacts]:
        """Recognise and parse files, stage their rows here or there, and give the facts of each by its number.

        Rows that lie in the folder are added to `remote`. Raises MachineError where a worker does not see a file that
        can be read here, and StoreError where one cannot write.
        """
        facts: dict[int, FileFacts] = {}
        by_id = {each.file_id: each for each in files}
        spanned = [each for each in files if each.source.bytes > SPANNED_BYTES and _archive(each.source) is None]
        own = {each.file_id for each in spanned}
        for found in self._found(batches([each for each in files if each.file_id not in own])):
            if found.unwritable is not None:
                raise StoreError(f"{self._folder}: a worker cannot write there: {found.unwritable}")
            for number, problem in found.unseen.items():
                found.join(_seen_here(by_id[number], problem))
            for name, rows in found.rows:
                stage.add_rows(name, rows)
            for name, frame in found.frames:
                stage.add(name, frame)
            for place, batch in found.staged:
                remote.append(register_batch(stage, place, batch))
                found.facts |= batch.facts
            facts |= found.facts
            step(sum(by_id[number].source.bytes for number in found.facts))
        for each in spanned:
            facts |= read_files([each], stage, step, self._cluster.run_parallel)
        return facts

    def _found(self, found: Sequence[Batch]) -> Iterator[BatchRead]:
        """What came of batches: first of those that an earlier ingest read, then of the others."""
        if self._folder is not None:
            found = [replace(each, place=RowsPlace(self._folder, self._name(each))) for each in found]
        left = []
        for each in found:
            if each.place and (known := self._known(each, each.place)) is not None:
                yield BatchRead(staged=[(each.place.folder, known)])
            else:
                left.append(each)
        for outcome in self._cluster.run_parallel(read_batch, left, _SIZE):
            yield _one_by_one(outcome.job, self._cluster) if isinstance(outcome, Failure) else outcome

    def _known(self, batch: Batch, place: RowsPlace) -> StagedBatch | None:
        """What an earlier ingest left of a batch."""
        written_ns = self._accounts.get(place.name)
        times = [each.source.modified_ns for each in batch.files if each.source.tag is None]
        if written_ns is None or any(each > written_ns - RACY_NS for each in times):
            return None
        return account(place)

    def _name(self, batch: Batch) -> str:
        """The name of a batch: by all that decides what comes of it, as far as is known before it is read."""
        described = hashlib.sha256(self._cluster.program.encode())
        for each in batch.files:
            source, inside = each.source, each.source.inside
            archive = inside and (inside.archive.bytes, inside.archive.modified_ns, inside.archive.sha256, inside.steps)
            what = (source.path, str(source.location), source.bytes, source.modified_ns, source.header_ns, source.tag)
            how = (each.file_id, each.declared, each.without, each.keeps_verdicts)
            described.update(repr((what, archive, how)).encode("utf-8", "surrogateescape"))
        return described.hexdigest()[:NAME_DIGITS]


_SIZE: Callable[[Batch], int] = attrgetter("budget_bytes")


def read_batch(batch: Batch) -> BatchRead:
    """Read files on a worker, one unit at a time: it has a batch for each of its threads."""
    found = BatchRead()
    problems = {location: _problem(location) for location in {each.source.location for each in batch.files}}
    for each in batch.files:
        if (problem := problems[each.source.location]) is not None:
            found.unseen[each.file_id] = problem
    there = [each for each in batch.files if each.file_id not in found.unseen]
    run_all = partial(run_parallel, threads=1)
    if batch.place is None:
        found.facts = read_files(there, found, run_all=run_all)
        return found
    rows = RowFiles(batch.place)
    facts = read_files(there, rows, run_all=run_all)
    try:
        found.staged.append((batch.place.folder, rows.write(facts, is_whole=not found.unseen)))
    except OSError as error:
        found.unwritable = f"{error.strerror or error} ({platform.node()})"
    return found


def read_one_by_one(batch: Batch) -> BatchRead:
    """Read files in a process of its own; one that ends it is unreadable, and the next has a new process."""
    found = BatchRead()
    with child_process() as child:
        for number, each in enumerate(batch.files):
            place = batch.place and replace(batch.place, name=f"{batch.place.name}-{number}")
            batch_of_one = Batch((each,), place)
            outcome = called_in_subprocess(child, read_batch, batch_of_one, batch_of_one.budget_bytes)
            if isinstance(outcome, Failure):
                found.facts[each.file_id] = FileFacts("unreadable", f"reading it {outcome.reason}")
            else:
                found.join(outcome)
    return found


def _one_by_one(batch: Batch, cluster: Cluster) -> BatchRead:
    (outcome,) = cluster.run_parallel(read_one_by_one, [batch], _SIZE)
    if not isinstance(outcome, Failure):
        return outcome
    reason = f"reading it {outcome.reason}"
    return BatchRead({each.file_id: FileFacts("unreadable", reason) for each in batch.files})


def batches(files: Sequence[FileToRead]) -> list[Batch]:
    """Files in batches, the largest first. All members of a compressed archive are in one: it is gone through once.

    Files of a batch follow each other in the study, so that few parts have lines of several configurations.
    """
    groups: dict[object, list[FileToRead]] = defaultdict(list)
    for each in _without_listings(files):
        groups[_archive(each.source) or each.file_id].append(each)
    found: list[Batch] = []
    held: list[FileToRead] = []
    size = 0
    for group in groups.values():
        own = Batch((*group,)).size
        if held and (size + own > BATCH_BYTES or len(held) + len(group) > MAX_FILES):
            found.append(Batch((*held,)))
            held, size = [], 0
        held += group
        size += own
    if held:
        found.append(Batch((*held,)))
    return sorted(found, key=lambda batch: (-batch.size, batch.files[0].file_id))


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
