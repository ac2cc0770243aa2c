"""The public relations of a store: one SQL file each, with a header that documents it.

A file `sql/views/NAME.sql` defines `main.NAME`. Comment lines come first (what one row is, then what would surprise a
reader), then one select. Headings may stand among the comments: `materialised: reason` makes a table of it, which
`empty without rows of: names` tells to stay empty where none of these tables has a row, `columns:` is followed by an
indented `name: meaning` per column. Files of `sql/macros` create macros of the same name.
Nothing else lists the relations: the files are put in order by the relations that they read. What follows from the
formats and their tables alone is not written by hand: `pipeline.format_relations` derives it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import duckdb

from pipeline.errors import HaledgerError
from pipeline.format_relations import derived_relations
from pipeline.store import literal, quoted

SQL_FOLDER = Path(__file__).parent / "sql"

# from run_window as w / left join main.milestone: a name that is neither a schema nor a function
READ_RELATION = re.compile(r"\b(?:from|join)\s+(?:main\.)?(\w+)\b(?!\s*[.(])", re.IGNORECASE)
COMMENT = re.compile(r"--[^\n]*")
STRING = re.compile(r"'(?:[^']|'')*'")
COLUMN = re.compile(r"^ {2}(?P<name>\w+): (?P<meaning>.+)$")
CONTINUATION = re.compile(r"^ {3,}(?P<more>\S.*)$")
MATERIALISED = re.compile(r"^materialised: (?P<reason>.+)$")
EMPTY_WITHOUT = re.compile(r"^empty without rows of: (?P<names>.+)$")


class RelationError(HaledgerError):
    """A relation's file that is badly documented or cannot be created; a fault of the program, not of the user."""


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation as its file describes it. `materialised` is the reason for a table, None for a view.

    `empty_without`: tables of `log` and `study` (`log.vcs_event`) and materialised relations (`incident`) of which one
    has rows wherever the relation has; to know that spares planning a statement that gives nothing. None: unknown.
    """

    name: str
    comment: str
    columns: dict[str, str]
    materialised: str | None
    empty_without: frozenset[str] | None
    sql: str
    reads: frozenset[str]

    @property
    def kind(self) -> str:
        """`view` or `table`."""
        return "view" if self.materialised is None else "table"


def parse_relation(name: str, source: str) -> Relation:
    """Take a relation's file apart: header, column documentation, statement."""
    lines = source.splitlines()
    header_length = next((i for i, line in enumerate(lines) if not line.startswith("--")), len(lines))
    comment: list[str] = []
    columns: dict[str, str] = {}
    materialised = empty_without = None
    in_columns = False
    for raw in lines[:header_length]:
        line = raw.removeprefix("--").removeprefix(" ")
        if found := MATERIALISED.match(line):
            materialised = found["reason"]
        elif found := EMPTY_WITHOUT.match(line):
            empty_without = frozenset(found["names"].split(", "))
        elif line == "columns:":
            in_columns = True
        elif not in_columns:
            comment.append(line)
        elif found := COLUMN.match(line):
            columns[found["name"]] = found["meaning"]
        elif columns and (found := CONTINUATION.match(line)):
            columns[next(reversed(columns))] += " " + found["more"]
        else:
            raise RelationError(f"{name}.sql: `{raw}` is not `--   column: meaning`")
    sql = "\n".join(lines[header_length:]).strip().removesuffix(";")
    if not comment or not sql:
        raise RelationError(f"{name}.sql: expected a comment that tells what one row is, then one select")
    reads = frozenset(_relations_read(sql))
    return Relation(name, " ".join(comment).strip(), columns, materialised, empty_without, sql, reads)


def _relations_read(sql: str) -> set[str]:
    bare = STRING.sub("''", COMMENT.sub("", sql))
    return {found.lower() for found in READ_RELATION.findall(bare)}


def in_order(relations: Iterable[Relation]) -> list[Relation]:
    """Sort relations so that each comes after those it reads; alphabetically where that leaves a choice."""
    by_name = {relation.name: relation for relation in sorted(relations, key=lambda each: each.name)}
    # A CTE may bear the name of the relation it is in.
    graph = {name: sorted((relation.reads & by_name.keys()) - {name}) for name, relation in by_name.items()}
    try:
        return [by_name[name] for name in TopologicalSorter(graph).static_order()]
    except CycleError as error:
        raise RelationError(f"relations read each other: {' -> '.join(error.args[1])}") from error


@cache
def catalogue() -> tuple[Relation, ...]:
    """Every public relation, from files and derived from the formats, in the order of creation."""
    files = sorted((SQL_FOLDER / "views").glob("*.sql"))
    sources = {file.stem: file.read_text(encoding="utf-8") for file in files} | derived_relations()
    return tuple(in_order(parse_relation(name, source) for name, source in sources.items()))


def create(con: duckdb.DuckDBPyConnection, relations: Iterable[Relation] | None = None) -> None:
    """Create the macros and relations in schema `main`, with comments, materialised ones without rows: see `fill`.

    `relations`: in an order in which they can be created; None: all. What they read must exist: the tables of schemas
    `log` and `study`, `main.source_file` and `main.rejected_line`. Documentation that does not name exactly the columns
    of its relation is a RelationError.
    """
    chosen = catalogue() if relations is None else tuple(relations)
    for macro in sorted((SQL_FOLDER / "macros").glob("*.sql")):
        con.execute(macro.read_text(encoding="utf-8"))
    for relation in chosen:
        _create(con, relation)
    columns = _columns(con)
    for relation in chosen:
        _check_documentation(relation, columns[relation.name])
        _comment(con, relation)


def fill(con: duckdb.DuckDBPyConnection, names: Iterable[str] | None = None) -> None:
    """Fill the materialised relations from what they read. `names`: only what these relations rest on; None: all."""
    needed = catalogue() if names is None else _needed(names)
    chosen = [each for each in needed if each.materialised is not None]
    filled = _with_rows(con, {name for each in chosen for name in each.empty_without or () if "." in name})
    for relation in chosen:
        if relation.empty_without is not None and filled.isdisjoint(relation.empty_without):
            continue
        if _run(con, relation, f"insert into main.{relation.name}\n{relation.sql}"):
            filled.add(relation.name)


def _with_rows(con: duckdb.DuckDBPyConnection, tables: Iterable[str]) -> set[str]:
    """Those of some tables that have rows."""
    asked = " union all ".join(f"select {literal(each)} where exists (from {each})" for each in sorted(tables))
    return {name for (name,) in con.execute(asked).fetchall()} if asked else set()


def _needed(names: Iterable[str]) -> list[Relation]:
    """The relations of these names and all that they read, in the order of creation."""
    wanted = set(names)
    found = []
    for relation in reversed(catalogue()):
        if relation.name in wanted:
            found.append(relation)
            wanted |= relation.reads
    return found[::-1]


def _columns(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Columns by relation of schema `main`. Asked once: for each relation alone it is planned anew."""
    rows = con.execute(
        "select table_name, list(column_name order by column_index) from duckdb_columns() "
        "where database_name = current_database() and schema_name = 'main' group by table_name"
    ).fetchall()
    return dict(rows)


def _create(con: duckdb.DuckDBPyConnection, relation: Relation) -> None:
    end = "" if relation.materialised is None else "\nwith no data"
    _run(con, relation, f"create {relation.kind} main.{relation.name} as\n{relation.sql}{end}")


def _run(con: duckdb.DuckDBPyConnection, relation: Relation, statement: str) -> int:
    """Run a relation's statement; give the rows that it inserted."""
    try:
        row = con.execute(statement).fetchone()
    except duckdb.Error as error:
        raise RelationError(f"{relation.name}.sql: {error}") from error
    return 0 if row is None else int(row[0])


def _check_documentation(relation: Relation, actual: Sequence[str]) -> None:
    if undocumented := [name for name in actual if name not in relation.columns]:
        raise RelationError(f"{relation.name}.sql: columns without a meaning: {', '.join(undocumented)}")
    if unknown := [name for name in relation.columns if name not in actual]:
        raise RelationError(f"{relation.name}.sql: documented columns that do not exist: {', '.join(unknown)}")


def _comment(con: duckdb.DuckDBPyConnection, relation: Relation) -> None:
    con.execute(f"comment on {relation.kind} main.{relation.name} is {literal(relation.comment)}")
    for name, meaning in relation.columns.items():
        con.execute(f"comment on column main.{relation.name}.{quoted(name)} is {literal(meaning)}")
