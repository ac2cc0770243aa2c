"""Patterns of the parsers stay linear, and the probe finds one that is not."""

import re

import pytest

from bench.growth.facts import cpu_s, labs
from bench.growth.patterns import Pattern, patterns, slow


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"(?P<command>\S.*?)\s*$", id="a text to its last word"),
        pytest.param(r"(?:\S*[~/]\S*|)\s*(?:\S+ )?[>$#%] ", id="cubic: a path in a word"),
        pytest.param(r"gabconfig\s*;?\s*(?:#.*)?", id="blanks that two repeats can take"),
    ],
)
def test_the_probe_finds_a_pattern_that_is_not_linear(pattern: str) -> None:
    assert slow(Pattern("here", re.compile(pattern), is_searched=False)) is not None


def test_every_pattern_of_python_in_the_parsers_is_linear() -> None:
    found = patterns()
    assert len(found) > 150
    assert [str(text) for each in found if (text := slow(each)) is not None] == []


def test_places_clocks_and_accounts_take_as_long_for_each_file_of_many() -> None:
    for few, many in zip(labs([1_000]), labs([8_000]), strict=True):
        least = [min(cpu_s(each) for _ in range(3)) for each in (few, many)]
        assert least[1] < 12 * least[0], (many.name, least)  # 64 times where each file looks at all others
