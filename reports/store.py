"""A store as the report reads it: rows of public relations, read-only, nothing else within reach."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import duckdb

from pipeline import sandbox
from pipeline.claims import Judged, judge_claims
from pipeline.data_origin import DataOrigins, data_origins
from pipeline.description import DescribedRelation, described
from pipeline.errors import UsageError

Row = dict[str, Any]  # a row of a relation; the store states the types of its columns

LIMITS = sandbox.Limits(timeout_s=60.0)


class Store:
    """An open store."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
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
        cursor = self._connection.execute(sql, parameters or None)
        names = [each[0] for each in cursor.description or ()]
        return [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]

    def one(self, sql: str, **parameters: object) -> Row:
        """The only row of a statement."""
        return self.rows(sql, **parameters)[0]

    def study_rows(self, sql: str, owner: str) -> tuple[list[str], list[tuple[object, ...]]]:
        """Column names and rows of a statement that the study wrote; `owner` is named when it cannot be run."""
        try:
            frame = sandbox.run(self._connection, sql, limits=LIMITS).frame
        except UsageError as error:
            raise UsageError(f"{owner}: its SQL cannot be run: {error}") from error
        return frame.columns, frame.rows()

    def described(self) -> tuple[DescribedRelation, ...]:
        """Every relation with the comments of the store."""
        return described(self._connection)

    def origins(self) -> DataOrigins:
        """How the study's data came about."""
        return data_origins(self._connection)

    def claims(self) -> list[Judged]:
        """The study's claims, judged; none where the store knows nothing of claims."""
        return judge_claims(self._connection) if self.has("study.claim") else []


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    """Open the store of a report; on one thread, as sums and unsorted rows vary from run to run with more."""
    with closing(sandbox.open_store(path, LIMITS, threads="1")) as connection:
        yield Store(connection)
