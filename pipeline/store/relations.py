"""The public relations of a store: one SQL file each, with a header that documents it.

A file `sql/ROOM/NAME.sql` defines `main.NAME`. Comment lines come first (what one row is, then what would surprise a
reader), then one select. Headings may stand among the comments: `materialised: reason` makes a table of it (for the
reason `constant` one that every store has from the start). Its statement shows which tables must have rows for it to
have any (`pipeline.store.needed_rows`); `empty without rows of: names` names what it does not show, also rows of a kind
(`loss_event where is_partition`). `rows by: configuration` (or `file_id`) says that a table's rows of a value of this
column rest on files of that configuration, or on that file, alone: see `pipeline.store.rows_by_group`. `columns:` is
followed by an indented `name: meaning` per column. Files of `sql/macros` create the macros of a theme.
A header lists only the columns whose meaning is its own. `sql/columns.toml` documents those that mean the same in every
relation; any other column has the meaning that the relations which this one reads give to its name, if they agree, else
the meaning that the declaration of a table of schema `log` which it reads gives to it.
Nothing else lists the relations: the files are put in order by the relations that they read. What follows from the
formats and their tables alone is not written by hand: `pipeline.store.format_relations` derives it. So is `finding`,
the union of the files of `sql/findings`: see `pipeline.store.findings`.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import duckdb
import polars as pl

from parsers.derived import derived
from parsers.format import tables
from pipeline.errors import HaledgerError
from pipeline.failover.step import Fold, Row, Step, qualified, steps
from pipeline.memory import without_collector
from pipeline.store import findings, store
from pipeline.store.format_relations import derived_relations
from pipeline.store.log_tables import sql_type
from pipeline.store.needed_rows import Needed, Statements
from pipeline.store.store import is_short_of_memory, literal, quoted

SQL_FOLDER = Path(__file__).parents[1] / "sql"
MACROS = SQL_FOLDER / "macros"
VOCABULARY = SQL_FOLDER / "columns.toml"

GIVEN = ("source_file", "rejected_line")
"""Tables of schema `main` that are written with the rows of files."""

TIME = "time"
"""The column `at` by a name that SQL takes without quotes."""

STORED = f"columns(lambda name: name <> '{TIME}')"
"""The columns of a materialised relation that are stored."""

# from run_window as w / left join main.milestone: a name that is neither a schema nor a function
READ_RELATION = re.compile(r"\b(?:from|join)\s+(?:main\.)?(\w+)\b(?!\s*[.(])", re.IGNORECASE)
READ_TABLE = re.compile(r"\blog\.(\w+)")
COMMENT = re.compile(r"--[^\n]*")
STRING = re.compile(r"'(?:[^']|'')*'")
COLUMN = re.compile(r"^ {2}(?P<name>\w+): (?P<meaning>.+)$")
CONTINUATION = re.compile(r"^ {3,}(?P<more>\S.*)$")
HEADING = re.compile(r"^(?P<heading>materialised|rows by): (?P<text>.+)$")
LINK = re.compile(
    r"^from: (?P<relation>\w+) by (?P<keys>[^;]+)(?:; of (?P<values>[^;]+))?(?:; except (?P<others>[^;]+))?"
    r"(?:; only (?P<only>[^;]+))?"
    r"(?:; where (?P<condition>[^;]+))?(?:; when (?P<column>\w+) is (?P<value>[^;]+))?$"
)
EMPTY_WITHOUT = re.compile(r"^empty without rows of: (?P<names>.+)$")


class RelationError(HaledgerError):
    """A relation's file that is badly documented or cannot be created; a fault of the program, not of the user."""


@dataclass(frozen=True, slots=True)
class Link:
    """Rows that the rows of a relation are computed from, as its header declares them.

    `from: run_outcome by configuration, item as milestone; of censored_s; except runs; where is_counted; when a is b`
    `keys`: columns that find them, own name and theirs. `values`: their column behind a column of the relation; behind
    those not named, that of the empty name. `others`: columns that other rows are behind. `only`: the columns that
    these are behind; empty: all. `condition`: in SQL, which of the rows found. `when`: rows of the relation that have
    them, by a column and its value.
    """

    relation: str
    keys: tuple[tuple[str, str], ...]
    values: Mapping[str, str]
    others: frozenset[str]
    only: frozenset[str]
    condition: str
    when: tuple[str, str] | None

    def concerns(self, column: str) -> bool:
        """Whether the rows are behind a column of the relation; the empty name: behind any."""
        return not column or (column not in self.others and (not self.only or column in self.only))

    def value_of(self, column: str) -> str:
        """The column of the other rows behind a column of the relation."""
        return self.values.get(column, self.values.get("", column))


@dataclass(frozen=True, slots=True)
class Relation:
    """One relation as its file describes it. `materialised` is the reason for a table, None for a view.

    `empty_without`: sets of tables of `log` and `study` (`log.vcs_event`) and materialised relations (`incident`), or
    of their rows of a kind (`loss_event where is_partition`). Wherever the relation has rows, one of each set has; to
    know that spares planning a statement that gives nothing. Without a set: unknown.
    `rows_by`: the column whose values tell on which files a row rests, `configuration` or `file_id`; None: on all.
    `columns`: the meanings that the header gives; `create` adds those of the vocabulary and of the relations it reads.
    `is_step`: a step of the fold computes its rows; `sql` then gives its columns and no row.
    """

    name: str
    comment: str
    columns: dict[str, str]
    materialised: str | None
    rows_by: str | None
    empty_without: tuple[frozenset[str], ...]
    sql: str
    reads: frozenset[str]
    links: tuple[Link, ...]
    is_step: bool = False

    @property
    def kind(self) -> str:
        """`view` or `table`."""
        return "view" if self.materialised is None else "table"

    @property
    def is_constant(self) -> bool:
        """Whether it has the same rows in every store: `create` fills it."""
        return self.materialised == "constant"


def parse_relation(name: str, source: str) -> Relation:
    """Take a relation's file apart: header, column documentation, statement."""
    lines = source.splitlines()
    header_length = next((i for i, line in enumerate(lines) if not line.startswith("--")), len(lines))
    comment: list[str] = []
    columns: dict[str, str] = {}
    links: list[Link] = []
    headings: dict[str, str] = {}
    empty_without: list[frozenset[str]] = []
    in_columns = False
    for raw in lines[:header_length]:
        line = raw.removeprefix("--").removeprefix(" ")
        if found := HEADING.match(line):
            headings[found["heading"]] = found["text"]
        elif found := EMPTY_WITHOUT.match(line):
            empty_without.append(frozenset(found["names"].split(", ")))
        elif line.startswith("from: "):
            links.append(_link(name, line))
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
        raise RelationError(f"{name}.sql: expected a comment that shows what one row is, then one select")
    reads = frozenset(_relations_read(sql))
    words = " ".join(comment).strip()
    return Relation(
        name,
        words,
        columns,
        headings.get("materialised"),
        headings.get("rows by"),
        tuple(empty_without),
        sql,
        reads,
        tuple(links),
    )


def _link(name: str, line: str) -> Link:
    found = LINK.match(line)
    if found is None:
        raise RelationError(f"{name}.sql: `{line}` is not `from: RELATION by COLUMN, ...`")
    renamed = [each.partition(" as ") for each in found["keys"].split(", ")]
    values = [each.partition(" for ") for each in (found["values"] or "").split(", ") if each]
    return Link(
        found["relation"],
        tuple((own, other or own) for own, _, other in renamed),
        {own: other for other, _, own in values},
        frozenset((found["others"] or "").split(", ")) - {""},
        frozenset((found["only"] or "").split(", ")) - {""},
        found["condition"] or "",
        (found["column"], found["value"]) if found["column"] else None,
    )


def _relations_read(sql: str) -> set[str]:
    bare = STRING.sub("''", COMMENT.sub("", sql))
    return {found.lower() for found in READ_RELATION.findall(bare)}


def in_order(relations: Iterable[Relation]) -> list[Relation]:
    """Sort relations so that each comes after those it reads; alphabetically where that leaves a choice."""
    by_name = {relation.name: relation for relation in sorted(relations, key=lambda each: each.name)}
    # A CTE may have the name of the relation it is in.
    graph = {name: sorted((relation.reads & by_name.keys()) - {name}) for name, relation in by_name.items()}
    try:
        return [by_name[name] for name in TopologicalSorter(graph).static_order()]
    except CycleError as error:
        raise RelationError(f"relations read each other: {' -> '.join(error.args[1])}") from error


@derived
def catalogue() -> tuple[Relation, ...]:
    """Every public relation, from files and derived from the formats, in the order of creation."""
    rooms = sorted(each for each in SQL_FOLDER.iterdir() if each not in {MACROS, findings.FOLDER})
    files = [file for room in rooms for file in sorted(room.rglob("*.sql"))]
    written = [parse_relation(file.stem, file.read_text(encoding="utf-8")) for file in files]
    derived = derived_relations() | {"finding": findings.relation()}
    written += [parse_relation(name, source) for name, source in derived.items()]
    written += [_of_step(each) for each in steps().values() if each.is_stored]
    return tuple(_with_needed_rows(in_order(written)))


def _with_needed_rows(relations: Iterable[Relation]) -> Iterator[Relation]:
    """Relations in the order of creation, with the rows that their statements need."""
    con = duckdb.connect()
    create_macros(con)
    statements = Statements(con)
    needed: dict[str, Needed] = {name: frozenset({frozenset({name})}) for name in GIVEN}
    for each in relations:
        own = frozenset() if each.is_step else statements.needed_rows(each.sql, needed)
        own |= frozenset(each.empty_without)
        needed[each.name.lower()] = own if each.materialised is None else frozenset({frozenset({each.name})})
        yield replace(each, empty_without=tuple(sorted(own, key=sorted)))
    con.close()


def _of_step(step: Step) -> Relation:
    """The relation that a step of the failover's fold computes."""
    columns = ", ".join(f"null::{sql_type(each.dtype)} as {quoted(each.name)}" for each in step.columns)
    known = vocabulary().keys() - {each.name for each in step.columns if each.meaning is not None}
    return Relation(
        step.name,
        step.comment,
        {name: meaning for name, meaning in step.meanings.items() if name not in known},
        "computed by a step of the fold",
        None if step.rests_on_all else "configuration",
        (),
        f"select {columns} where false",
        step.evidence,
        tuple(_link(step.name, each) for each in step.links),
        is_step=True,
    )


@cache
def vocabulary() -> dict[str, str]:
    """Meanings of the columns that mean the same in every relation whose header says nothing else."""
    return tomllib.loads(VOCABULARY.read_text(encoding="utf-8"))


def create(con: duckdb.DuckDBPyConnection, relations: Iterable[Relation] | None = None) -> None:
    """Create the macros and relations in schema `main`, with comments.

    Materialised ones are without rows, but for those that are constant: see `fill`.

    `relations`: in an order in which they can be created; None: all. What they read must exist: the tables of schemas
    `log` and `study`, `main.source_file` and `main.rejected_line`. Documentation that does not name exactly the columns
    of its relation is a RelationError.
    """
    chosen = catalogue() if relations is None else tuple(relations)
    create_macros(con)
    for relation in chosen:
        _create(con, relation)
    columns = columns_of(con)
    meanings: dict[str, dict[str, str]] = {}
    for relation in chosen:
        meanings[relation.name] = meanings_of(relation, columns[relation.name], meanings)
        _comment(con, relation, meanings[relation.name])


def create_macros(con: duckdb.DuckDBPyConnection) -> None:
    """Create the macros that statements of relations use."""
    for file in sorted(MACROS.glob("*.sql")):
        con.execute(file.read_text(encoding="utf-8"))


def share_hosts(con: duckdb.DuckDBPyConnection, short_names: Iterable[str]) -> None:
    """Put the short names that several hosts of the study have into the store: they are not cut to these."""
    names = ", ".join(literal(each) for each in sorted(short_names))
    con.execute(f"create or replace macro shared_hosts() as [{names}]::varchar[]")


@without_collector()
def fill(
    con: duckdb.DuckDBPyConnection,
    names: Iterable[str] | None = None,
    done: Collection[str] = (),
    more_memory: Iterable[int] | None = None,
) -> frozenset[str]:
    """Fill the materialised relations from what they read; give the names of those and of `done`.

    `names`: only what these relations rest on; None: all. `done`: relations that an earlier call filled. `more_memory`:
    the limits in bytes, one after the other, for relations that have not enough, each of which is then filled in a
    transaction of its own; None: an error.
    """
    needed = catalogue() if names is None else needed_for(names)
    materialised = [each for each in needed if each.materialised is not None and each.name not in done]
    chosen = [each for each in materialised if not each.is_constant]
    named = {name for each in needed for names in each.empty_without for name in names if " " not in name}
    filled = _with_rows(con, named - {each.name for each in chosen})
    limits = None if more_memory is None else iter(more_memory)
    sets = {each.name: each.empty_without for each in needed if each.materialised is None}
    sets |= {each.name: (frozenset({each.name}),) for each in chosen}

    def read(name: str, row: type[Row]) -> list[Row]:
        return _rows(con, name, row) if has_needed(sets.get(name, ())) else []

    def has_needed(wanted: Iterable[frozenset[str]]) -> bool:
        return all(_has_one_of(con, names, filled) for names in wanted)

    fold = Fold(read, done)
    for relation in chosen:
        if relation.is_step:
            if _fill_from(con, steps()[relation.name], fold):
                filled.add(relation.name)
        elif has_needed(relation.empty_without) and _fill(con, relation, limits):
            filled.add(relation.name)
    return frozenset(done) | {each.name for each in materialised}


def _fill(con: duckdb.DuckDBPyConnection, relation: Relation, more_memory: Iterator[int] | None = None) -> int:
    """Insert what a relation's statement gives; give the number of rows."""
    statement = f"insert into main.{relation.name}\nselect {STORED} from (\n{relation.sql}\n)"
    if more_memory is None:
        return _run(con, relation, statement)
    while True:
        con.execute("commit")
        con.execute("begin")
        try:
            return _run(con, relation, statement)
        except RelationError as error:
            more = next(more_memory, None) if is_short_of_memory(error) else None
            if more is None:
                raise
        con.execute("rollback")
        con.execute(f"set memory_limit = '{more}B'")
        con.execute("begin")


def _rows(con: duckdb.DuckDBPyConnection, name: str, row: type[Row]) -> list[Row]:
    """The rows of a relation, with the columns of a type of rows."""
    columns = ", ".join(map(quoted, row._fields))  # type: ignore[attr-defined]  # a NamedTuple has no name as a type
    rows = con.execute(f"select {columns} from {qualified(name)}").fetchall()
    return list(map(row._make, rows))  # type: ignore[attr-defined]  # likewise


def _fill_from(con: duckdb.DuckDBPyConnection, step: Step, fold: Fold) -> int:
    """Insert the rows of a step; give their number."""
    rows = fold.rows(step.name)
    if rows:
        schema = {each.name: each.dtype for each in step.columns}
        store.insert(con, f"main.{step.name}", pl.DataFrame(rows, schema=schema, orient="row"))
    return len(rows)


def _has_one_of(con: duckdb.DuckDBPyConnection, names: Collection[str], filled: Collection[str]) -> bool:
    """Whether one of some tables is among those with rows, or has rows under its condition."""
    return any(name in filled or (" " in name and bool(_with_rows(con, [name]))) for name in names)


def _with_rows(con: duckdb.DuckDBPyConnection, tables: Iterable[str]) -> set[str]:
    """Those of some tables that have rows."""
    asked = " union all ".join(f"select {literal(each)} where exists (from {each})" for each in sorted(tables))
    return {name for (name,) in con.execute(asked).fetchall()} if asked else set()


def needed_for(names: Iterable[str], given: Collection[str] = ()) -> list[Relation]:
    """The relations of these names and all that they read, in the order of creation. What is `given` is left out."""
    wanted = set(names)
    found = []
    for relation in reversed(catalogue()):
        if relation.name in wanted and relation.name not in given:
            found.append(relation)
            wanted |= relation.reads
    return found[::-1]


def columns_of(con: duckdb.DuckDBPyConnection) -> dict[str, list[str]]:
    """Columns by relation of schema `main`. Asked once: for each relation alone it is planned again."""
    rows = con.execute(
        "select table_name, list(column_name order by column_index) from duckdb_columns() "
        "where database_name = current_database() and schema_name = 'main' group by table_name"
    ).fetchall()
    return dict(rows)


def _create(con: duckdb.DuckDBPyConnection, relation: Relation) -> None:
    """Create a relation. One with the column `at` has it as `time` too, which SQL takes without quotes."""
    columns = dict(_typed_columns(con, relation))
    if relation.materialised is None:
        lacks_time = "at" in columns and TIME not in columns
        sql = f'select *, "at" as {TIME} from (\n{relation.sql}\n)' if lacks_time else relation.sql
        _run(con, relation, f"create view main.{relation.name} as\n{sql}")
        return
    declared = [f"{quoted(name)} {kind}" for name, kind in columns.items() if name != TIME]
    declared += [f'{TIME} timestamp generated always as ("at") virtual'] if "at" in columns else []
    _run(con, relation, f"create table main.{relation.name} ({', '.join(declared)})")
    if relation.is_constant:
        _fill(con, relation)


def _typed_columns(con: duckdb.DuckDBPyConnection, relation: Relation) -> list[tuple[str, str]]:
    """The columns that a relation's statement gives, with their types."""
    try:
        rows = con.execute(f"describe\n{relation.sql}").fetchall()
    except duckdb.Error as error:
        raise RelationError(f"{relation.name}.sql: {error}") from error
    return [(name, kind) for name, kind, *_ in rows]


def _run(con: duckdb.DuckDBPyConnection, relation: Relation, statement: str) -> int:
    """Run a relation's statement; give the rows that it inserted."""
    try:
        row = con.execute(statement).fetchone()
    except duckdb.Error as error:
        raise RelationError(f"{relation.name}.sql: {error}") from error
    return 0 if row is None else int(row[0])


def meanings_of(relation: Relation, actual: Sequence[str], known: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """The meaning of each column: by the header, the vocabulary, or the relations read if they agree."""
    if unknown := relation.columns.keys() - set(actual):
        raise RelationError(f"{relation.name}.sql: documented columns that do not exist: {', '.join(sorted(unknown))}")
    meanings = {name: words for name, words in (vocabulary() | relation.columns).items() if name in actual}
    for name in (name for name in actual if name not in meanings):
        inherited = {known[each][name] for each in relation.reads if name in known.get(each, ())}
        inherited = inherited or {declared[name] for declared in _tables_read(relation.sql) if name in declared}
        if len(inherited) != 1:
            raise RelationError(f"{relation.name}.sql: column without a meaning of its own or one to inherit: {name}")
        meanings[name] = inherited.pop()
    return meanings


def _tables_read(sql: str) -> list[dict[str, str]]:
    """The meanings of the columns of each table of schema `log` that a statement reads."""
    bare = STRING.sub("''", COMMENT.sub("", sql))
    read = {name: tables()[name] for name in READ_TABLE.findall(bare) if name in tables()}
    return [{column.name: column.comment for column in table.columns} for table in read.values()]


def _comment(con: duckdb.DuckDBPyConnection, relation: Relation, meanings: Mapping[str, str]) -> None:
    con.execute(f"comment on {relation.kind} main.{relation.name} is {literal(relation.comment)}")
    for name, meaning in meanings.items():
        con.execute(f"comment on column main.{relation.name}.{quoted(name)} is {literal(meaning)}")
