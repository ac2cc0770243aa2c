"""Publication tables and figures on their own: the numbers of the report, one file a product and format."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, Protocol, TypeVar

from pipeline.errors import MachineError, UsageError
from pipeline.scratch import replacing
from pipeline.suggestions import close_names
from pipeline.values import from_text
from reports import numbers
from reports.figures.draw.style import WIDE
from reports.figures.model import Figure
from reports.outline import NUMBER_WORD
from reports.tables.latex import as_latex, label_of, short_caption, text
from reports.tables.model import Table
from reports.tables.spreadsheet import sheet_of, workbook
from reports.tables.word import as_docx
from reports.typeset.formats import csv_of
from reports.typeset.paper_styles import PLAIN, POINTS_PER_PIXEL, PaperStyle
from reports.typeset.text import file_name, visible

Kind = Literal["tables", "figures"]

NO_NOTES: Final[Mapping[str, Any]] = MappingProxyType({})

WORKBOOK: Final = "xlsx"
"""The format of which one file holds all tables that were asked for."""

ASKED_WORD = re.compile(r"^(?:table|figure)s?[\s_-]+", re.IGNORECASE)
"""What people write before a number, as a page or as a file has it."""


@dataclass(frozen=True, slots=True)
class Product:
    """A table or figure that a store has data for. `label` is its number in the report; `item` gives it."""

    name: str
    label: str
    caption: str
    item: Callable[[], Table | Figure] = field(compare=False)

    def to_dict(self) -> dict[str, str]:
        """The product as JSON can hold it."""
        return {"name": self.name, "label": self.label, "caption": self.caption}


class _Named(Protocol):
    @property
    def label(self) -> str: ...


Shown = TypeVar("Shown", bound=_Named)


def products(store: Path, kind: Kind, notes: Mapping[str, Any] = NO_NOTES) -> list[Product]:
    """List the tables or figures that a store has data for. `notes`: what its folder says of it (`valid_notes`)."""
    with _catalogue(store, kind, notes) as found:
        return list(found.values())


def write_products(  # noqa: PLR0913  each is a choice of its own
    store: Path,
    kind: Kind,
    names: Sequence[str],
    formats: Sequence[str],
    out: Path,
    *,
    width: float = WIDE,
    style: PaperStyle = PLAIN,
    notes: Mapping[str, Any] = NO_NOTES,
) -> list[Path]:
    """Write the named tables or figures (all without a name) in the given formats; returns the files.

    `width`: of the drawings of figures, CSS pixels. `style`: of the paper that LaTeX is for.
    `notes`: as `products` takes them.
    """
    with _catalogue(store, kind, notes) as found:
        chosen = [each.item() for each in ([_named(found, kind, name) for name in names] or found.values())]
        workbooks = [_workbook(kind, chosen, out)] if WORKBOOK in formats and len(chosen) > 1 else []
        alone = [each for each in formats if each != WORKBOOK or not workbooks]
        return [*(_written(each, suffix, out, width, style) for each in chosen for suffix in alone), *workbooks]


@contextmanager
def _catalogue(store: Path, kind: Kind, notes: Mapping[str, Any]) -> Iterator[dict[str, Product]]:
    """Tables or figures by name, numbered and in the order of the report; those of a finished report are taken."""
    if kind in notes:
        with numbers.written_in(notes["language"]):
            yield {
                name: Product(name, label, caption, partial(from_text, written))
                for name, label, caption, written in notes[kind]
            }
        return
    from reports.document.computed import computed  # loads all that a report is made of

    with computed(store, kind) as found:
        yield {each.name: Product(each.name, each.label, each.caption, partial(replace, each)) for each in found}


def _named(found: Mapping[str, Product], kind: Kind, name: str) -> Product:
    if chosen := by_name_or_number(found, name):
        return chosen
    near = close_names(name, found)
    advice = f"did you mean {near[0]}?" if near else f"`haledger {kind} --list` lists them"
    raise UsageError(f"{name}: no such name among the {kind} of this store; {advice}")


def by_name_or_number(found: Mapping[str, Shown], wanted: str) -> Shown | None:
    """A table or figure by its name or by its number, the one of the study's own paper before the report's.

    With the word or without: `Table 3.7`, `table-4`, `3.7`.
    """
    number = ASKED_WORD.sub("", wanted.strip()).casefold()
    by_number: dict[str, Shown] = {}
    for each in found.values():
        in_report, _, own = NUMBER_WORD.sub("", each.label).casefold().rstrip(")").partition(" (paper: ")
        for number_of_it in filter(None, (in_report, *in_report.split(" and "))):
            by_number.setdefault(number_of_it, each)
        by_number.update(dict.fromkeys(filter(None, (own, *own.split(" and "))), each))
    return found.get(wanted) or by_number.get(number)


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


def table_file(table: Table, kind: str, style: PaperStyle = PLAIN) -> bytes:
    """A table in one of the formats; `style`: of the paper that the LaTeX is for."""
    if kind == "tex":
        return as_latex(table, style).encode("utf-8", "surrogatepass")
    if kind == "html":
        from reports.document.pages import fragment  # loads templates

        return fragment(table).encode("utf-8", "surrogatepass")
    from reports.tables.formats import WRITERS, as_parquet

    if kind == "parquet":
        return as_parquet(table)
    if kind == "xlsx":
        return workbook([sheet_of(table)])
    if kind == "docx":
        return as_docx(table)
    if kind not in WRITERS:
        raise UsageError(
            f"table format {kind!r} is unknown; expected docx, html, parquet, tex, xlsx, {', '.join(WRITERS)}"
        )
    return WRITERS[kind](table).encode("utf-8", "surrogatepass")


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
    from reports.figures import picture  # loads fonts

    if suffix == "png":
        return picture.png(figure, width)
    ((_, whole),) = picture.alone([figure], width)
    return whole.encode("utf-8")


def figure_pdf(figure: Figure, width: float) -> bytes:
    """The drawing alone on a page of its size, its fonts inside; `width` in CSS pixels. The caption is the paper's."""
    from pipeline.ask.doctor import pango
    from reports.document import pdf
    from reports.figures import picture

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


def write_file(path: Path, content: bytes) -> None:
    """Write beside, then put in place, so that no reader meets half a file."""
    with replacing(path) as new:
        new.write_bytes(content)
