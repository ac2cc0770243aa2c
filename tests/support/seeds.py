"""Small inputs of every format: files of samples and, where it is there, of the corpus of real logs."""

import io
from collections import defaultdict
from functools import cache

import polars as pl

from bench.growth.seeds import OTHERS, recognised
from pipeline.reading.lines import Facts, read_lines
from samples.files import SAMPLES

FOLDERS = (SAMPLES, SAMPLES.parents[1] / "shared" / "corpus")
MOST_BYTES = 60_000
MOST_LINES = 250


@cache
def seeds(most: int = 6) -> dict[str, tuple[str, ...]]:
    """Different texts of each format, the longest of those that are read."""
    found: dict[str, set[str]] = defaultdict(set)
    for folder in FOLDERS:
        for name, content in recognised(folder, MOST_BYTES):
            lines = pl.concat(read_lines(io.BytesIO(content), 1, Facts()))["text"].head(MOST_LINES)
            found[name].add("\n".join(lines) + "\n")
    for name, text in OTHERS.items():
        found[name].add(text)
    return {name: tuple(sorted(texts, key=lambda text: (len(text), text))[-most:]) for name, texts in found.items()}


def frame(text: str, file_id: int) -> pl.DataFrame:
    """A text as the numbered lines of a file."""
    found = list(read_lines(io.BytesIO(text.encode()), file_id, Facts()))
    return pl.concat(found)
