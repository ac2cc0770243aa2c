"""How the bytes of a file, an object or an archive's member are reached: opened, cut out, decompressed, never unpacked.

A member is found again by the steps that lead to it from the file on disk. A compressed archive can only be read from
its beginning: a stream that is before the next member asked for is kept and gone on with, and the first bytes of
members, small ones whole, are held in memory since the archive was listed.
"""

import os
import stat
import zlib
from collections.abc import Callable
from io import BufferedReader, FileIO
from pathlib import Path
from threading import Lock
from typing import BinaryIO, NamedTuple, cast

from pipeline.discovery.address import ObjectFile, Place, StoredObject
from pipeline.discovery.compression import (
    CODECS,
    LIMITS,
    MAGIC_BYTES,
    Decoded,
    Hashed,
    Limits,
    Prefixed,
    Stream,
    codec_of,
)
from pipeline.memory import MEBIBYTE

MAX_HEAD_BYTES = 64 * 1024 + 1
"""Held of the beginning of a member: what recognition looks at."""

LAST_NS = 2**63 - 1

MAX_HELD_BYTES = 64 * MEBIBYTE
MAX_IDLE = 4
"""Streams that are kept to be gone on with."""


class Step(NamedTuple):
    """A step to a member: `cut` a number of bytes from an offset, `check` length and CRC-32, or the name of a codec."""

    kind: str
    first: int = 0
    second: int = 0


Steps = tuple[Step, ...]


def identity_of(status: os.stat_result) -> tuple[int, int]:
    """Size, and time of the last change in nanoseconds, as far as 64 bits go: some file systems keep later years."""
    return status.st_size, max(-LAST_NS, min(status.st_mtime_ns, LAST_NS))


class DiskFile(Stream):
    """A file from its beginning. Not a Python file: one that is kept open for later need not be closed by anybody."""

    def __init__(self, location: Path) -> None:
        self._descriptor = open_regular(location)

    def identity(self) -> tuple[int, int]:
        """Size, and time of the last change in nanoseconds."""
        return identity_of(os.fstat(self._descriptor))

    def take(self, size: int) -> bytes:
        """What the system gives at once."""
        return os.read(self._descriptor, min(size, MEBIBYTE))

    def skip(self, count: int) -> None:
        """Without reading, and not beyond the end."""
        self.position = min(self.position + count, max(self.position, self.identity()[0]))
        os.lseek(self._descriptor, self.position, os.SEEK_SET)

    def close(self) -> None:
        """Let go of the file."""
        descriptor, self._descriptor = getattr(self, "_descriptor", -1), -1
        if descriptor >= 0:
            os.close(descriptor)
        super().close()


def stored_at(location: Place) -> DiskFile | ObjectFile:
    """The bytes of a file or an object from the beginning. To be closed. Raises OSError where it is none any longer."""
    return location.opened() if isinstance(location, StoredObject) else DiskFile(location)


def seekable(location: Place) -> BinaryIO:
    """The bytes of a file or an object, to be read at any offset; fewer than asked only at the end. To be closed."""
    if isinstance(location, StoredObject):
        return cast("BinaryIO", location.opened())
    return BufferedReader(FileIO(open_regular(location)))  # a network file system gives a part at a time


def identity_at(location: Place) -> tuple[int, int]:
    """Size and time of a file or an object as they are now. Raises OSError."""
    return location.identity() if isinstance(location, StoredObject) else identity_of(location.stat())


class Cut(Stream):
    """A number of bytes of a stream that is at the first of them; `release` of the stream is called at the end."""

    def __init__(self, inner: Stream, length: int, release: Callable[[Stream], None] = lambda _: None) -> None:
        self._inner = inner
        self._left = length
        self._release = release

    def take(self, size: int) -> bytes:
        """Not beyond the cut."""
        part = self._inner.read(min(size, self._left))
        self._left -= len(part)
        if self._left and not part:
            self.note = self._inner.note or f"the archive ends {self._left:,} bytes before this member does"
        return part

    def skip(self, count: int) -> None:
        """Not beyond the cut."""
        before = self._inner.position
        self._inner.skip(min(count, self._left))
        self._left -= self._inner.position - before
        self.position += self._inner.position - before

    def close(self) -> None:
        """Let go of the stream that it is cut from, once."""
        if not self.closed:
            super().close()
            self._release(self._inner)


class _Checked(Stream):
    """A member of a zip archive, which gives its length and CRC-32."""

    def __init__(self, inner: Stream, length: int, crc32: int) -> None:
        self._inner = inner
        self._left = length
        self._expected = crc32
        self._found = 0

    def take(self, size: int) -> bytes:
        """What the stream gives, no more than the given length."""
        part = self._inner.read(min(size, self._left))
        self._left -= len(part)
        self._found = zlib.crc32(part, self._found)
        self.note = self._inner.note
        if self.note is None and not part and size and (self._left or self._found != self._expected):
            self.note = "the compressed data are damaged: length or checksum differ from those in the archive"
        return part

    def close(self) -> None:
        """Close what is checked."""
        self._inner.close()
        super().close()


class Containers:
    """What is held of all archives of a study while it is read. May be asked by several threads at once."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self.limits = limits
        self._lock = Lock()
        self._idle: list[tuple[Place, Steps, Stream]] = []
        self._heads: dict[tuple[Place, Steps], bytes] = {}
        self._held_bytes = 0
        self._room = limits.total_bytes

    def __reduce__(self) -> tuple[type["Containers"], tuple[Limits]]:
        """Another process holds streams and heads of its own."""
        return Containers, (self.limits,)

    def has_room(self, size: int) -> bool:
        """Count the content of a member; false where it goes beyond what is unpacked of a study."""
        with self._lock:
            self._room -= size
            return self._room >= 0

    def cache(self, location: Place, steps: Steps, head: bytes) -> None:
        """Hold the first bytes of a member while there is room."""
        with self._lock:
            if self._held_bytes + len(head) <= MAX_HELD_BYTES:
                self._held_bytes += len(head)
                self._heads[location, steps] = head

    def open(self, location: Place, identity: tuple[int, int], steps: Steps) -> Stream:
        """The bytes that steps lead to. Raises OSError where the file is not the one that was listed."""
        with self._lock:
            head = self._heads.get((location, steps), b"")
        last = steps[-1]
        if not head or last.kind != "cut":
            return self._opened(location, identity, steps)
        rest = Step("cut", last.first + len(head), last.second - len(head))
        return Prefixed(head, _Deferred(lambda: self._opened(location, identity, (*steps[:-1], rest))))

    def _opened(self, location: Place, identity: tuple[int, int], steps: Steps) -> Stream:
        if not steps:
            file = stored_at(location)
            if file.identity() != identity:
                file.close()
                raise OSError(0, "the archive has changed since its members were listed")
            return file
        before, last = steps[:-1], steps[-1]
        if last.kind == "cut":
            inner = self._standing_at(location, identity, before, last.first)
            return Cut(inner, last.second, lambda stream: self._evict(location, before, stream))
        inner = self._opened(location, identity, before)
        if last.kind == "check":
            return _Checked(inner, last.first, last.second)
        return Decoded(inner, last.kind, self.limits)

    def _standing_at(self, location: Place, identity: tuple[int, int], steps: Steps, offset: int) -> Stream:
        stream = self._taken(location, steps, offset) or self._opened(location, identity, steps)
        stream.skip(offset - stream.position)
        return stream

    def _taken(self, location: Place, steps: Steps, offset: int) -> Stream | None:
        """The idle stream that has come nearest to an offset without passing it."""
        with self._lock:
            fitting = [each for each in self._idle if each[:2] == (location, steps) and each[2].position <= offset]
            if not fitting:
                return None
            best = max(fitting, key=lambda each: each[2].position)
            self._idle = [each for each in self._idle if each is not best]
            return best[2]

    def _evict(self, location: Place, steps: Steps, stream: Stream) -> None:
        """Keep a stream that costs decompressing to come to; the one kept longest makes room."""
        if not any(step.kind in CODECS for step in steps):
            stream.close()
            return
        with self._lock:
            self._idle.append((location, steps, stream))
            passed = self._idle[:-MAX_IDLE]
            self._idle = self._idle[-MAX_IDLE:]
        for *_, each in passed:
            each.close()


class _Deferred(Stream):
    """A stream that is opened when it is asked for."""

    def __init__(self, opened: Callable[[], Stream]) -> None:
        self._opened = opened
        self._stream: Stream | None = None

    def take(self, size: int) -> bytes:
        """What the stream gives."""
        self._stream = self._stream or self._opened()
        part = self._stream.read(size)
        self.note = self._stream.note
        return part

    def close(self) -> None:
        """Close it if it was opened."""
        if self._stream is not None:
            self._stream.close()
        super().close()


# --- content ---------------------------------------------------------------------------------------------------------


class Content(Decoded):
    """The text of a compressed file. `stored` says what its bytes are as they lie on disk or in the archive."""

    def __init__(self, stored: Stream, codec: str, limits: Limits) -> None:
        self._hashed = Hashed(stored)
        super().__init__(self._hashed, codec, limits)

    def stored(self) -> tuple[int, str]:
        """Length and SHA-256 of the compressed bytes; to be asked before it is closed."""
        sha256 = self._hashed.finished()
        return self._hashed.position, sha256


def content_of(stored: Stream | BinaryIO, limits: Limits = LIMITS) -> BinaryIO:
    """The content of a file or member: what is compressed in it, else the bytes as they are."""
    head = stored.read(MAGIC_BYTES)
    codec = codec_of(head)
    if codec is not None:
        return cast("BinaryIO", Content(Prefixed(head, stored), codec, limits))
    if isinstance(stored, Stream):
        return cast("BinaryIO", Prefixed(head, stored))
    stored.seek(0)
    return stored


def open_regular(location: Path) -> int:
    """A descriptor of a file. Raises OSError where it is none any longer."""
    # Not blocking: an entry replaced by a FIFO since the walk must not hang the program
    descriptor = os.open(location, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "not an ordinary file")
    return descriptor
