"""Bytes to numbered lines: encodings, NUL bytes, line ends, caps, SHA-256, chunks.

No content makes reading fail, and no line is lost: what cannot be kept as it is (bytes of another encoding, NUL bytes,
lines without end) is replaced, removed or cut by rule and counted. Memory is bounded by the block, not by the file,
and the result does not depend on the size of the blocks.

A line ends with LF or CR LF; in a file without any LF in its head, also with CR. Text is UTF-8; a byte that is not
is read as cp1252, one that cp1252 lacks as latin-1, so that one torn byte does not garble the rest of the file.
UTF-16 is recognised by its byte order mark or by its NUL bytes.

NUL bytes are removed, but a run of them at the end of a file is what a file system leaves of a log whose machine lost
its power: it becomes a last line of its own, a single NUL, so that a parser can say so.

Colours, which a terminal's capture or a coloured log holds, are removed: they stand where a format expects its head.
"""

import codecs
import hashlib
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

import polars as pl

from pipeline.memory import MEBIBYTE

HEAD_BYTES = 64 * 1024
HEAD_LINES = 400
EMPTY = "empty"
"""Why a file without a byte is not read."""

LONG_LINE = 8 * 1024
"""Of a line that would fill the head, recognition sees this many bytes."""

BLOCK_BYTES = 2 * MEBIBYTE
CHUNK_BYTES = 8 * MEBIBYTE
"""Several are in flight: those of 16 MiB save 0 to 3 % of the time, and take 50 to 270 MiB more memory."""
MEASURED_CHUNK_BYTES = 7 * MEBIBYTE
"""Of measurements, whose rows of numbers take several times as much memory as their text."""
MAX_CHUNK_BYTES = 128 * MEBIBYTE
LINE_CAP = MEBIBYTE
"""Longer lines are cut to this many bytes of UTF-8."""

SHORT_TEXT = 128 * 1024

LEAST_NUL_TAIL = 16
"""This many NUL bytes at the end of a file are no writer's slip."""

MAX_LEADING_NULS = 64 * MEBIBYTE
"""A log that its writer truncated and went on with begins with a hole; it is looked over up to here."""

MAX_NULS = 1024 * MEBIBYTE
"""More NUL bytes in a row are a hole without end: a sparse file has any size and takes no space."""

MAGIC = (
    (b"\x7fELF", "an ELF program"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF"),
    (b"\x1f\x8b", "gzip data"),
    (b"BZh", "bzip2 data"),
    (b"\xfd7zXZ\x00", "xz data"),
    (b"\x28\xb5\x2f\xfd", "zstd data"),
    (b"PK\x03\x04", "a zip archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"ElfFile\x00", "a Windows event log (.evtx); export its events as text"),
)

# What text does not hold, apart from TAB, LF, CR, FF, BS, ESC (logs of terminals) and NUL (counted on its own)
CONTROLS = bytes(set(range(1, 32)) - {8, 9, 10, 12, 13, 27}) + b"\x7f"
MAX_CONTROL_SHARE = 0.05
MAX_NUL_SHARE = 0.1
LONG_NUL_RUN = re.compile(rb"\0{256,}")  # what a crash or a truncation leaves in a log is no sign of a binary

COLOUR = re.compile(rb"\x1b\[[0-9;]*[mK]")
"""Sets a colour or clears the rest of a line."""
BACK = rb"(?:0*|22|24|27|39|49)"
COLOURED = re.compile(rb"^\x1b|\x1b\[(?:" + BACK + rb"(?:;" + BACK + rb")*m|K)[^\x1b]*$")
"""A line that begins with a colour, or whose last one is that of before."""

LEAD_BYTES = bytes(range(0xC2, 0xF5))
"""Bytes that begin a character of several bytes in UTF-8."""

ESCAPED = re.compile("[\udc80-\udcff]")  # how Python's surrogateescape shows a byte that is not UTF-8
UNDEFINED_IN_CP1252 = frozenset("\udc81\udc8d\udc8f\udc90\udc9d")
FALLBACK = {
    chr(0xDC00 + byte): bytes([byte]).decode("cp1252", errors="ignore") or chr(byte) for byte in range(0x80, 0x100)
}


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of a file as recognition sees it; `problem` says why there is none. `bytes`: about as many."""

    lines: pl.Series
    problem: str | None = None
    bytes: int = 0


@dataclass(slots=True)
class Facts:
    """What reading found out about a file; complete once all its frames were taken."""

    sha256: str = ""
    bytes: int = 0
    lines: int = 0
    encoding: str = "utf-8"
    foreign_bytes: int = 0
    nul_bytes: int = 0
    nul_tail: int = 0
    cut_lines: int = 0
    wide_characters: int = 0
    is_beyond_cp1252: bool = False
    inner_returns: int = 0
    colours: int = 0
    is_hole: bool = False
    is_open: bool = False
    """No line end is behind the last line: a copy may have been made as it was written."""

    def note(self) -> str | None:
        """What was changed while reading, in words."""
        remarks = [
            f"reading stopped after {self.nul_tail:,} NUL bytes in a row" if self.is_hole else "",
            f"{self.nul_bytes:,} NUL bytes removed" if self.nul_bytes else "",
            f"{self.inner_returns:,} carriage returns within lines, which end no line here"
            if self.inner_returns
            else "",
            f"{self.colours:,} commands for colours removed" if self.colours else "",
            f"{self.cut_lines:,} lines over 1 MiB cut" if self.cut_lines else "",
            f"{self.foreign_bytes:,} bytes that are not UTF-8 read as cp1252"
            if self.foreign_bytes and self.encoding.startswith("utf-8")
            else "",
        ]
        return "; ".join(filter(None, remarks)) or None


def read_head(stream: BinaryIO, encoding: str | None = None) -> Head:
    """The first lines of a file: at most 400, from its first 64 KiB after leading NUL bytes; long lines are cut."""
    raw = stream.read(HEAD_BYTES)
    if not raw:
        return Head(_texts(b""), EMPTY)
    content = raw.lstrip(b"\0")
    passed = len(raw) - len(content)
    while not content and passed < MAX_LEADING_NULS:
        raw = stream.read(HEAD_BYTES)
        if not raw:
            break
        passed += len(raw)
        content = raw.lstrip(b"\0")
    if not content:
        return Head(_texts(b""), "binary: nothing but NUL bytes")
    if passed >= HEAD_BYTES:
        content += stream.read(HEAD_BYTES - len(content))
        raw = content
    codec, mark = _codec(raw, encoding)
    problem = None if codec else _binary(raw)
    if problem is not None:
        return Head(_texts(b""), f"binary: {problem}")
    if codec is None:
        raw = _past_long_lines(raw, stream)
    data = _as_bytes_of_utf8(raw[mark:], codec).replace(b"\0", b"")
    if _ends_with_cr(data):
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    is_cut = bool(stream.read(1))
    end = data.rfind(b"\n") + 1
    whole = data[:end] if is_cut and end else data
    return Head(_texts(_valid(_plain(whole, Facts()), Facts())).head(HEAD_LINES), bytes=len(whole))


def _past_long_lines(head: bytes, stream: BinaryIO) -> bytes:
    """The head with a long line at its end cut short, and with what follows that line."""
    passed = 0
    end = head.rfind(b"\n") + 1
    while len(head) - end > LONG_LINE and end < HEAD_BYTES:
        block = stream.read(HEAD_BYTES)
        while block and b"\n" not in block and passed < MAX_LEADING_NULS:
            passed += len(block)
            block = stream.read(HEAD_BYTES)
        if b"\n" not in block:
            return head
        head = _whole_characters(head[: end + LONG_LINE]) + block[block.index(b"\n") :]
        head += stream.read(max(0, HEAD_BYTES - len(head)))
        end = head.rfind(b"\n") + 1
    return head


def digest(stream: BinaryIO) -> str:
    """SHA-256 of a whole file."""
    sha256 = hashlib.sha256()
    while block := stream.read(BLOCK_BYTES):
        sha256.update(block)
    return sha256.hexdigest()


def read_lines(
    stream: BinaryIO, file_id: int, facts: Facts, encoding: str | None = None, *, block_bytes: int = BLOCK_BYTES
) -> Iterator[pl.DataFrame]:
    """Yield the lines of a file as frames of `LINE_SCHEMA`, a block at a time, and fill `facts`."""
    carry = b""
    is_passing = False  # over the rest of a line that is longer than the cap
    for block in _blocks(stream, facts, encoding, block_bytes):
        fresh = block
        if is_passing:
            end = fresh.find(b"\n")
            if end < 0:
                continue
            fresh, is_passing = fresh[end:], False
        data = carry + fresh
        end = data.rfind(b"\n") + 1
        whole, carry = data[:end], data[end:]
        if len(carry) > LINE_CAP + 8:
            carry, is_passing = _whole_characters(carry[: LINE_CAP + 8]), True
        if whole:
            yield _frame(whole, file_id, facts)
    facts.is_open = bool(carry) or facts.nul_tail >= LEAST_NUL_TAIL
    if carry:
        yield _frame(carry, file_id, facts)
    if facts.nul_tail >= LEAST_NUL_TAIL:
        yield _frame(b"\0", file_id, facts)
    if facts.foreign_bytes > facts.wide_characters and facts.encoding.startswith("utf-8"):
        facts.encoding = "latin-1" if facts.is_beyond_cp1252 else "cp1252"


def chunks(
    frames: Iterable[pl.DataFrame],
    boundary: str | None,
    *,
    chunk_bytes: int = CHUNK_BYTES,
    max_chunk_bytes: int = MAX_CHUNK_BYTES,
) -> Iterator[pl.DataFrame]:
    """Join frames of one format, files in order, and cut them again into chunks of bounded size.

    A chunk ends with a file or before a line that matches `boundary`, so that no record is torn. Where a file offers
    no such place for `max_chunk_bytes`, it is cut anyway: memory comes first.
    """
    held: list[pl.DataFrame] = []
    size = 0
    for frame in frames:
        held.append(frame)
        size += text_bytes(frame)
        if size < chunk_bytes:
            continue
        joined = pl.concat(held, rechunk=True)  # of many pieces, gathering rows takes ten times as long
        cut = _last_cut(joined, boundary)
        if cut == 0 and size >= max_chunk_bytes:
            cut = joined.height
        if cut:
            yield joined[:cut]
            joined = joined[cut:]
        held = [joined]
        size = text_bytes(joined)
    rest = pl.concat(held, rechunk=True) if held else None
    if rest is not None and rest.height:
        yield rest


def text_bytes(frame: pl.DataFrame) -> int:
    """Bytes of the texts of numbered lines."""
    return int(frame.get_column("text").str.len_bytes().sum())


# --- chunks ----------------------------------------------------------------------------------------------------------


def _last_cut(frame: pl.DataFrame, boundary: str | None) -> int:
    """The last row before which the frame may be cut; 0 if there is none."""
    ids = frame.get_column("file_id")
    last_file = int(ids.search_sorted(ids[-1], side="left"))
    if boundary is not None:
        for count in (1_000, 50_000, frame.height):  # a boundary is near the end nearly always
            start = max(last_file, frame.height - count)
            hits = frame.get_column("text")[start:].str.contains(boundary).arg_true()
            if len(hits):
                return start + int(hits[-1])
    return last_file


# --- bytes -----------------------------------------------------------------------------------------------------------


def _blocks(stream: BinaryIO, facts: Facts, encoding: str | None, block_bytes: int) -> Iterator[bytes]:
    """Blocks of byte-oriented text without NUL bytes, with lines ended by LF, from any file; hashed as read."""
    sha256 = hashlib.sha256()
    first = stream.read(max(block_bytes, HEAD_BYTES))
    codec, mark = _codec(first[:HEAD_BYTES], encoding)
    facts.encoding = codec or ("utf-8-sig" if mark else "utf-8")
    decoder = codecs.getincrementaldecoder(codec)("replace") if codec else None
    is_mac = _ends_with_cr(_as_bytes_of_utf8(first[mark:HEAD_BYTES], codec).replace(b"\0", b""))
    held = b""
    ends_with_return = False
    block = first
    while block:
        sha256.update(block)
        facts.bytes += len(block)
        content = block[mark:]
        mark = 0
        if decoder is not None:
            content = decoder.decode(content).encode("utf-8", "replace")
        if b"\0" in content:
            facts.nul_bytes += content.count(b"\0")
            tail = len(content) - len(content.rstrip(b"\0"))
            facts.nul_tail = tail + (facts.nul_tail if tail == len(content) else 0)
            content = content.translate(None, b"\0") if tail < len(content) else b""
        elif content:
            facts.nul_tail = 0
        if is_mac:
            content = held + content
            held = b"\r" if content.endswith(b"\r") else b""  # its LF may be in the next block
            content = content[: len(content) - len(held)].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        elif content:
            facts.inner_returns += ends_with_return and not content.startswith(b"\n")
            ends_with_return = content.endswith(b"\r")  # its LF may be in the next block
            if b"\r" in content:
                facts.inner_returns += content.count(b"\r") - content.count(b"\r\n") - ends_with_return
        yield content
        facts.is_hole = facts.nul_tail > MAX_NULS
        block = b"" if facts.is_hole else stream.read(block_bytes)
    if decoder is not None:
        yield decoder.decode(b"", final=True).encode("utf-8", "replace")
    if held:
        yield b"\n"
    facts.sha256 = "" if facts.is_hole else sha256.hexdigest()


def _codec(head: bytes, encoding: str | None) -> tuple[str | None, int]:
    """The codec of a file that is not to be read as UTF-8 with its fallback, and the length of a byte order mark."""
    for mark, codec in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if head.startswith(mark) and (encoding is None or "16" in encoding):
            return codec, len(mark)
    mark_length = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
    if encoding is not None:
        name = codecs.lookup(encoding).name
        if name == "utf-16":  # the codec of this name wants a mark
            return _wide_codec(head[:4096]) or "utf-16-le", 0
        if name == "utf-32" and not head.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
            return "utf-32-le", 0
        return (None, mark_length) if name in {"utf-8", "utf-8-sig"} else (name, 0)
    if mark_length:
        return None, mark_length
    return _wide_codec(head[:4096]), 0


def _wide_codec(head: bytes) -> str | None:
    """UTF-16 without a mark: of each pair of bytes, the same one is NUL."""
    pairs = len(head) // 2
    if pairs < 2:
        return None
    high = head[1 : 2 * pairs : 2].count(0)
    low = head[0 : 2 * pairs : 2].count(0)
    if high >= 0.75 * pairs and low <= 0.05 * pairs:
        return "utf-16-le"
    if low >= 0.75 * pairs and high <= 0.05 * pairs:
        return "utf-16-be"
    return None


def _binary(head: bytes) -> str | None:
    """Why a file is no text, or None."""
    for magic, what in MAGIC:
        if head.startswith(magic):
            return what
    content = head.rstrip(b"\0")
    if b"\0" in content:
        content = LONG_NUL_RUN.sub(b"", content)
    if content.count(0) > MAX_NUL_SHARE * len(content):
        return "many NUL bytes"
    control_count = len(content) - len(content.translate(None, CONTROLS))
    if control_count > MAX_CONTROL_SHARE * len(content):
        return "many control bytes"
    return None


def _as_bytes_of_utf8(raw: bytes, codec: str | None) -> bytes:
    if codec is None:
        return raw
    return codecs.getincrementaldecoder(codec)("replace").decode(raw).encode("utf-8", "replace")


def _ends_with_cr(content: bytes) -> bool:
    """Whether lines end with CR alone: there is one that no LF can follow, and no LF."""
    return b"\n" not in content and b"\r" in content[:-1]


def _whole_characters(data: bytes) -> bytes:
    """Data without a character that is cut at its end."""
    end = len(data)
    while end > len(data) - 4 and data[end - 1] >= 0x80:
        end -= 1
    return data[:end]


def without_colours(data: bytes) -> tuple[bytes, int]:
    """Whole lines without the colours that a program gave them, and how many commands for these were removed.

    Such a line begins with a colour or takes the last one back, and holds no other command for a terminal. What else
    looks like one is a part of what the line says, and stays.
    """
    if b"\x1b" not in data:
        return data, 0
    plain, count = [], 0
    for line in data.split(b"\n"):
        bare, found = COLOUR.subn(b"", line) if b"\x1b" in line else (line, 0)
        is_coloured = found > 0 and b"\x1b" not in bare and COLOURED.search(line) is not None
        plain.append(bare if is_coloured else line)
        count += found * is_coloured
    return b"\n".join(plain), count


def _plain(data: bytes, facts: Facts) -> bytes:
    plain, count = without_colours(data)
    facts.colours += count
    return plain


def _valid(data: bytes, facts: Facts) -> bytes:
    """Data as valid UTF-8; bytes that are not are replaced by what they are in cp1252, else latin-1."""
    if data.isascii():
        return data
    facts.wide_characters += len(data) - len(data.translate(None, LEAD_BYTES))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "surrogateescape")
    else:
        return data
    foreign = "".join(ESCAPED.findall(text))
    facts.foreign_bytes += len(foreign)
    facts.wide_characters -= len(foreign) - len(foreign.encode("utf-8", "surrogateescape").translate(None, LEAD_BYTES))
    facts.is_beyond_cp1252 |= not UNDEFINED_IN_CP1252.isdisjoint(foreign)
    return ESCAPED.sub(lambda found: FALLBACK[found[0]], text).encode("utf-8")


def _texts(data: bytes) -> pl.Series:
    """Lines without their ends. Python splits short text several times as fast as Polars plans to do it."""
    if len(data) <= SHORT_TEXT:
        texts = data.decode("utf-8").replace("\r\n", "\n").split("\n")
        if not texts[-1]:
            texts.pop()
        elif texts[-1].endswith("\r"):
            texts[-1] = texts[-1][:-1]
        return pl.Series("text", texts, dtype=pl.String)
    return pl.scan_lines(io.BytesIO(data), name="text").collect().get_column("text")


def _frame(data: bytes, file_id: int, facts: Facts) -> pl.DataFrame:
    # what is valid may be longer: bytes that are no UTF-8 become characters of two or three
    valid = _valid(_plain(data, facts), facts)
    texts = _texts(valid)
    if len(valid) > LINE_CAP and (is_long := texts.str.len_bytes() > LINE_CAP).any():
        facts.cut_lines += int(is_long.sum())
        texts = texts.scatter(is_long.arg_true(), [_cut(text) for text in texts.filter(is_long)])
    first = facts.lines + 1
    facts.lines += len(texts)
    numbers = pl.int_range(first, facts.lines + 1, dtype=pl.Int32, eager=True).alias("line_no")
    # of hundreds of small files: `repeat` plans a query for each
    own = pl.Series("file_id", [file_id], dtype=pl.Int32).new_from_index(0, len(texts))
    return pl.DataFrame([own, numbers, texts])


def _cut(text: str) -> str:
    return text.encode("utf-8")[:LINE_CAP].decode("utf-8", "ignore")
