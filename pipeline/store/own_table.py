"""A table of a store that no format fills, declared once: its grain, and type and meaning of each column."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import duckdb
import polars as pl

from pipeline.store import log_tables, store

BATCH = 5_000
"""Rows that are made and written at a time: the ledger of many files is larger than all else that is known of them."""


@dataclass(frozen=True, slots=True)
class OwnTable:
    """A table such as `log.clock_step`; the grain is a sentence: `One row per ...`."""

    relation: str
    grain: str
    columns: Mapping[str, tuple[pl.DataType, str]]

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """Types by column."""
        return {name: dtype for name, (dtype, _) in self.columns.items()}

    def create(self, con: duckdb.DuckDBPyConnection) -> None:
        """Create it without rows, with comments."""
        meanings = {name: text for name, (_, text) in self.columns.items()}
        log_tables.create_table(con, self.relation, self.schema, self.grain, meanings)

    def frame(self, rows: Iterable[Mapping[str, object] | Sequence[object]]) -> pl.DataFrame:
        """Rows by name, a missing one null, or in the order of the columns."""
        return pl.concat([pl.DataFrame(schema=self.schema), *self._frames(rows)])

    def fill(self, con: duckdb.DuckDBPyConnection, rows: Iterable[Mapping[str, object] | Sequence[object]]) -> None:
        """Append rows."""
        for frame in self._frames(rows):
            store.insert(con, self.relation, frame)

    def _frames(self, rows: Iterable[Mapping[str, object] | Sequence[object]]) -> Iterator[pl.DataFrame]:
        in_order = (tuple(map(row.get, self.columns)) if isinstance(row, Mapping) else row for row in rows)
        while batch := list(islice(in_order, BATCH)):
            yield pl.DataFrame(batch, schema=self.schema, orient="row")
