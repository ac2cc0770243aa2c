"""A store without rows: every table, view, macro and comment. An ingest begins with a copy of it.

To create them takes a second, most of it for planning a hundred views, and they are the same for every study. So the
first ingest of a version of haledger leaves them in the user's cache folder, and the next ones copy that file.
"""

from pathlib import Path

import duckdb

from pipeline import accounts, clock_correction, clock_doubt, manifest, relations, rules, store, user_cache
from pipeline.fingerprint import program_key

MOST_KEPT = 3
"""Blank stores of so many versions of haledger and DuckDB stay in the cache folder."""


def into(file: Path, folder: Path) -> None:
    """Write a store without rows to `file`. `folder`: for what must be written before."""
    made_of = f"{program_key()} {duckdb.__version__}"
    file.write_bytes(user_cache.kept("blank", made_of, lambda: _made(folder), MOST_KEPT))


def create(con: duckdb.DuckDBPyConnection) -> None:
    """Create all that a store holds, without a row."""
    nothing_stated = manifest.parse(b"", name="").tables() | rules.study_tables([])
    store.create_tables(con, nothing_stated)
    accounts.create_tables(con)
    clock_doubt.create_table(con)
    clock_correction.create_tables(con)
    relations.create(con)


def _made(folder: Path) -> bytes:
    """The bytes of a blank store."""
    part = folder / "blank.duckdb"
    con = store.connected(part, folder)
    try:
        con.execute("begin")
        create(con)
        con.execute("commit")
        con.execute("checkpoint")
    finally:
        con.close()
    content = part.read_bytes()
    part.unlink()
    return content
