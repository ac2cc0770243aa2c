"""Whether two stores hold the same, bit for bit."""

from pathlib import Path

import duckdb

from pipeline.store.part import let_read
from pipeline.store.part_tables import TABLES

OF_LAYOUT = {"main.store_info"} | {each.relation for each in TABLES}
"""Relations that say where the lines lie."""


def different(one: Path, other: Path, threads: int = 2, *, has_views: bool = False) -> list[str]:
    """The relations of two stores that do not have the same rows; of the other one asked with these threads.

    A view whose statement is the same in both gives the same of the same tables, whose order it does not depend on
    (test_same_bits.py), and takes most of the time: `has_views` compares these too.
    """
    found = []
    with duckdb.connect() as con:
        con.execute(f"attach '{one}' as one (read_only)")
        con.execute(f"attach '{other}' as other (read_only)")
        for store in ("one", "other"):
            ((folder,),) = con.execute(f"select parts from {store}.main.store_info").fetchall()
            let_read(con, folder)
        both = "select distinct schema, name from (show all tables) where database in ('one', 'other')"
        names = con.execute(both).fetchall()
        assert len(names) > 150
        same = set() if has_views else _same_views(con)
        for schema, name in names:
            if f"{schema}.{name}" in OF_LAYOUT or (schema, name) in same:
                continue
            hashes = []
            for store, count in (("one", 1), ("other", threads)):
                con.execute(f"use {store}")
                con.execute(f"set threads = {count}")
                place = f'{store}.{schema}."{name}"'
                hashes.append(con.execute(f"select count(*), sum(hash(t)::hugeint) from {place} as t").fetchone())
            if hashes[0] != hashes[1]:
                found.append(f"{schema}.{name}")
    return found


def _same_views(con: duckdb.DuckDBPyConnection) -> set[tuple[str, str]]:
    """The views that have the same statement in both stores."""
    views = "select schema_name, view_name, sql from duckdb_views() where database_name = '{}'"
    return set(
        con.execute(
            f"select schema_name, view_name from ({views.format('one')} intersect {views.format('other')})"
        ).fetchall()
    )


def comments(db: Path) -> dict[str, list[tuple[object, ...]]]:
    """What a store says of its relations and columns, by relation, with the types of columns."""
    found: dict[str, list[tuple[object, ...]]] = {}
    with duckdb.connect(str(db), read_only=True) as con:
        for kind in ("table", "view"):
            rows = f"select schema_name || '.' || {kind}_name, comment from duckdb_{kind}s() where not internal"
            for name, comment in con.execute(rows).fetchall():
                found[name] = [(comment,)]
        columns = "schema_name || '.' || table_name, column_name, data_type, comment from duckdb_columns()"
        for name, *column in con.execute(f"select {columns} where not internal order by column_index").fetchall():
            found[name].append(tuple(column))
    return found
