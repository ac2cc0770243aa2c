"""Whether two stores have the same numbers."""

from collections.abc import Mapping
from pathlib import Path

import duckdb

LENGTHS = {"byte_count", "character_count"}
"""Of text: pseudonyms are longer or shorter than names."""


def different_relations(plain: Path, anonymous: Path) -> list[str]:
    """Public relations of which columns of times and fractions have other values."""
    with duckdb.connect() as con:
        con.execute(f"attach '{plain}' as plain (read_only)")
        con.execute(f"attach '{anonymous}' as anonymous (read_only)")
        relations = con.execute(
            "select table_name, list(column_name) from duckdb_columns() where database_name = 'plain' "
            "and schema_name = 'main' and data_type in ('DOUBLE', 'TIMESTAMP') and table_name <> 'source_file' "
            "group by all"
        ).fetchall()
        assert len(relations) > 50
        different = []
        for name, columns in relations:
            listed = ", ".join(f'"{each}"' for each in columns if each not in LENGTHS)
            sums = [
                con.execute(f"select count(*), sum(hash({listed})::hugeint) from {store}.main.{name}").fetchone()
                for store in ("plain", "anonymous")
            ]
            different += [name] if sums[0] != sums[1] else []
    return sorted(different)


def numbers(store: Path, columns: Mapping[str, str]) -> dict[str, list[tuple[object, ...]]]:
    """The rows of relations in order, by relation. `columns`: those of each that are compared."""
    with duckdb.connect(str(store), read_only=True) as con:
        return {
            name: con.execute(f"select {each} from {name} order by all").fetchall() for name, each in columns.items()
        }
