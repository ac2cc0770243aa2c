"""Rows of line tables as Parquet parts beside the store, which keeps views over them and their list (`log.part`).

A part is written under a name that nobody reads, and gets the name of its content. It belongs to a store from the
moment that the store is in its place. Parts of an earlier ingest stay if all files with rows in them kept their rows:
they have the numbers of that ingest for files and for what lines say, and the views lead from these to today's.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO

import duckdb
import polars as pl

from parsers.format import Table, tables
from parsers.star import NUMBER, number_column
from pipeline.discovery import written_files
from pipeline.discovery.written_files import Folder
from pipeline.errors import StoreError
from pipeline.reading.file_facts import File
from pipeline.store import log_tables, part, store
from pipeline.store.lines import WITHIN, InStore, numbers_in_use
from pipeline.store.part_tables import PART, PART_FILE, PART_NUMBER

ROW_GROUP = 122_880
"""Rows that a thread of DuckDB reads at a time."""

COMPRESSION_LEVEL = 1
"""Of zstd: further levels cost twice the time for a tenth of the size."""


@dataclass(frozen=True, slots=True)
class Written:
    """A part with what only the store that lists it needs. `files`: the numbers that it has for its files."""

    part: part.Part
    rows: int
    files: tuple[int, ...]


def write_part(
    folder: Folder, table: Table, frame: pl.DataFrame, files: Mapping[int, int] | None, begun: Folder | None = None
) -> Written:
    """Write rows, with times and the numbers that parts have, as a part in the folder of a store's parts.

    `files`: the numbers that parts have for files; None: the same. `begun`: a folder in which the file is begun, and
    which has to be there; None: where it is going to be.
    """
    rows = frame.select(log_tables.line_columns(table).keys())
    if files is not None:
        rows = rows.with_columns(pl.col("file_id").replace_strict(dict(files), return_dtype=pl.Int32))
    ids = rows.get_column("file_id").unique().sort().to_list()
    return _written(folder, relation_name(table), rows, ids, begun)


def write_dimension(
    folder: Folder, table: Table, dimension: str, rows: pl.DataFrame, begun: Folder | None = None
) -> Written:
    """Write rows of a dimension, with their numbers, as a part; folders as of `write_part`."""
    name, number = dimension_name(table, dimension), number_column(dimension)
    return _written(folder, name, rows.select(number, *table.dimensions[dimension]), (), begun)


def _written(folder: Folder, name: str, rows: pl.DataFrame, ids: Sequence[int], begun: Folder | None) -> Written:
    own, file = folder / name, BytesIO()
    rows.write_parquet(file, compression="zstd", compression_level=COMPRESSION_LEVEL, row_group_size=ROW_GROUP)
    content = file.getbuffer()
    sha256 = hashlib.sha256(content).hexdigest()
    final = f"{sha256}.parquet"
    try:
        size, modified_ns = written_files.put(own, final, content, begun)
    except OSError as error:
        raise StoreError(f"{own}: cannot be written: {error.strerror or error}") from error
    return Written(part.Part(name, str(own / final), sha256, size, modified_ns), rows.height, tuple(ids))


class Parts:
    """The parts of a store that is being built. `kept`: files with rows in the old store, attached as `old`, that hold.

    `folder` is the store's own (`part.own_folder`).
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, folder: Folder, kept: Sequence[File]) -> None:
        self._con = con
        self.folder = folder
        self._parts: dict[str, list[Written]] = defaultdict(list)
        self._lost: dict[str, list[Written]] = defaultdict(list)
        self._shown: set[str] = set()
        self._stored_files: dict[int, int] | None = None
        self._last_stored = 0
        self._stored_numbers: dict[str, pl.Series] = {}
        self._old_mapped: tuple[bool, frozenset[str]] = (False, frozenset())
        if kept:
            self._keep({each.old.file_id: each.file_id for each in kept if each.old})

    def _keep(self, numbers: Mapping[int, int]) -> None:
        """Keep what can stay of the old store's parts. `numbers`: new number by old number of files with rows kept."""
        old = dict(self._con.execute("select stored_no, file_id from old.log.part_file").fetchall())
        dimensions = self._con.execute("select distinct dimension from old.log.part_number").fetchall()
        self._old_mapped = (bool(old), frozenset(name for (name,) in dimensions))
        listed = f"select {', '.join(map(store.quoted, PART.columns))} from old.{PART.relation} order by all"
        stored: dict[int, int] = {}
        for table, path, sha256, rows, size, modified_ns, files in self._con.execute(listed).fetchall():
            written = Written(part.Part(table, path, sha256, size, modified_ns), rows, tuple(files))
            found = {each: numbers.get(old.get(each, each) if old else each) for each in files}
            held = {number: each for each, number in found.items() if number is not None}
            if not files:  # what lines say, which is numbered again
                continue
            if len(held) == len(files):
                self._parts[table].append(written)
                stored |= held
            elif held:
                self._lost[table].append(written)
        if any(number != each for number, each in stored.items()):
            self._stored_files = stored
            self._last_stored = max(stored.values())

    def renumber(self, table: Table, dimension: str, pairs: pl.DataFrame) -> None:
        """Learn the numbers of a dimension's rows, and give numbers in parts to new ones."""
        relation = log_tables.dimension_relation(table, dimension)
        if not self._parts.get(relation_name(table)):
            return
        if relation in self._old_mapped[1]:
            old = store.frame(
                self._con,
                "select stored_no, number as old_no from old.log.part_number "
                f"where dimension = {store.literal(relation)}",
            )
            held = pairs.join(old, on="old_no", how="inner")
        else:
            held = pairs.with_columns(stored_no=pl.col("old_no"))
        if (held["stored_no"] == held["new_no"]).all():
            return
        ((last,),) = self._con.execute(f"select max({number_column(dimension)}) from {relation}").fetchall()
        numbers = pl.DataFrame({"new_no": pl.int_range(1, last + 1, dtype=NUMBER, eager=True)})
        joined = numbers.join(held.select("new_no", "stored_no"), on="new_no", how="left", maintain_order="left")
        first = int(held["stored_no"].max() or 0)  # type: ignore[arg-type]  # a number
        is_new = joined["stored_no"].is_null()
        further = (is_new.cum_sum() + first).cast(NUMBER)
        self._stored_numbers[relation] = joined["stored_no"].fill_null(further)

    # --- writing -----------------------------------------------------------------------------------------------------

    def add(self, table: Table, frame: pl.DataFrame) -> None:
        """Write rows as a part."""
        if not frame.is_empty():
            self._add(table, frame)

    def _add(self, table: Table, frame: pl.DataFrame) -> None:
        numbers = {
            number: self.stored_numbers(table, name, frame.get_column(number))
            for name in table.dimensions
            if log_tables.dimension_relation(table, name) in self._stored_numbers and (number := number_column(name))
        }
        files = self.stored_files(frame.get_column("file_id").unique().sort().to_list())
        self.take(write_part(self.folder, table, frame.with_columns(**numbers), files))

    def take(self, written: Written) -> None:
        """Take a part that was written."""
        self._parts[written.part.table].append(written)

    def stored_numbers(self, table: Table, dimension: str, numbers: pl.Series) -> pl.Series:
        """The numbers that parts have for the rows of a dimension with these numbers."""
        stored = self._stored_numbers.get(log_tables.dimension_relation(table, dimension))
        return numbers if stored is None else stored.gather(numbers - 1)

    def stored_files(self, ids: Iterable[int]) -> dict[int, int] | None:
        """The numbers that parts have for files, where they have others than the store."""
        return None if self._stored_files is None else self._stored(ids)

    def _stored(self, ids: Iterable[int]) -> dict[int, int]:
        """The numbers that files have in parts; new ones where they have none yet."""
        stored = self._stored_files or {}
        for each in ids:
            if each not in stored:
                self._last_stored += 1
                stored[each] = self._last_stored
        return {each: stored[each] for each in ids}

    def copy(self, table: Table, values: Mapping[str, str], joins: str) -> None:
        """Write what is kept of old parts in which other files changed."""
        has_files, dimensions = self._old_mapped
        for each in self._lost.get(relation_name(table), ()):
            rows = statement(table, [each.part.path], "old.log", has_files=has_files, dimensions=dimensions)
            self.add(table, store.frame(self._con, f"select {_named(values)} from ({rows}) as t {joins} order by all"))

    # --- showing -----------------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Put views over the parts in the place of tables."""
        if self._stored_files is not None:
            PART_FILE.fill(self._con, sorted((stored, number) for number, stored in self._stored_files.items()))
        for relation, stored in self._stored_numbers.items():
            numbers = pl.int_range(1, len(stored) + 1, dtype=NUMBER, eager=True)
            mapped = pl.DataFrame({"stored_no": stored, "number": numbers})
            store.insert(self._con, PART_NUMBER.relation, mapped.with_columns(dimension=pl.lit(relation)))
        for table in tables().values():
            self._show(table)
            for dimension in table.dimensions:
                self._show_dimension(table, dimension)

    def _show(self, table: Table) -> None:
        name = relation_name(table)
        if self._parts[name]:
            log_tables.show_lines(
                self._con, table, self._statement(table, self._parts[name]), again=name in self._shown
            )
            self._shown.add(name)

    def _show_dimension(self, table: Table, dimension: str) -> None:
        name = dimension_name(table, dimension)
        if paths := self.dimension_paths(table, dimension):
            log_tables.show_dimension(self._con, table, dimension, paths, again=name in self._shown)
            self._shown.add(name)

    def _statement(self, table: Table, parts: Iterable[Written]) -> str:
        paths = [each.part.path for each in parts]
        return statement(table, paths, "log", has_files=self.has_files, dimensions=self.dimensions)

    @property
    def has_files(self) -> bool:
        """Whether numbers of files in parts lead to other ones."""
        return self._stored_files is not None

    @property
    def dimensions(self) -> frozenset[str]:
        """The dimensions whose numbers in parts lead to other ones."""
        return frozenset(self._stored_numbers)

    def dimension_paths(self, table: Table, dimension: str) -> list[str]:
        """Where the parts lie that hold a dimension; none: it is a table of the store."""
        return [each.part.path for each in self._parts.get(dimension_name(table, dimension), ())]

    def paths(self, table: Table, files: Collection[int]) -> tuple[list[str], list[str]]:
        """Where the parts lie that have rows of some files alone, and those that have rows of others, too."""
        stored = self._stored_files
        wanted = {*files} if stored is None else {stored[each] for each in files if each in stored}
        whole: list[str] = []
        mixed: list[str] = []
        for each in self._parts[relation_name(table)]:
            if wanted.issuperset(each.files):
                whole.append(each.part.path)
            elif not wanted.isdisjoint(each.files):
                mixed.append(each.part.path)
        return whole, mixed

    def move(self) -> None:
        """Write parts with lines to be moved again."""
        for table in tables().values():
            if table.is_dated:
                self._rewrite(table, "moved_line", _moved)

    def leave_out(self, table: Table, ranges: str) -> int:
        """Write parts with such lines again, without them; give how many rows these were."""

        def left(rows: str) -> str:
            return (
                f"select t.* from ({rows}) as t where not exists (select 1 from {ranges} as o where {WITHIN}) "
                "order by t.file_id, t.line_no, t.part"
            )

        before = self._rows(table)
        self._rewrite(table, ranges, lambda _, rows: left(rows))
        return before - self._rows(table)

    def delete_unused(self, table: Table, dimension: str) -> None:
        """Write parts with such rows again, without them."""
        name = dimension_name(table, dimension)
        if not (before := self._parts.pop(name, None)):
            InStore(self._con).delete_unused(table, dimension)
            return
        number = number_column(dimension)
        wanted = f"where {number} in ({numbers_in_use(table, dimension)}) order by {number}"
        for each in before:
            rows = store.frame(self._con, f"select * from read_parquet({store.literal(each.part.path)}) {wanted}")
            is_whole = rows.height == each.rows
            if is_whole or rows.height or (each is before[-1] and not self._parts[name]):  # a view needs a part
                self.take(each if is_whole else write_dimension(self.folder, table, dimension, rows))
        self._show_dimension(table, dimension)

    def _rows(self, table: Table) -> int:
        return sum(each.rows for each in self._parts[relation_name(table)])

    def _rewrite(self, table: Table, ranges: str, change: Callable[[Table, str], str]) -> None:
        """Write the parts with rows of the files of some ranges again: what a statement over their rows gives."""
        changed = {number for (number,) in self._con.execute(f"select distinct file_id from {ranges}").fetchall()}
        stored = {self._stored_files.get(each) for each in changed} if self._stored_files is not None else changed
        name = relation_name(table)
        touched = [each for each in self._parts[name] if not stored.isdisjoint(each.files)]
        if not touched:
            return
        self._parts[name] = [each for each in self._parts[name] if each not in touched]
        for each in touched:
            rows = store.frame(self._con, change(table, self._statement(table, [each])))
            if not rows.is_empty() or (each is touched[-1] and not self._parts[name]):  # a view needs a part
                self._add(table, rows)
        self._show(table)

    def close(self) -> None:
        """List the parts."""
        rows = [
            {**asdict(each.part), "rows": each.rows, "files": list(each.files)}
            for name in sorted(self._parts)
            for each in self._parts[name]
        ]
        PART.fill(self._con, rows)


def statement(table: Table, paths: Sequence[str], catalog: str, *, has_files: bool, dimensions: Collection[str]) -> str:
    """The rows of a line table in some parts. `has_files`, `dimensions`: whose numbers in parts lead to other ones."""
    values = {each: f"p.{store.quoted(each)}" for each in log_tables.line_columns(table)}
    joins = ""
    if has_files:
        values["file_id"] = "f.file_id"
        joins += f" inner join {catalog}.part_file as f on p.file_id = f.stored_no"
    for relation, number in _numbers(table):
        if relation in dimensions:
            values[number] = f"of_{number}.number"
            joins += (
                f" inner join {catalog}.part_number as of_{number} on of_{number}.dimension = {store.literal(relation)}"
                f" and p.{number} = of_{number}.stored_no"
            )
    files = ", ".join(map(store.literal, paths))
    return f"select {_named(values)} from read_parquet([{files}]) as p{joins}"


def _named(values: Mapping[str, str]) -> str:
    """The columns of a statement: the expression of each by its name."""
    return ", ".join(f"{value} as {store.quoted(name)}" for name, value in values.items())


def relation_name(table: Table) -> str:
    """The relation of a table's lines as the list of parts names it."""
    return log_tables.line_relation(table).removeprefix("log.").strip('"')


def dimension_name(table: Table, dimension: str) -> str:
    """The relation of a dimension as the list of parts names it."""
    return log_tables.dimension_relation(table, dimension).removeprefix("log.").strip('"')


def _numbers(table: Table) -> list[tuple[str, str]]:
    """The dimensions of a table: relation, and the column of lines that has its numbers."""
    return [(log_tables.dimension_relation(table, name), number_column(name)) for name in table.dimensions]


def _moved(table: Table, rows: str) -> str:
    values = {each: f"t.{store.quoted(each)}" for each in log_tables.line_columns(table)}
    values["at"] = 't."at" + to_microseconds(coalesce(o.shift_us, 0))'
    return (
        f"select {_named(values)} from ({rows}) as t left join moved_line as o on {WITHIN} "
        "order by t.file_id, t.line_no, t.part"
    )
