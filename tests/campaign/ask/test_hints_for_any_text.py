"""Hints are given for any text without failing."""

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from parsers.format import formats
from pipeline.ask.explain.hints import looks, nearest
from tests.support.examples import COSTLY


@COSTLY
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), max_size=60), max_size=8))
def test_any_text_is_looked_at_without_failing(lines: list[str]) -> None:
    for look in looks(lines):
        assert 1 <= look.line_no <= len(lines)
    head = pl.Series("text", lines, dtype=pl.String())
    for found in nearest({1: head}, formats()).values():
        assert 0 < found.read_count <= found.line_count == len(lines)
