"""Where lines of one file are those of another: worked out by hand, and any cut of a sequence of lines."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.reading.overlap import ANCHOR_LINES, IndexedLines, Overlap, overlaps, repeats


def lines(text: str) -> pl.Series:
    return pl.Series(list(text), dtype=pl.String()).hash()


@pytest.mark.parametrize(
    ("own", "other", "found"),
    [
        pytest.param("abcdef", "abcdef", Overlap(0, 0, 6), id="the same"),
        pytest.param("abc", "abcdef", Overlap(0, 0, 3), id="the beginning of it"),
        pytest.param("def", "abcdef", Overlap(0, 3, 3), id="the end of it"),
        pytest.param("cde", "abcdef", Overlap(0, 2, 3), id="in the midst of it"),
        pytest.param("abcdef", "cde", Overlap(2, 0, 3), id="it is in the midst"),
        pytest.param("abcdef", "defghi", Overlap(3, 0, 3), id="the end is its beginning"),
        pytest.param("defghi", "abcdef", Overlap(0, 3, 3), id="the beginning is its end"),
        pytest.param("aabbcc", "bbccdd", Overlap(2, 0, 4), id="lines that occur twice"),
        pytest.param("abX", "abcdef", Overlap(0, 0, 3, is_cut=True), id="the last line may be cut"),
    ],
)
def test_overlap(own: str, other: str, found: Overlap) -> None:
    assert found in overlaps(lines(own), lines(other))


@pytest.mark.parametrize(
    ("own", "other"),
    [
        pytest.param("xabcdx", "yabcdy", id="in the midst of both"),
        pytest.param("abcx", "abcy" * 2, id="beginnings that go on otherwise"),
        pytest.param("abc", "def", id="nothing"),
        pytest.param("", "abc", id="empty"),
    ],
)
def test_no_overlap(own: str, other: str) -> None:
    assert [each for each in overlaps(lines(own), lines(other)) if not each.is_cut] == []


@pytest.mark.parametrize(
    ("own", "seams", "found"),
    [
        pytest.param("abcabc", [3], [Overlap(3, 0, 3)], id="twice"),
        pytest.param("abcabcabc", [3, 6], [Overlap(3, 0, 3), Overlap(6, 3, 3)], id="three times"),
        pytest.param("xyabcabcz", [5], [Overlap(5, 2, 3)], id="in the midst"),
        pytest.param("ababcd", [2], [Overlap(2, 0, 2)], id="and then it goes on"),
        pytest.param(".abc.abc", [5], [Overlap(4, 0, 4)], id="lines before the first dated one"),
        pytest.param("abcabc", [], [], id="no step back of the clock"),
        pytest.param("abcxabc", [4], [], id="not in a row"),
        pytest.param("abcabx", [3], [], id="not the same"),
        pytest.param("abc", [0, 7], [], id="no line before"),
    ],
)
def test_repeats(own: str, seams: list[int], found: list[Overlap]) -> None:
    assert repeats(lines(own), seams) == found


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_two_cuts_of_one_log_overlap_where_they_share_lines(a: int, b: int, c: int, d: int) -> None:
    log = pl.Series(range(40), dtype=pl.UInt64())
    first, last = (slice(*sorted(each)) for each in ((a, b), (c, d)))
    shared = range(max(first.start, last.start), min(first.stop, last.stop))
    found = [each for each in overlaps(log[first], log[last]) if not each.is_cut]
    expected = [Overlap(shared.start - first.start, shared.start - last.start, len(shared))] if shared else []
    is_long = len(shared) >= ANCHOR_LINES or len(shared) in (len(log[first]), len(log[last]))
    assert found == expected if is_long else found in ([], expected)


@given(st.text("ab", max_size=30), st.text("ab", max_size=30), st.lists(st.integers(-2, 32), max_size=5))
def test_all_that_is_found_is_the_same_text(own: str, other: str, seams: list[int]) -> None:
    for each in overlaps(lines(own), lines(other)):
        end = each.length - each.is_cut
        assert own[each.first :][:end] == other[each.other_first :][:end]
    for each in repeats(lines(own), seams):
        assert own[each.first :][: each.length] == own[each.other_first :][: each.length]


@pytest.mark.parametrize("is_open", [False, True])
@given(own=st.text("ab", max_size=20), other=st.text("ab", max_size=20))
def test_the_index_passes_over_no_overlap(*, own: str, other: str, is_open: bool) -> None:
    found = [each for each in overlaps(lines(own), lines(other)) if is_open or not each.is_cut]
    indexed = (IndexedLines(lines(each), is_open=is_open) for each in (own, other))
    assert next(indexed).may_overlap(next(indexed)) or not found


@pytest.mark.parametrize("changed", range(1, 40), ids="line {}".format)
def test_files_that_differ_in_one_line_are_known_to_be_different(changed: int) -> None:
    text = [f"line {number}" for number in range(40)]
    own, other = (
        IndexedLines(pl.Series([*text[:changed], name, *text[changed + 1 :]]).hash(), is_open=False) for name in "ab"
    )
    assert not own.may_overlap(other)
