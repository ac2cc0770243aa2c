"""Tables made of the rows of a statement: each column is declared once, with what it prints of a row."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reports import numbers
from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.model import Cell, Column, Table, figures, rows_of, text
from reports.typeset.text import sentences_of

SAID_BESIDE: Final = re.compile(
    r" \(95 % CI [^)]*\)| for [0-9]+ comparisons|: anything from [^;]*"
    r"|; (?:differences above|inconclusive|no interval)[^;]*"
)
"""What a verdict says of the interval and of the correction, which stand in other columns and below the table."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column, and the cell that it has for a row.

    `amount`: the number of a row, where those of a group are printed with the same decimals.
    """

    column: Column
    cell: Callable[[Row], Cell]
    amount: Callable[[Row], float | None] | None = None


def from_rows(  # noqa: PLR0913  a table has that many parts
    rows: Sequence[Row],
    caption: str,
    fields: Iterable[Field],
    *,
    source: str,
    note: str | tuple[str, ...] = (),
    row_heads: int = 1,
    is_grouped: bool = False,
    printed_rows: int | None = None,
    sql: str = "",
    section: str = "",
) -> list[Table]:
    """The table of some rows; none without rows. Its declaration names it, and gives it its statement.

    A column in which no row has anything is left out, with the sentence of the notes that explains it.
    """
    if not rows:
        return []
    declared = tuple(fields)
    cells = _levelled(rows, declared, [[each.cell(row) for each in declared] for row in rows], is_grouped=is_grouped)
    kept = [
        place
        for place in range(len(declared))
        if place < row_heads or any(row[place].text != numbers.DASH for row in cells)
    ]
    columns = tuple(declared[place].column for place in kept)
    body = rows_of([[row[place] for place in kept] for row in cells], columns, rows)
    gone = {each.column.label for each in declared} - {each.label for each in columns}
    notes = [
        " ".join(each for each in sentences_of(whole) if each.partition(":")[0] not in gone)
        for whole in ((note,) if isinstance(note, str) else note)
    ]
    return [
        Table(
            "",
            caption,
            columns,
            body,
            tuple(filter(None, notes)),
            source,
            sql,
            row_heads=row_heads,
            is_grouped=is_grouped,
            printed_rows=printed_rows,
            section=section,
        )
    ]


def _levelled(
    rows: Sequence[Row], fields: Sequence[Field], cells: list[list[Cell]], *, is_grouped: bool
) -> list[list[Cell]]:
    """The cells, those of a column of amounts with the decimals that suit all of their group."""
    groups = [row[0].text if is_grouped else "" for row in cells]
    for place, field in enumerate(fields):
        if field.amount is None:
            continue
        amounts = [field.amount(row) for row in rows]
        for group in dict.fromkeys(groups):
            of_group = [value for value, name in zip(amounts, groups, strict=True) if name == group]
            own = [each for each in of_group if each is not None]
            if numbers.are_far_apart(own):
                continue
            decimals = numbers.common_decimals(own)
            for row, value, name in zip(cells, amounts, groups, strict=True):
                if name == group and value is not None:
                    row[place] = replace(row[place], text=numbers.fixed(value, decimals))
    return cells


def printed(label: str, names: str | Sequence[str], how: Callable[[Row], str], **heading: str) -> Field:
    """A column of numbers that a row has under some names, printed together; `heading`: unit and spanner."""
    found = (names,) if isinstance(names, str) else tuple(names)
    return Field(figures(label, *found, **heading), lambda row: Cell(how(row), tuple(row[name] for name in found)))


def worded(label: str, names: str | Sequence[str], how: Callable[[Row], str], *, is_code: bool = False) -> Field:
    """The same of words."""
    found = (names,) if isinstance(names, str) else tuple(names)
    column = Column(label, found, is_number=False, is_code=is_code)
    return Field(column, lambda row: Cell(how(row), tuple(row[name] for name in found)))


def word(label: str, name: str) -> Field:
    """A column of words as they are."""
    return Field(Column(label, (name,), is_number=False), lambda row: text(row[name]))


def code(label: str, name: str) -> Field:
    """A column of names and values of a product, set like code."""
    return Field(Column(label, (name,), is_number=False, is_code=True), lambda row: text(row[name]))


def configuration(study: StudyView, label: str = "Configuration", name: str = "configuration") -> Field:
    """A column of configurations, by their printed names."""
    return worded(label, name, lambda row: study.label(row[name]))


def count(label: str, name: str, **heading: str) -> Field:
    """A column of whole numbers."""
    return printed(label, name, lambda row: numbers.count(row[name]), **heading)


def fixed(label: str, name: str, decimals: int, **heading: str) -> Field:
    """A column of numbers with the same decimals."""
    return printed(label, name, lambda row: numbers.fixed(row[name], decimals), **heading)


def compact(label: str, name: str, scale: float = 1, **heading: str) -> Field:
    """A column of numbers with four significant digits of the largest in a group; `scale` is their unit in this one."""

    def amount(row: Row) -> float | None:
        return None if row[name] is None else scale * row[name]

    return replace(printed(label, name, lambda row: numbers.compact(amount(row)), **heading), amount=amount)


def ratio(label: str, name: str, **heading: str) -> Field:
    """A column of ratios."""
    return printed(label, name, lambda row: numbers.ratio(row[name]), **heading)


def interval(names: tuple[str, str], decimals: int, label: str = "95 % interval", **heading: str) -> Field:
    """A column of intervals."""
    low, high = names
    return printed(label, names, lambda row: numbers.interval(row[low], row[high], decimals), **heading)


def ratio_interval(names: tuple[str, str], of: str, **heading: str) -> Field:
    """A column of intervals of the ratio `of`, with its decimals."""
    low, high = names

    def how(row: Row) -> str:
        return numbers.ratio_interval(row[of], row[low], row[high])

    return printed("95 % interval", names, how, **heading)


def moment(label: str, name: str, *, with_fraction: bool = False) -> Field:
    """A column of instants in UTC."""
    return printed(label, name, lambda row: numbers.moment(row[name], with_fraction=with_fraction), unit="UTC")


def verdict(name: str = "verdict") -> Field:
    """A column of verdicts of comparisons, beside their intervals."""
    return worded("Verdict", name, lambda row: numbers.bound(SAID_BESIDE.sub("", row[name] or numbers.DASH)))


def places(study: StudyView, everywhere: Sequence[str] = (), separator: str = "; ") -> Field:
    """A column of the configurations in which the row holds, out of those in which anything of its kind does."""
    column = Column("Configurations", ("configurations",), is_number=False)

    def cell(row: Row) -> Cell:
        return Cell(
            place_names(study, row["configurations"], everywhere, separator), (", ".join(row["configurations"]),)
        )

    return Field(column, cell)


def place_names(
    study: StudyView, configurations: Sequence[str], everywhere: Sequence[str], separator: str = "; "
) -> str:
    """Labels, apart by semicolons as a label may hold a comma; those left out are named where these are fewer."""
    others = [each for each in everywhere if each not in configurations]
    if not others and len(everywhere) > 1:
        return "all"
    if others and len(others) < len(configurations):
        return "all but " + separator.join(map(study.label, others))
    return separator.join(map(study.label, configurations))
