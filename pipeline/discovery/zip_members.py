"""The members of a zip archive, by the list at its end."""

import struct
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import BinaryIO

from pipeline.discovery.compression import BrokenArchiveError
from pipeline.memory import MEBIBYTE

MAX_LIST_BYTES = 32 * MEBIBYTE
MAX_SIZE = 2**63 - 1
"""What a file system can hold; a list may claim more."""

LOCAL_HEAD = struct.Struct("<26xHH")  # what is before each member; its end: lengths of name and extra fields
IS_ENCRYPTED = 0x1
IS_UTF8 = 0x800
EXTENDED_TIME = 0x5455  # Info-ZIP: seconds since 1970; the other time is the wall clock of who knows where
CODECS = {zipfile.ZIP_STORED: None, zipfile.ZIP_DEFLATED: "deflate", zipfile.ZIP_BZIP2: "bzip2", 93: "zstd"}
"""How members are compressed, by the number that the format has for it."""

DOCUMENT_PARTS = frozenset({"[Content_Types].xml", "mimetype", "META-INF/MANIFEST.MF", "AndroidManifest.xml"})
"""What shows an office document or a program that is a zip archive only technically."""


@dataclass(frozen=True, slots=True)
class ZipMember:
    """A member. `refusal` says why it is none to read; its content is compressed from `head_at` on, behind a head.

    `codec` is None for a member that is stored as it is.
    """

    name: str
    head_at: int
    stored_bytes: int
    bytes: int
    crc32: int
    modified_ns: int
    codec: str | None
    is_folder: bool
    refusal: str | None


class _Bounded:
    """A file of which nothing can be asked that would not fit into memory."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell = file.seek, file.tell

    def read(self, size: int = -1) -> bytes:
        if size > MAX_LIST_BYTES:
            raise zipfile.BadZipFile(f"a list of {size:,} bytes")
        return self._file.read(size)


def is_zip(head: bytes) -> bool:
    """Whether a file with these first bytes is a zip archive, maybe an empty one."""
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def zip_members(file: BinaryIO) -> list[ZipMember]:
    """The members in the order of the list. Raises BrokenArchiveError where there is none that can be read."""
    try:
        with zipfile.ZipFile(_Bounded(file)) as archive:
            return [_member(each) for each in archive.infolist()]
    except (zipfile.BadZipFile, NotImplementedError, struct.error, ValueError, UnicodeError, OSError) as error:
        raise BrokenArchiveError(f"the zip archive cannot be read: {error}") from error


def overlapping_members(members: Sequence[ZipMember]) -> set[int]:
    """The numbers of members that share bytes with one before them: a few bytes listed often unpack to any size."""
    found = set()
    end = 0
    for number, each in sorted(enumerate(members), key=lambda pair: pair[1].head_at):
        if each.head_at < end:
            found.add(number)
        else:
            end = each.head_at + LOCAL_HEAD.size + each.stored_bytes
    return found


def content_at(file: BinaryIO, member: ZipMember) -> int | None:
    """Where the content of a member begins, behind its head; None where there is no head."""
    file.seek(member.head_at)
    head = file.read(LOCAL_HEAD.size)
    if len(head) < LOCAL_HEAD.size or not is_zip(head):
        return None
    name_length, extra_length = LOCAL_HEAD.unpack(head)
    return member.head_at + LOCAL_HEAD.size + int(name_length) + int(extra_length)


def is_document(members: list[ZipMember]) -> bool:
    """Whether the archive is a document or a program rather than a collection of files."""
    return not DOCUMENT_PARTS.isdisjoint(each.name for each in members)


def _member(info: zipfile.ZipInfo) -> ZipMember:
    return ZipMember(
        name=_name(info),
        head_at=info.header_offset,
        stored_bytes=info.compress_size,
        bytes=min(info.file_size, MAX_SIZE),
        crc32=info.CRC,
        modified_ns=_modified_ns(info),
        codec=CODECS.get(info.compress_type),
        is_folder=info.is_dir(),
        refusal=_refusal(info),
    )


def _name(info: zipfile.ZipInfo) -> str:
    """Names without the mark of UTF-8 are of code page 437, says the format; many a program writes UTF-8 anyway."""
    if info.flag_bits & IS_UTF8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _refusal(info: zipfile.ZipInfo) -> str | None:
    mode = info.external_attr >> 16
    if info.header_offset < 0 or max(info.header_offset, info.compress_size, info.file_size) > MAX_SIZE:
        return "damaged: no file is so large"
    if info.flag_bits & IS_ENCRYPTED:
        return "encrypted: unpack it with its password"
    if mode >> 12 == 0o12:
        return "a symbolic link"
    if mode >> 12 not in (0, 0o4, 0o10):
        return "a device, not a file"
    if info.compress_type not in CODECS:
        return f"compressed by method {info.compress_type} of zip, which is not read"
    return None


def _modified_ns(info: zipfile.ZipInfo) -> int:
    for tag, content in _extra_fields(info.extra):
        if tag == EXTENDED_TIME and len(content) >= 5 and content[0] & 1:
            return int.from_bytes(content[1:5], "little", signed=True) * 1_000_000_000
    try:
        return int(datetime(*info.date_time, tzinfo=UTC).timestamp()) * 1_000_000_000
    except ValueError:  # no month, no day
        return 0


def _extra_fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    while len(extra) >= 4:
        tag, length = struct.unpack("<HH", extra[:4])
        yield tag, extra[4 : 4 + length]
        extra = extra[4 + length :]
