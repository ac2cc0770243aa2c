import re

import polars as pl

from parsers.dated.heads import CLOCKED, SHAPES, boundary, read_heads


def shapes(*lines: str) -> list[tuple[int, str]]:
    found = read_heads(pl.DataFrame({"text": list(lines)}).with_row_index("row"))
    return list(found.select("row", "shape").iter_rows())


def test_the_first_shape_that_fits_is_it() -> None:
    assert shapes("a", "2020-01-31 10:00:00 b", "31/01/2020 10:00:00 c", "200131 10:00:00 d") == [
        (1, "year_first"),
        (2, "numeric"),
        (3, "short_year"),
    ]


def test_a_date_within_a_sentence_is_no_head() -> None:
    assert shapes("It began at 2020-01-31 10:00:00", "Last seen: 2020-01-31 10:00:00", "2020-01-31 10:00") == []


def test_files_are_not_cut_before_dates_whose_order_takes_the_whole_file() -> None:
    assert re.search(boundary(), "2020-01-31 10:00:00 a")
    assert not re.search(boundary(), "31/01/2020 10:00:00 a")


def test_what_every_head_has_is_in_the_examples_of_all_shapes() -> None:
    assert {shape.name for shape in SHAPES} >= {"glog", "pair", "ctime", "cjk"}
    assert re.search(CLOCKED, "I1231 12:34:56.123456 a")
    assert re.search(CLOCKED, "1580473466123 a")
