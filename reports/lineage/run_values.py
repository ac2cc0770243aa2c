"""The runs behind the numbers of the printed tables: of every mean the value of each run, and the line that shows it.

Every cell knows where its values come from; here the runs behind all of them are found at once, as `haledger trace`
finds those of one. Counts of files and lines have no list here; their SQL is printed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum
from typing import Final

from pipeline.ask.check.verdict import EvaluatedClaim
from pipeline.ask.trace.follow import Group
from pipeline.ask.trace.parts import Run
from pipeline.ask.trace.source import Origin, Source
from reports import numbers
from reports.figures.model import Figure
from reports.metrics import UNITS_IN_NAMES, column_in_words, title_of
from reports.study.view import StudyView
from reports.tables import claims
from reports.tables.model import Table
from reports.words import counted

MOST_VALUES: Final = 6000
"""Values of runs that a report carries; more would make the page heavy, and `haledger trace` finds each."""

LONGEST_TEXT: Final = 180
MOST_PLACES: Final = 3
"""Lines of one run that its row names; of more the first."""

ON_PAPER: Final = ("milestone", "measurement")
"""Relations whose lines are listed in print too."""

UNITS: Final = {"milestone": "s", "phase": "s"}
PARTS: Final = {"start_s": "start", "end_s": "end"}
UNNAMED: Final = frozenset({"configuration", "run", "unit", "file_id", "line_no", "part", "elapsed_s"})
"""Key columns that do not name what values are about."""

Cell = tuple[str, int, int]  # table, row and column
Mark = tuple[str, str]  # figure, and the words of one of its marks
Origins = Sequence[Origin | Source]


@dataclass(frozen=True, slots=True)
class RunValue:
    """What one run gives. `value` is unrounded, or words; `places` are its lines as `file:line`."""

    run: str
    value: float | str | None
    is_used: bool = True
    places: tuple[str, ...] = ()
    text: str = ""

    @property
    def printed(self) -> str:
        """The value, or the words."""
        if self.value is None or isinstance(self.value, str):
            return self.value or numbers.DASH
        return numbers.unrounded(self.value)

    @property
    def place(self) -> str:
        """Its lines, as many as are named."""
        return "; ".join(self.places)


@dataclass(frozen=True)
class Values:
    """The runs of one mean."""

    anchor: str
    configuration: str
    label: str
    item: str
    unit: str
    runs: tuple[RunValue, ...]
    is_on_paper: bool

    @cached_property
    def mean(self) -> float | None:
        """The mean over the runs that count."""
        used = [each.value for each in self.runs if each.is_used and isinstance(each.value, float)]
        return fsum(used) / len(used) if used else None


@dataclass(frozen=True, slots=True)
class Several:
    """A number computed from several lists of runs, such as a ratio."""

    anchor: str
    sides: tuple[Values, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """Where the runs behind a mark are listed. `run`: which of them it is, where it is one of several."""

    anchor: str
    run: str = ""


@dataclass(frozen=True, slots=True)
class RunValues:
    """All values of runs, and which of them stand behind a cell or a mark."""

    values: tuple[Values, ...] = ()
    several: tuple[Several, ...] = ()
    cells: Mapping[Cell, Values | Several] = field(default_factory=dict)
    statements: Mapping[Cell, str] = field(default_factory=dict)
    marks: Mapping[Mark, Listed] = field(default_factory=dict)

    def anchor(self, table: str, row: int, column: int) -> str:
        """Where the statement of a claim is printed, or the runs of a cell are listed; empty without both."""
        return self.statements.get((table, row, column)) or self.listed(table, row, column)

    def listed(self, table: str, row: int, column: int) -> str:
        """Where the runs of a cell are listed; empty without a list."""
        found = self.cells.get((table, row, column))
        return found.anchor if found else ""


def sides(found: Values | Several) -> tuple[Values, ...]:
    """The values of one list, or of all."""
    return found.sides if isinstance(found, Several) else (found,)


def run_values(study: StudyView, tables: Sequence[Table], figures: Iterable[Figure] = ()) -> RunValues:
    """Find the runs behind the numbers of tables and of marks, and the lines behind parameters."""
    origins: dict[Cell | Mark, Origins] = {
        (table.name, row, column): table.rows[row][column].origins
        for table in tables
        for row in range(len(table.rows))
        for column in _shown(table, row)
    }
    marks = {(figure.name, words): each for figure in figures for words, each in figure.behind.items()}
    origins |= {mark: each.origins for mark, each in marks.items()}
    behind = study.store.behind(list(origins.values()))
    groups = {
        place: tuple(each for each in found if _has_lines(each)) for place, found in zip(origins, behind, strict=True)
    }
    values = _Lists(study).of(dict.fromkeys(each for found in groups.values() for each in found))
    several: dict[tuple[str, ...], Several] = {}
    shown: dict[Cell | Mark, Values | Several] = {}
    for place, found in groups.items():
        known = tuple(dict.fromkeys(values[each] for each in found if each in values))
        if len(known) == 1:
            shown[place] = known[0]
        elif known:
            key = tuple(each.anchor for each in known)
            shown[place] = several.setdefault(key, Several(f"pair-{len(several) + 1}", known))
    return RunValues(
        tuple(dict.fromkeys(values.values())),
        tuple(several.values()),
        {place: found for place, found in shown.items() if len(place) == 3},
        _statements(study, tables),
        {mark: _listed(shown.get(mark), groups[mark], each.configuration) for mark, each in marks.items()},
    )


def _listed(found: Values | Several | None, groups: Sequence[Group], configuration: str) -> Listed:
    """The list of a mark; where there is none, that of the runs of its configuration."""
    if found is None:
        return Listed(f"of:{configuration}")
    runs = {run.run for group in groups for run in group.runs}
    is_one_of_several = isinstance(found, Values) and len(found.runs) > 1 and len(runs) == 1
    return Listed(found.anchor, (runs.pop() or "") if is_one_of_several else "")


def claim_anchor(claim: EvaluatedClaim) -> str:
    """Where the statement of a claim is printed."""
    return f"sql-claim-{claim.number}"


def _shown(table: Table, row: int) -> Iterator[int]:
    """The columns of a row that a list may stand behind: numbers, and values of parameters."""
    for place, column in enumerate(table.columns):
        is_shown = column.is_number or (column.is_code and place >= table.row_heads) or column.names == ("value",)
        if is_shown and table.rows[row][place].values[0] is not None and "run" not in column.names:
            yield place


def _statements(study: StudyView, tables: Sequence[Table]) -> dict[Cell, str]:
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


def _has_lines(group: Group) -> bool:
    return any(line.line_no is not None for run in group.runs for line in run.lines)


class _Lists:
    """The lists of runs of a study."""

    def __init__(self, study: StudyView) -> None:
        self.study = study
        self.paths: dict[int, str] = {
            row["file_id"]: row["path"] for row in study.store.rows("select file_id, path from main.source_file")
        }
        self.texts = _texts(study)

    def of(self, groups: Mapping[Group, None]) -> dict[Group, Values]:
        """A list for each group, as many as a report carries; a group within another shares its list."""
        left = MOST_VALUES
        found: dict[Group, Values] = {}
        by_member: dict[tuple[str, str, int], Values] = {}
        members: dict[str, frozenset[RunValue]] = {}
        ordered = sorted(groups, key=lambda each: -len(each.members))
        for group in sorted(ordered, key=lambda each: each.relation not in ON_PAPER):
            lists = {by_member.get((group.relation, group.column, each)) for each in group.members}
            known = next(iter(lists)) if len(lists) == 1 else None
            if known and members[known.anchor].issuperset(self._run(each) for each in group.runs if each.lines):
                found[group] = known
                continue
            left -= len(group.runs)
            if left < 0:
                break
            found[group] = self._values(f"runs-{len(members) + 1}", group)
            members[found[group].anchor] = frozenset(found[group].runs)
            for each in group.members:
                by_member.setdefault((group.relation, group.column, each), found[group])
        return found

    def _values(self, anchor: str, group: Group) -> Values:
        named = dict(group.name)
        label = self.study.label(group.configuration) if group.configuration else ""
        unit = UNITS.get(group.relation, "") if named.get("unit") in UNITS_IN_NAMES else named["unit"] or ""
        runs = tuple(self._run(each) for each in group.runs)
        return Values(
            anchor, group.configuration or "", label, self._item(group, named), unit, runs, group.relation in ON_PAPER
        )

    def _item(self, group: Group, named: Mapping[str, str | None]) -> str:
        """What values are about, in the words of the tables."""
        if group.relation in ("milestone", "phase") and named.get(group.relation):
            label = self.study.item_label(group.relation, str(named[group.relation]))
            return f"{label}, {PARTS[group.column]}" if group.column in PARTS else label
        if group.relation == "parameter":
            return str(named.get("name") or group.column)
        return words_of(group, named)

    def _run(self, run: Run) -> RunValue:
        own = [each for each in run.lines if each.line_no is not None]
        places = tuple(dict.fromkeys(f"{self.paths.get(each.file_id, '')}:{each.line_no}" for each in own))
        text = next(
            (self.texts[each.file_id, each.line_no] for each in own if (each.file_id, each.line_no) in self.texts), ""
        )
        name = run.run or run.configuration or ""
        return RunValue(name, run.value, run.is_used, places if len(places) <= MOST_PLACES else places[:1], text)


def words_of(group: Group, named: Mapping[str, str | None]) -> str:
    """What values are about, in the words of its names and its column; a group of a whole row has no column."""
    words = [
        title_of(value, None) if name == "metric" else counted(int(value), "client") if name == "clients" else value
        for name, value in named.items()
        if value and name not in UNNAMED
    ]
    column = "" if "metric" in named else column_in_words(group.column)
    return ", ".join([*words, *filter(None, [column])])


def _texts(study: StudyView) -> dict[tuple[int, int | None], str]:
    """The text of the lines that show milestones."""
    found = {(row["file_id"], row["line_no"]): row["text"] or "" for row in study.rows("milestone_texts")}
    return {key: cut_text(text) for key, text in found.items()}


def cut_text(text: str) -> str:
    """As much of a line as a list shows."""
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]} …"
