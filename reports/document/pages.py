"""The report as HTML: for a browser in one file, and for the PDF."""

import base64
import hashlib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from html import unescape
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from pipeline.ask.doctor import pango
from pipeline.version import version
from reports import numbers, words
from reports.data_origin import origin_notes, title_origin
from reports.document import branding
from reports.document.document import Document, Numbered, Part, statements
from reports.document.pdf import Spacing
from reports.document.relations_read import relations_read
from reports.figures.dependency.figures import drawn_groups
from reports.figures.draw.style import COLUMN
from reports.figures.model import Figure
from reports.figures.picture import printed, svg
from reports.findings import card, cluster, sections
from reports.findings.listings import LISTINGS, listings
from reports.study.view import StudyView
from reports.tables import layout
from reports.tables.model import Cell, Column, Table
from reports.timeline import lanes
from reports.timeline.packed import characters, deflated
from reports.timeline.run_timeline import run_timelines
from reports.typeset import fonts, further_fonts
from reports.typeset.further_fonts import Further
from reports.typeset.page_policy import page_policy
from reports.typeset.text import file_name, shortened, visible, visible_lines
from reports.zero import is_ordered, zero_of

TEMPLATES = Path(__file__).parent / "templates"
STYLES = Path(__file__).parent / "styles"
SCRIPTS = ("tables.js", "tooltip.js", "find.js", "fold.js", "narrow.js")

MOVED_CHAPTERS = (2, 3, 4)  # that begin a last page, which would hold less than they need
ROWS_IN_PRINT = 500  # a longer table is complete in its CSV file; page layout gets slow and nobody reads it
PAGE_SIZES = ("A4", "Letter")
PACKAGES = (
    "duckdb",
    "polars",
    "weasyprint",
    "fonttools",
)
CSS_CHARACTERS = "\u2022\u2026\u2018\u2019\u201c\u201d"  # which style sheets may put on a page

MARK = re.compile(r' aria-label="(?P<words>[^"]*)"')
NAME_OR_QUOTATION = re.compile("(\u201c[^\u201c\u201d]*\u201d|`[^`]+`)")


@dataclass(frozen=True, slots=True)
class Page:
    """HTML, and the fonts that it names by address instead of carrying them."""

    html: str
    fonts: Mapping[str, bytes]


def html(document: Document, part: Part = "page", *, page_size: str | None = None) -> Page:
    """The report for a browser, in one file; or a part of it with the fonts and rules of a PDF.

    `page_size` None: that of the study, else A4.
    """
    is_print = part != "page"
    page_size = page_size or document.study.house_style.get("paper") or PAGE_SIZES[0]
    environment = _base_environment()
    template = environment.get_template("body.html.j2")
    timelines = [] if is_print else run_timelines(document.study)
    has_lanes = bool(timelines or document.behind.values) and not is_print
    shown = {"lanes": lanes.lanes(timelines, is_docked=True) if has_lanes else ""}
    context = _context(document, part) | _names(document, part, Further()) | shown
    body = template.render(context)
    script = "" if is_print else '"use strict";\n' + "".join(map(_script, SCRIPTS)) + lanes.script()
    used = set(body).union(CSS_CHARACTERS, script, *map(document.picture, document.figures))
    further = further_fonts.further(used)
    if further.faces:  # to say so on the page, and to use them in figures
        context = _with_further(context, further) | _names(document, part, further)
        body = template.render(context)
    body = further_fonts.boxed(body, further.missing if is_print else ())
    faces = fonts.reduced(used.union(characters(timelines)))
    style = "\n".join(
        [
            fonts.stylesheet(faces, is_inline=not is_print),
            further_fonts.stylesheet(further.faces, is_inline=not is_print),
            _style("tokens.css", further),
            _style("document.css"),
            _style("print.css", further).replace("PAGE_SIZE", page_size)
            if is_print
            else _style("screen.css") + _style("dark.css") + lanes.style(),
            branding.colours(document.study.house_style.get("accent"), is_print=is_print),
        ]
    )
    whole = environment.get_template("page.html.j2").render(
        context
        | {
            "body": Markup(body),  # noqa: S704  rendered above with autoescape on
            "style": Markup(style),  # noqa: S704  our own files
            "script": Markup(script),  # noqa: S704  our own file
            "policy": page_policy(style, script, "font-src data:", "img-src data:"),
        }
    )
    named = {fonts.address(face): data for face, data in faces.items()}
    named |= {further_fonts.address(face): face.data for face in further.faces}
    return Page(whole, named if is_print else {})


def spacing() -> Spacing:
    """Styles of a print that is to take a little less room, or more."""
    roomier = _style("roomier.css")
    return Spacing(_style("tighter.css"), tuple(roomier.replace("MOVED", str(moved)) for moved in MOVED_CHAPTERS))


def _with_further(context: Mapping[str, object], further: Further) -> dict[str, object]:
    """What templates know, with fonts of the machine change: a doubt about missing glyphs, and versions."""
    doubts, versions = context["doubts"], context["versions"]
    if not isinstance(doubts, list) or not isinstance(versions, list):
        raise TypeError("doubts and versions are lists")
    advice = further_fonts.advice(further.missing)
    missing = [words.Doubt("Warning", "missing_glyph", advice, "")] if advice else []
    named = [(face.name, face.version) for face in further.faces if face.name]
    first = context["card"]
    if missing and isinstance(first, card.Card):
        context = {**context, "card": replace(first, trust=(*first.trust, advice))}
    return {**context, "doubts": [*missing, *doubts], "versions": [*versions, *named], "has_system_fonts": bool(named)}


def fragment(table: Table) -> str:
    """One table as HTML, to be put into a page of one's own."""
    return _fragment_template().render(table=table) + "\n"


@cache
def _fragment_template() -> jinja2.Template:
    return _base_environment().from_string("{% from 'table.html.j2' import table_body %}{{ table_body(table) }}")


def _context(document: Document, part: Part) -> dict[str, object]:
    """What templates know by name; what both pages show is computed once."""
    if not document.shared_context:
        document.shared_context.update(_shared_context(document))
    doubts = document.doubts
    return document.shared_context | {
        "part": part,
        "is_print": part != "page",
        "sections": document.shown_sections(part),
        "doubts": doubts if part == "page" else words.printed_doubts(doubts),
    }


def _shared_context(document: Document) -> dict[str, object]:
    study = document.study
    setting = study.setting
    found = statements(document)
    date = branding.date_in(study.house_style.get("language"), str(setting.get("date") or ""))
    return {
        "document": document,
        "study": study,
        "title": study.title,
        "subtitle": setting.get("subtitle") or "",
        "organisation": setting.get("organisation") or "",
        "authors": [str(each) for each in setting.get("authors") or []],
        "date": date,
        "logo": branding.picture(study.house_style.get("logo"), str(setting.get("organisation") or study.title)),
        "abstract": sections.abstract(study),
        "card": card.card(study, document.doubts),
        "origin": title_origin(study),
        "origin_notes": origin_notes(study),
        "fault_sources": words.fault_sources(study),
        "zero": zero_of(study),
        "is_ordered": is_ordered(study),
        "resolutions": words.resolutions(study),
        "has_means": study.has_means,
        "layouts": cluster.shown(study, drawn_groups(document.figures.values())),
        "listings": listings(study),
        "listing_file": LISTINGS,
        "databases": study.rows("databases"),
        "versions": _versions(study),
        "version": version(),
        "has_system_fonts": False,
        "identifier": manifest_hash(study),
        "statements": found,
        "statement_of": {table.anchor: each.anchor for each in found for table in each.tables},
        "relations": relations_read((each.sql for each in found), study.store.described()),
        "rows_in_print": ROWS_IN_PRINT,
        "numbers": numbers,
        "margin_pct": _plain(setting.get("margin_pct")),
    }


def _plain(value: float | None) -> str | None:
    return None if value is None else numbers.as_given(value)


def manifest_hash(study: StudyView) -> str:
    """SHA-256 over paths and hashes of all files: what ties a report to its input."""
    return hash_of_manifest((row["path"], row["sha256"]) for row in study.rows("sources"))


def hash_of_manifest(files: Iterable[tuple[str, str | None]]) -> str:
    """The same of paths and hashes, in the order of paths."""
    listing = "".join(f"{sha256 or '-'}  {path}\n" for path, sha256 in files)
    return hashlib.sha256(listing.encode("utf-8", "surrogatepass")).hexdigest()


def _versions(study: StudyView) -> list[tuple[str, str]]:
    found = [("haledger", version())]
    if (of_store := study.made_with["haledger_version"]) not in {None, "", version()}:
        found.append(("the store by haledger", of_store))
    found += [(name, fonts.version(name)) for name in PACKAGES]
    found += fonts.VERSIONS.items()
    library = pango()
    if library.is_ok:
        found.append((library.name, library.found))
    return found


def _style(name: str, further: Further | None = None) -> str:
    style = (STYLES / name).read_text(encoding="utf-8")
    return style.replace("/*further*/", further_fonts.stack(further.faces if further else ()))


def _script(name: str) -> str:
    return (TEMPLATES / name).read_text(encoding="utf-8")


def _packed(drawn: Mapping[str, str], further: Further) -> str:
    """The figures for narrow screens, packed; empty where there are none."""
    return (
        deflated({key: further_fonts.in_picture(each, further.faces) for key, each in drawn.items()}) if drawn else ""
    )


def _with_lists(document: Document, name: str, drawn: str) -> str:
    """The figure, each of its marks that no line shows with where the runs behind it are listed."""
    words = document.figures[name].behind
    listed = {visible_lines(each): document.behind.marks[name, each] for each in words}

    def linked(label: re.Match[str]) -> str:
        found = listed.get(unescape(label["words"]))
        if found is None:
            return label[0]
        run = f' data-entry="{escape(found.run)}"' if found.run else ""
        return f'{label[0]} data-behind="{escape(found.anchor)}"{run}'

    return MARK.sub(linked, drawn) if listed else drawn


def _images(figure: Figure, further: Further) -> Markup:
    """The figure as images with alternative text: the page renderer need not style each of its marks.

    A page may end between them.
    """
    shared_context = f"{visible(figure.caption)}. {visible(figure.description)}"
    pictures = [
        further_fonts.boxed(further_fonts.in_picture(each, further.faces), further.missing) for each in printed(figure)
    ]
    texts = [shared_context, *(f"{visible(figure.caption)}, part {part}" for part in range(2, len(pictures) + 1))]
    return Markup("\n").join(_image(picture, text) for picture, text in zip(pictures, texts, strict=True))


def _image(drawn: str, text: str) -> Markup:
    data = base64.b64encode(drawn.encode("utf-8")).decode("ascii")
    return Markup('<img class="chart" alt="{}" src="data:image/svg+xml;base64,{}">').format(text, data)


def _names(document: Document, part: Part, further: Further) -> dict[str, object]:
    """What templates call: a link to a table or figure, its drawing, its number."""
    anchors = document.anchors(part)

    def link(numbered: Numbered) -> Markup:
        if numbered.anchor.startswith(("table-", "figure-")) and numbered.anchor not in anchors:
            return Markup("{}").format(visible(numbered.number))
        return Markup('<a href="#{}">{}</a>').format(numbered.anchor, visible(numbered.number))

    def reference(kind: str, name: str) -> Markup:
        """A link; for a table that this part does not show, the file that holds it."""
        numbered = document.numbers[f"{kind}:{name}"]
        if part == "paper" and numbered.anchor not in anchors:
            return Markup("the attached <code>{}.csv</code>").format(visible(file_name(name)))
        return link(numbered)

    def picture(name: str) -> Markup:
        if part != "page":
            return _images(document.figures[name], further)
        drawn = further_fonts.in_picture(document.picture(name), further.faces)
        return Markup(_with_lists(document, name, drawn))  # noqa: S704  drawn by us, texts escaped

    columns = {name: svg(each, COLUMN) for name, each in document.figures.items() if part == "page"}
    narrow = _packed({name: _with_lists(document, name, each) for name, each in columns.items()}, further)
    found = {"ref": reference, "link": link, "picture": picture, "number_of": document.numbers.__getitem__}
    return found | {"narrow_figures": narrow}


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
    environment.globals.update(
        table_classes=layout.classes,
        kept_rows=layout.kept_rows,
        whole_columns=layout.whole_columns,
        shortened=shortened,
    )
    environment.globals.update(counted=words.counted, alike=words.alike)
    environment.filters["lines"] = _lines
    environment.filters["cell"] = _cell
    environment.filters["ticks"] = ticked
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


def ticked(text: str) -> Markup:
    """A sentence in which `names` are between back ticks; those of a quotation are its own."""
    plain, code = Markup("{}"), Markup("<code>{}</code>")
    parts = [
        code.format(visible(each[1:-1])) if each[:1] == "`" == each[-1:] else plain.format(visible(each))
        for each in NAME_OR_QUOTATION.split(text)
    ]
    return Markup("").join(parts)


def _unrounded(cell: Cell) -> Markup:
    """The number behind a cell, by which a browser sorts; none for a cell without one."""
    value = cell.values[0]
    is_number = isinstance(value, int | float) and math.isfinite(value)
    return Markup(' data-value="') + repr(value) + Markup('"') if is_number else Markup("")


@jinja2.pass_context
def _cell(context: Mapping[str, object], cell: Cell, column: Column) -> Markup:
    """A cell's picture and text; a mean and its deviation are set apart so that they line up."""
    text = _cell_text(cell, column)
    if not cell.picture:
        return text
    between = " " if column.is_number else numbers.NO_BREAK_SPACE
    if not context.get("is_print"):
        return Markup("{}{}{}").format(Markup(cell.picture), between, text)  # noqa: S704  drawn by reports.tables.marks
    data = base64.b64encode(cell.picture.encode()).decode("ascii")
    return Markup('<img class="mark" alt="{}" src="data:image/svg+xml;base64,{}">{}{}').format(
        visible(f"{column.label}: {cell.text}"), data, between, text
    )


def _cell_text(cell: Cell, column: Column) -> Markup:
    shown = visible(cell.text).replace("< ", f"<{numbers.NO_BREAK_SPACE}") if column.is_number else visible(cell.text)
    mean, sign, spread = shown.partition(f" {numbers.PLUS_MINUS} ")
    if column.is_number and sign:
        space = numbers.NO_BREAK_SPACE
        return Markup('<span class="mean">{}</span><span class="spread">{}</span>').format(
            mean, f"{space}{numbers.PLUS_MINUS}{space}{spread}"
        )
    text = escape(shown)
    return Markup("<code>") + text + Markup("</code>") if column.is_code and shown != numbers.DASH else text
