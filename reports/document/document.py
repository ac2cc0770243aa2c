"""The report as a document: what is in it, in which order and under which number."""

import hashlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reports.figures.model import Figure
from reports.figures.picture import svg
from reports.findings import cluster, sections
from reports.findings.planning import Advice, advice
from reports.findings.recommendations import recommendations
from reports.findings.sections import Prose
from reports.lineage.run_lists import MOST_ROWS, RowRuns, RunLines, lines_of_runs, rows_of_table
from reports.lineage.run_values import RunValues, claim_anchor, run_values
from reports.outline import APPENDICES, SECTIONS, TOPICS
from reports.recoveries import opening
from reports.study.view import StudyView
from reports.tables import claims
from reports.tables.model import Table

CONTENTS_LINES = {"one-page": 26, "one-page close": 37, "one-page close dense": 46}
"""Lines of the lists of tables and figures that a page of either size holds below the sections, by how they are set."""

MOST_CONTENTS_CHARACTERS = 105  # of a caption on one line of these lists
ADVICE: Mapping[str, Callable[[StudyView], Sequence[Advice]]] = {"planning": advice, "recommendations": recommendations}
"""Topics that say what to do."""

FIGURES_LAST = {"failover": "Time lines", "planning": "Figures"}
"""Topics whose tables are before most of their figures, with the heading of those."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A table or figure with its printed number and its anchor."""

    item: Table | Figure
    number: str
    anchor: str


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
    opening: str = ""

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
    prose: tuple[Prose, ...]
    numbers: Mapping[str, Numbered]
    behind: RunValues
    drawn: dict[str, str] = field(default_factory=dict)
    shared_context: dict[str, object] = field(default_factory=dict)

    def picture(self, name: str) -> str:
        """The figure as SVG, drawn once."""
        if name not in self.drawn:
            self.drawn[name] = svg(self.figures[name])
        return self.drawn[name]

    def numbered_tables(self) -> dict[str, Table]:
        """The tables by name, in the order of their pages, each with its number, to stand alone."""
        shown = ((each.item, each.number) for each in self.numbers.values())
        return {item.name: replace(item, label=number) for item, number in shown if isinstance(item, Table)}

    def numbered_figures(self) -> dict[str, Figure]:
        """The same of figures."""
        shown = ((each.item, each.number) for each in self.numbers.values())
        return {item.name: replace(item, label=number) for item, number in shown if isinstance(item, Figure)}

    def shown_tables(self, kind: str) -> list[Table]:
        """Tables of a section, in order."""
        return [table for table in self.tables.values() if table.section == kind]

    def shown_figures(self, kind: str) -> list[Figure]:
        """Figures of a section, in order."""
        return [figure for figure in self.figures.values() if figure.section == kind]

    @property
    def topics(self) -> list[Topic]:
        """The parts of the results that have something to show, in order."""
        tables = self.shown_tables("results")
        found = [
            Topic(
                title,
                [each for each in tables if each.topic == kind],
                [each for each in self.figures.values() if each.topic == kind],
                ADVICE[kind](self.study) if kind in ADVICE else (),
                opening(self.study) if kind == "failover" else "",
            )
            for kind, title in TOPICS.items()
        ]
        return [each for each in found if each.tables or each.figures or each.advice]

    @property
    def chapters(self) -> list[Section]:
        """The numbered sections."""
        return [each for each in self.sections if each.number.isdigit()]

    @property
    def appendices(self) -> list[Section]:
        """The lettered ones."""
        return [each for each in self.sections if not each.number.isdigit()]

    @property
    def contents_class(self) -> str:
        """How close the lists of tables and figures are set, that they end with the page or fill a second one."""
        longest = MOST_CONTENTS_CHARACTERS
        lines = sum(1 + len(each.item.caption) // longest for each in self.numbers.values())
        return next((name for name, most in CONTENTS_LINES.items() if lines <= most), "several-pages")

    @property
    def traced_tables(self) -> list[TracedTable]:
        """The tables that show numbers of runs, with these runs."""
        return [
            TracedTable(each, rows, len(rows) == MOST_ROWS)
            for each in self.listed_tables
            if isinstance(each.item, Table) and (rows := rows_of_table(each.item, self.behind))
        ]

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


def compose(study: StudyView, tables: Mapping[str, Table], figures: Mapping[str, Figure]) -> Document:
    """Put everything in its place and number it."""
    prose = sections.sections(study)
    behind = run_values(study, list(tables.values()))
    placed = _sections(study, tables, figures, prose, has_values=bool(behind.values))
    return Document(
        study=study,
        tables=tables,
        figures=figures,
        sections=placed,
        prose=tuple(prose),
        numbers=_numbers(placed, tables, figures),
        behind=behind,
    )


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
        "environment": True,
        "method": bool(study.failover_runs or study.measurement_stats or said("method")),
        "results": has_tables("results") or has_figures("results") or bool(said("results")),
        "doubts": True,
        "claims": has_tables("claims") or bool(said("claims")),
        "conclusion": bool(said("conclusion")),
        "runs": has_tables("runs"),
        "behind": has_values,
        "cluster": bool(cluster.layouts(study)) or has_figures("cluster"),
        "parameters": has_tables("parameters"),
        "appendix": bool(said("appendix")),
        "sources": has_tables("sources"),
        "sql": bool(tables),
        "provenance": True,
    }
    chapters = [kind for kind in SECTIONS if is_there[kind]]
    extra = [kind for kind in APPENDICES if is_there[kind]]
    return tuple(Section(kind, SECTIONS[kind], str(i), said(kind)) for i, kind in enumerate(chapters, 1)) + tuple(
        Section(kind, APPENDICES[kind], chr(ord("A") + i), said(kind)) for i, kind in enumerate(extra)
    )


def _place(prose: Prose) -> str:
    """The section that a study's prose is in; results take what names no section of the report."""
    return prose.place if prose.place in (*SECTIONS, "appendix") else "results"


def _numbers(
    placed: Sequence[Section], tables: Mapping[str, Table], figures: Mapping[str, Figure]
) -> dict[str, Numbered]:
    found: dict[str, Numbered] = {}
    free_tables = _free_numbers("Table", [table.label for table in tables.values()])
    free_figures = _free_numbers("Figure", [figure.label for figure in figures.values()])
    for section in placed:
        shown = [table for table in tables.values() if table.section == section.kind]
        if section.kind == "results":
            shown.sort(key=lambda table: list(TOPICS).index(table.topic))
        for table in shown:
            number = _label(table.label, "Table") or next(free_tables)
            found[f"table:{table.name}"] = Numbered(table, number, f"table-{_slug(table.name)}")
        for figure in figures.values():
            if figure.section == section.kind:
                number = _label(figure.label, "Figure") or next(free_figures)
                found[f"figure:{figure.name}"] = Numbered(figure, number, f"figure-{_slug(figure.name)}")
    return found


def _free_numbers(kind: str, labels: Sequence[str]) -> Iterator[str]:
    """`Table 1`, `Table 2` and so on, without those that the study gave to tables of its own."""
    taken = {_label(label, kind).lower() for label in labels}
    return (number for count in itertools.count(1) if (number := f"{kind} {count}").lower() not in taken)


def _label(label: str, kind: str) -> str:
    """The study's own number for a table or figure; empty where it gives none."""
    return label if not label or label.lower().startswith(kind.lower()) else f"{kind} {label}"


def _slug(name: str) -> str:
    plain = "".join(c if c.isascii() and (c.isalnum() or c == "-") else "-" for c in name)
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
