"""The runs behind the numbers as paper lists them: of every cell its runs, and of every run its files and lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from reports.lineage.run_values import RunValues, Several, Values, sides
from reports.tables import claims
from reports.tables.model import Table

MOST_ROWS: Final = 60
"""Rows of one table that paper lists; the page has all."""


@dataclass(frozen=True, slots=True)
class RowRuns:
    """Neighbouring rows of a table with the same runs. `runs`: by the columns that show them, empty for all columns."""

    heads: str
    runs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FileLines:
    """What the lines of one file show of a run: name, value, line."""

    path: str
    lines: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class RunLines:
    """A run with the files that show its values."""

    run: str
    files: tuple[FileLines, ...]


def rows_of_table(table: Table, behind: RunValues) -> list[RowRuns]:
    """The rows of a table that show numbers of runs, with these runs; as many as paper lists.

    A table of single runs names them itself, and so does that of the claims.
    """
    if "run" in table.data_names or table.name == claims.NAME:
        return []
    rows = [
        (each, _row(table, each, behind)) for each in sorted({r for name, r, _ in behind.cells if name == table.name})
    ]
    joined = [
        _row_runs(_heads([_head(table, place) for place, _ in found]), runs)
        for runs, found in groupby(rows, key=lambda each: each[1])
        if runs
    ]
    return joined[:MOST_ROWS]


def _row_runs(heads: str, runs: tuple[tuple[str, str], ...]) -> RowRuns:
    """Rows with their runs; a configuration that a row is named after is not named again."""
    return RowRuns(heads, tuple((columns, each.removeprefix(f"{heads}, ")) for columns, each in runs))


def _head(table: Table, row_no: int) -> tuple[str, ...]:
    return tuple(cell.text for cell in table.rows[row_no][: table.row_heads])


def _heads(heads: Sequence[tuple[str, ...]]) -> str:
    """The rows by their heads: what neighbours share but for the last head is said once."""
    shared = groupby(heads, key=lambda head: head[:-1])
    return ", ".join(" / ".join([*begin, ", ".join(head[-1] for head in each)]) for begin, each in shared)


def _row(table: Table, row_no: int, behind: RunValues) -> tuple[tuple[str, str], ...]:
    cells = [
        (table.columns[place].label, found)
        for place in range(len(table.columns))
        if (found := behind.cells.get((table.name, row_no, place))) is not None
        and all(each.configuration for each in sides(found))
    ]
    compared = next((found for _, found in cells if isinstance(found, Several)), None)
    if compared is not None:
        return (("", _runs(compared)),)
    by_runs: dict[str, list[str]] = {}
    for label, found in cells:
        by_runs.setdefault(_runs(found), []).append(label)
    if len(by_runs) == 1:
        return (("", next(iter(by_runs))),)
    return tuple((", ".join(dict.fromkeys(labels)), runs) for runs, labels in by_runs.items())


def _runs(found: Values | Several) -> str:
    return "; against ".join(f"{each.label}, {_names(each)}" for each in sides(found))


def _names(values: Values) -> str:
    """The runs that count, in words as short as they can be."""
    used = list(dict.fromkeys(each.run for each in values.runs if each.is_used))
    left_out = len({each.run for each in values.runs} - set(used))
    aside = f" ({left_out} set aside)" if left_out else ""
    named = f"{used[0]} to {used[-1]} ({len(used)} runs)" if len(used) > 3 else ", ".join(used)
    return f"{named or 'no run'}{aside}"


def lines_of_runs(values: Sequence[Values]) -> Iterator[tuple[str, list[RunLines]]]:
    """Of every configuration its runs, with file and line of each value that a line gives."""
    by_configuration: dict[str, dict[str, dict[str, list[tuple[str, str, str]]]]] = {}
    for each in values:
        for run in each.runs if each.is_on_paper else ():
            for place in run.places:
                path, _, line = place.rpartition(":")
                files = by_configuration.setdefault(each.label, {}).setdefault(run.run, {})
                unit = f" {each.unit}" if each.unit else ""
                files.setdefault(path, []).append((each.item, f"{run.printed}{unit}", line))
    for label, runs in by_configuration.items():
        yield label, [_run(name, files) for name, files in runs.items()]


def _run(name: str, files: Mapping[str, list[tuple[str, str, str]]]) -> RunLines:
    ordered = sorted(files.items())
    return RunLines(
        name,
        tuple(
            FileLines(path, tuple(sorted(set(lines), key=lambda line: (int(line[2]), line)))) for path, lines in ordered
        ),
    )
