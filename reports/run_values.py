"""The runs behind the numbers of the printed tables: of every mean the value of each run, and the line that shows it.

`haledger trace` follows one number through the store as far as it goes. A report has thousands of numbers; here they
are looked up all at once among the two kinds of values that runs have: milestones (and the phases between them) and
measurements. A number that is none of these, such as a count of lines, has nothing here; its SQL is printed.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import fsum, isclose
from typing import Final

from reports.metrics import title_of
from reports.store import Row
from reports.study_view import StudyView
from reports.tables.model import Cell, Table

MOST_VALUES: Final = 6000
"""Values of runs that a report carries; more would make the page heavy, and `haledger trace` finds each."""

LONGEST_TEXT: Final = 180
PIVOTED: Final = re.compile(r"(?P<item>\w+?)_(?:mean_s|stddev_s|s)")
READS_RUNS: Final = re.compile(r"\b(?:milestone|phase|measurement)(?:_\w+)?\b")
OF_THE_RUN_ITSELF: Final = frozenset({"mean", "mean_s", "runs", "stddev", "stddev_s", "std. dev."})

Key = tuple[str, str]  # configuration and item: a milestone, a phase, or a metric


@dataclass(frozen=True, slots=True)
class RunValue:
    """What one run gives. `value` is unrounded; `place` is `file:line`, empty where no line states it."""

    run: str
    value: float
    is_used: bool = True
    place: str = ""
    text: str = ""
    remark: str = ""

    @property
    def printed(self) -> str:
        """The value to nine digits, as much as any log states."""
        return f"{self.value:.9g}".replace("-", "\u2212")


@dataclass(frozen=True, slots=True)
class Values:
    """The runs of one mean."""

    anchor: str
    configuration: str
    label: str
    item: str
    unit: str
    runs: tuple[RunValue, ...]

    @property
    def mean(self) -> float | None:
        """The mean over the runs that count; several values of a run are averaged first."""
        used = [each for each in self.runs if each.is_used]
        by_run = [[each.value for each in found] for _, found in groupby(used, key=lambda each: each.run)]
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

    def anchor(self, table: str, row: int, column: int) -> str:
        """Where the runs of a cell are listed; empty for a cell that has none."""
        found = self.cells.get((table, row, column))
        return found.anchor if found else ""


def run_values(study: StudyView, tables: Sequence[Table]) -> RunValues:
    """Find the runs behind the numbers of tables."""
    index = _Index(study)
    cells: dict[tuple[str, int, int], Values | Pair] = {}
    pairs: dict[tuple[str, str], Pair] = {}
    for table in tables:
        for row_no, row in enumerate(table.rows):
            for column_no, (one, other) in index.behind(table, row):
                if other is None:
                    cells[table.name, row_no, column_no] = one
                    continue
                key = (one.anchor, other.anchor)
                pairs.setdefault(key, Pair(f"pair-{len(pairs) + 1}", one, other))
                cells[table.name, row_no, column_no] = pairs[key]
    shown = {each.anchor for found in cells.values() for each in sides(found)}
    return RunValues(tuple(each for each in index.values if each.anchor in shown), tuple(pairs.values()), cells)


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
        self.values: list[Values] = []
        self.by_key: dict[Key, list[Values]] = {}
        self.by_configuration: dict[str, list[Values]] = {}
        left = MOST_VALUES
        for configuration, item, label, unit, runs in (*_milestones(study), *_phases(study), *_measured(study)):
            left -= len(runs)
            if left < 0:
                break
            name = study.label(configuration)
            found = Values(f"runs-{len(self.values) + 1}", configuration, name, label, unit, tuple(runs))
            self.values.append(found)
            self.by_key.setdefault((configuration, item), []).append(found)
            self.by_configuration.setdefault(configuration, []).append(found)

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
            theirs = self._same(one, other) if other is not None and other != own else None
            if theirs is None or name in OF_THE_RUN_ITSELF:
                yield place, (one, None)
            else:
                yield place, (theirs, None) if name.startswith("reference_") else (one, theirs)

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
            return next((each for each in among if isclose(each.mean or 0.0, mean, rel_tol=1e-9)), None)
        return among[0] if len(among) == 1 and not is_required else None

    def _same(self, one: Values, configuration: str) -> Values | None:
        """The values of another configuration that are about the same thing."""
        return next((each for each in self.by_configuration.get(configuration, []) if each.item == one.item), None)


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
                _place(row),
                texts.get((row["path"], row["line_no"]), ""),
            )
            for row in found
        ]
        yield configuration, milestone, known.label if known else milestone, "s", runs


def _phases(study: StudyView) -> Iterator[Found]:
    """Phases have no line of their own: they lie between two milestones."""
    rows = _ordered(study, study.run_phases, "phase", list(study.phase_rules))
    for (configuration, phase), found in groupby(rows, key=lambda row: (row["configuration"], row["phase"])):
        runs = [
            RunValue(row["run"], row["duration_s"], remark=f"from {row['start_s']:.9g} to {row['end_s']:.9g} s")
            for row in found
        ]
        yield configuration, phase, study.phase(phase).label, "s", runs


def _measured(study: StudyView) -> Iterator[Found]:
    if not study.store.has("main.measurement", "label", "clients", "is_valid") or not study.runs:
        return
    about = ("configuration", "metric", "unit", "label", "clients")
    for key, found in groupby(study.rows("measurement_values"), key=lambda row: tuple(row[name] for name in about)):
        configuration, metric, unit, label, clients = key
        words = [title_of(metric, None), label, None if clients is None else f"{clients:g} clients"]
        runs = [RunValue(row["run"], row["value"], row["used"], _place(row)) for row in found]
        yield configuration, metric, ", ".join(filter(None, words)), unit or "", runs


def _ordered(study: StudyView, found: Sequence[Row], item: str, items: Sequence[str]) -> list[Row]:
    """Rows of runs by configuration, as tables have them, and item; runs keep their order."""
    known = [each.configuration for each in study.configurations]

    def place(name: str, among: Sequence[str]) -> tuple[int, str]:
        return (among.index(name) if name in among else len(among), name)

    return sorted(found, key=lambda row: (place(row["configuration"], known), place(row[item], items)))


def _place(row: Row) -> str:
    return f"{row['path']}:{row['line_no']}" if row["path"] and row["line_no"] is not None else row["path"] or ""


def _texts(study: StudyView) -> dict[tuple[str, int], str]:
    if not study.store.has("main.event", "text"):
        return {}
    found = {(row["path"], row["line_no"]): row["text"] or "" for row in study.rows("milestone_texts")}
    return {key: text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]} \u2026" for key, text in found.items()}
