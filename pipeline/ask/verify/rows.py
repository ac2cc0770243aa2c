"""Two stores of one study against each other: every row of every table, every view's statement."""

from collections.abc import Sequence
from pathlib import Path

import duckdb

from pipeline.errors import StoreError
from pipeline.store import part_tables
from pipeline.store.part import let_read
from pipeline.store.store import DAMAGED, literal, quoted

REMEMBERED = frozenset(
    {("log", "file_ledger"), ("log", "archive"), ("main", "store_info")}
    | {tuple(each.relation.split(".")) for each in part_tables.TABLES}
)
"""Tables about files and programs, not about their content: they hold time stamps."""

TIME_STAMPS = frozenset({"modified_at"})
"""Columns that a file changes without changing."""

COLUMNS = """
select tables.schema_name, tables.table_name, list(columns.column_name order by columns.column_index)

from duckdb_tables() as tables

inner join duckdb_columns() as columns
    on
        tables.database_name = columns.database_name
        and tables.schema_name = columns.schema_name
        and tables.table_name = columns.table_name

where tables.database_name = $name and not tables.temporary

group by tables.schema_name, tables.table_name

order by all
"""

STATEMENTS = """
select schema_name || '.' || view_name, replace(sql, $name || '.', '')

from duckdb_views()

where database_name = $name and not internal

union all

select
    'macro ' || function_name,
    list(parameters)::varchar || string_agg(macro_definition, ';' order by macro_definition)

from duckdb_functions()

where database_name = $name and not internal

group by function_name
"""

Tables = dict[tuple[str, str], list[str]]
"""Columns by schema and name."""


def differences(held: Path, fresh: Path) -> tuple[int, list[str]]:
    """How many relations were compared, and what is not the same, in words."""
    with duckdb.connect() as con:
        try:
            for name, path in (("held", held), ("fresh", fresh)):
                con.execute(f"attach {literal(str(path))} as {name} (read_only)")
            ((folder,),) = con.execute("select parts from held.main.store_info").fetchall()
            let_read(con, folder)
            fresh_tables, fresh_views = _tables(con, "fresh"), _statements(con, "fresh")
            tables, views = _tables(con, "held"), _statements(con, "held")
            # views over the lines in parts are compared as what they stand for
            of_parts = {
                f"log.{name}" for (name,) in con.execute('select distinct "table" from held.log.part').fetchall()
            }
            tables |= {each: fresh_tables[each] for each in fresh_tables if ".".join(each) in of_parts}
            views = {name: sql for name, sql in views.items() if name not in of_parts}
            wrong = _of_names([".".join(each) for each in tables], [".".join(each) for each in fresh_tables])
            wrong += _of_names(list(views), list(fresh_views))
            wrong += [
                f"{name}: another statement"
                for name in sorted(views)
                if fresh_views.get(name, views[name]) != views[name]
            ]
            shared = [each for each in tables if each in fresh_tables]
            for each in shared:
                wrong += _of_rows(con, each, tables[each], fresh_tables[each])
        except duckdb.Error as error:
            raise StoreError(f"{held}: {DAMAGED.format(message=error)}") from error
    return len(shared) + len(views), wrong


def _tables(con: duckdb.DuckDBPyConnection, name: str) -> Tables:
    rows = con.execute(COLUMNS, {"name": name}).fetchall()
    return {(schema, table): columns for schema, table, columns in rows if (schema, table) not in REMEMBERED}


def _statements(con: duckdb.DuckDBPyConnection, name: str) -> dict[str, str]:
    return dict(con.execute(STATEMENTS, {"name": name}).fetchall())


def _of_names(held: Sequence[str], fresh: Sequence[str]) -> list[str]:
    return [f"{name}: not in the store" for name in fresh if name not in held] + [
        f"{name}: not of haledger" for name in held if name not in fresh
    ]


def _of_rows(
    con: duckdb.DuckDBPyConnection, table: tuple[str, str], columns: Sequence[str], fresh: Sequence[str]
) -> list[str]:
    """Hashes first; only rows of tables that differ are compared one by one."""
    name = ".".join(table)
    if list(columns) != list(fresh):
        return [f"{name}: other columns"]
    relation = ".".join(map(quoted, table))
    chosen = ", ".join(quoted(each) for each in columns if each not in TIME_STAMPS)
    summed = "select count(*), sum(hash({})::hugeint) from {}.{}"
    sums = [con.execute(summed.format(chosen, side, relation)).fetchall() for side in ("held", "fresh")]
    if sums[0] == sums[1]:
        return []
    counted = "select count(*) from (select {0} from {1}.{3} except all select {0} from {2}.{3})"
    (added,), (lacking,) = (
        con.execute(counted.format(chosen, one, other, relation)).fetchall()[0]
        for one, other in (("held", "fresh"), ("fresh", "held"))
    )
    return [f"{name}: {added} rows that the sources do not give, {lacking} rows of the sources missing"]
