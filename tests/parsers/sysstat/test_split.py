from math import isfinite

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from parsers.sysstat.split import fields, fields_with_numbers, single_blanks, width

ROW = st.lists(st.text(st.characters(blacklist_categories=("Z", "C")), min_size=1, max_size=6), min_size=1, max_size=9)


@given(st.lists(st.tuples(ROW, st.lists(st.text(" \t", min_size=1, max_size=60), min_size=9, max_size=9)), max_size=6))
def test_any_run_of_blanks_becomes_one(rows: list[tuple[list[str], list[str]]]) -> None:
    texts = ["".join(sum(zip(words, runs, strict=False), ())).rstrip(" \t") for words, runs in rows]
    found = single_blanks(pl.Series("content", texts, dtype=pl.String))
    assert found.to_list() == [" ".join(words) for words, _ in rows]
    assert found.to_frame().select(width()).to_series().to_list() == [len(words) for words, _ in rows]


def test_values_are_in_columns_of_their_place() -> None:
    rows = single_blanks(pl.Series("content", ["sda      1.00     2.50", "nvme0n1\t 10.00  0.00"]))
    assert fields(rows, 3).to_dict(as_series=False) == {
        "field_0": ["sda", "nvme0n1"],
        "field_1": ["1.00", "10.00"],
        "field_2": ["2.50", "0.00"],
    }


def test_no_rows_have_columns_too() -> None:
    assert fields(pl.Series("content", [], dtype=pl.String), 2).columns == ["field_0", "field_1"]


WORD = st.one_of(
    st.floats().map(str),
    st.text("0159.,eE+-_xnaif", min_size=1, max_size=6),
    st.text(st.characters(blacklist_categories=("Z", "C")), min_size=1, max_size=3),
)


@given(st.lists(st.lists(WORD, min_size=2, max_size=4), min_size=1, max_size=5))
def test_numbers_are_read_at_once_where_all_of_them_are_and_then_as_if_one_by_one(rows: list[list[str]]) -> None:
    content = pl.Series("content", [" ".join(row) for row in rows])
    found = fields_with_numbers(content.str.replace_all(" ", " \t  ", literal=True), {0}, 3)
    if all(len(row) == 3 for row in rows):
        names, *numbers = fields(content, 3).with_columns(pl.exclude("field_0").str.replace(",", ".", literal=True))
        one_by_one = [each.cast(pl.Float64, strict=False) for each in numbers]
        if found is not None:
            assert found.equals(pl.DataFrame([names, *one_by_one]))
        elif not any("," in word for row in rows for word in row):
            assert not all(each.is_finite().fill_null(value=False).all() for each in one_by_one) or _is_large(numbers)
    else:
        assert found is None


def _is_large(numbers: list[pl.Series]) -> bool:
    """Numbers whose sum is not finite, or none that a reader of CSV takes, are left to be read one by one."""
    return any(not isfinite(each.cast(pl.Float64).sum()) for each in numbers)
