"""The runs behind the numbers of the printed tables: of every mean the value of each run, and the line that shows it.

`haledger trace` follows one number through the store as far as it goes. A report has thousands of numbers; here they
are looked up all at once among the kinds of values that runs have: milestones (and the phases between them),
measurements, and those of `run_origins`. A number that is none of these, such as a count of lines, has nothing here;
its SQL is printed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import fsum, isclose
from typing import Final

from pipeline.claims import Judged
from reports import numbers
from reports.metrics import title_of
from reports.run_origins import origins
from reports.run_value import RunValue, place_of
from reports.store import Row
from reports.study_view import StudyView
from reports.tables import claims
from reports.tables.model import Cell, Table

MOST_VALUES: Final = 6000
"""Values of runs that a report carries; more would make the page heavy, and `haledger trace` finds each."""

LONGEST_TEXT: Final = 180
PIVOTED: Final = re.compile(r"(?P<item>\w+?)_(?:mean_s|stddev_s|s)")
READS_RUNS: Final = re.compile(r"\b(?:milestone|phase|measurement)(?:_\w+)?\b")
OF_THE_RUN_ITSELF: Final = frozenset({"mean", "mean_s", "runs", "stddev", "stddev_s", "std. dev."})
OF_BOTH_SIDES: Final = frozenset({"relative_ratio", "ratio_low"})
"""Values of a row that names no reference, but is compared with its own."""

Key = tuple[object, ...]  # configuration and item (a milestone, a phase, or a metric), or that of an origin


@dataclass(frozen=True, slots=True)
class Values:
    """The runs of one mean."""

    anchor: str
    configuration: str
    label: str
    item: str
    unit: str
    runs: tuple[RunValue, ...]
    is_on_paper: bool = True  # its lines are listed in print too

    @property
    def mean(self) -> float | None:
        """The mean over the runs that count; several values of a run are averaged first."""
        used = [(each.run, each.value) for each in self.runs if each.is_used and isinstance(each.value, float)]
        by_run = [[value for _, value in found] for _, found in groupby(used, key=lambda each: each[0])]
        means = [fsum(each) / len(each) for each in by_run]
        return fsum(means) / len(means) if means else None


@dataclass(frozen=True, slots=True)
class Pair:
    """A comparison: the runs of both sides."""

    anchor: str
    one: Values
    other: Values


@dataclass(frozen=True, slots=True)
class RunValues:
    """All values of runs, and which of them stand behind a cell: by table, row and column."""

    values: tuple[Values, ...] = ()
    pairs: tuple[Pair, ...] = ()
    cells: Mapping[tuple[str, int, int], Values | Pair] = field(default_factory=dict)
    statements: Mapping[tuple[str, int, int], str] = field(default_factory=dict)

    def anchor(self, table: str, row: int, column: int) -> str:
        """Where the runs of a cell are listed, else where its statement is printed; empty for a cell without either."""
        found = self.cells.get((table, row, column))
        return found.anchor if found else self.statements.get((table, row, column), "")


def run_values(study: StudyView, tables: Sequence[Table]) -> RunValues:
    """Find the runs behind the numbers of tables."""
    index = _Index(study)
    cells: dict[tuple[str, int, int], Values | Pair] = {}
    pairs: dict[tuple[str, str], Pair] = {}
    for table in sorted(tables, key=lambda each: each.name in study.own_tables):  # these find what others named
        for row_no, column_no, (one, other) in index.behind_cells(table):
            if other is None:
                cells[table.name, row_no, column_no] = one
                continue
            key = (one.anchor, other.anchor)
            pairs.setdefault(key, Pair(f"pair-{len(pairs) + 1}", one, other))
            cells[table.name, row_no, column_no] = pairs[key]
    shown = {each.anchor for found in cells.values() for each in sides(found)}
    values = tuple(each for each in index.values if each.anchor in shown)
    return RunValues(values, tuple(pairs.values()), cells, _statements(study, tables))


def claim_anchor(claim: Judged) -> str:
    """Where the statement of a claim is printed."""
    return f"sql-claim-{claim.number}"


def _statements(study: StudyView, tables: Sequence[Table]) -> dict[tuple[str, int, int], str]:
    """Of the numbers that a claim's own statement gives, where it is printed."""
    return {
        (table.name, row, column): claim_anchor(claim)
        for table in tables
        if table.name == claims.NAME
        for row, claim in enumerate(study.claims)
        if claim.sql
        for column, each in enumerate(table.columns)
        if each.is_number and table.rows[row][column].values[0] is not None
    }


def sides(found: Values | Pair) -> tuple[Values, ...]:
    """The values of one configuration, or of both."""
    return (found.one, found.other) if isinstance(found, Pair) else (found,)


class _Index:
    """The values of a study's runs, found by what a row of a table names."""

    def __init__(self, study: StudyView) -> None:
        self.study = study
        self.configurations = {each.label: each.configuration for each in study.configurations} | {
            each.configuration: each.configuration for each in study.configurations
        }
        self.references = {each.configuration: each.reference for each in study.configurations}
        self.values: list[Values] = []
        self.means: dict[str, float] = {}
        self.by_key: dict[Key, list[Values]] = {}
        self.by_configuration: dict[str, list[Values]] = {}
        self.by_origin: dict[Key, Values] = {}
        self.left = MOST_VALUES
        for configuration, item, label, unit, runs in (*_milestones(study), *_phases(study), *_measured(study)):
            found = self._added(configuration, label, unit, tuple(runs))
            if found is None:
                break
            self.by_key.setdefault((configuration, item), []).append(found)
            self.by_configuration.setdefault(configuration, []).append(found)

    def _added(
        self, configuration: str, item: str, unit: str, runs: tuple[RunValue, ...], *, is_on_paper: bool = True
    ) -> Values | None:
        """Values under an anchor of their own; None once the report carries as many as it may."""
        self.left -= len(runs)
        if self.left < 0:
            return None
        label = self.study.label(configuration) if configuration else ""
        found = Values(f"runs-{len(self.values) + 1}", configuration, label, item, unit, runs, is_on_paper)
        self.values.append(found)
        self.means[found.anchor] = found.mean or 0.0
        return found

    def behind_cells(self, table: Table) -> Iterator[tuple[int, int, tuple[Values, Values | None]]]:
        """Of each cell that shows a number of runs or a line, by row and column, those runs."""
        if table.name == claims.NAME:
            yield from self._claimed(table)
            return
        told: set[tuple[int, int]] = set()
        for origin in origins(self.study, table):
            found = self.by_origin.get(origin.key) or self._added(
                origin.configuration, origin.item, origin.unit, origin.runs, is_on_paper=False
            )
            if found is None:
                break
            self.by_origin[origin.key] = found
            told.update((origin.row, column) for column in origin.columns)
            yield from ((origin.row, column, (found, None)) for column in origin.columns)
        for row_no, row in enumerate(table.rows):
            found_in_row = list(self.behind(table, row))
            if table.name in self.study.own_tables:
                found_in_row = self._completed(table, row, found_in_row)
            for column_no, values in found_in_row:
                if (row_no, column_no) not in told:
                    yield row_no, column_no, values

    def _claimed(self, table: Table) -> Iterator[tuple[int, int, tuple[Values, Values | None]]]:
        """The runs of the statistic that a claim is about, and of the reference that it is compared with."""
        shown = [place for place, column in enumerate(table.columns) if column.is_number]
        for row_no, claim in enumerate(self.study.claims):
            about = claim.about
            if about is None or about.configuration is None:
                continue
            one = next(iter(self.by_key.get((about.configuration, about.item), [])), None)
            other = self._same(one, about.reference) if one and about.reference else None
            if one is not None:
                yield from ((row_no, place, (one, other)) for place in shown if table.rows[row_no][place].values[0])

    def behind(self, table: Table, row: Sequence[Cell]) -> Iterator[tuple[int, tuple[Values, Values | None]]]:
        """Of each column that shows a number of runs, those runs; two where it compares configurations."""
        names = dict(zip(table.data_names, (value for cell in row for value in cell.values), strict=True))
        own = self._configuration(names)
        if own is None or not READS_RUNS.search(table.sql):
            return
        reference = names.get("reference")
        other = self.configurations.get(str(reference)) if reference is not None else None
        for place, column in enumerate(table.columns):
            value = row[place].values[0]
            if not column.is_number or value is None:
                continue
            name = column.names[0]
            one = self._values(own, name, names, value)
            if one is None:
                continue
            against = self.references.get(own) if name in OF_BOTH_SIDES else other
            theirs = self._same(one, against) if against is not None and against != own else None
            if theirs is None or name in OF_THE_RUN_ITSELF:
                yield place, (one, None)
            else:
                yield place, (theirs, None) if name.startswith("reference_") else (one, theirs)

    def _completed(
        self, table: Table, row: Sequence[Cell], found: Sequence[tuple[int, tuple[Values, Values | None]]]
    ) -> list[tuple[int, tuple[Values, Values | None]]]:
        """The runs behind a row that a statement of the study gives, which may name its columns as it likes.

        A number that is the mean of one thing alone is that thing's; the other numbers of a row that shows one thing or
        two (its deviation, its runs, their ratio) rest on the same runs.
        """
        shown = [
            place for place, each in enumerate(table.columns) if each.is_number and row[place].values[0] is not None
        ]
        behind = dict(found)
        for place in shown:
            value = row[place].values[0]
            if place not in behind and isinstance(value, float) and value:
                alike = [each for each in self.values if self._is_mean(each, value)]
                if len(alike) == 1:
                    behind[place] = (alike[0], None)
        things = list({each.anchor: each for one, other in behind.values() for each in (one, other) if each}.values())
        if len(things) in (1, 2):
            rest = (things[-1], things[0] if len(things) == 2 else None)
            behind |= {place: rest for place in shown if place not in behind}
        return sorted(behind.items())

    def _configuration(self, names: Row) -> str | None:
        stated = names.get("configuration")
        if stated is not None:
            return self.configurations.get(str(stated))
        labels = (self.configurations.get(value) for value in names.values() if isinstance(value, str))
        return next((each for each in labels if each is not None), None)

    def _values(self, own: str, name: str, names: Row, value: object) -> Values | None:
        pivot = PIVOTED.fullmatch(name)
        item = pivot["item"] if pivot and (own, pivot["item"]) in self.by_key else None
        item = item or next((str(names[each]) for each in ("milestone", "phase", "metric") if names.get(each)), None)
        if item is not None:
            return self._of_mean(self.by_key.get((own, item), []), names.get("mean"))
        found = self._of_mean(self.by_configuration.get(own, []), value, is_required=True)
        if found is None and ({"mean_s", "reference_mean_s"} & names.keys() or name == "runs"):
            found = next(iter(self.by_key.get((own, self.study.end_milestone(own) or ""), [])), None)
        return found

    def _of_mean(self, among: Sequence[Values], mean: object, *, is_required: bool = False) -> Values | None:
        """Those of several whose mean is the one that the table prints."""
        if isinstance(mean, float) and (len(among) > 1 or is_required):
            return next((each for each in among if self._is_mean(each, mean)), None)
        return among[0] if len(among) == 1 and not is_required else None

    def _same(self, one: Values, configuration: str) -> Values | None:
        """The values of another configuration that are about the same thing."""
        return next((each for each in self.by_configuration.get(configuration, []) if each.item == one.item), None)

    def _is_mean(self, values: Values, mean: float) -> bool:
        return isclose(self.means[values.anchor], mean, rel_tol=1e-9)


Found = tuple[str, str, str, str, list[RunValue]]  # configuration, item, its label, unit, runs


def _milestones(study: StudyView) -> Iterator[Found]:
    texts = _texts(study)
    rows = _ordered(study, study.run_milestones, "milestone", list(study.milestones))
    for (configuration, milestone), found in groupby(rows, key=lambda row: (row["configuration"], row["milestone"])):
        known = study.milestones.get(milestone)
        runs = [
            RunValue(
                row["run"],
                row["elapsed_s"],
                row["used"],
                place_of(row),
                texts.get((row["path"], row["line_no"]), ""),
            )
            for row in found
        ]
        yield configuration, milestone, known.label if known else milestone, "s", runs


def _phases(study: StudyView) -> Iterator[Found]:
    """Phases have no line of their own: they lie between two milestones."""
    rows = _ordered(study, study.run_phases, "phase", list(study.phase_rules))
    for (configuration, phase), found in groupby(rows, key=lambda row: (row["configuration"], row["phase"])):
        runs = [RunValue(row["run"], row["duration_s"], remark=_span(row)) for row in found]
        yield configuration, phase, study.phase(phase).label, "s", runs


def _span(row: Row) -> str:
    return f"from {numbers.unrounded(row['start_s'])} to {numbers.unrounded(row['end_s'])} s"


def _measured(study: StudyView) -> Iterator[Found]:
    if not study.store.has("main.measurement", "label", "clients", "is_valid") or not study.runs:
        return
    about = ("configuration", "metric", "unit", "label", "clients")
    for key, found in groupby(study.rows("measurement_values"), key=lambda row: tuple(row[name] for name in about)):
        configuration, metric, unit, label, clients = key
        words = [title_of(metric, None), label, None if clients is None else f"{clients:g} clients"]
        runs = [RunValue(row["run"], row["value"], row["used"], place_of(row)) for row in found]
        yield configuration, metric, ", ".join(filter(None, words)), unit or "", runs


def _ordered(study: StudyView, found: Sequence[Row], item: str, items: Sequence[str]) -> list[Row]:
    """Rows of runs by configuration, as tables have them, and item; runs keep their order."""
    known = [each.configuration for each in study.configurations]

    def place(name: str, among: Sequence[str]) -> tuple[int, str]:
        return (among.index(name) if name in among else len(among), name)

    return sorted(found, key=lambda row: (place(row["configuration"], known), place(row[item], items)))


def _texts(study: StudyView) -> dict[tuple[str, int], str]:
    if not study.store.has("main.event", "text"):
        return {}
    found = {(row["path"], row["line_no"]): row["text"] or "" for row in study.rows("milestone_texts")}
    return {key: text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]} \u2026" for key, text in found.items()}
