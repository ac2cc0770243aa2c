"""What parsers share: patterns, quotients, a first look at a head."""

import re
from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.ascii_pattern import ascii_only
from parsers.division import divided
from parsers.first_look import MAX_REMEMBERED, FirstLook


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


@given(st.lists(st.integers(-(10**15), 10**15) | st.none(), min_size=1, max_size=40))
@pytest.mark.parametrize("by", [1e9, 1e6, 1000, 60, 7])
def test_a_quotient_is_that_of_each_number_alone(by: float, numbers: list[int | None]) -> None:
    frame = pl.DataFrame({"x": numbers}, schema={"x": pl.Int64})
    expected = [None if each is None else each / by for each in numbers]
    assert frame.select(divided(pl.col("x"), by)).to_series().to_list() == expected
    assert frame.lazy().select(divided(pl.col("x"), by)).collect().to_series().to_list() == expected


def test_files_are_looked_at_once_and_forgotten_in_time() -> None:
    batches: list[int] = []

    def lengths(heads: Sequence[pl.Series]) -> list[int]:
        batches.append(len(heads))
        return [len(head) for head in heads]

    one, two = pl.Series(["a"]), pl.Series(["a", "b"])
    looks = FirstLook(lengths)
    looks.look([one, two])
    assert (looks.of(one), looks.of(two), batches) == (1, 2, [2])
    looks.look([pl.Series([str(number)]) for number in range(MAX_REMEMBERED)])
    looks.look([two])
    assert looks.of(one) == 1
    assert batches == [2, MAX_REMEMBERED, 1, 1]
