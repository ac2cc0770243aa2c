"""A number does not depend on how many threads computed it, nor on where DuckDB meets the rows."""

from pathlib import Path

import duckdb
import pytest

from pipeline.store import relations
from pipeline.store.store import STORAGE_VERSION, quoted
from tests.support.sample import STUDIES, sample_store

FILLED = {each.name for each in relations.catalogue() if each.materialised is not None and not each.is_constant}


@pytest.mark.parametrize("name", STUDIES)
def test_relations_are_the_same_bit_for_bit_with_any_threads_and_layout(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    db, mixed = sample_store(name, tmp_path_factory), tmp_path / "mixed.duckdb"
    with duckdb.connect(str(db), read_only=True, config={"threads": 1}) as con:
        expected = hashes(con)
    mix(db, mixed)
    with duckdb.connect(str(mixed), config={"threads": 4, "preserve_insertion_order": False}) as con:
        con.execute("begin")
        relations.fill(con)
        found = hashes(con)
    assert [each for each in expected if found[each] != expected[each]] == []


def mix(db: Path, mixed: Path) -> None:
    """Copy a store without what is computed: rows in another order, in as many groups as there can be."""
    with duckdb.connect() as con:
        con.execute(f"attach '{db}' as old (read_only)")
        con.execute(f"attach '{mixed}' as new (row_group_size 2048, storage_version '{STORAGE_VERSION}')")
        con.execute("copy from database old to new (schema)")
        tables = "select schema_name, table_name from duckdb_tables() where database_name = 'old'"
        for schema, table in con.execute(tables).fetchall():
            if schema != "main" or table not in FILLED:
                place = f"{quoted(schema)}.{quoted(table)}"
                con.execute(f"insert into new.{place} select * from old.{place} order by hash(rowid)")


def hashes(con: duckdb.DuckDBPyConnection) -> dict[str, object]:
    """Rows and their hashes, added up, of each relation."""
    return {
        each.name: con.execute(f"select count(*), sum(hash(t)::hugeint) from main.{quoted(each.name)} as t").fetchone()
        for each in relations.catalogue()
    }
