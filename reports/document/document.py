"""The report as a document: what is in it, in which order and under which number."""

import hashlib
import itertools
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, TypeVar

from reports.data_origin import origin_notes
from reports.figures.model import Figure
from reports.figures.picture import svg
from reports.findings import cluster, sections
from reports.findings.planning import Advice, advice
from reports.findings.recommendations import recommendations
from reports.findings.sections import Prose
from reports.lineage.doubt_lines import with_doubts
from reports.lineage.run_lists import MOST_ROWS, RowRuns, RunLines, lines_of_runs, rows_of_table
from reports.lineage.run_values import RunValues, Values, claim_anchor, run_values
from reports.outline import APPENDICES, NUMBER_WORD, SECTIONS, TOPICS
from reports.study.view import StudyView
from reports.tables import claims, earlier
from reports.tables.model import Table
from reports.words import Doubt, doubts

ADVICE: Mapping[str, Callable[[StudyView], Sequence[Advice]]] = {"planning": advice, "recommendations": recommendations}
"""Topics that say what to do."""

FIGURES_LAST = {"failover": "Time lines", "planning": "Figures"}
"""Topics whose tables are before most of their figures, with the heading of those."""


CONFIGURED = ("machines", "cluster", "parameters", "sources")
"""Sections that say how things were set up."""

Shown = TypeVar("Shown", Table, Figure)

Part = Literal["page", "paper", "data"]
"""What of the document is shown: all of it in a browser, in print the paper or the data behind it."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A table or figure with its number in the report and its anchor."""

    item: Table | Figure
    number: str
    anchor: str

    @property
    def heading(self) -> str:
        """The number as it is printed above, with that of its like in a published paper: `Table 7 (paper: 3.7)`."""
        paper = NUMBER_WORD.sub("", self.item.paper)
        return f"{self.number} (paper: {paper})" if paper else self.number

    @property
    def command(self) -> str:
        """What writes it again, by name: another may have the same number in the study's paper."""
        kind = "tables" if isinstance(self.item, Table) else "figures"
        return f"haledger {kind} {shlex.quote(self.item.name)}"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with what is printed from it."""

    anchor: str
    tables: Sequence[Numbered]
    sql: str


@dataclass(frozen=True, slots=True)
class Topic:
    """A part of the results: its tables and figures."""

    title: str
    tables: Sequence[Table]
    figures: Sequence[Figure]
    advice: Sequence[Advice] = ()

    @property
    def first_figures(self) -> list[Figure]:
        """What is before the tables: the figures that show the tables' main column at a glance."""
        return [each for each in self.figures if each.name == "recovery-times" or each.topic not in FIGURES_LAST]

    @property
    def later_figures(self) -> list[Figure]:
        """The others."""
        return [each for each in self.figures if each not in self.first_figures]

    @property
    def later_title(self) -> str:
        """The heading of the later figures."""
        return FIGURES_LAST[self.later_figures[0].topic]


@dataclass(frozen=True, slots=True)
class Section:
    """A section as the contents list it; its template is `sections/KIND.html.j2`."""

    kind: str
    title: str
    number: str
    prose: tuple[Prose, ...] = ()

    @property
    def anchor(self) -> str:
        """Where links to the section lead."""
        return f"section-{self.kind}"


@dataclass(frozen=True, slots=True)
class TracedTable:
    """A table with the runs of its cells, as many as paper lists."""

    numbered: Numbered
    rows: Sequence[RowRuns]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Document:
    """Everything that both the page and the PDF show."""

    study: StudyView
    tables: Mapping[str, Table]
    figures: Mapping[str, Figure]
    sections: tuple[Section, ...]
    topics: tuple[Topic, ...]
    hero: Figure | None
    prose: tuple[Prose, ...]
    numbers: Mapping[str, Numbered]
    behind: RunValues
    doubts: Sequence[Doubt]
    drawn: dict[str, str] = field(default_factory=dict)
    shared_context: dict[str, object] = field(default_factory=dict)

    def picture(self, name: str) -> str:
        """The figure as SVG, drawn once."""
        if name not in self.drawn:
            self.drawn[name] = svg(self.figures[name])
        return self.drawn[name]

    def numbered_tables(self) -> dict[str, Table]:
        """The tables by name, in the order of their pages, each with its number, to stand alone."""
        return to_stand_alone(self.numbers, Table)

    def numbered_figures(self) -> dict[str, Figure]:
        """The same of figures."""
        return to_stand_alone(self.numbers, Figure)

    def shown_tables(self, kind: str) -> list[Table]:
        """Tables of a section, in order."""
        return [table for table in self.tables.values() if table.section == kind]

    def shown_figures(self, kind: str) -> list[Figure]:
        """Figures of a section, in order."""
        return [figure for figure in self.figures.values() if figure.section == kind]

    @property
    def chapters(self) -> list[Section]:
        """The numbered sections: the paper."""
        return [each for each in self.sections if each.kind in SECTIONS]

    @property
    def appendices(self) -> list[Section]:
        """The lettered ones: what is looked up."""
        return [each for each in self.sections if each.kind in APPENDICES]

    def shown_sections(self, part: Part) -> Sequence[Section]:
        """The sections of a part, in order; a paper without results shows what was configured instead."""
        has_results = any(each.kind == "results" for each in self.sections)
        configured = [] if has_results else [each for each in self.appendices if each.kind in CONFIGURED]
        return {"page": self.sections, "paper": [*self.chapters, *configured], "data": self.appendices}[part]

    def anchors(self, part: Part) -> frozenset[str]:
        """The anchors of the tables and figures that a part shows: where its links can lead."""
        kinds = {each.kind for each in self.shown_sections(part)}
        return frozenset(each.anchor for each in self.numbers.values() if each.item.section in kinds)

    @property
    def traced_tables(self) -> list[TracedTable]:
        """The tables that show numbers of runs, with these runs."""
        return [
            TracedTable(each, rows, len(rows) == MOST_ROWS)
            for each in self.listed_tables
            if isinstance(each.item, Table) and (rows := rows_of_table(each.item, self.behind))
        ]

    @property
    def listed_values(self) -> list[tuple[str, list[Values]]]:
        """The lists of runs of each configuration by its label, in their order; those of none last."""
        found: dict[str, list[Values]] = {label: [] for label in [*self.study.labels.values(), ""]}
        for each in self.behind.values:
            found.setdefault(each.label, []).append(each)
        return [(label, lists) for label, lists in found.items() if lists]

    @property
    def traced_runs(self) -> list[tuple[str, list[RunLines]]]:
        """Of every configuration its runs, with the lines that show their values."""
        return list(lines_of_runs(self.behind.values))

    @property
    def listed_tables(self) -> list[Numbered]:
        """Tables in order of their appearance."""
        return [each for each in self.numbers.values() if isinstance(each.item, Table)]

    @property
    def listed_figures(self) -> list[Numbered]:
        """Figures in order of their appearance."""
        return [each for each in self.numbers.values() if isinstance(each.item, Figure)]


@dataclass(frozen=True, slots=True)
class _Outline:
    """What is in a report, in its order."""

    prose: tuple[Prose, ...]
    sections: tuple[Section, ...]
    topics: tuple[Topic, ...]
    hero: Figure | None
    numbers: Mapping[str, Numbered]


def compose(study: StudyView, tables: Mapping[str, Table], figures: Mapping[str, Figure]) -> Document:
    """Put everything in its place and number it."""
    doubtful = doubts(study)
    behind = with_doubts(run_values(study, list(tables.values()), figures.values()), study, doubtful)
    outline = _outline(study, tables, figures, has_values=bool(behind.values))
    return Document(
        study=study,
        tables=tables,
        figures=figures,
        sections=outline.sections,
        topics=outline.topics,
        hero=outline.hero,
        prose=outline.prose,
        numbers=outline.numbers,
        behind=behind,
        doubts=doubtful,
    )


def numbered(
    study: StudyView,
    *,
    tables: Mapping[str, Table] = MappingProxyType({}),
    figures: Mapping[str, Figure] = MappingProxyType({}),
) -> Mapping[str, Numbered]:
    """Tables, or figures, with the numbers that they have in the report, without the runs behind them."""
    return _outline(study, tables, figures, has_values=False).numbers


def to_stand_alone(numbers: Mapping[str, Numbered], kind: type[Shown]) -> dict[str, Shown]:
    """Those of a kind by name, in the order of their pages, each labelled with its number."""
    shown = ((each.item, each.heading) for each in numbers.values())
    return {item.name: replace(item, label=number) for item, number in shown if isinstance(item, kind)}


def _outline(
    study: StudyView, tables: Mapping[str, Table], figures: Mapping[str, Figure], *, has_values: bool
) -> _Outline:
    prose = tuple(sections.sections(study))
    placed = _sections(study, tables, figures, prose, has_values=has_values)
    topics = _topics(study, tables, figures)
    hero = next((each for topic in topics for each in topic.first_figures), None)
    return _Outline(prose, placed, topics, hero, _numbers(placed, topics, hero, tables, figures))


def statements(document: Document) -> list[Statement]:
    """Every statement once, with the tables and figures that are made from it; then those of claims."""
    grouped: dict[str, list[Numbered]] = {}
    for each in (*document.listed_tables, *document.listed_figures):
        if each.item.sql:
            grouped.setdefault(each.item.sql, []).append(each)
    found = [Statement(f"sql-{tables[0].anchor}", tables, sql) for sql, tables in grouped.items()]
    table = document.numbers.get(f"table:{claims.NAME}")
    if table is None:
        return found
    return found + [
        Statement(claim_anchor(claim), [replace(table, number=f"Claim {claim.number}")], claim.sql)
        for claim in document.study.claims
        if claim.sql
    ]


def _sections(
    study: StudyView,
    tables: Mapping[str, Table],
    figures: Mapping[str, Figure],
    prose: Sequence[Prose],
    *,
    has_values: bool,
) -> tuple[Section, ...]:
    def said(kind: str) -> tuple[Prose, ...]:
        return tuple(each for each in prose if _place(each) == kind)

    def has_tables(kind: str) -> bool:
        return any(table.section == kind for table in tables.values())

    def has_figures(kind: str) -> bool:
        return any(figure.section == kind for figure in figures.values())

    is_there = {
        "introduction": bool(said("introduction")),
        "environment": bool(
            said("environment") or study.rows("databases") or study.shortened_labels or origin_notes(study)
        )
        or has_tables("environment")
        or has_figures("environment"),
        "machines": has_tables("machines"),
        "method": bool(study.failover_runs or study.rows("measurements") or said("method")),
        "results": has_tables("results") or has_figures("results") or bool(said("results")),
        "doubts": True,
        "claims": has_tables("claims") or bool(said("claims")),
        "conclusion": bool(said("conclusion")),
        "runs": has_tables("runs") or has_figures("runs"),
        "behind": has_values,
        "cluster": bool(cluster.layouts(study)) or has_tables("cluster") or has_figures("cluster"),
        "parameters": has_tables("parameters"),
        "appendix": bool(said("appendix")),
        "sources": has_tables("sources"),
        "sql": bool(tables),
        "provenance": True,
    }
    chapters = [kind for kind in SECTIONS if is_there[kind]]
    extra = [kind for kind in APPENDICES if is_there[kind]]
    if not is_there["results"]:  # the paper shows these, lettered from A
        extra.sort(key=lambda kind: kind not in CONFIGURED)
    return tuple(Section(kind, SECTIONS[kind], str(i), said(kind)) for i, kind in enumerate(chapters, 1)) + tuple(
        Section(kind, APPENDICES[kind], chr(ord("A") + i), said(kind)) for i, kind in enumerate(extra)
    )


def _place(prose: Prose) -> str:
    """The section that a study's prose is in; results take what names no section of the report."""
    return prose.place if prose.place in SECTIONS else "results"


def _topics(study: StudyView, tables: Mapping[str, Table], figures: Mapping[str, Figure]) -> tuple[Topic, ...]:
    """The parts of the results that have something to show, in order."""
    found = [
        Topic(
            title,
            [each for each in tables.values() if each.section == "results" and each.topic == kind],
            [each for each in figures.values() if each.topic == kind],
            ADVICE[kind](study) if kind in ADVICE else (),
        )
        for kind, title in TOPICS.items()
    ]
    return tuple(each for each in found if each.tables or each.figures or each.advice)


def _numbers(
    placed: Sequence[Section],
    topics: Sequence[Topic],
    hero: Figure | None,
    tables: Mapping[str, Table],
    figures: Mapping[str, Figure],
) -> dict[str, Numbered]:
    """Tables and figures in the order in which the report shows them, each kind counted from one.

    What the study numbers itself has that number, which no other gets.
    """
    shown: list[Table | Figure] = [] if hero is None else [hero]
    for section in placed:
        if section.kind == "results":
            for topic in topics:
                shown += [*topic.first_figures, *topic.tables, *topic.later_figures]
        else:
            shown += [each for each in tables.values() if each.section == section.kind]
            shown += [each for each in figures.values() if each.section == section.kind]
    # last: without the earlier study, all others have the same numbers
    shown.sort(key=lambda item: isinstance(item, Table) and item.name in earlier.NAMES)
    found: dict[str, Numbered] = {}
    own = {(_kind(item), NUMBER_WORD.sub("", item.label)) for item in shown}
    counts = {kind: _free({number for of, number in own if of == kind}) for kind in ("table", "figure")}
    for item in shown:
        kind = _kind(item)
        if f"{kind}:{item.name}" not in found:
            number = NUMBER_WORD.sub("", item.label) or next(counts[kind])
            found[f"{kind}:{item.name}"] = Numbered(item, f"{kind.capitalize()} {number}", f"{kind}-{_slug(item.name)}")
    return found


def _free(taken: Collection[str]) -> Iterator[str]:
    return (number for number in map(str, itertools.count(1)) if number not in taken)


def _kind(item: Table | Figure) -> str:
    return "table" if isinstance(item, Table) else "figure"


def _slug(name: str) -> str:
    plain = "".join(c if c.isascii() and (c.isalnum() or c == "-") else "-" for c in name)
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
