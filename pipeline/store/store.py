"""Creates, swaps, opens and locks the DuckDB file.

A store is never changed in place: a new one is built beside it in one transaction, then takes its name, so that a
crash at any instant leaves the old one. No PRIMARY KEY, UNIQUE, INDEX, ALTER: DuckDB's replay faults all involve those.
Frames go in and out through the Arrow C stream, because Polars' own way to DuckDB needs pyarrow.
"""

import glob
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import duckdb
import polars as pl

from pipeline import interrupt
from pipeline.errors import HaledgerError, StoreError, UsageError
from pipeline.scratch import beside
from pipeline.store import part

SCHEMA_VERSION = 2
"""Raised when an older haledger could misread the store."""

STORAGE_VERSION = "v1.4.0"  # docs/decisions/0025-star.md: which clients read it
BLOCK_BYTES = 65_536
"""A quarter of DuckDB's own: most relations are small, and each column of each begins a block. Stores of the samples
are a third as big and written in four fifths of the CPU time."""
LARGE_BLOCK_BYTES = 262_144
"""Of a store of long measurements: in smaller blocks format 1.4 does not compress numbers with fractions."""
LONG_BYTES = 32 * 1024 * 1024
"""Of measurements that are long in this sense: what they save is more than what small relations take."""

LEAST_MEMORY = 256_000_000
"""More than the relations of sixteen million lines of measurements need, with what waits on disk."""

THREAD_MEMORY = 128_000_000
"""For each thread that fills relations: 32 of them ran out of 384 MB."""

DUCKDB_MARK = b"DUCK"  # bytes 8 to 11 of any of its files


SCHEMAS = ("log", "study")

NO_SPACE = (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.TransactionException, duckdb.FatalException)
"""What DuckDB raises where a disk or memory is full: at an insert, at the commit, at the checkpoint."""

CHECKPOINT = "FATAL Error: Failed to create checkpoint because of error: "
"""What DuckDB says before the reason why the end of its work cannot be written."""

DAMAGE = (duckdb.FatalException, duckdb.IOException, duckdb.SerializationException)
"""What DuckDB raises where it reads a damaged file, besides errors that only their text tells."""

DAMAGED = "the store is damaged; build it again with `haledger ingest --replace`: {message}"

OPEN_FAILURES = (
    (r"PID (?P<process>[0-9]+)", "in use by another program (process {process}); close that one and try again"),
    (r"\block\b", "in use by another program; close that one and try again"),
    (r"not a valid DuckDB", "not a DuckDB file; expected a store that haledger wrote"),
    (r"version number", "written by a DuckDB that this one cannot read: {message}"),
    (r"does not exist", "no such store; `haledger ingest STUDY --db {db}` creates it"),
    (r"different configuration", "already open in this program with other settings"),
    (r"\bWAL\b|checksum|corrupt|could not read", DAMAGED),
)
"""What DuckDB says when it cannot open a file, and what that means to a person; the first that fits."""


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """Row of `main.store_info`. `study_key` distinguishes studies of one name without naming a folder."""

    schema_version: int
    haledger_version: str
    study: str
    study_key: str
    manifest_key: str
    reading_key: str
    program_key: str
    reference: str = ""
    since: str = ""
    until: str = ""
    asked_span: str = ""
    parts: str = ""


INFO_COMMENTS = {
    "schema_version": "layout of the store",
    "haledger_version": "program that wrote it",
    "study": "name of the study",
    "study_key": "hash of the study's place",
    "manifest_key": "hash of study.toml as it was read",
    "reading_key": "hash of the code that turns a file into rows",
    "program_key": "hash of parsers, pipeline, statements and rules",
    "reference": "configuration that --reference named; empty without it",
    "since": "first instant of the span that --since named, UTC; empty without it",
    "until": "first instant beyond the span that --until named, UTC; empty without it",
    "asked_span": "both as they were written, /-separated; empty without them",
    "parts": "folder of the Parquet files that hold its lines, see log.part; empty where they are in this file",
}


# --- reading ---------------------------------------------------------------------------------------------------------


@contextmanager
def opened(db: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a store for reading.

    Anything that is not a store of ours is a StoreError that says what it is; so is one of whose parts one is missing
    or damaged.
    """
    if not db.is_file():
        raise StoreError(f"{db}: no such store; `haledger ingest STUDY --db {db}` creates it")
    refuse_name(db)
    try:
        con = duckdb.connect(str(db), read_only=True)
    except duckdb.Error as error:
        raise explain_open_failure(db, error) from error
    try:
        with telling_damage(db):
            if folder := info(con, db).parts:
                parts = part.listed(con)
                part.refuse_damaged(parts, db)
                part.let_read(con, folder, parts)
            yield con
    finally:
        con.close()


@contextmanager
def telling_damage(db: Path) -> Iterator[None]:
    """Let a statement that fails because the store is damaged be a StoreError that says so."""
    try:
        yield
    except Exception as error:
        if not isinstance(error, HaledgerError) and (wrong := damage(error)):
            raise StoreError(f"{db}: {wrong}") from error
        raise


def damage(error: Exception) -> str | None:
    """What is wrong with a store at which a statement fails, and what to do; None if the store is not at fault."""
    message = str(error)
    if unread := part.unread(message):
        return unread
    is_damage = isinstance(error, DAMAGE) or part.named_in(message) or message.startswith("Corrupt database file")
    return DAMAGED.format(message=message) if is_damage else None


def refuse_name(db: Path) -> None:
    """Refuse a file name under which no DuckDB client could read the store.

    DuckDB names the catalog after the file up to its first ending, and `log.vcs_event` in a catalog `log` is ambiguous.
    What follows a question mark it treats as the query of an address, and looks for its journal before it.
    """
    if "?" in str(db):
        raise UsageError(f"{db}: DuckDB cannot work with a question mark in a path; choose another name for the store")
    if db.name.split(".", 1)[0].lower() in SCHEMAS:
        raise UsageError(
            f"{db}: a store cannot have this name, because DuckDB would treat it as the schema of that name in it; "
            f"choose another name, such as {db.with_name('haledger.duckdb')}"
        )


def info(con: duckdb.DuckDBPyConnection, db: Path) -> StoreInfo:
    """The store's row about itself; a StoreError where there is none, or it is of a newer haledger."""
    try:
        rows = con.execute("select * from main.store_info").fetchall()  # fetchone would leave the result open
    except duckdb.CatalogException as error:
        raise StoreError(f"{db}: a DuckDB file, but not one that haledger wrote; name another with --db") from error
    if len(rows) != 1:
        raise StoreError(f"{db}: the store is incomplete; build it again with `haledger ingest --replace`")
    row = rows[0]
    if row[0] > SCHEMA_VERSION:
        raise StoreError(f"{db}: written by the newer haledger {row[1]}; use that one, or build it again")
    if row[0] < SCHEMA_VERSION:
        raise StoreError(f"{db}: written by the older haledger {row[1]}; build it again with --replace")
    return StoreInfo(*row)


def is_own(db: Path) -> bool:
    """Whether a file is a store of any haledger, also a damaged one: empty, or a DuckDB file not plainly another's."""
    with db.open("rb") as file:
        head = file.read(4096)
    if not any(head):  # as a crash of the system leaves a file
        return True
    if head[8:12] != DUCKDB_MARK:
        return False
    try:
        with duckdb.connect(str(db), read_only=True) as con:
            found = con.execute("select 1 from duckdb_tables() where table_name = 'store_info'").fetchall()
    except duckdb.Error:
        return True
    return bool(found)


def explain_open_failure(db: Path, error: Exception) -> StoreError:
    """What a failure to open a store means to a person."""
    message = " ".join(str(error).split())
    for pattern, meaning in OPEN_FAILURES:
        if found := re.search(pattern, message, re.IGNORECASE):
            holder = found.groupdict().get("process")
            return StoreError(f"{db}: {meaning.format(process=holder, db=db, message=message)}")
    return StoreError(f"{db}: cannot be opened: {message}")


def frame(con: duckdb.DuckDBPyConnection, query: str) -> pl.DataFrame:
    """The rows of a query."""
    return frame_of(con.sql(query))


def frame_of(relation: duckdb.DuckDBPyRelation) -> pl.DataFrame:
    """The rows of a relation."""
    return pl.DataFrame(_Stream(relation))


# --- building --------------------------------------------------------------------------------------------------------


class Building:
    """A store being built, and a folder for what does not fit into memory.

    `begin` writes what it holds from the start, when the connection is asked for: what was read until then decides it.
    """

    def __init__(
        self,
        file: Path,
        folder: Path,
        begin: Callable[[Path, Path], None] | None,
        memory_bytes: Callable[[], int],
    ) -> None:
        self.folder = folder
        self._memory_bytes = memory_bytes
        self._file = file
        self._begin = begin

    @cached_property
    def con(self) -> duckdb.DuckDBPyConnection:
        """Its connection, inside a transaction."""
        if self._begin is not None:
            self._begin(self._file, self.folder)
        con = connected(self._file, self.folder, memory_bytes=self._memory_bytes())
        con.execute("begin")
        return con

    def close(self) -> None:
        """Close the connection, if there is one."""
        if "con" in vars(self):
            self.con.close()


@interrupt.uncut
def building(
    db: Path, begin: Callable[[Path, Path], None] | None = None, memory_bytes: Callable[[], int] = lambda: LEAST_MEMORY
) -> Iterator[Building]:
    """Build a store beside `db` and give it that name at the end; on any failure `db` stays as it was.

    Only who holds the lock of `db` (`sole_writer`) may. `begin(file, folder)` writes what the store is to hold from the
    start; None: nothing. `memory_bytes`: of DuckDB, asked with the connection; what does not fit waits on disk.
    """
    refuse_name(db)
    try:
        db.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(db)
        new, folder = beside(db), beside(db, ".d")
        try:
            folder.mkdir()
            store = Building(new, folder, begin, memory_bytes)
            try:
                yield store
                store.con.execute("commit")
                interrupt.heed()
                store.con.execute("checkpoint")
            finally:
                store.close()
            _synced(new)
            interrupt.heed()
            # what another program did to the old store, and did not finish, must not be done to the new one
            db.with_name(f"{db.name}.wal").unlink(missing_ok=True)
            os.replace(new, db)  # noqa: PTH105  named as in the tests that let it fail
            with suppress(OSError):  # the new store is whole and in place; not every file system can sync a folder
                _synced(db.parent)
        finally:
            _remove(new, folder)
    except duckdb.Error as error:
        if isinstance(error, NO_SPACE):
            reason = str(error).split("\n", 1)[0].removeprefix(CHECKPOINT)  # below are settings of DuckDB to try
            raise StoreError(f"{db}: cannot be written: {reason}") from error
        raise
    except OSError as error:
        raise StoreError(f"{db}: cannot be written: {error.strerror or error}") from error


def remove_leftovers(db: Path) -> None:
    """Remove what killed runs left beside a store."""
    for left in sorted(db.parent.glob(f"{glob.escape(db.name)}.tmp-*")):
        if re.fullmatch(r"\.tmp-[0-9]+-[0-9]+(\.d|\.wal)?", left.name.removeprefix(db.name)) is None:
            continue
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def insert(con: duckdb.DuckDBPyConnection, relation: str, content: pl.DataFrame) -> None:
    """Append a frame to a relation, column by name."""
    if content.is_empty():
        return
    # A column without a value costs time, and is null anyway; the first one stands for rows without any
    filled = [each.name for each in content if each.null_count() < content.height] or content.columns[:1]
    names = ", ".join(quoted(each) for each in filled)
    stream = _Stream(content)
    con.register("incoming", stream)
    try:
        con.execute(f"insert into {relation} ({names}) select {names} from incoming")
    except BaseException:
        with suppress(duckdb.Error):  # would hide the failure of the insert
            con.unregister("incoming")
        raise
    finally:
        stream.release()
    con.unregister("incoming")


def quoted(name: str) -> str:
    """A name as SQL takes it, no matter what it holds."""
    return '"' + name.replace('"', '""') + '"'


class _Stream:
    """Rows as DuckDB and Polars pass them without pyarrow: nothing but an Arrow C stream."""

    def __init__(self, content: pl.DataFrame | duckdb.DuckDBPyRelation) -> None:
        self._content = content

    def release(self) -> None:
        """Forget the rows: DuckDB keeps what was registered until the end of the transaction."""
        self._content = pl.DataFrame()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._content.__arrow_c_stream__(requested_schema)


def is_short_of_memory(error: Exception) -> bool:
    """Whether an error is DuckDB's for want of memory, or was raised from it."""
    return any(isinstance(each, duckdb.OutOfMemoryException) for each in (error, error.__cause__))


def fitting_memory(free: int, threads: int) -> int:
    """The bytes that a store may take while it is built, of any size: at most a quarter of the free memory."""
    return max(LEAST_MEMORY, min(free // 4, THREAD_MEMORY * threads))


def more_memory(free: int, threads: int) -> list[int]:
    """The limits, each larger, for a relation that the fitting memory is not enough for: the last is half of `free`."""
    limit = fitting_memory(free, threads)
    most = max(2 * limit, free // 2)
    found = []
    while limit < most:
        limit = min(limit * 2, most)
        found.append(limit)
    return found


@contextmanager
def half_memory(con: duckdb.DuckDBPyConnection) -> Iterator[Callable[[], None]]:
    """Let DuckDB take half of its memory meanwhile: with all of it, it keeps what it has written and nobody reads.

    Gives what lets it take all again before the end.
    """
    ((limit,),) = con.execute("select current_setting('memory_limit')").fetchall()
    number, unit = limit.split()
    con.execute(f"set memory_limit = '{float(number) / 2} {unit}'")

    def take_all() -> None:
        con.execute(f"set memory_limit = '{limit}'")

    yield take_all
    take_all()  # not after an error, which it would hide: a transaction that failed runs nothing more


def connected(
    file: Path, folder: Path, block_bytes: int = BLOCK_BYTES, memory_bytes: int = LEAST_MEMORY
) -> duckdb.DuckDBPyConnection:
    """Open a store for writing, created if need be, of such blocks; what does not fit into memory goes to `folder`.

    It has as many threads as the machine, and no more than the memory is enough for.
    """
    settings: dict[str, str | bool | int | float | list[str]] = {
        "storage_compatibility_version": STORAGE_VERSION,
        "memory_limit": f"{memory_bytes}B",
        "temp_directory": str(folder),
        "default_block_size": block_bytes,
        "autoinstall_known_extensions": False,
        "threads": max(1, min(os.cpu_count() or 1, memory_bytes // THREAD_MEMORY)),
    }
    return duckdb.connect(str(file), config=settings)


def literal(text: str) -> str:
    """A text as SQL takes it, where it takes no parameter."""
    return "'" + text.replace("'", "''") + "'"


def _synced(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(file: Path, folder: Path) -> None:
    for each in (file, file.with_name(f"{file.name}.wal")):
        with suppress(OSError):
            each.unlink()
    shutil.rmtree(folder, ignore_errors=True)
