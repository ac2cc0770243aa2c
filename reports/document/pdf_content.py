"""A report's PDF read back: the files attached to it, and whether the whole file is as it was written.

Only what `reports.document.pdf` writes is read: one stream of compressed objects and one of cross references. The
second identifier of such a file is the MD5 of all its objects in order, computed again here; what is around the
objects has one form only, and must have it. So no changed byte goes unseen, but for the first identifier, that of
the report's input, which its reader compares, and the few bits that fill up the last byte of the packed cross
references, which mean nothing. It detects damage, not forgery.
"""

import hashlib
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

LETTERS = rb"(?:[^\\()]|\\.)*"
LITERAL = rb"\((" + LETTERS + rb")\)"
PROLOGUE = b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n"
START = re.compile(rb"startxref\n([0-9]+)\n%%EOF\n$")
HEAD = re.compile(rb"([0-9]+) 0 obj\n")
CROSS_REFERENCES = re.compile(
    rb"<</Type /XRef/Index \[0 (?P<count>[0-9]+)\]/W \[(?P<widths>[0-9]+ [0-9]+ [0-9]+)\]/Size (?P=count)/Root "
    rb"(?P<root>[0-9]+) 0 R"
    rb"/Info (?P<info>[0-9]+) 0 R/ID \[\((?P<input>" + LETTERS + rb")\) \((?P<objects>" + LETTERS + rb")\)\]"
    rb"/Filter /FlateDecode/Length (?P<length>[0-9]+)>>\nstream\n(?P<body>.*)\nendstream",
    re.DOTALL,
)
COMPRESSED = re.compile(rb"/Type /ObjStm/N ([0-9]+)/First ([0-9]+)")
STREAM = re.compile(rb"(?P<head><<.*?>>)\nstream\n(?P<body>.*)\nendstream", re.DOTALL)
FILE_NAME = re.compile(rb"/Type /Filespec/F " + LITERAL + rb".*?/EF <</F ([0-9]+) 0 R>>", re.DOTALL)
WIDE_FILE_NAME = re.compile(rb"/Type /Filespec.*?/UF <feff([0-9a-fA-F]*)>.*?/EF <</F ([0-9]+) 0 R>>", re.DOTALL)
END_OF_OBJECT = b"\nendobj\n"


class NotReadableError(ValueError):
    """A file that is no PDF of ours, or so damaged that it cannot be read."""


@dataclass(frozen=True, slots=True)
class PdfContent:
    """What is in a report. `identifier`: that of its input; `is_whole`: no object differs from what was written."""

    attachments: Mapping[str, bytes]
    identifier: bytes
    is_whole: bool


def read(data: bytes) -> PdfContent:
    """Read a PDF that `reports.document.pdf` wrote; any other is a `NotReadableError`."""
    try:
        return _content(data)
    except (zlib.error, IndexError, KeyError, UnicodeDecodeError, OverflowError, MemoryError) as error:
        raise NotReadableError(str(error)) from error


def _content(data: bytes) -> PdfContent:
    start = START.search(data[-64:])
    if not data.startswith(PROLOGUE) or start is None:
        raise NotReadableError("it has not the beginning and end of a PDF")
    number, table = _at(data, int(start[1]), len(data) - len(start[0]))
    cross_references = CROSS_REFERENCES.fullmatch(table)
    if cross_references is None:
        raise NotReadableError("it has no table of its objects")
    objects = _objects(data, cross_references, int(start[1]))
    content, written = (
        re.sub(rb"\\(.)", rb"\1", cross_references[each], flags=re.DOTALL) for each in ("input", "objects")
    )
    joined = b"".join(objects[number] for number in sorted(objects))
    digest = hashlib.md5(joined, usedforsecurity=False).hexdigest().encode()
    is_framed = (
        int(cross_references["count"]) == number + 1
        and int(cross_references["length"]) == len(cross_references["body"])
        and b"/Type /Catalog" in objects[int(cross_references["root"])]
        and b"/Producer " in objects[int(cross_references["info"])]
    )
    return PdfContent(dict(_attachments(objects)), content, digest == written and is_framed)


def _objects(data: bytes, cross_references: re.Match[bytes], end: int) -> dict[int, bytes]:
    """The content of every object before the cross references by its number, the compressed ones too."""
    fields = [int(each) for each in cross_references["widths"].split()]
    rows = zlib.decompress(cross_references["body"])
    step = sum(fields)
    offsets = []
    for place in range(0, len(rows), step or 1):
        kind, first, _ = _split(rows[place : place + step], fields)
        if kind == 1:
            offsets.append(first)
    places = sorted(offsets)
    if [*places[:1], *places[-1:]] != [len(PROLOGUE), end]:
        raise NotReadableError("its objects are not where its table says")
    found = dict(_at(data, one, other) for one, other in pairwise(places))
    for content in list(found.values()):
        if compressed := COMPRESSED.search(content[:200]):
            found |= _inner(_unpacked(content), int(compressed[1]), int(compressed[2]))
    return found


def _at(data: bytes, offset: int, end: int) -> tuple[int, bytes]:
    head = HEAD.match(data, offset)
    if head is None or not data.endswith(END_OF_OBJECT, head.end(), end):
        raise NotReadableError(f"no object begins at byte {offset} and ends at byte {end}")
    return int(head[1]), data[head.end() : end - len(END_OF_OBJECT)]


def _split(row: bytes, widths: list[int]) -> list[int]:
    places = [sum(widths[:i]) for i in range(len(widths) + 1)]
    return [int.from_bytes(row[one:other], "big") for one, other in pairwise(places)]


def _inner(content: bytes, count: int, first: int) -> dict[int, bytes]:
    """Objects of the stream of compressed ones: numbers and places, then the objects, parted by line feeds."""
    words = [int(each) for each in content[:first].split()]
    if len(words) != 2 * count:
        raise NotReadableError("its compressed objects are not as many as it says")
    places = [*words[1::2], len(content) - first + 1]
    return {
        number: content[first + one : first + other - 1]
        for number, (one, other) in zip(words[::2], pairwise(places), strict=True)
    }


def _unpacked(content: bytes) -> bytes:
    stream = STREAM.fullmatch(content)
    if stream is None:
        raise NotReadableError("a stream has no end")
    body = stream["body"]
    return zlib.decompress(body) if b"/FlateDecode" in stream["head"] else body


def _attachments(objects: Mapping[int, bytes]) -> Iterator[tuple[str, bytes]]:
    for content in objects.values():
        if not content.startswith(b"<</Type /Filespec"):
            continue
        if found := WIDE_FILE_NAME.match(content, 2):
            yield bytes.fromhex(found[1].decode()).decode("utf-16-be"), _unpacked(objects[int(found[2])])
        elif found := FILE_NAME.match(content, 2):
            name = re.sub(rb"\\(.)", rb"\1", found[1], flags=re.DOTALL)
            yield name.decode("latin-1"), _unpacked(objects[int(found[2])])
