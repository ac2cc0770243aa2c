"""A store without rows: every table, view, macro and comment. An ingest begins with a copy of it.

To create them takes a second, most of it for planning a hundred views, and they are the same for every study. So the
first ingest of a version of haledger leaves them in the user's cache folder, and the next ones copy that file.
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path

import duckdb

from pipeline import accounts, clock_doubt, manifest, relations, rules, store, user_cache
from pipeline.fingerprint import program_key


def into(file: Path, folder: Path) -> None:
    """Write a store without rows to `file`. `folder`: on the same disk, for what must be written before."""
    cached = _cached_file()
    part = folder / "blank.duckdb"
    if not _copied(cached, part):
        _write(part, folder)
        _keep(part, cached)
    part.replace(file)


def create(con: duckdb.DuckDBPyConnection) -> None:
    """Create all that a store holds, without a row."""
    nothing_stated = manifest.parse(b"", name="").tables() | rules.study_tables([])
    store.create_tables(con, nothing_stated)
    accounts.create_tables(con)
    clock_doubt.create_table(con)
    relations.create(con)


def _cached_file() -> Path:
    """Where the blank store of this program is kept; other programs and versions of DuckDB have other names."""
    return user_cache.folder() / f"blank-{program_key()[:16]}-{duckdb.__version__}.duckdb"


def _copied(cached: Path, part: Path) -> bool:
    """Whether the kept blank store could be copied. One that was damaged is let go of."""
    try:
        shutil.copyfile(cached, part)
    except OSError:
        return False
    try:
        duckdb.connect(str(part), read_only=True).close()
    except duckdb.Error:
        with suppress(OSError):
            cached.unlink()
        return False
    return True


def _write(part: Path, folder: Path) -> None:
    part.unlink(missing_ok=True)
    con = store.connected(part, folder)
    try:
        con.execute("begin")
        create(con)
        con.execute("commit")
        con.execute("checkpoint")
    finally:
        con.close()


def _keep(part: Path, cached: Path) -> None:
    """Leave a copy for the next ingest, in place of those of other versions; where that cannot be, do without."""
    new = cached.with_name(f"{cached.name}.tmp-{os.getpid()}")
    try:
        cached.parent.mkdir(parents=True, exist_ok=True)
        for other in cached.parent.glob("blank-*.duckdb"):
            other.unlink(missing_ok=True)
        shutil.copyfile(part, new)
        new.replace(cached)
    except OSError:
        with suppress(OSError):
            new.unlink()
