"""The report as a document: what stands in it, in which order and under which number; and its HTML."""

import base64
import hashlib
import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from reports import branding, cluster, fonts, highlights, numbers, sections, words
from reports.figures.dependency_figures import drawn_groups
from reports.figures.model import Figure
from reports.figures.panels import parted
from reports.figures.picture import svg
from reports.planning import Advice, advice
from reports.recommendations import recommendations
from reports.relations_read import relations_read
from reports.run_lists import MOST_ROWS, RowRuns, RunLines, lines_of_runs, rows_of_table
from reports.run_values import RunValues, claim_anchor, run_values
from reports.sections import Prose
from reports.study_view import StudyView
from reports.tables import claims, layout
from reports.tables.model import Cell, Column, Table
from reports.text import visible, visible_lines

TEMPLATES = Path(__file__).parent / "templates"
STYLES = Path(__file__).parent / "styles"
SCRIPTS = ("tables.js", "tooltip.js")

ROWS_IN_PRINT = 500  # a longer table is complete in its CSV file; page layout gets slow and nobody reads it
PAGE_SIZES = ("A4", "Letter")
CONTENTS_LINES = {"one-page": 26, "one-page close": 37, "one-page close dense": 46}
"""Lines of the lists of tables and figures that a page of either size holds below the sections, by how they are set."""

MOST_TITLE_LINES = 32  # of a title page of either size; with more it is set close
MOST_CONTENTS_CHARACTERS = 105  # of a caption on one line of these lists
PACKAGES = (
    "duckdb",
    "polars",
    "weasyprint",
    "vl-convert-python",
    "fonttools",
    "fontpkg-ibm-plex-serif",
    "fontpkg-ibm-plex-sans",
    "fontpkg-ibm-plex-mono",
)
PLACES = ("introduction", "environment", "method", "results", "doubts", "claims", "conclusion", "appendix")


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

    @property
    def first_figures(self) -> list[Figure]:
        """What stands before the tables: the figures that show the tables' main column at a glance."""
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
    told: dict[str, object] = field(default_factory=dict)

    def picture(self, name: str) -> str:
        """The figure as SVG, drawn once."""
        if name not in self.drawn:
            self.drawn[name] = svg(self.figures[name])
        return self.drawn[name]

    def in_order(self, kind: str) -> list[str]:
        """Names of `table`s or `figure`s in the order of their pages."""
        return [key.removeprefix(f"{kind}:") for key in self.numbers if key.startswith(f"{kind}:")]

    def numbered_table(self, name: str) -> Table:
        """A table that bears its number in the report, to stand alone."""
        return replace(self.tables[name], label=self.numbers[f"table:{name}"].number)

    def numbered_figure(self, name: str) -> Figure:
        """A figure that bears its number in the report, to stand alone."""
        return replace(self.figures[name], label=self.numbers[f"figure:{name}"].number)

    def shown_tables(self, kind: str) -> list[Table]:
        """Tables of a section, in order."""
        return [table for table in self.tables.values() if section_of(table, self.tables) == kind]

    def shown_figures(self, kind: str) -> list[Figure]:
        """Figures of a section, in order."""
        return [figure for figure in self.figures.values() if section_of_figure(figure) == kind]

    @property
    def topics(self) -> list[Topic]:
        """The parts of the results that have something to show, in order."""
        tables = self.shown_tables("results")
        found = [
            Topic(
                title,
                [each for each in tables if topic_of(each, self.study) == kind],
                [each for each in self.figures.values() if each.topic == kind],
                ADVICE[kind](self.study) if kind in ADVICE else (),
            )
            for kind, title in TOPIC_TITLES.items()
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


CSS_CHARACTERS = "\u2022\u2026\u2018\u2019\u201c\u201d"  # which style sheets may put on a page


@dataclass(frozen=True, slots=True)
class Page:
    """HTML, and the fonts that it names by address instead of carrying them."""

    html: str
    fonts: Mapping[str, bytes]


PLANNING_TABLES = (
    "hadr-recommendations",
    "hadr-modes",
    "hadr-bottlenecks",
    "hadr-windows",
    "hadr-buffers",
    "hadr-model",
    "hadr-what-if",
    "hadr-disks",
    "hadr-repeats",
    "hadr-shipping",
    "hadr-outliers",
)
ADVICE: Mapping[str, Callable[[StudyView], Sequence[Advice]]] = {"planning": advice, "recommendations": recommendations}
"""Topics that say what to do."""

CLIENT_TABLES = ("client-outage", "client-effects", "client-errors")
PERFORMANCE_TABLES = {
    "throughput-scaling": "throughput",
    "relative-query-times": "throughput",
    "throughput-dips": "throughput",
    "log-flushes": "disk",
    "hadr-states": "replication",
}
SECTION_OF_TABLE = {
    "formats": "environment",
    "hosts": "environment",
    "machines": "environment",
    "iostat-disks": "results",
    "processors": "results",
    **dict.fromkeys(PLANNING_TABLES, "results"),
    "resources": "environment",
    "timers": "environment",
    "changes": "results",
    "measurements": "results",
    "operations": "results",
    "resynchronisations": "results",
    "hadr-takeovers": "results",
    "claims": "claims",
    "story": "runs",
    **dict.fromkeys(PERFORMANCE_TABLES, "results"),
    **dict.fromkeys(CLIENT_TABLES, "results"),
    "fault-time-accuracy": "results",
    "fault-time-errors": "runs",
    "parameter-changes": "parameters",
    "automatic-parameters": "parameters",
    "delayed-parameters": "parameters",
    "parameters": "parameters",
    "changes-all": "runs",
    "phases": "runs",
    "runs": "runs",
    "sources": "sources",
}


TOPIC_TITLES = {
    "failover": "Failover and take-over",
    "client": "What clients went through",
    "replication": "Replication",
    "throughput": "Throughput and response",
    "planning": "HADR planning",
    "disk": "Disk and processor",
    "truth": "Fault times against the truth",
    "recommendations": "Recommendations",
}
FIGURES_LAST = {"failover": "Time lines", "planning": "Figures"}
"""Topics whose tables stand before most of their figures, with the heading of those."""
TOPIC_OF_TABLE = {
    "measurements": "throughput",
    **PERFORMANCE_TABLES,
    **dict.fromkeys(CLIENT_TABLES, "client"),
    "fault-time-accuracy": "truth",
    "resynchronisations": "replication",
    "hadr-takeovers": "replication",
    **dict.fromkeys(PLANNING_TABLES, "planning"),
}


def topic_of(table: Table, study: StudyView) -> str:
    """The part of the results that a table stands in; the study's own tables stand in its main part."""
    if table.name in TOPIC_OF_TABLE:
        return TOPIC_OF_TABLE[table.name]
    if table.name.startswith(("iostat", "processor")):
        return "disk"
    is_ours = not _is_own(table.name)
    return "failover" if study.failover_runs or is_ours else "throughput"


def section_of(table: Table, tables: Mapping[str, Table]) -> str:
    """The section that a table stands in."""
    if table.place:
        return table.place
    if table.name in SECTION_OF_TABLE:
        return SECTION_OF_TABLE[table.name]
    if table.name.startswith("run-milestones"):
        return "runs"
    has_own = any(_is_own(name) for name in tables)
    if table.name.startswith("milestones"):
        return "runs" if has_own and len(tables) > 1 else "results"
    return "results"


def section_of_figure(figure: Figure) -> str:
    """The section that a figure stands in."""
    return "results" if figure.topic in TOPIC_TITLES else figure.topic


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
        numbers=_numbers(study, placed, tables, figures),
        behind=behind,
    )


def html(document: Document, *, is_print: bool, page_size: str | None = None) -> Page:
    """The whole report; for print with the fonts and rules of the PDF, else for a browser, in one file.

    `page_size` None: that of the study, else A4.
    """
    page_size = page_size or document.study.house_style.get("paper") or PAGE_SIZES[0]
    environment = _base_environment()
    context = _context(document, is_print=is_print) | _names(document, is_print=is_print)
    body = environment.get_template("body.html.j2").render(context)
    script = "" if is_print else '"use strict";\n' + "".join(map(_script, SCRIPTS))
    faces = fonts.reduced(set(body).union(CSS_CHARACTERS, script, *document.drawn.values()))
    style = "\n".join(
        [
            fonts.stylesheet(faces, is_inline=not is_print),
            _style("tokens.css"),
            _style("document.css"),
            _style("print.css").replace("PAGE_SIZE", page_size) if is_print else _style("screen.css"),
            branding.colours(document.study.house_style.get("accent"), is_print=is_print),
        ]
    )
    whole = environment.get_template("page.html.j2").render(
        context
        | {
            "body": Markup(body),  # noqa: S704  rendered above with autoescape on
            "style": Markup(style),  # noqa: S704  our own files
            "script": Markup(script),  # noqa: S704  our own file
            "policy": _policy(style, script),
        }
    )
    return Page(whole, {} if not is_print else {fonts.address(face): data for face, data in faces.items()})


def fragment(table: Table) -> str:
    """One table as HTML, to be put into a page of one's own."""
    environment = _base_environment()
    template = environment.from_string("{% from 'table.html.j2' import table_body %}{{ table_body(table) }}")
    return template.render(table=table) + "\n"


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
        return any(section_of(table, tables) == kind for table in tables.values())

    def has_figures(kind: str) -> bool:
        return any(section_of_figure(figure) == kind for figure in figures.values())

    wanted = [
        ("introduction", "Introduction", bool(said("introduction"))),
        ("environment", "Test environment", True),
        ("method", "Method", bool(study.failover_runs or study.measurement_stats or said("method"))),
        ("results", "Results", has_tables("results") or has_figures("results") or bool(said("results"))),
        ("doubts", "Doubts", True),
        ("claims", "Claims", has_tables("claims") or bool(said("claims"))),
        ("conclusion", "Conclusion", bool(said("conclusion"))),
    ]
    appendices = [
        ("runs", "Every run", has_tables("runs")),
        ("behind", "Runs behind the numbers", has_values),
        ("cluster", "Cluster layout", bool(cluster.layouts(study)) or has_figures("cluster")),
        ("parameters", "Configuration parameters", has_tables("parameters")),
        ("appendix", "Further notes", bool(said("appendix"))),
        ("sources", "Sources", has_tables("sources")),
        ("sql", "SQL of the tables", bool(tables)),
        ("provenance", "Provenance", True),
    ]
    chapters = [(kind, title) for kind, title, is_there in wanted if is_there]
    extra = [(kind, title) for kind, title, is_there in appendices if is_there]
    return tuple(Section(kind, title, str(i), said(kind)) for i, (kind, title) in enumerate(chapters, 1)) + tuple(
        Section(kind, title, chr(ord("A") + i), said(kind)) for i, (kind, title) in enumerate(extra)
    )


def _place(prose: Prose) -> str:
    """The section that a study's prose stands in; results take what names no section of the report."""
    return prose.place if prose.place in PLACES else "results"


def _numbers(
    study: StudyView, placed: Sequence[Section], tables: Mapping[str, Table], figures: Mapping[str, Figure]
) -> dict[str, Numbered]:
    found: dict[str, Numbered] = {}
    free_tables = _free_numbers("Table", [table.label for table in tables.values()])
    free_figures = _free_numbers("Figure", [figure.label for figure in figures.values()])
    for section in placed:
        shown = [table for table in tables.values() if section_of(table, tables) == section.kind]
        if section.kind == "results":
            shown.sort(key=lambda table: list(TOPIC_TITLES).index(topic_of(table, study)))
        for table in shown:
            number = _label(table.label, "Table") or next(free_tables)
            found[f"table:{table.name}"] = Numbered(table, number, f"table-{_slug(table.name)}")
        for figure in figures.values():
            if section_of_figure(figure) == section.kind:
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


def _context(document: Document, *, is_print: bool) -> dict[str, object]:
    """What templates know by name; what both pages show is computed once."""
    if not document.told:
        document.told.update(_told(document))
    doubts = words.doubts(document.study)
    return document.told | {"is_print": is_print, "doubts": words.printed_doubts(doubts) if is_print else doubts}


def _told(document: Document) -> dict[str, object]:
    study = document.study
    setting = study.setting
    found = statements(document)
    found_first = highlights.highlights(study)
    authors = [str(each) for each in setting.get("authors") or []]
    return {
        "document": document,
        "study": study,
        "title": study.title,
        "subtitle": setting.get("subtitle") or "",
        "organisation": setting.get("organisation") or "",
        "authors": authors,
        "date": report_date(study),
        "logo": branding.picture(study.house_style.get("logo"), str(setting.get("organisation") or study.title)),
        "abstract": sections.abstract(study),
        "highlights": found_first,
        "title_class": _title_class(study, found_first),
        "found": words.found_sentence(study),
        "claims_summary": _claims_summary(document.tables),
        "fault_sources": words.fault_sources(study),
        "resolutions": words.resolutions(study),
        "layouts": cluster.shown(study, drawn_groups(document.figures.values())),
        "databases": study.databases,
        "versions": _versions(study),
        "identifier": manifest_hash(study),
        "statements": found,
        "statement_of": {table.anchor: each.anchor for each in found for table in each.tables},
        "relations": relations_read((each.sql for each in found), study.store.described()),
        "rows_in_print": ROWS_IN_PRINT,
        "numbers": numbers,
        "margin_pct": _plain(setting.get("margin_pct")),
    }


def _title_class(study: StudyView, shown: highlights.Highlights) -> str:
    """How close the title page is set, told from the lengths of its texts: it is one page."""
    texts = [(len(f"{each.subject}: {each.sentence}"), 112) for each in shown.found]
    texts += [(len((sections.abstract(study) or Markup("")).striptags()), 100), (len(shown.basis), 112)]
    texts += [(2 * len(study.title), 38), (len(words.found_sentence(study)), 120)]
    logo = 4 if study.house_style.get("logo") else 0
    lines = logo + sum(math.ceil(characters / most) for characters, most in texts)
    return "title-page close" if lines > MOST_TITLE_LINES else "title-page"


def _claims_summary(tables: Mapping[str, Table]) -> str:
    return claims.summary(tables[claims.NAME]) if claims.NAME in tables else ""


def _plain(value: float | None) -> str | None:
    return None if value is None else numbers.stated(value)


def report_date(study: StudyView) -> str:
    """The date on the title page: the study's, else the last day in the logs; never today."""
    stated = study.setting.get("date")
    if stated:
        return branding.date_in(study.house_style.get("language"), str(stated))
    last = study.totals["last_at"]
    return f"logs up to {branding.date_in(study.house_style.get('language'), f'{last:%Y-%m-%d}')}" if last else ""


def manifest_hash(study: StudyView) -> str:
    """SHA-256 over paths and hashes of all files: what ties a report to its input."""
    return hash_of_manifest((row["path"], row["sha256"]) for row in study.manifest_rows)


def hash_of_manifest(files: Iterable[tuple[str, str | None]]) -> str:
    """The same of paths and hashes, in the order of paths."""
    listing = "".join(f"{sha256 or '-'}  {path}\n" for path, sha256 in files)
    return hashlib.sha256(listing.encode("utf-8", "surrogatepass")).hexdigest()


def _versions(study: StudyView) -> list[tuple[str, str]]:
    from weasyprint.text.ffi import pango

    found = [("haledger", study.program_version)] if study.program_version else []
    found += [(name, fonts.version(name)) for name in PACKAGES]
    pango_version = pango.pango_version()
    found.append(("Pango", f"{pango_version // 10000}.{pango_version // 100 % 100}.{pango_version % 100}"))
    return found


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


def _is_own(name: str) -> bool:
    """Whether a table is the study's own, not one of ours."""
    return name not in SECTION_OF_TABLE and not name.startswith(("milestones", "run-milestones"))


def _slug(name: str) -> str:
    plain = "".join(c if c.isascii() and (c.isalnum() or c == "-") else "-" for c in name)
    return plain if plain == name else f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def _style(name: str) -> str:
    return (STYLES / name).read_text(encoding="utf-8")


def _script(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """Content security policy: this one style, this one script, pictures and fonts from within, nothing else."""
    scripts = f"script-src '{_source_hash(script)}'; " if script else ""
    return (
        f"default-src 'none'; style-src '{_source_hash(style)}'; {scripts}font-src data:; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _source_hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode("utf-8")).digest()).decode("ascii")


def _images(figure: Figure, drawn: str) -> Markup:
    """The figure as images with alternative text: the page renderer need not style each of its marks.

    Where it has panels each is an image, so that a page may end between them.
    """
    told = f"{visible(figure.caption)}. {visible(figure.description)}"
    pictures = parted(drawn)
    texts = [told, *(f"{visible(figure.caption)}, part {part}" for part in range(2, len(pictures) + 1))]
    return Markup("\n").join(_image(picture, text) for picture, text in zip(pictures, texts, strict=True))


def _image(drawn: str, text: str) -> Markup:
    lean = re.sub(r' aria-label="[^"]*"', "", drawn)
    data = base64.b64encode(lean.encode("utf-8")).decode("ascii")
    return Markup('<img class="chart" alt="{}" src="data:image/svg+xml;base64,{}">').format(text, data)


def _names(document: Document, *, is_print: bool) -> dict[str, object]:
    """What templates call: a link to a table or figure, its drawing, its number."""

    def reference(kind: str, name: str) -> Markup:
        numbered = document.numbers[f"{kind}:{name}"]
        return Markup('<a href="#{}">{}</a>').format(numbered.anchor, visible(numbered.number))

    def picture(name: str) -> Markup:
        if is_print:
            return _images(document.figures[name], document.picture(name))
        return Markup(document.picture(name))  # noqa: S704  drawn by Vega, texts escaped by it

    return {"ref": reference, "picture": picture, "number_of": document.numbers.__getitem__}


@cache
def _base_environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    environment.globals.update(table_classes=layout.classes, kept_rows=layout.kept_rows)
    environment.filters["lines"] = _lines
    environment.filters["cell"] = _cell
    environment.filters["ticks"] = _ticks
    environment.filters["unrounded"] = _unrounded
    return environment


def _printable(value: object) -> object:
    """What templates print: strangers' text made visible, and never the word None."""
    if value is None:
        raise TypeError("a template was given no value where it prints one")
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _lines(text: str) -> Markup:
    """A statement as it is printed: without the empty lines that part its steps."""
    return Markup("{}").format("\n".join(line for line in visible_lines(text).splitlines() if line.strip()))


def _ticks(text: str) -> Markup:
    """A sentence in which `names` stand between back ticks."""
    plain, code = Markup("{}"), Markup("<code>{}</code>")
    parts = [(code if place % 2 else plain).format(visible(each)) for place, each in enumerate(text.split("`"))]
    return Markup("").join(parts)


def _unrounded(cell: Cell) -> Markup:
    """The number behind a cell, by which a browser sorts; none for a cell without one."""
    value = cell.values[0]
    is_number = isinstance(value, int | float) and math.isfinite(value)
    return Markup(' data-value="{}"').format(repr(value)) if is_number else Markup("")


def _cell(cell: Cell, column: Column) -> Markup:
    """A cell's text; a mean and its deviation are set apart so that they line up."""
    shown = visible(cell.text)
    mean, sign, spread = shown.partition(f" {numbers.PLUS_MINUS} ")
    if column.is_number and sign:
        space = numbers.NO_BREAK_SPACE
        return Markup('<span class="mean">{}</span><span class="spread">{}</span>').format(
            mean, f"{space}{numbers.PLUS_MINUS}{space}{spread}"
        )
    return (
        Markup("<code>{}</code>").format(shown)
        if column.is_code and shown != numbers.DASH
        else Markup("{}").format(shown)
    )
