"""How a store documents itself: its relations and columns with the comments of their SQL, each documented once.

The prompt (`.tables`, `.schema`, completion) and the reference of relations in docs/ are both made from this.
"""

from dataclasses import dataclass
from itertools import groupby

import duckdb

RELATIONS = """
select schema_name, table_name as name, 'table' as kind, comment
from duckdb_tables()
where not internal and schema_name in ('main', 'log', 'study')
union all
select schema_name, view_name, 'view', comment
from duckdb_views()
where not internal and schema_name in ('main', 'log', 'study')
order by schema_name <> 'main', schema_name, name
"""

COLUMNS = """
select schema_name, table_name, column_name, data_type, comment
from duckdb_columns()
where not internal and schema_name in ('main', 'log', 'study')
order by schema_name, table_name, column_index
"""


@dataclass(frozen=True, slots=True)
class DescribedColumn:
    """One column; its comment states meaning and unit."""

    name: str
    data_type: str
    comment: str


@dataclass(frozen=True, slots=True)
class DescribedRelation:
    """One table or view; its comment gives what one row is."""

    schema: str
    name: str
    kind: str
    comment: str
    columns: tuple[DescribedColumn, ...]

    @property
    def grain(self) -> str:
        """The first sentence: what one row is."""
        return self.comment.partition(". ")[0].removesuffix(".")

    @property
    def sql_name(self) -> str:
        """The name as a statement gives it: those of schema `main` without the schema."""
        return self.name if self.schema == "main" else f"{self.schema}.{self.name}"


def described(connection: duckdb.DuckDBPyConnection) -> tuple[DescribedRelation, ...]:
    """Every relation of a store: the public ones (schema `main`), then those behind them; by name."""
    columns = {
        key: tuple(DescribedColumn(name, data_type, comment or "") for _, _, name, data_type, comment in rows)
        for key, rows in groupby(connection.execute(COLUMNS).fetchall(), key=lambda row: (row[0], row[1]))
    }
    return tuple(
        DescribedRelation(schema, name, kind, comment or "", columns.get((schema, name), ()))
        for schema, name, kind, comment in connection.execute(RELATIONS).fetchall()
    )
