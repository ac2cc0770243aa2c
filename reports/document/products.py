"""Publication tables and figures on their own: the numbers of the report, one file a product and format."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, TypeVar

from pipeline.child import Child
from pipeline.errors import UsageError
from pipeline.failure import Failure
from pipeline.meant import meant
from reports.document.document import NUMBER_WORD, compose
from reports.document.pdf import RenderError
from reports.document.report import table_file, write_file
from reports.figures import catalogue as figure_catalogue
from reports.figures import picture
from reports.figures.model import Figure
from reports.study.view import opened_study
from reports.tables import catalogue as table_catalogue
from reports.tables.model import Table
from reports.typeset.formats import csv_of
from reports.typeset.text import file_name

Kind = Literal["tables", "figures"]
Shown = TypeVar("Shown", bound=Table | Figure)

DRAWN: Mapping[str, Callable[[Figure], str | bytes]] = {"svg": picture.svg, "png": picture.png}
FIGURE_DATA: Mapping[str, Callable[[Figure], bytes]] = {
    "csv": lambda figure: csv_of(figure.names, figure.rows).encode("utf-8", "surrogatepass"),
    "json": lambda figure: json.dumps(figure.spec, indent=1, ensure_ascii=True).encode("ascii"),
}


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
    return [Product(each.name, each.label, each.caption) for each in _catalogue(store, kind).values()]


def write_products(store: Path, kind: Kind, names: Sequence[str], formats: Sequence[str], out: Path) -> list[Path]:
    """Write the named tables or figures (all without a name) in the given formats; returns the files."""
    found = _catalogue(store, kind)
    chosen = [_named(found, kind, name) for name in names] or list(found.values())
    with Child() as child:
        return [_written(each, suffix, out, child) for each in chosen for suffix in formats]


def _catalogue(store: Path, kind: Kind) -> Mapping[str, Table | Figure]:
    """Tables or figures by name, numbered and in the order of the report."""
    with opened_study(store) as study:
        document = compose(study, table_catalogue.all_tables(study), figure_catalogue.all_figures(study))
    return document.numbered_tables() if kind == "tables" else document.numbered_figures()


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
        if in_report:
            numbers.setdefault(in_report, each)
        numbers.update(dict.fromkeys(filter(None, (own, *own.split(" and "))), each))
    return found.get(wanted) or numbers.get(number)


def _written(product: Table | Figure, suffix: str, out: Path, child: Child) -> Path:
    content = table_file(product, suffix) if isinstance(product, Table) else _figure_file(product, suffix, child)
    target = out / f"{file_name(product.name)}.{suffix}"
    write_file(target, content)
    return target


def _figure_file(figure: Figure, suffix: str, child: Child) -> bytes:
    if suffix in FIGURE_DATA:
        return FIGURE_DATA[suffix](figure)
    drawn = child.call(picture.DRAWING, DRAWN[suffix], figure)
    if isinstance(drawn, Failure):
        raise RenderError(f"figure {figure.name}: could not be drawn: {drawn.reason}")
    if isinstance(drawn, bytes):
        return drawn
    ((_, whole),) = picture.alone([(figure, drawn)])
    return whole.encode("utf-8")
