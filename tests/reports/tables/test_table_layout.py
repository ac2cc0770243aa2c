"""How tables are set, derived from the lengths of their texts."""

from dataclasses import replace

import pytest

from pipeline.ask.trace.source import Origin
from reports import numbers
from reports.tables import layout
from reports.tables.model import Table, figures, rows_of, text, words


def table(rows: int, characters: int, *, columns: int = 2, is_grouped: bool = False) -> Table:
    """A table whose first column holds words of some length in all, the others a digit."""
    heads = (words("Group", "group"), *(figures("n", f"n{i}") for i in range(1, columns)))
    cells = [[text("x " * (characters // 2)), *(text("1") for _ in range(1, columns))] for _ in range(rows)]
    return Table("some", "Some", heads, rows_of(cells), is_grouped=is_grouped)


@pytest.mark.parametrize(
    ("rows", "characters", "may_break"),
    [
        pytest.param(12, 10, False, id="twelve lines stay on one page"),
        pytest.param(13, 10, True, id="thirteen may break"),
        pytest.param(7, 200, True, id="seven rows of two lines may break"),
        pytest.param(6, 200, False, id="six of them stay"),
    ],
)
def test_a_table_breaks_by_the_lines_it_takes(rows: int, characters: int, *, may_break: bool) -> None:
    assert ("breaks" in layout.classes(table(rows, characters)).split()) is may_break


@pytest.mark.parametrize(("rows", "is_long"), [(15, False), (16, True)])
def test_a_table_for_looking_up_is_set_smaller(rows: int, *, is_long: bool) -> None:
    assert ("long" in layout.classes(table(rows, 10)).split()) is is_long


def test_words_have_the_room_that_numbers_leave() -> None:
    heads = (words("Step", "step"), words("Advice", "advice"), *(figures("n", f"n{i}") for i in range(6)))
    row = [text("x " * 20), text("y " * 20), *(text("1" * 10) for _ in range(6))]
    assert layout.lines(Table("some", "Some", heads, rows_of([row, row]))) == 2 * 3


def test_rows_of_other_lines_form_one_group() -> None:
    """Every row carries where its cells come from: the heading above them is printed once."""
    rows = table(2, 10, is_grouped=True).rows
    traced = [
        [replace(row[0], origins=(Origin("select 1", place, ("g",)),)), *row[1:]] for place, row in enumerate(rows)
    ]
    grouped = Table("some", "Some", table(2, 10).columns, rows_of(traced), is_grouped=True)
    assert [(head.text, len(members)) for head, members in grouped.groups] == [(rows[0][0].text, 2)]


def test_lines_above_groups_count() -> None:
    assert layout.lines(table(4, 10, is_grouped=True)) == 4 + 1


@pytest.mark.parametrize(("characters", "is_narrow"), [(30, True), (60, False)])
def test_a_table_of_short_texts_is_set_narrow(characters: int, *, is_narrow: bool) -> None:
    assert ("narrow" in layout.classes(table(3, characters)).split()) is is_narrow


@pytest.mark.parametrize(("columns", "is_wide"), [(8, False), (13, True)])
def test_numbers_are_broken_where_columns_would_be_lost(columns: int, *, is_wide: bool) -> None:
    heads = (words("Step", "step"), *(figures("Mean", f"m{i}", f"s{i}", unit="s") for i in range(1, columns)))
    cells = [[text("a rather long name of a step"), *(text("11.4 \u00b1 0.6") for _ in range(1, columns))]]
    assert ("wide" in layout.classes(Table("some", "Some", heads, rows_of(cells))).split()) is is_wide


def test_a_table_of_means_with_deviations_holds_its_first_column_back() -> None:
    plain = table(2, 5)
    spread = replace(plain, rows=rows_of([[text("a"), text(f"1.0 {numbers.PLUS_MINUS} 0.1")]]))
    assert ["spreads" in layout.classes(each).split() for each in (plain, spread)] == [False, True]


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        pytest.param(8, [0, 1, 5, 6], id="three at either end stay together"),
        pytest.param(4, [0, 1, 2], id="a short table whole"),
        pytest.param(1, [], id="one row has no next"),
    ],
)
def test_no_row_is_left_alone_on_a_page(rows: int, kept: list[int]) -> None:
    assert sorted(layout.kept_rows(table(rows, 5))) == kept


@pytest.mark.parametrize(
    ("sizes", "kept"),
    [
        pytest.param([4, 4, 4], [0, 1, 2, 4, 6, 8, 9, 10], id="two at either end of a group"),
        pytest.param([3, 2, 1, 1, 3], [0, 1, 3, 7, 8], id="small groups whole, one row free"),
    ],
)
def test_no_row_of_a_group_is_left_alone_on_a_page(sizes: list[int], kept: list[int]) -> None:
    cells = [[text(f"group {group}"), text("1")] for group, size in enumerate(sizes) for _ in range(size)]
    heads = (words("Group", "group"), figures("n", "n"))
    grouped = Table("some", "Some", heads, rows_of(cells), is_grouped=True)
    assert sorted(layout.kept_rows(grouped)) == kept


def test_short_words_stay_whole_where_a_long_path_has_to_be_broken() -> None:
    heads = (words("Run", "run"), words("Path", "path"), figures("n", "n"))
    of = [[text(name), text(f"logs/{'x' * 140}"), text("1")] for name in ("run01", "run02 (failed)")]
    assert layout.whole_columns(Table("some", "Some", heads, rows_of(of))) == {0}
