"""A store as the report reads it: rows of public relations, read-only, nothing else within reach."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import duckdb

from pipeline.ask.check.claims import evaluate_claims
from pipeline.ask.check.verdict import EvaluatedClaim
from pipeline.ask.explain.next_steps import has_result, next_steps
from pipeline.ask.trace.follow import Follower, Group
from pipeline.ask.trace.source import Asked, Origin, Source
from pipeline.ask.trace.statement import Statements, UntraceableError
from pipeline.query import sandbox
from pipeline.query.bounded import STUDY_LIMITS, StudyStatements
from pipeline.store.description import DescribedRelation, described
from pipeline.store.row import Row
from pipeline.store.statements import rows
from pipeline.study.data_origin import DataOrigins, data_origins
from reports.study.result_rows import ResultRow

__all__ = ["Row", "Store", "opened"]


class Store:
    """An open store."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._statements = StudyStatements(connection)
        self._results: dict[Asked, list[Row]] = {}
        self._columns: dict[str, set[str]] = {}
        for relation, column in connection.execute(
            "select schema_name || '.' || table_name, column_name from duckdb_columns() where not internal order by all"
        ).fetchall():
            self._columns.setdefault(relation, set()).add(column)

    def has(self, relation: str, *columns: str) -> bool:
        """Whether `schema.name` exists with these columns."""
        return set(columns) <= self._columns.get(relation, set()) if relation in self._columns else False

    def rows(self, sql: str, **parameters: object) -> list[Row]:
        """The rows of one of our own statements."""
        asked = tuple(parameters.items())
        found = self._results[sql, asked] = rows(self._connection, sql, **parameters)
        return [ResultRow(row, Origin(sql, place, (), asked)) for place, row in enumerate(found)]

    def plain_rows(self, sql: str, **parameters: object) -> list[Row]:
        """The same of many rows that nothing traced is printed of: they do not know their places, and are not kept."""
        return rows(self._connection, sql, **parameters)

    def one(self, sql: str, **parameters: object) -> Row:
        """The only row of a statement."""
        return self.rows(sql, **parameters)[0]

    def study_rows(self, sql: str, owner: str) -> tuple[list[str], list[tuple[object, ...]]]:
        """Column names and rows of a statement that the study wrote; `owner` is named when it cannot be run."""
        frame = self._statements.run(sql, owner)
        self._results[sql.strip(), ()] = frame.rows(named=True)
        return frame.columns, frame.rows()

    def behind(self, origins: Sequence[Sequence[Origin | Source]]) -> list[tuple[Group, ...]]:
        """The runs behind cells, without the evidence for fault times; none behind one that no line can be behind."""
        traced = self._traced.each(origins)
        follower = self._follower
        found = [() if isinstance(each, UntraceableError) else each for each in traced]
        named = {each for each in {one.relation for each in found for one in each} if follower.names_lines(each)}
        found = [tuple(one for one in each if one.relation in named) for each in found]
        groups = follower.groups({one for each in found for one in each})
        return [tuple(dict.fromkeys(group for one in each for group in groups[one])) for each in found]

    @cached_property
    def _traced(self) -> Statements:
        """The statements of the report: several parts of it ask which lines are behind their cells."""
        return Statements(self._connection, self._results, self._follower.names_lines)

    @cached_property
    def _follower(self) -> Follower:
        """What was followed so far, for all parts of the report."""
        return Follower(self._connection, has_faults=False)

    def described(self) -> tuple[DescribedRelation, ...]:
        """Every relation with the comments of the store."""
        return described(self._connection)

    def origins(self) -> DataOrigins:
        """How the study's data came about."""
        return data_origins(self._connection)

    def next_steps(self) -> list[str]:
        """What is missing and what would give it, where there is neither an incident nor a measurement."""
        return [] if has_result(self._connection) else next_steps(self._connection)

    def claims(self) -> list[EvaluatedClaim]:
        """The study's claims, evaluated."""
        statements = StudyStatements(self._connection)
        found = evaluate_claims(self._connection, statements)
        for sql, frame in statements.small.items():
            self._results.setdefault((sql.strip().rstrip(";"), ()), frame.rows(named=True))
        return found


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    """Open the store of a report; on one thread, as sums and unsorted rows vary from run to run with more."""
    with sandbox.closed(sandbox.open_store(path, STUDY_LIMITS, threads="1"), path) as connection:
        yield Store(connection)
