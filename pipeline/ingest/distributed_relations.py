"""Workers fill the relations whose rows rest on the files of some configurations alone, from the parts of the store.

One job for each group of configurations (`pipeline/store/rows_by_group.py`). What all groups read is written once, into
the folder that workers share: accounts of files, what lines say, what study.toml declares. A worker makes a store of no
study, with this and with views over the lines of its files, fills the relations there, and leaves their rows in the
folder.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from uuid import uuid4

import duckdb

from parsers.format import Table, tables
from parsers.star import number_column
from pipeline.cluster import Cluster
from pipeline.discovery import written_files
from pipeline.discovery.written_files import Folder
from pipeline.errors import StoreError
from pipeline.failure import Failure
from pipeline.ingest import store_template
from pipeline.ingest.part_writing import Parts, statement
from pipeline.memory import MEBIBYTE, free_bytes
from pipeline.scratch import scratch_folder
from pipeline.store import log_tables, part, relations, rows_by_group, store
from pipeline.store.part_tables import PART_FILE, PART_NUMBER
from pipeline.store.relations import RelationError
from pipeline.store.rows_by_group import Group, within
from pipeline.store.store import literal

FILLED = "filled-"
"""Begins the names of files with rows of relations."""

LINE_BYTES = 100
"""Of a line, about: for the time that filling the relations of some lines may take."""


GROUP_MEMORY = 384_000_000
"""Of DuckDB, for the relations of a group on a worker."""


@dataclass(frozen=True, slots=True)
class GroupJob:
    """A group, and where a worker finds what it reads. `folder`: where it leaves rows; `hosts`: names of several hosts.

    `tables`: the file with the rows of each table that all groups read. `texts`: by relation the parts that hold rows
    of dimensions that are not among these. `parts`: by table of lines, those with rows of the group's files alone, and
    those with rows of others, too. `has_files`, `dimensions`: whose numbers in parts lead to other ones. `beside`: how
    many jobs one machine may run at the same time.
    """

    folder: Folder
    group: Group
    hosts: Sequence[str]
    tables: Mapping[str, str]
    texts: Mapping[str, Sequence[str]]
    parts: Mapping[str, tuple[Sequence[str], Sequence[str]]]
    has_files: bool
    dimensions: Collection[str]
    beside: int

    @property
    def budget_bytes(self) -> int:
        """What its budget goes by."""
        return MEBIBYTE + max(LINE_BYTES * self.group.lines, self.group.bytes)


@dataclass(frozen=True, slots=True)
class FilledGroup:
    """The files with the rows of a group, by relation; none for a relation without rows."""

    files: Mapping[str, str]


def fill_on_workers(  # noqa: PLR0913, PLR0917  what rows are filled from, by whom, and what that may take
    con: duckdb.DuckDBPyConnection,
    lines: Parts,
    folder: Folder,
    cluster: Cluster,
    step: Callable[[float], None],
    more_memory: Sequence[int] | None = None,
) -> frozenset[str]:
    """Let workers fill relations of a store whose lines lie in parts; give the names of those that are filled then.

    `folder`: the one that workers share. Where all files are in one group, nothing is filled. Raises StoreError where
    a worker cannot. `more_memory`: as `relations.fill` takes it.
    """
    groups = rows_by_group.groups(con, rows_by_group.GROUP_LINES)
    if len(groups) == 1:
        return frozenset()
    done = relations.fill(con, [each.name for each in rows_by_group.given()], more_memory=more_memory)
    texts = _dimension_parts(lines)
    common = _written(con, folder, texts)
    ((hosts,),) = con.execute("select shared_hosts()").fetchall()
    jobs = (_job(lines, folder, each, hosts, common, texts, cluster.most_beside) for each in groups)
    files: dict[str, list[str]] = defaultdict(list)
    for number, found in enumerate(cluster.run_parallel(fill_group, jobs, attrgetter("budget_bytes")), 1):
        if isinstance(found, Failure):
            raise StoreError(f"{lines.folder}: a worker cannot fill relations from its parts: {found.reason}")
        for name, file in found.files.items():
            files[name].append(str(folder / file))
        step(number / len(groups))
    for name, paths in files.items():
        rows = f"select * from read_parquet([{', '.join(map(literal, paths))}])"
        con.execute(f"insert into main.{name} by name {rows}")
    return done | {each.name for each in rows_by_group.own()}


def _dimension_parts(lines: Parts) -> dict[str, list[str]]:
    """The parts that hold rows of dimensions, by relation."""
    found = {
        log_tables.dimension_relation(table, each): lines.dimension_paths(table, each)
        for table in rows_by_group.line_tables()
        for each in table.dimensions
    }
    return {name: paths for name, paths in found.items() if paths}


def _written(con: duckdb.DuckDBPyConnection, folder: Folder, passed: Collection[str]) -> dict[str, str]:
    """Write the tables that all groups read, but for some; give the file of each that has rows."""
    names = [*rows_by_group.further_tables(), PART_FILE.relation, PART_NUMBER.relation]
    names += [
        name
        for table in rows_by_group.line_tables()
        for each in table.dimensions
        if (name := log_tables.dimension_relation(table, each)) not in passed
    ]
    found = {}
    for name in names:
        file = f"{uuid4().hex}.parquet"
        if _write(con, f"select {relations.STORED} from {name}", folder, file):
            found[name] = file
    return found


def _write(con: duckdb.DuckDBPyConnection, query: str, folder: Folder, name: str) -> int:
    """Write the rows of a query as a Parquet file; give how many there are."""
    with written_files.writing(folder, name) as path:
        to = f"to {literal(str(path))} (format parquet, compression zstd)"
        ((rows,),) = con.execute(f"copy ({query}) {to}").fetchall()
    return int(rows)


def _job(  # noqa: PLR0913, PLR0917  a group, and what all of them read
    lines: Parts,
    folder: Folder,
    group: Group,
    hosts: Sequence[str],
    common: Mapping[str, str],
    texts: Mapping[str, Sequence[str]],
    beside: int,
) -> GroupJob:
    files = {*group.files, *group.shared}
    found = {each.name: lines.paths(each, files) for each in rows_by_group.line_tables()}
    parts = {name: paths for name, paths in found.items() if any(paths)}
    return GroupJob(folder, group, hosts, common, texts, parts, lines.has_files, lines.dimensions, beside)


def fill_group(job: GroupJob) -> FilledGroup:
    """Fill the relations of a group, on a worker; with more of its free memory where that of a group is not enough.

    Half of it, or less where other workers of the machine may ask for as much: as many parts as there are, and one.
    """
    try:
        return _filled(job, GROUP_MEMORY)
    except (duckdb.Error, RelationError) as error:
        more = free_bytes() // (job.beside + 1)
        if not store.is_short_of_memory(error) or more <= GROUP_MEMORY:
            raise
    return _filled(job, more)


def _filled(job: GroupJob, memory_bytes: int) -> FilledGroup:
    with scratch_folder() as scratch:
        file = scratch / "group.duckdb"
        store_template.into(file, scratch)
        con = store.connected(file, scratch, memory_bytes=memory_bytes)
        try:
            part.let_read(con, str(job.folder))
            con.execute("set threads = 1")
            con.execute("begin")
            _show(con, job)
            relations.fill(
                con, [each.name for each in rows_by_group.own()], [each.name for each in rows_by_group.given()]
            )
            return FilledGroup(_left(con, job))
        finally:
            con.close()


def _show(con: duckdb.DuckDBPyConnection, job: GroupJob) -> None:
    """Put into a store of no study what the group's relations read."""
    relations.share_hosts(con, job.hosts)
    files = within([*job.group.files, *job.group.shared], "file_id")
    for name in [*rows_by_group.further_tables(), PART_FILE.relation, PART_NUMBER.relation]:
        con.execute(f"delete from {name}")
        if name in job.tables:
            chosen = f" where {files}" if name == rows_by_group.SOURCE_FILE else ""
            con.execute(f"insert into {name} by name select * from {_file(job, name)}{chosen}")
    for name, parts in job.parts.items():
        table = tables()[name]
        whole, mixed = (
            statement(table, paths, "log", has_files=job.has_files, dimensions=job.dimensions) if paths else ""
            for paths in parts
        )
        chosen = mixed and f"select * from ({mixed}) where {files}"
        log_tables.show_lines(con, table, " union all ".join(filter(None, (whole, chosen))), again=False)
        _show_dimensions(con, table, job)


def _show_dimensions(con: duckdb.DuckDBPyConnection, table: Table, job: GroupJob) -> None:
    """What the group's lines say: expressions that are looked for are looked for in no other."""
    for each in table.dimensions:
        name, number = log_tables.dimension_relation(table, each), number_column(each)
        con.execute(f"create temp table used as select distinct {number} from {log_tables.line_relation(table)}")
        found = (
            with_numbers(con, job.texts[name], number) if name in job.texts else [str(job.folder / job.tables[name])]
        )
        if found:
            rows = f"read_parquet([{', '.join(map(literal, found))}])"
            con.execute(f"insert into {name} by name select * from {rows} semi join used using ({number})")
        con.execute("drop table used")


def with_numbers(con: duckdb.DuckDBPyConnection, paths: Sequence[str], number: str) -> list[str]:
    """The Parquet files that may have rows with the numbers of table `used`: most have those of other groups' lines."""
    files = ", ".join(map(literal, paths))
    found = con.execute(
        "select file_name from ("
        "select file_name, min(coalesce(stats_min_value::uinteger, 0)) as first, "
        "max(coalesce(stats_max_value::uinteger, 4294967295)) as last "
        f"from parquet_metadata([{files}]) where path_in_schema = {literal(number)} group by file_name"
        f") where exists (select 1 from used where {number} between first and last) order by first"
    )
    return [name for (name,) in found.fetchall()]


def _file(job: GroupJob, name: str) -> str:
    return f"read_parquet({literal(str(job.folder / job.tables[name]))})"


def _left(con: duckdb.DuckDBPyConnection, job: GroupJob) -> dict[str, str]:
    """Leave the rows of the group's relations in the folder."""
    found = {}
    for each in rows_by_group.own():
        file = f"{FILLED}{uuid4().hex}.parquet"
        condition = job.group.condition(each)
        query = f"select {relations.STORED} from main.{each.name} where {condition}"
        if con.execute(f"select 1 from main.{each.name} where {condition} limit 1").fetchall():
            _write(con, query, job.folder, file)
            found[each.name] = file
    return found
