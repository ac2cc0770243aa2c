"""Tables of schema `study`: what study.toml declares, each of the same shape however little that is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import NoneType
from typing import Annotated, Any, get_args, get_origin

import polars as pl

from pipeline.study.branding_options import HouseStyle
from pipeline.study.manifest_entries import Claim, Configuration, Entry, Event, Node, Publication, Run, Section, Study

TEXT, WHOLE, TEXTS, BYTES = pl.String(), pl.Int32(), pl.List(pl.String()), pl.Binary()
DTYPES: dict[object, pl.DataType] = {
    bool: pl.Boolean(),
    int: WHOLE,
    float: pl.Float64(),
    datetime: pl.Datetime("us"),
    tuple: TEXTS,
}
"""Types of columns; all else is text."""

Columns = dict[str, tuple[pl.DataType, str]]
"""Type and comment of each column."""


@dataclass(frozen=True, slots=True)
class StudyTable:
    """A table of schema `study`: what one row is, and its columns."""

    grain: str
    columns: Columns

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """The types of the columns."""
        return {name: dtype for name, (dtype, _) in self.columns.items()}

    @property
    def comments(self) -> dict[str, str]:
        """What the columns mean."""
        return {name: comment for name, (_, comment) in self.columns.items()}

    def frame(self, rows: Iterable[Mapping[str, Any]]) -> pl.DataFrame:  # values of any column
        """The table with these rows; a column that a row does not have is null, and `position` counts."""
        counted = [{"position": position} | dict(row) for position, row in enumerate(rows, 1)]
        return pl.DataFrame([[row.get(name) for name in self.columns] for row in counted], self.schema, orient="row")


def columns_of(entry: type[Entry]) -> Columns:
    """The columns of an entry of study.toml: the keys that it stores."""
    fields = entry.model_fields.items()
    return {name: (_dtype(field.annotation), field.description) for name, field in fields if field.description}


def _dtype(annotation: object) -> pl.DataType:
    """The type of a column by that of its key, whether or not the key may be absent."""
    inner = [each for each in get_args(annotation) if each is not NoneType]
    if get_origin(annotation) is Annotated or len(inner) < len(get_args(annotation)):
        return _dtype(inner[0])
    return DTYPES.get(get_origin(annotation) or annotation, TEXT)


POSITION: Columns = {"position": (WHOLE, "place in study.toml, from 1")}

TABLES = {
    "manifest": StudyTable("The file study.toml itself; no row without one.", {"content": (BYTES, "its bytes")}),
    "setting": StudyTable(
        "One row: what study.toml declares of the whole study; null where it declares nothing.",
        {
            "name": (TEXT, "name of the study's folder"),
            **columns_of(Study),
            "reference_option": (TEXT, "configuration that --reference named, for all configurations"),
        },
    ),
    "house_style": StudyTable(
        "One row: how the report is to look; none where study.toml declares nothing of it.",
        {**columns_of(HouseStyle), "logo": (BYTES, "bytes of the logo, PNG or SVG")},
    ),
    "configuration": StudyTable(
        "One row per configuration that study.toml describes.",
        {
            "position": (WHOLE, "order in tables and figures, from 1"),
            "configuration": (TEXT, "folder group"),
            **columns_of(Configuration),
        },
    ),
    "run": StudyTable("One row per run that study.toml declares something of. Times in UTC.", columns_of(Run)),
    "node": StudyTable("One row per host that study.toml describes.", {"node": (TEXT, "host"), **columns_of(Node)}),
    "resource_type": StudyTable(
        "One row per pattern of resource names that study.toml gives a type.",
        {**POSITION, "pattern": (TEXT, "glob of names"), "resource_type": (TEXT, "type of the resources")},
    ),
    "event": StudyTable("One row per event that a person noted in study.toml.", columns_of(Event)),
    "claim": StudyTable(
        "One row per claim of study.toml: a sentence, and the condition under which it holds.",
        {**POSITION, **columns_of(Claim)},
    ),
    "publication_table": StudyTable(
        "One row per further table that study.toml asks for.", {**POSITION, **columns_of(Publication)}
    ),
    "publication_figure": StudyTable(
        "One row per further figure that study.toml asks for.",
        {**POSITION, **{name: each for name, each in columns_of(Publication).items() if name != "spanners"}},
    ),
    "file_rule": StudyTable(
        "One row per [[files]] and [[format]] of study.toml.",
        {
            **POSITION,
            "kind": (TEXT, "files or format"),
            "name": (TEXT, "name of the format; null for files"),
            "pattern": (TEXT, "glob of the files that it is about"),
            "files": (WHOLE, "files of the study for which it is the first choice"),
        },
    ),
    "section": StudyTable("One row per section of prose in study.toml.", {**POSITION, **columns_of(Section)}),
}
"""Those that study.toml fills, by name; `rules` has the others."""
