"""The manifest as tables of schema `study`: each of the same shape however little is stated."""

import json
from collections.abc import Sequence
from dataclasses import fields

import polars as pl

from pipeline.house_style import HouseStyle
from pipeline.manifest_entries import Claim, Configuration, Event, Node, Publication, Run, Section, Study

_TEXT, _WHEN, _POSITION, _REAL, _LIST = pl.String(), pl.Datetime("us"), pl.Int32(), pl.Float64(), pl.List(pl.String())
Schema = dict[str, pl.DataType]

MANIFEST: Schema = {"content": pl.Binary()}
SETTING: Schema = {
    "name": _TEXT,
    "title": _TEXT,
    "subtitle": _TEXT,
    "organisation": _TEXT,
    "date": _TEXT,
    "abstract": _TEXT,
    "authors": _LIST,
    "reference": _TEXT,
    "timezone": _TEXT,
    "year": pl.Int32(),
    "margin_pct": _REAL,
    "recovered_pct": _REAL,
    "origin": _TEXT,
    "origin_note": _TEXT,
    "paired": pl.Boolean(),
}
HOUSE_STYLE: Schema = {"accent": _TEXT, "paper": _TEXT, "language": _TEXT, "logo": pl.Binary()}
CONFIGURATION: Schema = {
    "position": _POSITION,
    "configuration": _TEXT,
    "label": _TEXT,
    "reference": _TEXT,
    "factors": _TEXT,
    "origin": _TEXT,
    "origin_note": _TEXT,
    "paired": pl.Boolean(),
}
RUN: Schema = {"configuration": _TEXT, "run": _TEXT, "fault_at": _WHEN, "true_fault_at": _WHEN, "exclude": _TEXT}
NODE: Schema = {"node": _TEXT, "timezone": _TEXT, "clock_offset_s": _REAL}
RESOURCE_TYPE: Schema = {"position": _POSITION, "pattern": _TEXT, "resource_type": _TEXT}
EVENT: Schema = {"at": _WHEN, "configuration": _TEXT, "run": _TEXT, "text": _TEXT}
CLAIM: Schema = {
    "position": _POSITION,
    "text": _TEXT,
    "sql": _TEXT,
    "milestone": _TEXT,
    "measurement": _TEXT,
    "phase": _TEXT,
    "statistic": _TEXT,
    "configuration": _TEXT,
    "reference": _TEXT,
    "op": _TEXT,
    "value": _REAL,
    "label": _TEXT,
    "clients": pl.Int32(),
    "margin": _REAL,
    "margin_pct": _REAL,
    "unit": _TEXT,
    "outcome": _TEXT,
    "built_in": _TEXT,
}
PUBLICATION_FIGURE: Schema = {
    "position": _POSITION,
    "name": _TEXT,
    "kind": _TEXT,
    "caption": _TEXT,
    "sql": _TEXT,
    "configurations": _LIST,
    "options": _TEXT,
    "built_in": _TEXT,
}
PUBLICATION_TABLE: Schema = {
    "position": _POSITION,
    "name": _TEXT,
    "kind": _TEXT,
    "caption": _TEXT,
    "sql": _TEXT,
    "spanners": _TEXT,
    "configurations": _LIST,
    "options": _TEXT,
    "built_in": _TEXT,
}
SECTION: Schema = {"position": _POSITION, "title": _TEXT, "place": _TEXT, "body": _TEXT}


def manifest(content: bytes) -> pl.DataFrame:
    """The bytes of study.toml; no row without one."""
    return _frame(MANIFEST, [(content,)] if content else [])


def setting(name: str, study: Study) -> pl.DataFrame:
    """The one row of what holds for the whole study."""
    values = (getattr(study, each.name) for each in fields(study))
    return _frame(SETTING, [(name, *(list(value) if isinstance(value, tuple) else value for value in values))])


def house_style(style: HouseStyle, logo: bytes) -> pl.DataFrame:
    """The one row of how the report is to look; no row where nothing is stated."""
    values = (style.accent, style.paper, style.language, logo or None)
    return _frame(HOUSE_STYLE, [values] if any(values) else [])


def configuration(entries: Sequence[Configuration]) -> pl.DataFrame:
    """One row per configuration that the study describes."""
    rows = [
        (
            i,
            each.configuration,
            each.label,
            each.reference,
            _json(each.factors),
            each.origin,
            each.origin_note,
            each.paired,
        )
        for i, each in enumerate(entries, 1)
    ]
    return _frame(CONFIGURATION, rows)


def run(entries: Sequence[Run]) -> pl.DataFrame:
    """One row per statement about a run."""
    return _frame(RUN, [_row(each) for each in entries])


def node(entries: Sequence[Node]) -> pl.DataFrame:
    """One row per host that the study describes."""
    return _frame(NODE, [_row(each) for each in entries])


def resource_type(patterns: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """One row per glob of resource names."""
    return _frame(RESOURCE_TYPE, [(i, *each) for i, each in enumerate(patterns, 1)])


def event(entries: Sequence[Event]) -> pl.DataFrame:
    """One row per noted event."""
    return _frame(EVENT, [_row(each) for each in entries])


def claim(entries: Sequence[Claim]) -> pl.DataFrame:
    """One row per claim."""
    return _frame(CLAIM, [(i, *_row(each)) for i, each in enumerate(entries, 1)])


def publication_table(entries: Sequence[Publication]) -> pl.DataFrame:
    """One row per further table."""
    rows = [
        (i, each.name, each.kind, each.caption, each.sql, _json(each.spanners), *_narrowed(each))
        for i, each in enumerate(entries, 1)
    ]
    return _frame(PUBLICATION_TABLE, rows)


def publication_figure(entries: Sequence[Publication]) -> pl.DataFrame:
    """One row per further figure."""
    rows = [(i, each.name, each.kind, each.caption, each.sql, *_narrowed(each)) for i, each in enumerate(entries, 1)]
    return _frame(PUBLICATION_FIGURE, rows)


def section(entries: Sequence[Section]) -> pl.DataFrame:
    """One row per section of prose."""
    return _frame(SECTION, [(i, *_row(each)) for i, each in enumerate(entries, 1)])


def _narrowed(entry: Publication) -> tuple[list[str], str | None, str | None]:
    return list(entry.configurations), _json(entry.options), entry.built_in


def _frame(schema: Schema, rows: Sequence[tuple[object, ...]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=schema, orient="row")


def _row(entry: Run | Node | Event | Claim | Section) -> tuple[object, ...]:
    return tuple(getattr(entry, each.name) for each in fields(entry))


def _json(value: object) -> str | None:
    """JSON text with sorted keys; dates as ISO text."""
    return None if value is None else json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
