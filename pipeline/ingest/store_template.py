"""A store of no study: every table, view, macro, comment and built-in rule. An ingest begins with a copy of it.

To create them takes a second, most of it for planning a hundred views, and they are the same for every study. So the
first ingest of a version of haledger leaves them in the user's cache folder, and the next ones copy that file.
"""

from pathlib import Path

import duckdb

from pipeline.clock import correction, doubt
from pipeline.ingest import accounts
from pipeline.store import log_tables, part_tables, relations, store, user_cache
from pipeline.store.fingerprint import program_key
from pipeline.study import rules, study_tables

MOST_KEPT = 6
"""Blank stores stay in the cache folder: of each version of haledger and DuckDB up to two, by the size of blocks."""


def into(file: Path, folder: Path, measured_bytes: int = 0) -> None:
    """Write a store of no study to `file`, for these bytes of measurements. `folder`: for what comes before."""
    block_bytes = store.LARGE_BLOCK_BYTES if measured_bytes >= store.LONG_BYTES else store.BLOCK_BYTES
    made_of = f"{program_key()} {duckdb.__version__} {block_bytes}"
    file.write_bytes(user_cache.kept("blank", made_of, lambda: _made(folder, block_bytes), MOST_KEPT))


def create(con: duckdb.DuckDBPyConnection) -> None:
    """Create all that a store of no study holds."""
    log_tables.create_tables(con, study_tables.TABLES | rules.TABLES)
    for name, content in rules.study_tables().items():
        store.insert(con, f"study.{store.quoted(name)}", content)
    own = (*accounts.TABLES, doubt.CLOCK_DOUBT, correction.CLOCK_CHANGE, correction.CLOCK_CORRECTION)
    for table in (*own, *part_tables.TABLES):
        table.create(con)
    relations.create(con)


def _made(folder: Path, block_bytes: int) -> bytes:
    """The bytes of a blank store."""
    part = folder / "blank.duckdb"
    con = store.connected(part, folder, block_bytes)
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
