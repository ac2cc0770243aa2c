"""What a format says a file of its own must have is in every file that it claims."""

from pathlib import Path

import polars as pl
import pytest

from parsers.format import Recognition, formats
from pipeline.reading.lines import read_head

ROOT = Path(__file__).parents[3]
CORPUS = ROOT.parent / "shared" / "corpus"


@pytest.mark.parametrize(
    "folder",
    [
        ROOT / "samples",
        pytest.param(
            CORPUS, marks=pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside this checkout")
        ),
    ],
    ids=["samples", "corpus"],
)
def test_what_a_format_claims_has_what_it_needs(folder: Path) -> None:
    needy = {name: each for name, each in formats().items() if each.needs is not None}
    by_name = {path.name: path for path in sorted(folder.rglob("*")) if path.is_file()}  # runs have files of one name
    heads = [_head(path) for path in by_name.values()]
    claimed = 0
    for name, each in needy.items():  # one format after the other: patterns are compiled once
        for head in heads:
            if isinstance(each.recognise(head), Recognition):
                claimed += 1
                assert head.str.contains(str(each.needs)).any(), (head.head(3).to_list(), name)
    assert claimed > 10


def _head(path: Path) -> pl.Series:
    with path.open("rb", buffering=0) as stream:
        return read_head(stream).lines
