"""Small inputs of every format: files of samples and, where it is there, of the corpus of real logs."""

import io
from collections import defaultdict
from functools import cache
from pathlib import Path

import polars as pl

from bench.growth.seeds import OTHERS
from parsers.format import formats
from pipeline.reading.lines import Facts, read_head, read_lines
from pipeline.reading.recognition import Question, recognise_each

PROJECT = Path(__file__).parents[2]
FOLDERS = (PROJECT / "samples", PROJECT / ".." / "shared" / "corpus")
MOST_BYTES = 60_000
MOST_LINES = 250


@cache
def seeds(most: int = 6) -> dict[str, tuple[str, ...]]:
    """Different texts of each format, the shortest ones."""
    found: dict[str, set[str]] = defaultdict(set)
    files = [each for folder in FOLDERS for each in sorted(folder.rglob("*")) if each.is_file()]
    contents = [(each, each.read_bytes()) for each in files if each.stat().st_size <= MOST_BYTES]
    heads = [(path, content, read_head(io.BytesIO(content))) for path, content in contents]
    texts = [(path, content, head) for path, content, head in heads if head.problem is None]
    decided = recognise_each([Question(head.lines, path.name) for path, _, head in texts], formats())
    for (_, content, _), decision in zip(texts, decided, strict=True):
        if decision.format is not None:
            lines = pl.concat(read_lines(io.BytesIO(content), 1, Facts()))["text"].head(MOST_LINES)
            found[decision.format].add("\n".join(lines) + "\n")
    for name, text in OTHERS.items():
        found[name].add(text)
    return {name: tuple(sorted(texts, key=lambda text: (len(text), text))[-most:]) for name, texts in found.items()}


def frame(text: str, file_id: int) -> pl.DataFrame:
    """A text as the numbered lines of a file."""
    found = list(read_lines(io.BytesIO(text.encode()), file_id, Facts()))
    return pl.concat(found)
