import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from parsers.iostat_split import fields, single_blanks, width

ROW = st.lists(st.text(st.characters(blacklist_categories=("Z", "C")), min_size=1, max_size=6), min_size=1, max_size=9)


@given(st.lists(st.tuples(ROW, st.lists(st.text(" \t", min_size=1, max_size=60), min_size=9, max_size=9)), max_size=6))
def test_any_run_of_blanks_becomes_one(rows: list[tuple[list[str], list[str]]]) -> None:
    texts = ["".join(sum(zip(words, runs, strict=False), ())).rstrip(" \t") for words, runs in rows]
    found = single_blanks(pl.Series("content", texts, dtype=pl.String))
    assert found.to_list() == [" ".join(words) for words, _ in rows]
    assert found.to_frame().select(width()).to_series().to_list() == [len(words) for words, _ in rows]


def test_values_stand_in_columns_of_their_place() -> None:
    rows = single_blanks(pl.Series("content", ["sda      1.00     2.50", "nvme0n1\t 10.00  0.00"]))
    assert fields(rows, 3).to_dict(as_series=False) == {
        "field_0": ["sda", "nvme0n1"],
        "field_1": ["1.00", "10.00"],
        "field_2": ["2.50", "0.00"],
    }


def test_no_rows_have_columns_too() -> None:
    assert fields(pl.Series("content", [], dtype=pl.String), 2).columns == ["field_0", "field_1"]
