"""Recognises, reads and parses damaged files as an ingest does, and names those that end it."""

import io
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import polars as pl

from bench.mutants.mutations import crossed, mutated
from parsers.format import formats
from pipeline.reading.lines import Facts, read_head, read_lines
from pipeline.reading.recognition import Question, recognise_each
from pipeline.reading.unit import Work, run

AT_A_TIME = 25
CROSSED = 0.1
MOST_BYTES = 6_000
"""Of a seed, a piece from its beginning: damage in the first lines does most."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A file that ended something: its format, its bytes, the last call and the exception."""

    format: str
    content: bytes
    what: str


def faults(seeds: Mapping[str, Sequence[bytes]], count: int, seed: int) -> Iterator[Fault]:
    """Try a number of damaged files, spread evenly over the formats."""
    random = Random(seed)  # noqa: S311  repeatable, no secrets
    rounds = -(-count // (AT_A_TIME * len(seeds)))
    for _ in range(rounds):
        for name, found in seeds.items():
            yield from _tried(name, [_damaged(found, seeds, random) for _ in range(AT_A_TIME)])


def _damaged(found: Sequence[bytes], seeds: Mapping[str, Sequence[bytes]], random: Random) -> bytes:
    """A damaged file of a format; one in ten goes on as a file of any format."""
    content = _piece(random.choice(found), random)
    if random.random() < CROSSED:
        content = crossed(content, _piece(random.choice(seeds[random.choice(list(seeds))]), random), random)
    return mutated(content, random)


def _piece(content: bytes, random: Random) -> bytes:
    end = content.find(b"\n", random.choice((600, MOST_BYTES, MOST_BYTES)))
    return content if end < 0 else content[: end + 1]


def _tried(name: str, contents: Sequence[bytes]) -> Iterator[Fault]:
    """Together; where that fails, one by one."""
    try:
        _read(name, contents)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        if len(contents) == 1:
            yield Fault(name, contents[0], _last_call(error))
            return
        singles = [fault for each in contents for fault in _tried(name, [each])]
        yield from singles or [Fault(name, b"".join(contents), f"only together: {_last_call(error)}")]


def _read(name: str, contents: Sequence[bytes]) -> None:
    heads = [head.lines for each in contents if not (head := read_head(io.BytesIO(each))).problem]
    recognise_each([Question(head, "x") for head in heads], formats())
    frames = [
        frame for file_id, each in enumerate(contents, 1) for frame in read_lines(io.BytesIO(each), file_id, Facts())
    ]
    if frames:
        run(Work(name, pl.concat(frames)))


def _last_call(error: BaseException) -> str:
    last = traceback.extract_tb(error.__traceback__)
    own = [each for each in last if "site-packages" not in each.filename and "/lib/" not in each.filename]
    at = own[-1] if own else last[-1]
    return f"{at.filename.rpartition('/')[2]}:{at.lineno} {at.name}: {type(error).__name__}: {str(error)[:200]}"
