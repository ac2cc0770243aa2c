"""The members of a tar archive, read from the beginning to the end of a stream.

tarfile decodes each head. What is between heads is read here, within bounds: `TarFile` would hold a name of any
length in memory, and before Python 3.11.10 a list of attributes that is one long number keeps it busy for minutes.
"""

import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.discovery.compression import BrokenArchiveError, Stream
from pipeline.discovery.entry_names import as_text

BLOCK_BYTES = 512
MAX_HEADER_BYTES = 1024 * 1024
"""Of the lists of attributes and long names that are before a member."""

KINDS = {
    tarfile.SYMTYPE: "a symbolic link to {link}",
    tarfile.LNKTYPE: "a link to {link}",
    tarfile.FIFOTYPE: "a FIFO, not a file",
    tarfile.CHRTYPE: "a device, not a file",
    tarfile.BLKTYPE: "a device, not a file",
    tarfile.GNUTYPE_SPARSE: "a sparse file, whose holes tar leaves out",
    b"V": "the name of a volume",
    b"M": "the rest of a file that began in another volume",
}
LONG_NAME, LONG_LINK = tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK
ATTRIBUTES = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
IS_EXTENDED = 482
MORE_FOLLOWS = 504
"""Where GNU tar says that its map of holes goes on: in the head, and in each further block of the map."""

MAX_SECONDS = 9_000_000_000
MAX_SIZE = 2**63 - 1
"""What a file system can hold; a head may claim more."""

ENCODING = ("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class TarMember:
    """A member. Its content is in the stream from `offset` on; `refusal` says why it is none to read."""

    name: str
    offset: int
    bytes: int
    modified_ns: int
    is_folder: bool
    refusal: str | None


def is_tar(head: bytes) -> bool:
    """Whether a file with these first 512 bytes is a tar archive: the head's checksum says so."""
    return _decoded(head[:BLOCK_BYTES]) is not None


def _decoded(block: bytes) -> tarfile.TarInfo | None:
    """What a head says; None where it is none."""
    if not block.strip(b"\0"):
        return None
    try:
        info = tarfile.TarInfo.frombuf(block, *ENCODING)
    except (tarfile.TarError, ValueError):
        return None
    return info if 0 <= info.size <= MAX_SIZE else None


def tar_members(stream: Stream) -> Iterator[TarMember]:
    """The members in their order. The stream may be read up to the member's end before the next one is asked for.

    Raises BrokenArchiveError where the archive ends early or is damaged.
    """
    said: dict[str, str] = {}  # what an earlier head gives of the member to come
    while (head := _head(stream)) is not None:
        block, info = head
        if info.type in (LONG_NAME, LONG_LINK):
            key = "path" if info.type == LONG_NAME else "linkpath"
            said[key] = _text(_content(stream, info.size).split(b"\0")[0])
        elif info.type in ATTRIBUTES:
            said |= _attributes(_content(stream, info.size))
        elif info.type == tarfile.XGLTYPE:
            _content(stream, info.size)
        else:
            if info.type == tarfile.GNUTYPE_SPARSE and block[IS_EXTENDED]:
                _pass_map_of_holes(stream)
            member = _member(info, stream.position, said)
            said = {}
            yield member
            _pass(stream, member)


def _pass(stream: Stream, member: TarMember) -> None:
    """Go on to what follows a member."""
    end = member.offset + member.bytes
    stream.skip(member.offset + _padded(member.bytes) - stream.position)
    if stream.position < end:
        raise BrokenArchiveError(stream.note or f"the archive ends early after {stream.position:,} bytes")


def _head(stream: Stream) -> tuple[bytes, tarfile.TarInfo] | None:
    """The next head and what it says; None at the end."""
    at = stream.position
    block = stream.read(BLOCK_BYTES)
    if not block and stream.note is None:  # without the two empty blocks that should end it: nothing is missing
        return None
    if len(block) < BLOCK_BYTES:
        raise BrokenArchiveError(stream.note or f"the archive ends early after {at + len(block):,} bytes")
    if not block.strip(b"\0"):
        return None
    info = _decoded(block)
    if info is None:
        raise BrokenArchiveError(f"the archive is damaged after {at:,} bytes")
    return block, info


def _member(info: tarfile.TarInfo, offset: int, said: dict[str, str]) -> TarMember:
    name = said.get("path", info.name)
    refusal = KINDS.get(info.type)
    if any(key.startswith("GNU.sparse.") for key in said):
        refusal = KINDS[tarfile.GNUTYPE_SPARSE]
    has_content = info.isreg() or info.type not in tarfile.SUPPORTED_TYPES
    return TarMember(
        name=name,
        offset=offset,
        bytes=_number(said.get("size"), info.size) if has_content else 0,
        modified_ns=_nanoseconds(said.get("mtime"), info.mtime),
        is_folder=info.isdir(),
        refusal=refusal and refusal.format(link=as_text(said.get("linkpath", info.linkname))),
    )


def _content(stream: Stream, size: int) -> bytes:
    """What stands behind a head that is about the next member, padding passed over."""
    at = stream.position
    if size > MAX_HEADER_BYTES:
        raise BrokenArchiveError(f"the archive is damaged after {at:,} bytes: a head of {size:,} bytes")
    content = stream.read(_padded(size))
    if len(content) < size:
        raise BrokenArchiveError(stream.note or f"the archive ends early after {at + len(content):,} bytes")
    return content[:size]


def _attributes(content: bytes) -> dict[str, str]:
    """Records such as `30 mtime=1553222097.123456`, each with its own length in front and a line feed behind."""
    found: dict[str, str] = {}
    while content:
        length, _, _ = content.partition(b" ")
        size = int(length) if length.isdigit() and len(length) < 8 else 0
        key, is_pair, value = content[len(length) + 1 : size - 1].partition(b"=")
        if not is_pair:
            break
        found[_text(key)] = _text(value)
        content = content[size:]
    return found


def _pass_map_of_holes(stream: Stream) -> None:
    """A sparse member of GNU tar has further blocks before its content."""
    while len(block := stream.read(BLOCK_BYTES)) == BLOCK_BYTES and block[MORE_FOLLOWS]:
        pass


def _padded(size: int) -> int:
    return -(-size // BLOCK_BYTES) * BLOCK_BYTES


def _number(declared: str | None, otherwise: int) -> int:
    return int(declared) if declared is not None and declared.isdecimal() and len(declared) < 16 else otherwise


def _nanoseconds(declared: str | None, seconds: float) -> int:
    """Since 1970; 0 where nonsense is given."""
    if declared is not None and re.fullmatch(r"-?[0-9]{1,11}(?:\.[0-9]{1,40})?", declared, re.ASCII):
        seconds = float(declared)
    return int(seconds * 1_000_000_000) if abs(seconds) < MAX_SECONDS else 0


def _text(raw: bytes) -> str:
    return raw.decode(*ENCODING)
