"""Compressed streams read in place: gzip, bzip2, xz and zstd, recognised by their first bytes, not by a name.

Nothing is written to disk. A stream that ends early or is damaged gives what could be read and a note that says so;
one that unpacks to more than any log does is stopped. Memory is bounded, no matter what a stream claims.
"""

import bz2
import hashlib
import io
import lzma
import re
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from pipeline.memory import MEBIBYTE

GIBIBYTE = 1024 * MEBIBYTE
MAGIC_BYTES = 6

FEED_BYTES = 16 * 1024
STEP_BYTES = 64 * 1024
"""Compressed bytes given and bytes taken at a time: what is in one step before a damage is lost with it."""

MAX_WINDOW_LOG = 27
"""zstd: 128 MiB, what its own command line accepts unless configured otherwise."""

MAX_XZ_MEMORY = 256 * MEBIBYTE
"""xz -9 needs 65 MiB to be read."""

SUFFIX = re.compile(r"\.(?:gz|bz2|xz|zst|z)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """Where reading compressed data stops: a log does not shrink to less than a 200th, a bomb to a 1,000th.

    `ratio` counts from `free_bytes` on. `total_bytes` are those of all members of archives in a study.
    """

    content_bytes: int = 16 * GIBIBYTE
    total_bytes: int = 64 * GIBIBYTE
    ratio: int = 200
    free_bytes: int = 256 * MEBIBYTE
    members: int = 1_000_000


LIMITS = Limits()


class BrokenArchiveError(Exception):
    """An archive that cannot be listed, or not further; the message says why."""


class Decompressor(Protocol):
    """One stream of a codec, as bz2, lzma and zstd have it."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more comes without further input."""

    @property
    def unused_data(self) -> bytes:
        """What stands behind the end of the stream."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """At most this many bytes."""


class _Zlib:
    """zlib with the interface of the others."""

    def __init__(self, window_bits: int) -> None:
        self._stream = zlib.decompressobj(window_bits)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        return not self._stream.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


@dataclass(frozen=True, slots=True)
class Codec:
    """A form of compression. `is_start` shows the first bytes of a stream."""

    name: str
    is_start: Callable[[bytes], bool]
    new: Callable[[], Decompressor]


def _is_zstd(head: bytes) -> bool:
    # A frame, or one to be skipped as pzstd writes them
    return head.startswith(b"\x28\xb5\x2f\xfd") or (head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F)


CODECS = {
    each.name: each
    for each in (
        Codec("gzip", lambda head: head.startswith(b"\x1f\x8b\x08"), lambda: _Zlib(16 + zlib.MAX_WBITS)),
        Codec("bzip2", lambda head: re.match(rb"BZh[1-9]", head) is not None, bz2.BZ2Decompressor),
        Codec(
            "xz",
            lambda head: head.startswith(b"\xfd7zXZ\0"),
            lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_XZ_MEMORY),
        ),
        Codec(
            "zstd",
            _is_zstd,
            lambda: zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: MAX_WINDOW_LOG}),
        ),
        # As members of zip archives have it: without a head, so never recognised
        Codec("deflate", lambda _: False, lambda: _Zlib(-zlib.MAX_WBITS)),
    )
}


def codec_of(head: bytes) -> str | None:
    """The codec of a stream with these first bytes."""
    return next((name for name, codec in CODECS.items() if codec.is_start(head)), None)


def without_suffix(name: str) -> str:
    """A name or path without the ending that a compressor adds: messages.1.gz is messages.1."""
    return SUFFIX.sub("", name)


def gzip_time(head: bytes) -> int | None:
    """When the content of a gzip stream was changed, seconds since 1970, if its head gives it."""
    if codec_of(head) != "gzip" or len(head) < 8:
        return None
    return int.from_bytes(head[4:8], "little") or None


class Stream(io.RawIOBase):
    """Bytes from the beginning to the end. `note` says in words why that is not the true end."""

    note: str | None = None
    position = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def read(self, size: int = -1, /) -> bytes:
        """The given number of bytes, fewer only at the end."""
        parts = []
        missing = size if size >= 0 else sys.maxsize
        while missing and (part := self.take(missing)):
            parts.append(part)
            missing -= len(part)
            self.position += len(part)
        return b"".join(parts)

    def take(self, size: int) -> bytes:
        """At least one byte and at most this many; none at the end."""
        raise NotImplementedError

    def skip(self, count: int) -> None:
        """Pass over bytes; over fewer only at the end."""
        end = self.position + count
        while self.position < end and self.read(min(MEBIBYTE, end - self.position)):
            pass


class Readable(Protocol):
    """What is asked of a stream that another one reads from."""

    def read(self, size: int, /) -> bytes | None:
        """At most this many bytes; none at the end."""

    def close(self) -> None:
        """Let go of it."""


class Prefixed(Stream):
    """Bytes that were read ahead, then the stream that they came from."""

    def __init__(self, head: bytes, rest: Readable) -> None:
        self._head = head
        self._rest = rest

    def take(self, size: int) -> bytes:
        """Of the head first."""
        part, self._head = self._head[:size], self._head[size:]
        if not part:
            part = self._rest.read(size) or b""
            self.note = getattr(self._rest, "note", None)
        return part

    def close(self) -> None:
        """Close the stream behind it."""
        self._rest.close()
        super().close()


class Hashed(Stream):
    """A stream that is hashed as it is read."""

    def __init__(self, inner: Readable) -> None:
        self._inner = inner
        self._sha256 = hashlib.sha256()

    def take(self, size: int) -> bytes:
        """What the stream gives."""
        part = self._inner.read(size) or b""
        self._sha256.update(part)
        self.note = getattr(self._inner, "note", None)
        return part

    def finished(self) -> str:
        """SHA-256 of the whole stream; what nobody asked for is read now."""
        while self.read(MEBIBYTE):
            pass
        return self._sha256.hexdigest()

    def close(self) -> None:
        """Close what is hashed."""
        self._inner.close()
        super().close()


class Decoded(Stream):
    """The content of a compressed stream, all of its parts if several were put one behind the other."""

    def __init__(self, stored: Readable, codec: str, limits: Limits = LIMITS) -> None:
        self._stored = stored
        self._codec = CODECS[codec]
        self._limits = limits
        self._decoder = self._codec.new()
        self._pending = b""
        self._given_bytes = 0
        self._taken_bytes = 0
        self._has_ended = False

    def take(self, size: int) -> bytes:
        """The next step of the content."""
        while not self._has_ended:
            if self._decoder.eof:
                self._begin_next()
                continue
            is_fed = self._decoder.needs_input
            data = self._feed() if is_fed else b""
            part = self._step(data, min(size, STEP_BYTES))
            if part:
                return self._within_limits(part)
            if is_fed and not data and not self._decoder.eof:
                self._end(f"the compressed data end early after {self._taken_bytes:,} bytes")
        return b""

    def _feed(self) -> bytes:
        data, self._pending = self._pending, b""
        if not data:
            data = self._stored.read(FEED_BYTES) or b""
            self._given_bytes += len(data)
        return data

    def _step(self, data: bytes, size: int) -> bytes:
        try:
            return self._decoder.decompress(data, size)
        # OSError is what bz2 raises; nothing is read from a disk here
        except (zlib.error, lzma.LZMAError, zstd.ZstdError, OSError, EOFError, ValueError):
            self._end(f"the compressed data are damaged after {self._taken_bytes:,} bytes")
            return b""

    def _begin_next(self) -> None:
        """Go on with the stream behind the one that ended; NUL bytes between them are padding."""
        if self._codec.name == "deflate":  # a member of a zip archive is one stream
            self._end(None)
            return
        behind = self._decoder.unused_data.lstrip(b"\0")
        while not behind and (data := self._feed()):
            behind = data.lstrip(b"\0")
        if 0 < len(behind) < MAGIC_BYTES:
            behind += self._feed()
        if not behind:
            self._end(None)
        elif not self._codec.is_start(behind):
            self._end(f"what follows {self._taken_bytes:,} bytes is no compressed data and was not read")
        else:
            self._pending = behind
            self._decoder = self._codec.new()

    def _within_limits(self, part: bytes) -> bytes:
        self._taken_bytes += len(part)
        ratio = self._limits.ratio
        if self._taken_bytes > self._limits.content_bytes:
            self._end(f"reading stopped after {self._taken_bytes:,} bytes: more than haledger unpacks")
        elif self._taken_bytes > max(self._limits.free_bytes, ratio * self._given_bytes):
            self._end(f"reading stopped after {self._taken_bytes:,} bytes: more than {ratio} times the compressed data")
        return part

    def _end(self, note: str | None) -> None:
        self._has_ended = True
        self.note = note or getattr(self._stored, "note", None)

    def close(self) -> None:
        """Close the compressed stream."""
        self._stored.close()
        super().close()
