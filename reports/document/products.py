"""Publication tables and figures on their own: the numbers of the report, one file a product and format."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal, TypeVar

from pipeline.ask.doctor import pango
from pipeline.errors import MachineError, UsageError
from pipeline.meant import meant
from reports.document import pdf
from reports.document.document import NUMBER_WORD, numbered, to_stand_alone
from reports.document.report import table_file, write_file
from reports.figures import catalogue as figure_catalogue
from reports.figures import picture
from reports.figures.draw.style import WIDE
from reports.figures.model import Figure
from reports.study.view import StudyView, opened_study
from reports.tables import catalogue as table_catalogue
from reports.tables.latex import label_of, short_caption, text
from reports.tables.model import Table
from reports.tables.spreadsheet import sheet_of, workbook
from reports.typeset.formats import csv_of
from reports.typeset.paper_styles import PLAIN, POINTS_PER_PIXEL, PaperStyle
from reports.typeset.text import file_name, visible

Kind = Literal["tables", "figures"]
Shown = TypeVar("Shown", bound=Table | Figure)

WORKBOOK: Final = "xlsx"
"""The format of which one file holds all tables that were asked for."""

ASKED_WORD = re.compile(r"^(?:table|figure)s?[\s_-]+", re.IGNORECASE)
"""What people write before a number, as a page or as a file has it."""


@dataclass(frozen=True, slots=True)
class Product:
    """A table or figure that a store has data for. `label` is its number in the report."""

    name: str
    label: str
    caption: str

    def to_dict(self) -> dict[str, str]:
        """The product as JSON can hold it."""
        return asdict(self)


def products(store: Path, kind: Kind) -> list[Product]:
    """List the tables or figures that a store has data for."""
    with opened_study(store) as study:
        return [Product(each.name, each.label, each.caption) for each in _catalogue(study, kind).values()]


def write_products(  # noqa: PLR0913  each is a choice of its own
    store: Path,
    kind: Kind,
    names: Sequence[str],
    formats: Sequence[str],
    out: Path,
    *,
    width: float = WIDE,
    style: PaperStyle = PLAIN,
) -> list[Path]:
    """Write the named tables or figures (all without a name) in the given formats; returns the files.

    `width`: of the drawings of figures, CSS pixels. `style`: of the paper that LaTeX is for.
    """
    with opened_study(store) as study:
        found = _catalogue(study, kind)
        chosen = [_named(found, kind, name) for name in names] or list(found.values())
        workbooks = [_workbook(kind, chosen, out)] if WORKBOOK in formats and len(chosen) > 1 else []
        alone = [each for each in formats if each != WORKBOOK or not workbooks]
        return [*(_written(each, suffix, out, width, style) for each in chosen for suffix in alone), *workbooks]


def _catalogue(study: StudyView, kind: Kind) -> Mapping[str, Table | Figure]:
    """Tables or figures by name, numbered and in the order of the report."""
    if kind == "tables":
        return to_stand_alone(numbered(study, tables=table_catalogue.all_tables(study)), Table)
    return to_stand_alone(numbered(study, figures=figure_catalogue.all_figures(study)), Figure)


def _named(found: Mapping[str, Table | Figure], kind: Kind, name: str) -> Table | Figure:
    if chosen := by_name_or_number(found, name):
        return chosen
    near = meant(name, found)
    advice = f"did you mean {near[0]}?" if near else f"`haledger {kind} --list` lists them"
    raise UsageError(f"{name}: no such name among the {kind} of this store; {advice}")


def by_name_or_number(found: Mapping[str, Shown], wanted: str) -> Shown | None:
    """A table or figure by its name or by its number, the one of the study's own paper before the report's.

    With the word or without: `Table 3.7`, `table-4`, `3.7`.
    """
    number = ASKED_WORD.sub("", wanted.strip()).casefold()
    numbers: dict[str, Shown] = {}
    for each in found.values():
        in_report, _, own = NUMBER_WORD.sub("", each.label).casefold().rstrip(")").partition(" (paper: ")
        for number_of_it in filter(None, (in_report, *in_report.split(" and "))):
            numbers.setdefault(number_of_it, each)
        numbers.update(dict.fromkeys(filter(None, (own, *own.split(" and "))), each))
    return found.get(wanted) or numbers.get(number)


def _workbook(kind: Kind, chosen: Sequence[Table | Figure], out: Path) -> Path:
    """Several tables as one workbook, a sheet each."""
    target = out / f"{kind}.{WORKBOOK}"
    write_file(target, workbook([sheet_of(each) for each in chosen if isinstance(each, Table)]))
    return target


def _written(product: Table | Figure, suffix: str, out: Path, width: float, style: PaperStyle) -> Path:
    if isinstance(product, Table):
        content = table_file(product, suffix, style)
    else:
        content = figure_file(product, suffix, width, style)
    target = out / f"{file_name(product.name)}.{suffix}"
    write_file(target, content)
    return target


def figure_file(figure: Figure, suffix: str, width: float, style: PaperStyle = PLAIN) -> bytes:
    """A figure as a picture, as LaTeX that places its PDF, or the data behind it."""
    if suffix == "csv":
        return csv_of(figure.names, figure.rows).encode("utf-8", "surrogatepass")
    if suffix == "json":
        content = {"name": figure.name, "caption": figure.caption, "columns": figure.names, "rows": figure.rows}
        return json.dumps(content, indent=1, ensure_ascii=True, default=str).encode("ascii")
    if suffix == "tex":
        return figure_latex(figure, width, style).encode("utf-8", "surrogatepass")
    if suffix == "pdf":
        return figure_pdf(figure, width)
    if suffix == "png":
        return picture.png(figure, width)
    ((_, whole),) = picture.alone([figure], width)
    return whole.encode("utf-8")


def figure_pdf(figure: Figure, width: float) -> bytes:
    """The drawing alone on a page of its size, its fonts inside; `width` in CSS pixels. The caption is the paper's."""
    library = pango()
    if not library.is_ok:
        raise MachineError(f"a figure as PDF needs Pango. {library.advice}")
    html, fonts = picture.page(figure, width)
    identifier = hashlib.sha256(html.encode("utf-8", "surrogatepass")).digest()[:16]
    return pdf.render(html, fonts, {}, identifier=identifier)[0]


def figure_latex(figure: Figure, width: float, style: PaperStyle) -> str:
    """The figure's PDF with caption and label, across both columns of a paper where it is wider than one."""
    floating = "figure*" if style.column is not None and width * POINTS_PER_PIXEL > style.column + 1.0 else "figure"
    spoken = [rf"\Description{{{text(visible(figure.description))}}}"] if style.describes else []
    lines = [
        rf"\begin{{{floating}}}",
        r"\centering",
        rf"\includegraphics[width=\linewidth,height=0.85\textheight,keepaspectratio]{{{file_name(figure.name)}.pdf}}",
        rf"\caption{short_caption(visible(figure.caption))}{{{text(visible(figure.caption))}}}",
        *spoken,
        rf"\label{{fig:{label_of(figure.name)}}}",
        rf"\end{{{floating}}}",
    ]
    return "\n".join(lines) + "\n"
