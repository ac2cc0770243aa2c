"""Read-only SQL over a store, for people: no files, no network, no settings, bounded in time, memory and rows.

`read_only` alone is no sandbox: COPY and read_text still reach the disk. What closes them is
enable_external_access = false, set before the configuration is locked.
"""

import re
import threading
from collections.abc import Collection, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from pipeline.errors import UsageError
from pipeline.memory import MEBIBYTE
from pipeline.store.part import let_read, listed, refuse_damaged
from pipeline.store.store import damage, explain_open_failure, frame_of, literal, quoted, refuse_name, telling_damage

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl


# Types whose Arrow form Polars 2.1 cannot take (it panics on intervals, also within lists and structs) or treats as
# bytes, that need a time-zone library in Python, or that Arrow wraps around (the largest UHUGEINT becomes -1).
AS_TEXT = re.compile(
    r"\b(?:INTERVAL|WITH TIME ZONE|TIMESTAMPTZ_NS|UUID|BIT|UNION|MAP|GEOMETRY|VARIANT|BIGNUM|UHUGEINT)\b"
    r"|\bSTRUCT\b(?!\()"
)

DATES_OF_PYTHON = (date.min, date.max)
"""Python knows no infinity and no year above 9999; DuckDB does."""

MOST_OF_DECIMAL = 9e37
"""Arrow has HUGEINT as decimals of 38 digits; the largest need 39, and lose the last one."""

Settings = dict[str, str | bool | int | float | list[str]]

READING = frozenset({duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN, duckdb.StatementType.PRAGMA})

BARE_AT = re.compile(r"""(?<![."\w])at(?!["\w])""", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may use: seconds, bytes of memory, rows of result (None: all).

    `is_of_study`: its writer has no options that allow more.
    """

    timeout_s: float = 20.0
    memory_bytes: int = 1024 * MEBIBYTE
    max_rows: int | None = None
    is_of_study: bool = False


class OutOfMemoryError(UsageError):
    """A query needs more memory than it may use, or than there is."""


class StuckError(UsageError):
    """A statement that did not end when it was asked to: its session is lost, and its thread ends with the process."""


@dataclass(frozen=True, slots=True)
class Result:
    """Rows of one query as a frame; `is_cut` shows that the row limit ended it."""

    frame: "pl.DataFrame"
    is_cut: bool


@contextmanager
def connect(store: Path, limits: Limits) -> "Iterator[duckdb.DuckDBPyConnection]":
    """Open a store so that a statement can read it and nothing else, and close it at the end."""
    with closed(open_store(store, limits), store) as connection:
        yield connection


@contextmanager
def closed(connection: duckdb.DuckDBPyConnection, store: Path) -> "Iterator[duckdb.DuckDBPyConnection]":
    """Close a connection at the end, but not where it would wait for a statement that does not end.

    A store that turns out to be damaged is a StoreError.
    """
    try:
        with telling_damage(store):
            yield connection
    except StuckError:
        raise
    except BaseException:
        connection.close()
        raise
    connection.close()


def open_store(store: Path, limits: Limits, **further: str) -> duckdb.DuckDBPyConnection:
    """Open a store so that a statement can read it and nothing else. `further`: settings of DuckDB."""
    try:
        return _opened(store, limits, further)
    except duckdb.Error as error:
        raise explain_open_failure(store, error) from error


def _opened(store: Path, limits: Limits, further: Mapping[str, str]) -> duckdb.DuckDBPyConnection:
    settings: Settings = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "memory_limit": f"{limits.memory_bytes}B",
        **further,
    }
    refuse_name(store)
    connection = duckdb.connect(str(store), read_only=True, config={"enable_external_access": "false"} | settings)
    if parts := listed(connection):
        connection.close()
        refuse_damaged(parts, store)
        connection = duckdb.connect(str(store), read_only=True, config=settings)  # asked nothing before it is closed
        let_read(connection, parts[0].path, parts)
        connection.execute(f"set allowed_paths = [{', '.join(literal(each.path) for each in parts)}]")
        connection.execute("set enable_external_access = false")
    # where Python runs no file, as in a notebook, DuckDB draws progress of long queries among what is printed
    connection.execute("set enable_progress_bar = false")
    connection.execute("set lock_configuration = true")
    return connection


def query(
    store: Path, sql: str, *, parameters: Mapping[str, object] | Sequence[object] = (), limits: Limits | None = None
) -> Result:
    """Run one statement and return its rows. Every refusal is a UsageError that says what was refused."""
    bounds = limits or Limits()
    with connect(store, bounds) as connection:
        return run(connection, sql, parameters=parameters, limits=bounds)


def run(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    *,
    parameters: Mapping[str, object] | Sequence[object] = (),
    limits: Limits,
) -> Result:
    """Run one statement on an open sandbox, ended by `interrupt` when its time is up."""
    with _refusals(sql, limits), ended_after(limits.timeout_s, connection):
        return _collect(connection, _single_statement(connection, sql), parameters, limits.max_rows)


def columns(connection: duckdb.DuckDBPyConnection, sql: str, *, limits: Limits) -> dict[str, str]:
    """Name and type of the columns of one statement, which is planned as far as that takes, and not run."""
    with _refusals(sql, limits), ended_after(limits.timeout_s, connection):
        relation = connection.sql(_single_statement(connection, sql))
        return {} if relation is None else dict(zip(_distinct(relation.columns), map(str, relation.types), strict=True))


@contextmanager
def _refusals(sql: str, limits: Limits) -> "Iterator[None]":
    """What DuckDB says of a statement, as errors for people."""
    import polars as pl

    try:
        yield
    except duckdb.InterruptException as error:
        raise UsageError(stopped(limits)) from error
    except duckdb.OutOfMemoryException as error:
        raise OutOfMemoryError(out_of_memory(limits)) from error
    except (duckdb.PermissionException, duckdb.ParserException) as error:
        raise UsageError(_advice(sql, str(error))) from error
    except (duckdb.Error, pl.exceptions.ComputeError) as error:  # the latter: DuckDB's, while Polars takes the rows
        if damage(error):
            raise
        if isinstance(error, duckdb.Error):
            raise UsageError(_advice(sql, str(error))) from error
        raise _while_rows_are_taken(str(error), limits) from error


@contextmanager
def ended_after(seconds: float, connection: duckdb.DuckDBPyConnection) -> "Iterator[None]":
    """End what a connection runs, with an InterruptException, when its time is up."""
    watchdog = threading.Timer(seconds, connection.interrupt)
    watchdog.daemon = True
    watchdog.start()
    try:
        yield
    finally:
        watchdog.cancel()


def stopped(limits: Limits) -> str:
    """What is said when time is up."""
    return f"the query was stopped after {limits.timeout_s:g} s; {_more(limits, '--timeout')}"


def out_of_memory(limits: Limits) -> str:
    """What is said when memory is used up."""
    mebibytes = limits.memory_bytes // MEBIBYTE
    return f"the query needs more than {mebibytes} MiB of memory; {_more(limits, '--memory')}"


def _more(limits: Limits, option: str) -> str:
    return "study.toml may not ask for more" if limits.is_of_study else f"{option} allows more"


def _while_rows_are_taken(message: str, limits: Limits) -> UsageError:
    if "Out of Memory" in message:
        return OutOfMemoryError(out_of_memory(limits))
    return UsageError(stopped(limits) if "INTERRUPT" in message else message)


def _single_statement(connection: duckdb.DuckDBPyConnection, sql: str) -> str:
    statements = connection.extract_statements(sql)
    if len(statements) != 1:
        found = f"found {len(statements)}; run them one by one" if statements else "found none"
        raise UsageError(f"expected one SQL statement, {found}")
    kind = statements[0].type
    if kind == duckdb.StatementType.EXPLAIN:
        kind = _explained(connection, statements[0].query)
    if kind not in READING:
        raise UsageError(f"haledger sql reads the store and nothing else; a {kind.name} is refused")
    return statements[0].query.strip().rstrip(";")


def _explained(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.StatementType:
    """The kind of the statement that one explains: `explain analyze` runs it, and a COPY would write into a part."""
    text = sql.encode()
    for place, _ in duckdb.tokenize(sql)[1:]:
        with suppress(duckdb.ParserException, UnicodeDecodeError):  # an option of `explain`
            return connection.extract_statements(text[place:].decode())[0].type
    return duckdb.StatementType.EXPLAIN


def _collect(
    connection: duckdb.DuckDBPyConnection,
    statement: str,
    parameters: Mapping[str, object] | Sequence[object],
    max_rows: int | None,
) -> Result:
    import polars as pl

    values = dict(parameters) if isinstance(parameters, Mapping) else list(parameters)
    relation = connection.sql(statement, params=values or None)
    if relation is None:
        return Result(pl.DataFrame(), is_cut=False)
    if max_rows is not None:
        relation = relation.limit(max_rows + 1)
    frame = frame_of(relation.project(", ".join(_projections(relation))))
    if beyond := _beyond_python(frame):
        frame = frame_of(relation.project(", ".join(_projections(relation, beyond))))
    is_cut = max_rows is not None and frame.height > max_rows
    return Result(frame.head(max_rows) if is_cut and max_rows is not None else frame, is_cut=is_cut)


def _projections(relation: duckdb.DuckDBPyRelation, as_text: Collection[int] = ()) -> list[str]:
    """The columns under names of their own; as text where Polars or Python has no such values."""
    names = _distinct(relation.columns)
    types = [str(each) for each in relation.types]
    return [
        f"#{position}::varchar as {quoted(name)}"
        if position in as_text or AS_TEXT.search(kind)
        else f"#{position} as {quoted(name)}"
        for position, (name, kind) in enumerate(zip(names, types, strict=True), start=1)
    ]


def _beyond_python(frame: "pl.DataFrame") -> list[int]:
    """Positions, from 1, of the columns with a value that Python would not have, also inside lists and structs."""
    return [
        position
        for position, column in enumerate(frame.iter_columns(), start=1)
        if not all(_is_of_python(each.drop_nulls()) for each in _leaves(column))
    ]


def _is_of_python(values: "pl.Series") -> bool:
    """Whether dates are of years that Python has, and whole numbers of no more digits than decimals have."""
    import polars as pl

    if isinstance(values.dtype, pl.Date | pl.Datetime):
        first, last = DATES_OF_PYTHON
        return values.cast(pl.Date).is_between(pl.lit(first), pl.lit(last)).all()
    if isinstance(values.dtype, pl.Decimal) and values.dtype.scale == 0:
        return bool((values.cast(pl.Float64).abs() <= MOST_OF_DECIMAL).all())
    return True


def _leaves(column: "pl.Series") -> "Iterator[pl.Series]":
    """The plain values inside lists and structs, a series for each kind; of a plain column itself."""
    import polars as pl

    if isinstance(column.dtype, pl.List | pl.Array):
        yield from _leaves(column.drop_nulls().explode())
    elif isinstance(column.dtype, pl.Struct):
        for field in column.dtype.fields:
            yield from _leaves(column.struct.field(field.name))
    else:
        yield column


def _distinct(names: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    distinct = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        distinct.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return distinct


def _advice(sql: str, message: str) -> str:
    if "syntax error" in message and BARE_AT.search(sql):
        return f'{message}\nDuckDB reserves the word AT: write time, the same column, or "at" in double quotes.'
    if "disabled by configuration" in message or "has been locked" in message:
        return f"haledger sql reads the store and nothing else: {message}"
    return message


def parse_size(text: str) -> int:
    """Read a size such as 500MB, 1GB or 2GiB as bytes."""
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)(i?)b?", text.strip().lower())
    if match is None:
        raise UsageError(f"{text}: expected a size such as 500MB or 2GB")
    number, prefix, binary = match.groups()
    base = 1024 if binary else 1000
    return int(float(number) * base ** " kmgt".index(prefix or " "))
