"""Files that grow: lines that get longer, more lines, deeper nesting, more files; what reading them costs."""

import io
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from parsers.format import Format, formats
from pipeline.reading.lines import Facts, chunks, read_head, read_lines
from pipeline.reading.recognition import recognise
from pipeline.reading.unit import Work, run

TOKENS = (
    *" \ta0/\\-.,:;=~+*#$%@|_'\"()[]{}<>",
    *("()", "[]", "{}", "a ", "a,", "a=", "a/", "0.", "0:", "0 ", "-a ", "[a", "<a>", '"a",', '{"a":', "é", "\u00a0"),
    *("2013-01-01 00:00:00 ", "a=1 ", "(a) ", "\\u0000", "Jan  1 00:00:00 h a: ", "\r", "\0"),
)
NESTING = ("{", "[", "<a>", '{"a":', '[{"a":', "(", "a {", "include x", '"')
LENGTHS = (1_000, 4_000, 16_000)
COUNTS = (500, 2_000, 8_000)
FILES = (300, 1_200, 4_800)
ENOUGH_S = 0.25
"""CPU seconds from which on growth can be measured; what stays below at the greatest size is fast enough."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A way to grow a seed: `grown` gives the files of a size."""

    name: str
    sizes: tuple[int, ...]
    grown: Callable[[bytes, int], list[bytes]]


@dataclass(frozen=True, slots=True)
class Cost:
    """What it cost to read files of so many bytes: CPU seconds, and the most memory above that before, in MiB."""

    bytes: int
    cpu_s: float
    peak_mib: float


def least(one: Cost, other: Cost) -> Cost:
    """Of two measurements of the same files, what a busy machine added to least."""
    return Cost(one.bytes, min(one.cpu_s, other.cpu_s), min(one.peak_mib, other.peak_mib))


def shapes(*, is_apart: bool = False) -> Iterator[Shape]:
    """All shapes; `is_apart`: one for each token, which shows what a format is slow on, and takes long."""
    for tokens in _groups(TOKENS, is_apart):
        yield Shape(f"lines of {_named(tokens)}", LENGTHS, _long_lines(tokens))
    for tokens in _groups(NESTING, is_apart):
        yield Shape(f"depth of {_named(tokens)}", COUNTS, _deep(tokens))
    yield Shape("the whole again", (5, 20, 80), _again)
    yield Shape("each line again", COUNTS, _each_line)
    yield Shape("numbered lines", COUNTS, _numbered)
    yield Shape("other words", COUNTS, _other_words)
    yield Shape("files", FILES, _files)


def _groups(tokens: tuple[str, ...], is_apart: bool) -> list[tuple[str, ...]]:  # noqa: FBT001  read with its name
    return [(each,) for each in tokens] if is_apart else [tokens]


def _named(tokens: tuple[str, ...]) -> str:
    return repr(tokens[0]) if len(tokens) == 1 else "tokens"


def cost(parser: Format, files: Sequence[bytes]) -> Cost:
    """Recognise, read and parse files together."""
    before = _peak_mib(is_reset=True)
    began = time.process_time()
    for content in files[:20]:
        recognise(read_head(io.BytesIO(content)).lines, "x", formats())
    for chunk in chunks(_lines(files), parser.boundary):
        run(Work(parser.name, chunk))
    return Cost(sum(map(len, files)), time.process_time() - began, _peak_mib() - before)


def _lines(files: Sequence[bytes]) -> Iterator[pl.DataFrame]:
    for file_id, content in enumerate(files, 1):
        yield from read_lines(io.BytesIO(content), file_id, Facts())


def _peak_mib(*, is_reset: bool = False) -> float:
    """The most memory held so far; since now on, where it is reset (Linux)."""
    if is_reset:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _kinds(seed: bytes, most: int = 12) -> list[bytes]:
    """Some lines that differ in their first characters, spread over the file."""
    found: dict[bytes, bytes] = {}
    for line in seed.splitlines()[:2000]:
        found.setdefault(bytes(48 if 48 <= each <= 57 else each for each in line[:12]), line)
    return list(found.values())[:: max(1, len(found) // most)][:most]


def _head(seed: bytes) -> bytes:
    return b"".join(seed.splitlines(keepends=True)[:40])


def _long_lines(tokens: tuple[str, ...]) -> Callable[[bytes, int], list[bytes]]:
    def grown(seed: bytes, size: int) -> list[bytes]:
        made = []
        for token in tokens:
            pumped = token.encode() * (size // len(token.encode()))
            made.append(pumped + b" x")
            for line in _kinds(seed, 3):
                words = line.split(b" ")
                middle = len(words) // 2
                made.append(line + pumped + b"\x01")
                made.append(b" ".join([*words[:middle], pumped, *words[middle:]]))
                made.append(words[0] + pumped + b"\x01")
        return [seed + b"\n" + b"\n".join(made) + b"\n"]

    return grown


def _deep(tokens: tuple[str, ...]) -> Callable[[bytes, int], list[bytes]]:
    def grown(seed: bytes, size: int) -> list[bytes]:
        lines = seed.splitlines(keepends=True)
        first, rest = b"".join(lines[: len(lines) // 2 + 1]), b"".join(lines[len(lines) // 2 + 1 :])
        made = []
        for token in tokens:
            made.append(first + (token.encode() + b"\n") * size + rest)
            made.append(first + token.encode() * size + b"\n" + rest)
            made.append(lines[0] + token.encode() * size + b"\n" + rest)
        return made

    return grown


def _again(seed: bytes, size: int) -> list[bytes]:
    return [(seed.rstrip(b"\n") + b"\n") * (size * 16_384 // max(len(seed), 1024))]


def _each_line(seed: bytes, size: int) -> list[bytes]:
    return [_head(seed) + b"\n" + (line + b"\n") * size for line in _kinds(seed, 6)]


def _numbered(seed: bytes, size: int) -> list[bytes]:
    kinds = _kinds(seed, 6)
    return [
        _head(seed) + b"\n" + b"".join(line.replace(b"1", b"%d" % number) + b"\n" for number in range(size))
        for line in kinds
    ]


def _other_words(seed: bytes, size: int) -> list[bytes]:
    made = []
    for line in _kinds(seed, 4):
        words = line.split(b" ")
        for place in {0, len(words) // 2, len(words) - 1}:
            varied = (b" ".join([*words[:place], words[place] + b"x%d" % n, *words[place + 1 :]]) for n in range(size))
            made.append(_head(seed) + b"\n" + b"\n".join(varied) + b"\n")
    return made


def _files(seed: bytes, size: int) -> list[bytes]:
    return [seed[:8192]] * size
