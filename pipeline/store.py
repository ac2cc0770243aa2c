"""Creates, swaps, opens and locks the DuckDB file.

A store is never changed in place: a new one is built beside it in one transaction, then takes its name, so that a
crash at any instant leaves the old one. No PRIMARY KEY, UNIQUE, INDEX, ALTER: DuckDB's replay faults all involve those.
Frames go in and out through the Arrow C stream, because Polars' own way to DuckDB needs pyarrow.
"""

import fcntl
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl

from parsers.format import STAMP_SCHEMA, Table, tables
from pipeline.errors import StoreError, UsageError
from pipeline.study_comments import STUDY_COMMENTS

SCHEMA_VERSION = 1
"""Raised when an older haledger could misread the store."""

STORAGE_VERSION = "v1.2.0"  # the oldest that DuckDB clients in use can read
MEMORY_LIMIT = "896MB"
"""Enough for two threads to insert into the widest table; below 832 MB DuckDB does so with one only."""

LONG_TEXTS = frozenset({"text", "message", "payload", "data", "body"})
"""Columns of sentences: zstd makes them half as big as what DuckDB chooses by itself does, and sooner.

The other strings are names: a dictionary is what DuckDB nearly always chooses for them, and asked for it at once it
does not try the others first, which costs a third of the time of storing. Strings too long for one stay as they are."""

AT_COLUMNS = {
    "at": "time of the event, UTC; null where the line states none",
    "local_at": "the wall clock as printed, year filled in",
}
KEY_COMMENTS = {
    "file_id": "main.source_file",
    "line_no": "line in the file, from 1",
    "part": "1; counts on where one line holds several messages",
}

SQL_TYPES: dict[type[pl.DataType], str] = {
    pl.Boolean: "boolean",
    pl.Int8: "tinyint",
    pl.Int16: "smallint",
    pl.Int32: "integer",
    pl.Int64: "bigint",
    pl.UInt8: "utinyint",
    pl.UInt16: "usmallint",
    pl.UInt32: "uinteger",
    pl.UInt64: "ubigint",
    pl.Float32: "float",
    pl.Float64: "double",
    pl.String: "varchar",
    pl.Binary: "blob",
    pl.Date: "date",
    pl.Time: "time",
    pl.Datetime: "timestamp",
}


SCHEMAS = ("log", "study")

NO_SPACE = (duckdb.IOException, duckdb.OutOfMemoryException, duckdb.TransactionException, duckdb.FatalException)
"""What DuckDB raises where a disk or memory is full: at an insert, at the commit, at the checkpoint."""

OPEN_FAILURES = (
    (r"PID (?P<process>\d+)", "in use by another program (process {process}); close that one and try again"),
    (r"\block\b", "in use by another program; close that one and try again"),
    (r"not a valid DuckDB", "not a DuckDB file; expected a store that haledger wrote"),
    (r"version number", "written by a DuckDB that this one cannot read: {message}"),
    (r"does not exist", "no such store; `haledger ingest STUDY --db {db}` makes it"),
    (r"different configuration", "already open in this program with other settings"),
    (
        r"\bWAL\b|checksum|corrupt|could not read",
        "the store is damaged; build it again with `haledger ingest --replace`: {message}",
    ),
)
"""What DuckDB says when it cannot open a file, and what that means to a person; the first that fits."""


@dataclass(frozen=True, slots=True)
class StoreInfo:
    """Row of `main.store_info`. `study_key` tells studies of one name apart without naming a folder."""

    schema_version: int
    haledger_version: str
    study: str
    study_key: str
    manifest_key: str
    reading_key: str
    program_key: str


INFO_COMMENTS = {
    "schema_version": "layout of the store",
    "haledger_version": "program that wrote it",
    "study": "name of the study",
    "study_key": "hash of the study's place",
    "manifest_key": "hash of study.toml as it was read",
    "reading_key": "hash of the code that turns a file into rows",
    "program_key": "hash of parsers, pipeline, statements and rules",
}


# --- reading ---------------------------------------------------------------------------------------------------------


@contextmanager
def opened(db: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a store for reading; anything that is not a store of ours is a StoreError that says what it is."""
    if not db.is_file():
        raise StoreError(f"{db}: no such store; `haledger ingest STUDY --db {db}` makes it")
    refuse_name(db)
    try:
        con = duckdb.connect(str(db), read_only=True)
    except duckdb.Error as error:
        raise explain_open_failure(db, error) from error
    try:
        info(con, db)
        yield con
    except (duckdb.FatalException, duckdb.IOException, duckdb.SerializationException) as error:
        raise StoreError(
            f"{db}: the store is damaged; build it again with `haledger ingest --replace`: {error}"
        ) from error
    finally:
        con.close()


def refuse_name(db: Path) -> None:
    """Refuse a file name under which no DuckDB client could read the store.

    DuckDB names the catalog after the file up to its first ending, and `log.vcs_event` in a catalog `log` is ambiguous.
    What follows a question mark it takes for the query of an address, and looks for its journal before it.
    """
    if "?" in str(db):
        raise UsageError(f"{db}: DuckDB cannot work with a question mark in a path; name the store otherwise")
    if db.name.split(".", 1)[0].lower() in SCHEMAS:
        raise UsageError(
            f"{db}: a store cannot have this name, as DuckDB would take it for the schema of that name in it; "
            f"name it otherwise, such as {db.with_name('haledger.duckdb')}"
        )


def info(con: duckdb.DuckDBPyConnection, db: Path) -> StoreInfo:
    """The store's row about itself; a StoreError where there is none, or it is of a newer haledger."""
    try:
        rows = con.execute("select * from main.store_info").fetchall()  # fetchone would leave the result open
    except duckdb.CatalogException as error:
        raise StoreError(f"{db}: a DuckDB file, but not one that haledger wrote; name another with --db") from error
    if len(rows) != 1:
        raise StoreError(f"{db}: the store is not complete; build it again with `haledger ingest --replace`")
    row = rows[0]
    if row[0] > SCHEMA_VERSION:
        raise StoreError(f"{db}: written by the newer haledger {row[1]}; use that one, or build it again")
    if row[0] < SCHEMA_VERSION:
        raise StoreError(f"{db}: written by the older haledger {row[1]}; build it again with --replace")
    return StoreInfo(*row)


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


@dataclass(frozen=True, slots=True)
class Building:
    """A store being built: its connection, inside a transaction, and a folder for what does not fit into memory."""

    con: duckdb.DuckDBPyConnection
    folder: Path


@contextmanager
def building(db: Path, begin: Callable[[Path, Path], None] | None = None) -> Iterator[Building]:
    """Build a store beside `db` and give it that name at the end; on any failure `db` stays as it was.

    `begin(file, folder)` writes what the store is to hold from the start; None: nothing.
    """
    refuse_name(db)
    try:
        db.parent.mkdir(parents=True, exist_ok=True)
        clean_up(db)
    except OSError as error:
        raise StoreError(f"{db}: cannot be written: {error.strerror}") from error
    new = db.with_name(f"{db.name}.tmp-{os.getpid()}")
    folder = db.with_name(f"{db.name}.tmp-{os.getpid()}.d")
    try:
        folder.mkdir()
        if begin is not None:
            begin(new, folder)
        con = connected(new, folder)
        try:
            con.execute("begin")
            yield Building(con, folder)
            con.execute("commit")
            con.execute("checkpoint")
        finally:
            con.close()
        _synced(new)
        # what another program did to the old store, and did not finish, must not be done to the new one
        db.with_name(f"{db.name}.wal").unlink(missing_ok=True)
        os.replace(new, db)  # noqa: PTH105  named as in the tests that let it fail
        _synced(db.parent)
    except duckdb.Error as error:
        if isinstance(error, NO_SPACE):
            raise StoreError(f"{db}: cannot be written: {error}") from error
        raise
    except OSError as error:
        raise StoreError(f"{db}: cannot be written: {error.strerror or error}") from error
    finally:
        _remove(new, folder)


def clean_up(db: Path) -> None:
    """Remove what a killed run left beside a store; a StoreError if another process is building it now."""
    for left in sorted(db.parent.glob(f"{_glob_escaped(db.name)}.tmp-*")):
        match = re.fullmatch(r"\.tmp-(\d+)", left.name.removeprefix(db.name))
        if match is None or int(match[1]) == os.getpid():
            continue
        with left.open("r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise StoreError(
                    f"{db}: being written by another haledger (process {match[1]}); wait for it to end"
                ) from error
        _remove(left, left.with_name(f"{left.name}.d"))
    for folder in sorted(db.parent.glob(f"{_glob_escaped(db.name)}.tmp-*.d")):
        match = re.fullmatch(r"\.tmp-(\d+)\.d", folder.name.removeprefix(db.name))
        if match is not None and not is_alive(int(match[1])):
            shutil.rmtree(folder, ignore_errors=True)


def create_tables(con: duckdb.DuckDBPyConnection, study_tables: Mapping[str, pl.DataFrame]) -> None:
    """Create schema `log` with every table that a format may fill, and schema `study` with tables like those given."""
    con.execute("create schema log")
    for table in tables().values():
        create_log_table(con, table)
    con.execute("create schema study")
    for name, content in study_tables.items():
        create_table(con, f"study.{quoted(name)}", content.schema, *STUDY_COMMENTS[name])


def create_log_table(con: duckdb.DuckDBPyConnection, table: Table) -> None:
    """Create one table of schema `log` as its declaration says, with comments."""
    columns = log_columns(table)
    comments = KEY_COMMENTS | (AT_COLUMNS if table.is_dated else {})
    comments |= {column.name: column.comment for column in table.columns}
    create_table(con, f"log.{quoted(table.name)}", columns, table.grain, comments)


def log_columns(table: Table) -> dict[str, pl.DataType]:
    """Columns of a table of schema `log`: the parser's, with `at` and `local_at` in place of the stamp."""
    columns: dict[str, pl.DataType] = {}
    for name, dtype in table.schema.items():
        if name == "stamp":
            columns |= {each: pl.Datetime("us") for each in AT_COLUMNS}
        elif not (table.is_dated and name in STAMP_SCHEMA):
            columns[name] = dtype
    return columns


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
    finally:
        stream.let_go()
        with suppress(duckdb.Error):  # would hide the failure of the insert
            con.unregister("incoming")


def quoted(name: str) -> str:
    """A name as SQL takes it, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def sql_type(dtype: pl.DataType) -> str:
    """DuckDB's name of a type."""
    if isinstance(dtype, pl.List):
        return f"{sql_type(_instance(dtype.inner))}[]"
    if isinstance(dtype, pl.Struct):
        fields = ", ".join(f"{quoted(each.name)} {sql_type(_instance(each.dtype))}" for each in dtype.fields)
        return f"struct({fields})"
    return SQL_TYPES[type(dtype)]


class _Stream:
    """Rows as DuckDB and Polars pass them without pyarrow: nothing but an Arrow C stream."""

    def __init__(self, content: pl.DataFrame | duckdb.DuckDBPyRelation) -> None:
        self._content = content

    def let_go(self) -> None:
        """Forget the rows: DuckDB keeps what was registered until the end of the transaction."""
        self._content = pl.DataFrame()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._content.__arrow_c_stream__(requested_schema)


def connected(file: Path, folder: Path) -> duckdb.DuckDBPyConnection:
    """Open a store for writing, created if need be; what does not fit into memory goes to `folder`."""
    settings: dict[str, str | bool | int | float | list[str]] = {
        "storage_compatibility_version": STORAGE_VERSION,
        "memory_limit": MEMORY_LIMIT,
        "temp_directory": str(folder),
        "autoinstall_known_extensions": False,
    }
    return duckdb.connect(str(file), config=settings)


def create_table(
    con: duckdb.DuckDBPyConnection,
    relation: str,
    columns: Mapping[str, pl.DataType],
    comment: str,
    column_comments: Mapping[str, str],
) -> None:
    """Create a table without rows, with comments."""
    declared = ", ".join(_declared(name, dtype) for name, dtype in columns.items())
    con.execute(f"create table {relation} ({declared})")
    con.execute(f"comment on table {relation} is {literal(comment)}")
    for name in columns:
        if name in column_comments:
            con.execute(f"comment on column {relation}.{quoted(name)} is {literal(column_comments[name])}")


def _declared(name: str, dtype: pl.DataType) -> str:
    compression = f" using compression {'zstd' if name in LONG_TEXTS else 'dictionary'}" if dtype == pl.String else ""
    return f"{quoted(name)} {sql_type(dtype)}{compression}"


def _instance(dtype: object) -> pl.DataType:
    return dtype if isinstance(dtype, pl.DataType) else dtype()  # type: ignore[operator]  # a class


def literal(text: str) -> str:
    """A text as SQL takes it, where it takes no parameter."""
    return "'" + text.replace("'", "''") + "'"


def _glob_escaped(name: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", name)


def _synced(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def is_alive(process: int) -> bool:
    """Whether another process has this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return process != os.getpid()


def _remove(file: Path, folder: Path) -> None:
    for each in (file, file.with_name(f"{file.name}.wal")):
        with suppress(OSError):
            each.unlink()
    shutil.rmtree(folder, ignore_errors=True)
