"""Relations whose rows of some configurations rest on the files of these alone: they can be filled group by group.

A relation's header declares it (`rows by: configuration`, `rows by: file_id`); a test fills every sample group by group
to prove it. A group has whole trees of configurations, as a file of `a` speaks for `a/b` too, and all trees that may
hold one run, as copies and cumulative logs do; files of the study folder itself, which may speak for all, are seen by
each group. Relations that rest on all files and are read by these are filled first, and given to each group.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import duckdb

from parsers.format import Table, tables
from pipeline.failover.step import qualified
from pipeline.store import log_tables
from pipeline.store.relations import COMMENT, STRING, Relation, RelationError, catalogue, needed_for
from pipeline.store.store import literal

GROUP_LINES = 6_000_000
"""To fill the relations of no lines takes a second: a fortieth of what reading this number of lines takes."""

SOURCE_FILE = "main.source_file"

READ_FROM = re.compile(r'\b(log|study)\."?(\w+)')

FILES = """
select file_id, configuration, lines, bytes, status = 'parsed' and configuration is not null and not contains(path, '/')

from main.source_file

order by file_id
"""

SAME_RUNS = """
with logs as (
    select
        split_part(configuration, '/', 1) as tree, format, lower(node) as node, sha256, first_at, last_at
    from main.source_file left join main.log_format using (format)
    where status = 'parsed' and configuration is not null and coalesce(role, 'measurement') <> 'configuration'
)

select one.tree, other.tree from logs as one inner join logs as other using (sha256) where one.tree < other.tree

union

select one.tree, other.tree
from logs as one
inner join logs as other
    on one.format = other.format and one.first_at <= other.last_at and one.last_at >= other.first_at
where one.tree < other.tree and coalesce(one.node = other.node, true)
"""
"""Trees with the same file, or with logs of one host and one time."""


@dataclass(slots=True)
class Group:
    """Files whose relations are filled together. `shared`: files of others that may speak for theirs.

    `configurations`: theirs. `others`: those of all other groups where this group also has all rows of no group's
    configuration, as a table of measurements may name them; None: it does not.
    """

    files: list[int] = field(default_factory=list)
    shared: list[int] = field(default_factory=list)
    configurations: list[str] = field(default_factory=list)
    others: list[str] | None = None
    lines: int = 0
    bytes: int = 0

    def condition(self, relation: Relation) -> str:
        """Which rows of a relation are the group's, in SQL."""
        if relation.rows_by == "file_id":
            return within(self.files, "file_id")
        if self.others is None:
            return f"configuration in ({_listed(self.configurations)})"
        return f"configuration is null or configuration not in ({_listed(self.others)})" if self.others else "true"


def within(numbers: Iterable[int], column: str) -> str:
    """That a column has one of some numbers, in SQL: by ranges, as files of a folder have numbers in a row."""
    ranges: list[list[int]] = []
    for each in sorted(numbers):
        if ranges and ranges[-1][1] == each - 1:
            ranges[-1][1] = each
        else:
            ranges.append([each, each])
    found = " or ".join(f"{column} between {first} and {last}" for first, last in ranges)
    return f"({found or 'false'})"


def groups(con: duckdb.DuckDBPyConnection, group_lines: int) -> list[Group]:
    """The files of a store in groups of about `group_lines` lines, in the order of configurations."""
    trees: dict[str, Group] = defaultdict(Group)
    shared: dict[str, list[int]] = defaultdict(list)
    rest = Group()
    for file_id, configuration, lines, size, is_shared in con.execute(FILES).fetchall():
        tree = rest if configuration is None else trees[configuration.partition("/")[0]]
        tree.files.append(file_id)
        tree.lines += lines or 0
        tree.bytes += size or 0
        if configuration is not None and configuration not in tree.configurations[-1:]:
            tree.configurations.append(configuration)
        if is_shared:
            shared[configuration.partition("/")[0]].append(file_id)
    is_one = sum(each.lines for each in trees.values()) <= group_lines
    bound = [] if is_one else con.execute(SAME_RUNS).fetchall()
    found = _packed(_joined(trees, bound), group_lines)
    _join(found[-1], rest)
    for each in found:
        own = {name.partition("/")[0] for name in each.configurations}
        each.shared = [file_id for name, files in shared.items() if name not in own for file_id in files]
        each.configurations = sorted({*each.configurations})
    found[-1].others = [name for each in found[:-1] for name in each.configurations]
    return found


def _joined(trees: Mapping[str, Group], bound: Iterable[tuple[str, str]]) -> list[Group]:
    """Trees in order, those that are bound to each other as one, in the place of the first."""
    first = {name: name for name in trees}
    for one, other in bound:
        low, high = sorted((first[one], first[other]))
        first = {name: low if each == high else each for name, each in first.items()}
    found: dict[str, Group] = defaultdict(Group)
    for name in sorted(trees):
        _join(found[first[name]], trees[name])
    return list(found.values())


def _packed(trees: Sequence[Group], group_lines: int) -> list[Group]:
    """Trees in a row joined to groups that are alike in size."""
    lines = sum(each.lines for each in trees)
    target = lines / max(1, lines // group_lines)
    found = [Group()]
    for tree in trees:
        if found[-1].files and found[-1].lines + tree.lines / 2 > target:
            found.append(Group())
        _join(found[-1], tree)
    return found


def _join(group: Group, other: Group) -> None:
    group.files += other.files
    group.configurations += other.configurations
    group.lines += other.lines
    group.bytes += other.bytes


# --- relations -------------------------------------------------------------------------------------------------------


@cache
def own() -> tuple[Relation, ...]:
    """The relations that are filled by group, in the order of filling."""
    return tuple(each for each in catalogue() if each.rows_by is not None)


@cache
def given() -> tuple[Relation, ...]:
    """The relations that these read, and that rest on all files; not those that every store has."""
    found = [each for each in _materialised_for(own()) if each.rows_by is None]
    for each in found:
        if wrong := [other.name for other in _materialised_for([each]) if other.rows_by is not None]:
            raise RelationError(f"{each.name}.sql: is read by relations with `rows by`, and itself reads {wrong[0]}")
    return tuple(found)


def _materialised_for(relations: Iterable[Relation]) -> list[Relation]:
    needed = needed_for(each.name for each in relations)
    return [each for each in needed if each.materialised is not None and not each.is_constant]


@cache
def tables_read() -> frozenset[str]:
    """The relations of schemas `log` and `study` that these read, as `log.vcs_event`."""
    needed = needed_for((each.name for each in own()), {each.name for each in given()})
    bare = (STRING.sub("''", COMMENT.sub("", each.sql)) for each in needed)
    by_steps = (name for each in needed if each.is_step for name in map(qualified, each.reads))
    by_statements = (f"{schema}.{name}" for each in bare for schema, name in READ_FROM.findall(each))
    return frozenset([*by_statements, *(name for name in by_steps if not name.startswith("main."))])


@cache
def line_tables() -> tuple[Table, ...]:
    """The tables of lines that these read, themselves or what their lines say."""
    return tuple(each for each in tables().values() if not tables_read().isdisjoint(_names(each)))


def _names(table: Table) -> set[str]:
    names = [
        log_tables.line_relation(table),
        *(log_tables.dimension_relation(table, each) for each in table.dimensions),
    ]
    return {f"log.{table.name}", *(each.replace('"', "") for each in names)}


def further_tables() -> list[str]:
    """The tables of a store besides those of lines and what they say that these read."""
    of_lines = {name for each in line_tables() for name in _names(each)}
    return [SOURCE_FILE, *sorted(tables_read() - of_lines), *(f"main.{each.name}" for each in given())]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(literal(each) for each in names)
