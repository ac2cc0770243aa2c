"""A table of a store that no format fills, declared once: its grain, and type and meaning of each column."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import duckdb
import polars as pl

from pipeline.store import store


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
        store.create_table(con, self.relation, self.schema, self.grain, meanings)

    def frame(self, rows: Iterable[Mapping[str, object] | Sequence[object]]) -> pl.DataFrame:
        """Rows by name, a missing one null, or in the order of the columns."""
        in_order = [tuple(map(row.get, self.columns)) if isinstance(row, Mapping) else row for row in rows]
        return pl.DataFrame(in_order, schema=self.schema, orient="row")

    def fill(self, con: duckdb.DuckDBPyConnection, rows: Iterable[Mapping[str, object] | Sequence[object]]) -> None:
        """Append rows."""
        store.insert(con, self.relation, self.frame(rows))
