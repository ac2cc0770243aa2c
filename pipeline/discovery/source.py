"""A file to read: where it lies (on disk, in an archive, in a bucket), how it is opened, and whether it has changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import BinaryIO, cast

from pipeline.discovery.address import Place, StoredObject
from pipeline.discovery.archives import Listing
from pipeline.discovery.compression import CODECS, LIMITS, without_suffix
from pipeline.discovery.containers import (
    MAX_HEAD_BYTES,
    Containers,
    Content,
    Steps,
    content_of,
    identity_at,
    seekable,
)

CHANGED = "changed while it was read"
"""Noted of a file."""


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive and what is in it; `tag`: its ETag where it is an object. `is_known`: the ledger knew this content."""

    path: str
    bytes: int
    modified_ns: int
    sha256: str
    listing: Listing
    tag: str | None = None
    is_known: bool = False


@dataclass(frozen=True, slots=True)
class Inside:
    """Where a member is: the archive, and the steps that lead to it."""

    archive: Archive
    steps: Steps
    containers: Containers

    def identity(self, location: Place) -> tuple[int, int]:
        """Size and time of the archive; of an object as they were a moment ago, not asked for each of its members."""
        return location.opened().identity() if isinstance(location, StoredObject) else identity_at(location)


@dataclass(frozen=True, slots=True)
class ReadBytes:
    """What the bytes of a file were when it was read: SHA-256 as they lie there, and what was odd, in words."""

    sha256: str | None
    note: str | None


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read. `path` is what people see: relative to the study, `/` between parts, always valid text.

    `bytes` and `modified_ns` are those of the file on disk, or of the member in its archive, as it lies there:
    compressed where it is compressed. `header_ns`: the time that the head of a gzip file gives of its content.
    `changed_ns`: when the inode changed, 0 for what is no file on disk.
    """

    path: str
    location: Place
    bytes: int
    modified_ns: int
    inside: Inside | None = None
    header_ns: int | None = None
    changed_ns: int = 0

    @property
    def touched_ns(self) -> int:
        """When it was last written or given a time stamp: no program that keeps the stamp keeps this."""
        return max(self.modified_ns, self.changed_ns)

    @property
    def name(self) -> str:
        """The file's own name, without the ending of a compressor."""
        return without_suffix(self.path.rsplit("/", 1)[-1])

    @property
    def tag(self) -> str | None:
        """The ETag of the object that it is or lies in: the same says that the content is. None: there is none."""
        return self.location.tag if isinstance(self.location, StoredObject) else None

    @property
    def modified_at(self) -> datetime:
        """Time of the content's last change, naive UTC."""
        return naive_utc(self.header_ns or self.modified_ns)

    @property
    def is_dated_within(self) -> bool:
        """Whether that time is given in an archive or a compressed file: a copy does not change it."""
        return self.inside is not None or self.header_ns is not None

    @property
    def position(self) -> tuple[str, tuple[int, ...]]:
        """Sorts files so that a compressed archive is gone through once, forwards."""
        if self.inside is None:
            return self.path, ()
        return self.inside.archive.path, tuple(step.first for step in self.inside.steps if step.kind == "cut")

    @property
    def is_costly_to_reach(self) -> bool:
        """Whether all that is before it has to be decompressed: a member of a compressed archive, not held."""
        steps = self.inside.steps if self.inside else ()
        is_compressed = any(step.kind in CODECS and later.kind == "cut" for step, later in pairwise(steps))
        return is_compressed and self.bytes > MAX_HEAD_BYTES

    def open(self) -> BinaryIO:
        """The content from the beginning; what is compressed is decompressed. To be closed."""
        limits = self.inside.containers.limits if self.inside else LIMITS
        return content_of(self.open_stored(), limits)

    def open_stored(self) -> BinaryIO:
        """The bytes as they lie on disk or in the archive. To be closed."""
        if self.inside is None:
            return seekable(self.location)
        archive = self.inside.archive
        identity = (archive.bytes, archive.modified_ns)
        return cast("BinaryIO", self.inside.containers.open(self.location, identity, self.inside.steps))

    def has_changed(self) -> bool:
        """Whether size or time of the file on disk differ from what the walk saw."""
        seen = self if self.inside is None else self.inside.archive
        try:
            now = identity_at(self.location) if self.inside is None else self.inside.identity(self.location)
        except OSError:
            return True
        return now != (seen.bytes, seen.modified_ns)

    def seen(self, stream: BinaryIO, read_bytes: int, sha256: str) -> ReadBytes:
        """What came out of `open` once all was read: this many bytes with this SHA-256. To be asked before closing."""
        note = getattr(stream, "note", None)
        stored_bytes, stored_sha256 = stream.stored() if isinstance(stream, Content) else (read_bytes, sha256)
        if self.has_changed() or (stored_bytes != self.bytes and note is None):
            note = "; ".join(filter(None, (note, CHANGED)))
        return ReadBytes(stored_sha256 or None, note)


def forward_runs(sources: Sequence[Source]) -> list[list[int]]:
    """Files in the order of their numbers, by index, in as many runs as it takes to go through archives forwards."""
    costly = sorted(
        (index for index, each in enumerate(sources) if each.is_costly_to_reach),
        key=lambda index: sources[index].position,
    )
    runs = [[index for index, each in enumerate(sources) if not each.is_costly_to_reach]]
    for index in costly:
        if runs[-1] and runs[-1][-1] < index and len(runs) > 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return [run for run in runs if run]


def naive_utc(nanoseconds: int) -> datetime:
    """A file's time stamp as naive UTC; the epoch where the file system gives nonsense."""
    try:
        return datetime.fromtimestamp(nanoseconds // 1000 / 1e6, tz=UTC).replace(tzinfo=None)
    except (OverflowError, ValueError, OSError):
        return datetime(1970, 1, 1)  # noqa: DTZ001  naive UTC
