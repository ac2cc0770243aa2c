"""What a report says of data that a program made: on its first page, and beside every number that was built in.

Two signs, which mean the same in every report: one for data that were calibrated to published numbers, one for data
behind which no published number stands. A table or figure explains its signs below itself, so that it can stand alone.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pipeline.data_origin import SENTENCES, BuiltIn, listed
from reports import numbers
from reports.figures.model import Figure
from reports.study_view import StudyView
from reports.tables.model import Cell, Column, Table

MARKS: Final = {"calibrated": "\u2020", "simulated": "\u2021"}
MEANINGS: Final = {
    "calibrated": "Built in: calibrated data show what was put into them; this is no finding.",
    "simulated": "Made up: simulated data show what was put into them; this is no finding.",
}
BELOW: Final = {origin: SENTENCES[origin] for origin in MARKS}
BESIDE: Final = "In text and tables, beside every p value, interval, verdict, claim and highlight stands"

INFERRED: Final = re.compile(r"^(p_value|p_holm|verdict|ratio_low|ratio_high)$|ci95")
"""Names of values that a test or an interval gives."""

INTERVAL: Final = re.compile(r"95\s%|confidence|^p$", re.IGNORECASE)
"""Headings of a study's own columns of that kind."""

PLAIN_TABLES: Final = frozenset(
    {"claims", "data-origin", "sources", "formats", "hosts", "nodes", "resources", "timers"}
)
"""Tables that mark themselves, or that list what was read and not what came of it."""

PLAIN_TOPICS: Final = frozenset({"environment", "cluster"})
"""Parts of the report whose figures show how things are arranged."""


@dataclass(frozen=True, slots=True)
class TitleOrigin:
    """What the first page says: sentences on the data, each with its first words apart, and the signs that are used."""

    sentences: tuple[tuple[str, str], ...]
    legend: str


def title_origin(study: StudyView) -> TitleOrigin | None:
    """What the first page says of the data; nothing of recorded ones, and of those of which nobody says anything."""
    sentences = study.origins.sentences(study.label)
    return TitleOrigin(tuple(map(_parted, sentences)), _legend(study)) if sentences else None


def _parted(sentence: str) -> tuple[str, str]:
    lead = next(each for each in SENTENCES.values() if sentence.startswith(each))
    return lead, sentence.removeprefix(lead)


def origin_notes(study: StudyView) -> list[str]:
    """What study.toml says of the data, recorded ones as well; nothing where it says nothing."""
    sentences = study.origins.sentences(study.label, has_notes=True)
    recorded = study.origins.study.sentence if study.origins.study.origin == "recorded" else ""
    return [*filter(None, (recorded,)), *sentences]


def meaning(mark: str) -> str:
    """What a sign means, after the sign itself."""
    return next(f"{mark} {MEANINGS[origin]}" for origin, each in MARKS.items() if each == mark)


def mark_of(study: StudyView, configurations: Iterable[str | None]) -> str:
    """The sign beside what rests on some configurations; empty where they were recorded, or nobody says."""
    return MARKS.get(study.origins.of(configurations).origin or "", "")


def mark_beside(found: BuiltIn) -> str:
    """The sign of a claim, table or figure."""
    return MARKS.get(found.origin or "", MARKS["calibrated"]) if found.is_built_in else ""


def marked_sentence(study: StudyView, sentence: str, configurations: Sequence[str]) -> str:
    """A sentence with its sign at the end."""
    mark = mark_of(study, configurations) if configurations else ""
    return f"{sentence}{numbers.NO_BREAK_SPACE}{mark}" if mark else sentence


def marked_table(study: StudyView, table: Table) -> Table:
    """The table with signs beside its p values, intervals and verdicts of data that were made, explained below."""
    if table.name in PLAIN_TABLES or not study.origins.configurations:
        return table
    stated = study.built_in.get(("table", table.name))
    everywhere = _table_configurations(study, table)
    whole = study.origins.built_in(stated, everywhere)
    if not whole.is_built_in:
        return table
    places = [place for place, column in enumerate(table.columns) if _is_inferred(column)]
    has_results = table.place != "environment" and any(_is_result(column) for column in table.columns)
    marks: dict[str, None] = {}
    rows = []
    for row in table.rows:
        own = _row_configurations(study, row)
        found = study.origins.built_in(stated, own) if own else whole
        mark = mark_beside(found)
        marked = tuple(_marked(cell, mark) if place in places else cell for place, cell in enumerate(row))
        if marked != row:
            marks[mark] = None
        rows.append(marked)
    if marks:
        notes = [f"{mark} {BELOW[origin]}." for origin, mark in MARKS.items() if mark in marks]
    else:
        notes = _below(study, everywhere) if has_results else []
    notes += [f"Built in: {sentence_end(whole.note)}"] if whole.note else []
    return replace(table, rows=tuple(rows), notes=(*table.notes, *notes))


def marked_figure(study: StudyView, figure: Figure) -> Figure:
    """The figure with a note where its data were made."""
    stated = study.built_in.get(("figure", figure.name))
    if not study.origins.configurations or (stated is None and figure.topic in PLAIN_TOPICS):
        return figure
    shown = list(figure.configurations or study.origins.named_in(figure.sql))
    found = study.origins.built_in(stated, shown)
    if not found.is_built_in:
        return figure
    notes = [*_below(study, shown), *([f"Built in: {sentence_end(found.note)}"] if found.note else [])]
    return figure.with_note(" ".join(notes)) if notes else figure


def sentence_end(text: str) -> str:
    """A text of the study with a full stop at its end."""
    return text if text.endswith((".", "!", "?")) else f"{text}."


def prose_note(study: StudyView, configurations: Sequence[str]) -> str:
    """What stands below prose that prints numbers of some configurations; empty where none of them was made."""
    told = _below(study, configurations) if configurations else []
    return f"The numbers above: {' '.join(told)}" if told else ""


def _below(study: StudyView, configurations: Sequence[str]) -> list[str]:
    """What is said below numbers of some configurations; those that are not of the study's own kind are named."""
    kinds: dict[str | None, list[str]] = {}
    named: Sequence[str | None] = configurations or [None]
    for each in named:
        kinds.setdefault(study.origins.of([each]).origin, []).append(study.label(each))
    usual = study.origins.study.origin if len(kinds) > 1 else next(iter(kinds))
    said = []
    for origin in MARKS:
        if origin in kinds:
            names = list(dict.fromkeys(kinds[origin]))
            said.append(f"{BELOW[origin]}." if origin == usual else f"{BELOW[origin]}, in {listed(names)}.")
    return said


def _legend(study: StudyView) -> str:
    origins = {study.origins.study.origin, *(each.origin for each in study.origins.configurations.values())}
    used = [f"{mark} for {origin} data" for origin, mark in MARKS.items() if origin in origins]
    return f"{BESIDE} {', '.join(used)}: such numbers show what was put in, not what was found."


def _marked(cell: Cell, mark: str) -> Cell:
    is_empty = cell.text in (numbers.DASH, "") or cell.values == ("reference",)
    return cell if is_empty or not mark else replace(cell, text=f"{cell.text}{mark}")


def _is_inferred(column: Column) -> bool:
    if any(INFERRED.search(name) for name in column.names):
        return True
    return any(INTERVAL.search(text) for text in (column.label, column.spanner, column.unit))


def _is_result(column: Column) -> bool:
    return _is_inferred(column) or (column.is_number and column.names != ("runs",))


def _row_configurations(study: StudyView, row: Sequence[Cell]) -> list[str]:
    """The configuration that a row names, by its key or its label, with the reference that it is compared with."""
    values = {str(value) for cell in row for value in (cell.text, *cell.values) if isinstance(value, str)}
    named = [each for each in study.configurations if each.configuration in values or each.label in values]
    references = [each.reference for each in named if each.reference]
    return [*(each.configuration for each in named), *references]


def _table_configurations(study: StudyView, table: Table) -> list[str]:
    """Configurations that a table is about: those of its rows, else those that its statement names."""
    found = [name for row in table.rows for name in _row_configurations(study, row)]
    return list(dict.fromkeys(found)) or study.origins.named_in(table.sql)
