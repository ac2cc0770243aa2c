"""One number back to what it was computed from: runs, lines with those around them, files, SQL.

`haledger trace` prints this. The cell of a table knows its statement, row and columns (`Origin`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import duckdb

from pipeline.ask.trace.follow import FAULT, Follower
from pipeline.ask.trace.lines import SourceText, Study, texts
from pipeline.ask.trace.parts import Line, Run
from pipeline.ask.trace.source import Origin, Source
from pipeline.ask.trace.statement import Statements, UntraceableError
from pipeline.store.statements import Row
from pipeline.study.data_origin import data_origins


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number is in the store: a row of a relation, and the columns that it is or is computed from."""

    relation: str
    row: Row
    columns: tuple[str, ...]

    @property
    def column(self) -> str:
        """The columns by name; empty where the row itself is what counts."""
        return ", ".join(self.columns)


@dataclass(frozen=True, slots=True)
class Trace:
    """A number with everything behind it. `statements`: SQL by the name of a relation or table."""

    asked: str
    printed: str | None
    values: Mapping[str, object]
    origins: tuple[Place, ...]
    runs: tuple[Run, ...]
    sources: Mapping[int, SourceText]
    statements: Mapping[str, str]
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, object]:
        """The trace as JSON can hold it."""
        return {
            "asked": self.asked,
            "printed": self.printed,
            "values": dict(self.values),
            "origins": [{"relation": each.relation, "column": each.column, "row": each.row} for each in self.origins],
            "runs": [self._run(each) for each in self.runs],
            "files": [
                {"path": each.path, "sha256": each.sha256, "state": each.state}
                for each in sorted(self.sources.values(), key=lambda source: source.path)
            ],
            "sql": dict(self.statements),
            "notes": list(self.notes),
        }

    def _run(self, run: Run) -> dict[str, object]:
        return {
            **{name: getattr(run, name) for name in ("configuration", "run", "value", "is_used", "reason")},
            "inference": [asdict(each) for each in run.inference],
            "lines": [self._line(each) for each in run.lines],
        }

    def _line(self, line: Line) -> dict[str, object]:
        source = self.sources.get(line.file_id)
        numbered: Mapping[int, str] = source.lines if source else {}
        number = line.line_no
        return {
            **{name: getattr(line, name) for name in ("role", "how", "note", "is_decisive")},
            "path": source.path if source else None,
            "line_no": number,
            "text": numbered.get(number) if number is not None else None,
            "kept": source.kept.get(number) if source and number is not None else None,
            "record": source.record(number) if source and number is not None else [],
            "context": {each: numbered[each] for each in source.near(number)} if source and number is not None else {},
            "sha256": source.sha256 if source else None,
        }


def trace(
    con: duckdb.DuckDBPyConnection,
    origins: Sequence[Origin | Source],
    study: Study,
    **asked: Any,  # noqa: ANN401  the fields of `Trace` that the caller knows
) -> Trace:
    """Follow a number to its lines, as they are in the study."""
    follower = Follower(con)
    notes: list[str] = []
    try:
        sources = Statements(con).sources(origins)
    except UntraceableError as error:
        sources = ()
        notes.append(f"It cannot be traced: {error}.")
    notes += [
        f"It is computed from {' and '.join(each.columns)} of {each.relation}."
        for each in sources
        if each.is_computed and each.columns
    ]
    found = follower.groups(sources)
    runs = list({id(run): run for each in sources for group in found[each] for run in group.runs}.values())
    wanted: dict[int, list[int]] = {}
    for line in (line for run in runs for line in run.lines):
        wanted.setdefault(line.file_id, []).extend([] if line.line_no is None else [line.line_no])
    return Trace(
        origins=tuple(Place(each.relation, row, each.columns) for each in sources for row in follower.rows_of(each)),
        runs=tuple(runs),
        sources=texts(con, wanted, study) if wanted else {},
        statements={**asked.pop("statements", {}), **_statements(follower, sources)},
        notes=(*notes, *_made(con, runs)),
        **asked,
    )


def _made(con: duckdb.DuckDBPyConnection, runs: Sequence[Run]) -> list[str]:
    """What is to be said of the data where a program made them."""
    origins = data_origins(con)
    made = (origins.of([configuration]) for configuration in dict.fromkeys(run.configuration for run in runs))
    return list(dict.fromkeys(each.sentence for each in made if each.is_built_in))


def _statements(follower: Follower, sources: Sequence[Source]) -> dict[str, str]:
    """The SQL of the relations that a number comes through."""
    names = [each.relation for each in sources]
    names += [link.relation for each in sources for link in follower.links(each.relation) if link.relation != FAULT]
    known = follower.relations
    return {name: known[name].sql for name in dict.fromkeys(names) if name in known}
