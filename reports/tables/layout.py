"""How a table is set on paper: its texts decide, by their lengths alone, so that it is the same with every font."""

from math import ceil
from typing import Final

from reports import numbers
from reports.tables.model import Column, Table
from reports.typeset.text import cells

LINE_CHARACTERS: Final = 112
"""Characters in the size of tables that stand side by side between the margins, gutters included."""

MOST_CHARACTERS: Final = 124
"""The same of the widest table that was seen to fit: its numbers are narrower than words, and gutters give way."""

GUTTER: Final = 2
NARROW: Final = 58
"""A table that needs no more is set narrow: across the whole page the eye loses the row."""

MOST_UNBROKEN: Final = 12
"""Lines of the longest table that is kept on one page; what it may leave empty is less than a third of a page."""

MOST_AT_EASE: Final = 15
"""Lines of the longest table that is set in the usual size; a longer one is for looking up."""

LONGEST_WHOLE: Final = 14
"""Characters of the longest word that is not broken, whatever a table lacks: the name of a run, of a host, a time."""

KEPT: Final = 3
"""Rows of a broken table that stay together at its beginning and its end."""

KEPT_OF_GROUP: Final = 2
"""The same of a group of rows."""


def classes(table: Table) -> str:
    """The classes of a table as print and page style them."""
    found = [f"table-{table.name.lower()}"]
    found += ["breaks"] if lines(table) > MOST_UNBROKEN else []
    found += ["long"] if lines(table) > MOST_AT_EASE else []
    found += ["narrow"] if width(table) <= NARROW else []
    found += ["spreads"] if _has_spreads(table) else []
    found += ["wide"] if least_width(table) > MOST_CHARACTERS else []
    return " ".join(found)


def width(table: Table) -> int:
    """Characters that the longest texts of all columns need side by side."""
    first = 1 if table.is_grouped else 0
    return sum(_widest(table, place) + GUTTER for place in range(first, len(table.columns)))


def least_width(table: Table) -> int:
    """Characters that the columns need where words are broken into lines and numbers are not.

    A table that needs more than a line has would lose its last columns: its numbers are broken too.
    """
    first = 1 if table.is_grouped else 0
    return sum(_least(table, place) + GUTTER for place in range(first, len(table.columns)))


def lines(table: Table) -> int:
    """Lines that the rows take, with those above each group."""
    first = 1 if table.is_grouped else 0
    room = _room(table)
    taken = sum(
        max([1, *(ceil(cells(cell.text) / width) for cell, width in zip(row[first:], room, strict=True))])
        for row in table.rows
    )
    return taken + (len(table.groups) if table.is_grouped else 0)


def _room(table: Table) -> list[int]:
    """Characters that each column gets: columns of words share what those of numbers and code leave."""
    places = range(1 if table.is_grouped else 0, len(table.columns))
    widest = [max(_widest(table, place), 1) for place in places]
    if sum(widest) + GUTTER * len(widest) <= LINE_CHARACTERS:
        return widest
    is_fixed = [table.columns[place].is_number or table.columns[place].is_code for place in places]
    shared = sum(width for width, fixed in zip(widest, is_fixed, strict=True) if not fixed)
    fixed_width = sum(width for width, fixed in zip(widest, is_fixed, strict=True) if fixed)
    left = max(LINE_CHARACTERS - GUTTER * len(widest) - fixed_width, 1)
    least = [_least(table, place) for place in places]
    return [
        width if fixed else max(left * width // shared, word, 1)
        for width, fixed, word in zip(widest, is_fixed, least, strict=True)
    ]


def whole_columns(table: Table) -> frozenset[int]:
    """The columns of a table too wide for its page whose words are short, and not broken as those of others are."""
    if least_width(table) <= MOST_CHARACTERS:
        return frozenset()
    return frozenset(
        place
        for place, column in enumerate(table.columns)
        if not column.is_number
        and max(cells(word) for row in table.rows for word in row[place].text.split(" ")) <= LONGEST_WHOLE
    )


def kept_rows(table: Table) -> frozenset[int]:
    """Rows that stay with the next one: at the beginning and at the end of a table, and of each group in it."""
    kept = _kept(0, len(table.rows), KEPT)
    if table.is_grouped:
        start = 0
        for _, rows in table.groups:
            kept |= _kept(start, len(rows), KEPT_OF_GROUP)
            start += len(rows)
    return frozenset(kept)


def _kept(start: int, count: int, together: int) -> set[int]:
    """The rows that stay with the next one where `together` rows at either end of `count` may not be parted."""
    ends = (*range(together - 1), *range(count - together, count - 1))
    return {start + row_no for row_no in ends if 0 <= row_no < count - 1}


def _has_spreads(table: Table) -> bool:
    """Whether cells hold a mean with its deviation, which stay on one line only if the first column is held back."""
    return any(numbers.PLUS_MINUS in cell.text for row in table.rows for cell in row)


def _widest(table: Table, place: int) -> int:
    """The longest text of a column; its heading may be set on two lines."""
    texts = [row[place].text for row in table.rows]
    return max([_heading(table.columns[place]), *map(cells, texts)])


def _least(table: Table, place: int) -> int:
    column = table.columns[place]
    texts = [row[place].text for row in table.rows]
    if column.is_number or column.is_code:
        return max([cells(column.heading), *map(cells, texts)])
    return max(cells(word) for text in [column.heading, *texts] for word in text.split(" "))


def _heading(column: Column) -> int:
    return max(ceil(cells(column.heading) / 2), *map(cells, (column.heading or " ").split(" ")))
