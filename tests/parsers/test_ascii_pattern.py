"""Patterns over ASCII alone find in ASCII what the patterns find that they are made of."""

import re

import polars as pl
import pytest

from parsers.ascii_pattern import ascii_only


@pytest.mark.parametrize(
    ("pattern", "run"),
    [
        (r"\d+ \w\S", r"[0-9]+ [0-9A-Za-z_]\S"),
        (r"[\w,-]+\bx", r"[0-9A-Za-z_,-]+(?-u:\b)x"),
        (r"\[\d\]", r"\[[0-9]\]"),
        (r"[^\]\d]\.", r"[^\]0-9]\."),
        (r"\\d", r"\\d"),
        (r"[]\d]\d[^]\w]", r"[]0-9][0-9][^]0-9A-Za-z_]"),
    ],
)
def test_classes_of_a_pattern_are_those_of_ascii(pattern: str, run: str) -> None:
    assert ascii_only(pattern) == run


@pytest.mark.parametrize("pattern", [r"^\w+\[\d+\]", r"\b\d{1,3} [\w.-]+\b", r"[^\d\w]\w"])
def test_they_find_the_same_in_ascii(pattern: str) -> None:
    texts = pl.Series(["sshd[12]", "x 1 node-1.", "12 a_b", "", "-", "a b", "0 0", "12", ".z", "kern[x]"])
    assert texts.str.contains(ascii_only(pattern)).to_list() == [bool(re.search(pattern, each)) for each in texts]
