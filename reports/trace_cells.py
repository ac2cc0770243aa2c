"""Which rows of which relation a cell of a table shows.

A table says by its SQL which relations it reads, and by the names of its values which columns. A row of the table is
found again in a relation by all values that both name alike; a value that has another name there, by itself among the
rows that are about the same thing. Tables with a milestone or a metric in each column are undone first.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeGuard

import duckdb

from pipeline import relations
from pipeline.manifest_entries import PAIR_STATISTICS
from pipeline.store import quoted
from pipeline.trace import Origin
from pipeline.trace_parts import Row, rows
from pipeline.trace_steps import NAMING
from reports.tables.model import Table

MOST_ROWS: Final = 500
LOOKED_UP: Final = frozenset({"configuration_order", "milestone_order", "source_file", "run"})
"""Relations that a statement joins for labels, order and places; they count where it reads nothing else."""

PIVOTED: Final = re.compile(r"(?P<item>\w+?)_(?:mean_s|stddev_s|s)")
TOLERANCE: Final = 1e-9  # sums of the same numbers in another order

CLAIMED: Final = {"milestone": "milestone_stats", "phase": "phase_stats", "metric": "measurement_stats"}
CLAIM: Final = (
    "select claim.configuration, milestone, phase, measurement as metric,"
    " case when list_contains($pairs, statistic) then coalesce(claim.reference, own.reference)"
    " else claim.configuration end as reference from study.claim as claim"
    " left join main.configuration_order as own on claim.configuration = own.configuration where claim.text = $text"
)
"""A claim in its short form: what it is about, by column of the relation in `CLAIMED`."""

Scalar = str | int | float | bool | datetime


@dataclass(frozen=True, slots=True)
class _Read:
    """A relation that a table reads, with the types of its columns."""

    name: str
    columns: Mapping[str, str]


def origins(con: duckdb.DuckDBPyConnection, table: Table, row_no: int, column_no: int) -> list[Origin]:
    """The rows behind a cell, best knowledge first; empty where no relation has them."""
    row = table.rows[row_no]
    names = _with_configuration(
        con, dict(zip(table.data_names, (value for cell in row for value in cell.values), strict=True))
    )
    wanted = table.columns[column_no].names
    if table.name == "claims":
        return _claimed(con, names)
    read = _relations_read(con, table.sql)
    return (
        _pivoted(con, read, names, wanted)
        or _named_alike(con, read, names, wanted)
        or _by_value(con, read, names, wanted)
        or _same_thing(con, read, names)
        or _beside(con, read, names)
    )


def _with_configuration(con: duckdb.DuckDBPyConnection, names: Row) -> Row:
    """The names of a row; a study's own table may print a configuration's label in its place, in any column."""
    configurations = dict(con.execute("select label, configuration from main.configuration_order").fetchall())
    stated = names.get("configuration")
    if stated in configurations.values():
        return names
    printed = next((value for value in (stated, *names.values()) if value in configurations), None)
    return names if printed is None else names | {"configuration": configurations[printed]}


def _relations_read(con: duckdb.DuckDBPyConnection, sql: str) -> list[_Read]:
    bare = relations.STRING.sub("''", relations.COMMENT.sub("", sql))
    found = [each.lower() for each in relations.READ_RELATION.findall(bare)]
    columns: dict[str, dict[str, str]] = {}
    for relation, column, kind in con.execute(
        "select table_name, column_name, data_type from duckdb_columns() where schema_name = 'main' and not internal"
    ).fetchall():
        columns.setdefault(relation, {})[column] = kind
    known = [each for each in dict.fromkeys(found) if each in columns]
    telling = [each for each in known if each not in LOOKED_UP] or known
    return [_Read(each, columns[each]) for each in telling]


def _claimed(con: duckdb.DuckDBPyConnection, names: Row) -> list[Origin]:
    """The means that a claim is about, of both where it compares two; none for a claim with SQL of its own."""
    claims = rows(con, CLAIM, text=names["text"], pairs=list(PAIR_STATISTICS))
    return [
        origin
        for claim in claims[:1]
        for item, relation in CLAIMED.items()
        if claim[item] is not None
        for configuration in dict.fromkeys((claim["configuration"], claim["reference"]))
        for origin in _select(con, _Read(relation, {}), {"configuration": configuration, item: claim[item]}, "")
    ]


# --- tables with an item in each column ------------------------------------------------------------------------------


def _pivoted(con: duckdb.DuckDBPyConnection, read: Sequence[_Read], names: Row, wanted: Sequence[str]) -> list[Origin]:
    by_name = {each.name: each for each in read}
    if "iostat_cpu" in by_name and "busy_pct" in names:
        return [Origin("iostat_cpu_means", {key: names[key] for key in ("configuration", "node", "source")}, wanted[0])]
    item = PIVOTED.fullmatch(wanted[0])
    relation = next((name for name in ("milestone_stats", "milestone") if name in by_name), None)
    if relation is not None and item is not None and wanted[0] not in by_name[relation].columns:
        column = "mean_s" if relation == "milestone_stats" else "elapsed_s"
        return _select(con, by_name[relation], _naming(by_name[relation], names) | {"milestone": item["item"]}, column)
    if relation == "milestone_stats" and wanted[0] in ("runs", "configuration") and _is_pivot(names):
        return _used_runs(con, names["configuration"])
    for each in read:
        if {"metric", "mean"} <= each.columns.keys() and "metric" not in names:
            metric = wanted[0].replace("_stddev", "_per_s") if wanted[0].endswith("_stddev") else wanted[0]
            found = _select(con, each, _naming(each, names) | {"metric": metric}, "mean")
            if found:
                return found
    return []


def _is_pivot(names: Row) -> bool:
    return "milestone" not in names and any(each.endswith("_mean_s") for each in names)


def _used_runs(con: duckdb.DuckDBPyConnection, configuration: object) -> list[Origin]:
    found = rows(
        con,
        "select * from main.run where configuration = $c and fault_at is not null order by run_no nulls last, run",
        c=configuration,
    )
    return [Origin("run", each, "used") for each in found]


# --- any other table -------------------------------------------------------------------------------------------------


def _named_alike(
    con: duckdb.DuckDBPyConnection, read: Sequence[_Read], names: Row, wanted: Sequence[str]
) -> list[Origin]:
    """Rows that agree with the table's in everything that both name alike."""
    for each in read:
        shared = {name: value for name, value in names.items() if name in each.columns and _fits(value, each, name)}
        column = next((name for name in wanted if name in shared), None)
        if column is None:
            continue
        found = _select(con, each, shared, column)
        if found:
            return found
    return []


def _by_value(con: duckdb.DuckDBPyConnection, read: Sequence[_Read], names: Row, wanted: Sequence[str]) -> list[Origin]:
    """Rows that hold the cell's value under another name; of several, those that share most with the table's row."""
    value = names[wanted[0]]
    if not _is_scalar(value):
        return []
    best: list[Origin] = []
    best_score = 0
    for each in read:
        for origin in _holding(con, each, _naming(each, names), value):
            score = sum(_is_among(other, origin.row) for other in names.values())
            if score > best_score:
                best, best_score = [origin], score
            elif score == best_score:
                best.append(origin)
    return best[:MOST_ROWS]


def _same_thing(con: duckdb.DuckDBPyConnection, read: Sequence[_Read], names: Row) -> list[Origin]:
    for each in read:
        conditions = _naming(each, names)
        found = _select(con, each, conditions, "") if conditions else []
        if found:
            return found
    return []


def _beside(con: duckdb.DuckDBPyConnection, read: Sequence[_Read], names: Row) -> list[Origin]:
    """What the other values of the row stand in, for one that a statement made up from them."""
    found = (_by_value(con, read, names, (name,)) for name, value in names.items() if isinstance(value, float))
    return [Origin(each.relation, each.row, "") for each in next(filter(None, found), [])]


def _holding(con: duckdb.DuckDBPyConnection, read: _Read, conditions: Row, value: Scalar) -> Iterator[Origin]:
    fitting = [name for name, kind in read.columns.items() if _is_of_kind(value, kind)]
    if not fitting:
        return
    agreeing, parameters = _conditions(conditions)
    holding = " or ".join(_equal(name, value, "value") for name in fitting)
    where = " and ".join([*agreeing, f"({holding})"])
    sql = f"select * from main.{quoted(read.name)} where {where} limit {MOST_ROWS}"
    for row in rows(con, sql, **parameters, value=value):
        column = next((name for name in fitting if _is_same(row[name], value)), None)
        if column is not None:
            yield Origin(read.name, row, column)


def _select(con: duckdb.DuckDBPyConnection, read: _Read, conditions: Row, column: str) -> list[Origin]:
    agreeing, parameters = _conditions(conditions)
    where = " and ".join(agreeing) or "true"
    sql = f"select * from main.{quoted(read.name)} where {where} limit {MOST_ROWS}"
    return [Origin(read.name, row, column) for row in rows(con, sql, **parameters)]


def _conditions(values: Row) -> tuple[list[str], dict[str, object]]:
    named = {f"v{place}": value for place, value in enumerate(values.values()) if value is not None}
    return [
        f"{quoted(name)} is null" if value is None else _equal(name, value, f"v{place}")
        for place, (name, value) in enumerate(values.items())
    ], named


def _equal(name: str, value: Scalar, parameter: str) -> str:
    if isinstance(value, float):
        return f"abs({quoted(name)} - ${parameter}) <= {TOLERANCE} * abs(${parameter})"
    return f"{quoted(name)} = ${parameter}"


def _naming(read: _Read, names: Row) -> Row:
    """What the table's row names, as conditions on a relation's columns."""
    telling = NAMING | {"format"} if read.name == "source_file" else NAMING
    return {
        name: value
        for name, value in names.items()
        if name in telling and name in read.columns and isinstance(value, str | int) and _fits(value, read, name)
    }


def _fits(value: object, read: _Read, column: str) -> TypeGuard[Scalar | None]:
    """Whether a value can be compared with a column; a missing one is asked for as such."""
    return value is None or (_is_scalar(value) and _is_of_kind(value, read.columns[column]))


def _is_scalar(value: object) -> TypeGuard[Scalar]:
    return isinstance(value, str | int | float | bool | datetime)


def _is_of_kind(value: Scalar, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "BOOLEAN"
    if isinstance(value, str):
        return kind == "VARCHAR"
    if isinstance(value, datetime):
        return kind == "TIMESTAMP"
    return kind in ("DOUBLE", "FLOAT", "BIGINT", "INTEGER", "HUGEINT", "UBIGINT", "UINTEGER", "SMALLINT")


def _is_among(value: object, row: Row) -> bool:
    return value is not None and any(_is_same(each, value) for each in row.values())


def _is_same(one: object, other: object) -> bool:
    if _is_number(one) and _is_number(other):
        return abs(one - other) <= TOLERANCE * abs(other)
    return type(one) is type(other) and one == other


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
