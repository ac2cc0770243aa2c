"""One number back to what it was computed from: runs, lines with those around them, files, SQL.

`haledger trace` prints this; a report can ask for it cell by cell: `reports.trace_cells` says which rows of which
relation a cell shows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import duckdb

from pipeline import relations
from pipeline.data_origin import data_origins
from pipeline.trace_lines import SourceText, Study, texts
from pipeline.trace_parts import Line, Row, Run
from pipeline.trace_steps import COMPARED, OF_ONE_RUN, runs_behind

BASE: Final[Mapping[str, str]] = {**COMPARED, **OF_ONE_RUN}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a number stands in the store: a row of a relation, and the column (empty: the row as a whole)."""

    relation: str
    row: Row
    column: str


@dataclass(frozen=True, slots=True)
class Trace:
    """A number with everything behind it. `statements`: SQL by the name of a relation or table."""

    asked: str
    printed: str | None
    values: Mapping[str, object]
    origins: tuple[Origin, ...]
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
            "configuration": run.configuration,
            "run": run.run,
            "value": run.value,
            "is_used": run.is_used,
            "reason": run.reason,
            "inference": [asdict(each) for each in run.inference],
            "lines": [self._line(each) for each in run.lines],
        }

    def _line(self, line: Line) -> dict[str, object]:
        source = self.sources.get(line.file_id)
        numbered: Mapping[int, str] = source.lines if source else {}
        number = line.line_no
        return {
            "role": line.role,
            "how": line.how,
            "note": line.note,
            "is_decisive": line.is_decisive,
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
    origins: Sequence[Origin],
    study: Study,
    **asked: Any,  # noqa: ANN401  the fields of `Trace` that the caller knows
) -> Trace:
    """Follow a number to its lines, as they stand in the study."""
    runs: list[Run] = []
    for origin in origins:
        runs += runs_behind(con, origin.relation, origin.row, origin.column)
    wanted: dict[int, list[int]] = {}
    for line in (line for run in runs for line in run.lines):
        wanted.setdefault(line.file_id, []).extend([] if line.line_no is None else [line.line_no])
    statements = {**asked.pop("statements", {}), **_statements(origins)}
    notes = (*asked.pop("notes", ()), *_made(con, runs))
    return Trace(
        origins=tuple(origins),
        runs=tuple(runs),
        sources=texts(con, wanted, study) if wanted else {},
        statements=statements,
        notes=notes,
        **asked,
    )


def _made(con: duckdb.DuckDBPyConnection, runs: Sequence[Run]) -> list[str]:
    """What is to be said of the data where a program made them."""
    origins = data_origins(con)
    made = (origins.of([configuration]) for configuration in dict.fromkeys(run.configuration for run in runs))
    return list(dict.fromkeys(each.sentence for each in made if each.is_built_in))


def _statements(origins: Sequence[Origin]) -> dict[str, str]:
    """The SQL of the relations that a number comes through."""
    known = {each.name: each.sql for each in relations.catalogue()}
    names = []
    for origin in origins:
        names += [origin.relation, *([BASE[origin.relation]] if origin.relation in BASE else [])]
    return {name: known[name] for name in dict.fromkeys(names) if name in known}
