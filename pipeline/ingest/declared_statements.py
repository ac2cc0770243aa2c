"""The statements of study.toml, bound to a store without rows: whether they can be run, and what columns they give."""

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.errors import UsageError
from pipeline.ingest import store_template
from pipeline.query import bounded
from pipeline.query.sandbox import StuckError
from pipeline.scratch import scratch_folder
from pipeline.study.manifest import Declared
from pipeline.study.manifest_entries import Claim, OwnFigure, OwnTable
from pipeline.study.manifest_mistakes import Mistake
from pipeline.study.publication_options import FIGURE_KINDS
from pipeline.study.toml_lines import Place
from pipeline.suggestions import nearest

NUMERIC = re.compile(r"U?(?:TINY|SMALL|BIG)INT|HUGEINT|U?INTEGER|FLOAT|DOUBLE|DECIMAL.*|\"?NULL\"?", re.IGNORECASE)
LINE_OF_STATEMENT = re.compile(r"^LINE ([0-9]+): ", re.MULTILINE)

Columns = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Asked:
    """A table, figure or claim with a statement of its own, and its place in the file."""

    place: Place
    sql: str
    entry: OwnTable | OwnFigure | Claim


def wrong_statements(declared: Declared) -> Iterator[Mistake]:
    """What cannot be run, and what does not give the columns that it is to give."""
    asked, document = list(_asked(declared)), declared.document
    if not asked or document is None:
        return
    for each, columns in _bound(asked):
        if isinstance(columns, str):
            yield document.wrong((*each.place, "sql"), f"cannot be run: {columns}")
            continue
        yield from (document.wrong((*each.place, key), reason) for key, reason in _misfits(each.entry, columns))


def _asked(declared: Declared) -> Iterator[Asked]:
    manifest, placed = declared.manifest, declared.usable.placed
    entries: list[tuple[Place, OwnTable | OwnFigure | Claim]] = [
        *placed("table", manifest.publication_tables),
        *placed("figure", manifest.publication_figures),
        *placed("claim", manifest.claims),
    ]
    yield from (Asked(place, entry.sql, entry) for place, entry in entries if entry.sql is not None)


def _bound(asked: list[Asked]) -> Iterator[tuple[Asked, Columns | str]]:
    """The columns of each statement, or why it cannot be run; a statement that is given again is bound once."""
    found: dict[str, Columns | str] = {}
    until = time.monotonic() + bounded.ALL_STATEMENTS_S
    with scratch_folder() as folder:
        blank = folder / "blank.duckdb"
        store_template.into(blank, folder)
        with bounded.session(blank, bounded.STUDY_LIMITS) as session:
            for each in asked:
                if each.sql not in found:
                    if time.monotonic() > until:
                        yield each, f"the statements before took more than {bounded.ALL_STATEMENTS_S:g} s in all"
                        return
                    try:
                        found[each.sql] = session.columns(each.sql)
                    except StuckError as error:
                        yield each, str(error)
                        return
                    except UsageError as error:
                        found[each.sql] = _on_one_line(str(error))
                yield each, found[each.sql]


def _on_one_line(message: str) -> str:
    """What DuckDB says, without the copy of the line; the number of the line in the statement stays."""
    line = LINE_OF_STATEMENT.search(message)
    said = " ".join(message[: line.start()].split() if line else message.split())
    return f"{said} (line {line[1]} of the statement)" if line and line[1] != "1" else said


def _misfits(entry: OwnTable | OwnFigure | Claim, columns: Columns) -> Iterator[tuple[str, str]]:
    """Keys, and what is wrong with them in view of the columns of the statement."""
    if isinstance(entry, Claim):
        yield from _misfits_of_claim(entry, columns)
    elif isinstance(entry, OwnFigure):
        needed = FIGURE_KINDS[entry.kind].columns if entry.kind else ()
        if missing := [name for name in needed if name not in columns]:
            yield "sql", f"expected columns {', '.join(needed)}; it lacks {', '.join(missing)}"
    else:
        decimals = entry.options.get("decimals")
        named = [("spanners", column) for column in _columns_of(entry.spanners)]
        named += [("options", column) for column in decimals] if isinstance(decimals, dict) else []
        for key, column in named:
            if column not in columns:
                hint = nearest(column, columns) or f"; its columns: {', '.join(columns)}"
                yield key, f"the statement has no column {column!r}{hint}"


def _columns_of(spanners: object) -> Iterator[str]:
    """The columns below headings: `{heading = [columns]}` or a list of `{label, columns}`."""
    below: list[Any] = []
    if isinstance(spanners, dict):
        below = list(spanners.values())
    elif isinstance(spanners, list):
        below = [each.get("columns") for each in spanners if isinstance(each, dict)]
    for each in below:
        yield from (str(column) for column in (each if isinstance(each, list) else [each]))


def _misfits_of_claim(claim: Claim, columns: Columns) -> Iterator[tuple[str, str]]:
    given = ", ".join(columns)
    if claim.op is None and "BOOLEAN" not in columns.values():
        yield "sql", f"gives no truth value but {given}; compare in the statement, or give 'op' and 'value' beside it"
    if claim.op is not None and "value" not in columns:
        yield "sql", f"gives no column 'value' to compare but {given}"
    numbers = ["value", *(["low", "high"] if {"low", "high"} <= set(columns) else [])]
    for name in numbers:
        if name in columns and not NUMERIC.fullmatch(columns[name]):
            yield "sql", f"column {name!r} holds no numbers but {columns[name]}"
