"""The reference of relations, relations.md of the site, from the comments that a store itself carries."""

from collections.abc import Iterable, Iterator

import duckdb

from parsers.format import tables
from pipeline.failover.step import steps
from pipeline.ingest import store_template
from pipeline.store.description import DescribedRelation, described
from pipeline.store.findings import findings
from pipeline.store.relations import SQL_FOLDER

HEAD = """\
# Relations of a store

Generated from the comments of a store. `haledger sql .tables` and `haledger sql ".schema NAME"` print the same.

Times are `timestamp` in UTC, durations are seconds. `file_id, line_no` lead to the line of a log: join `source_file`
for its path. NULL means unknown. `time` is `"at"` by a name that SQL takes as it
is; DuckDB reserves `at` and `group`: write `"at"` or `e.at`, `"group"` or `r.group`.
"""

ROOMS = {
    "runs": "Runs and their settings",
    "changes": "Errors and changes of state",
    "failover": "Failovers",
    "statistics": "Statistics of milestones and phases",
    "measurement": "Benchmarks",
    "noise": "How runs vary, and in which order they were made",
    "hadr": "HADR",
    "simulator": "The HADR simulator",
    "staging": "Lines and settings that the others read",
}
"""Headings of the rooms of `pipeline/sql`. A table has the subject that it declares."""
REST = "Files and lines"

BEHIND = """\
## Behind the public relations

Schema `log` holds what the parsers produced, `study` what study.toml and the built-in rules state. They may change from
one release to the next; the relations above do not.
"""


def markdown() -> str:
    """The whole page."""
    with duckdb.connect() as connection:
        store_template.create(connection)
        relations = described(connection)
    return page(relations)


def page(relations: Iterable[DescribedRelation]) -> str:
    """The page of these relations: contents, the public ones by subject, then those behind them."""
    relations = tuple(relations)
    by_relation = headings()
    groups: dict[str, list[DescribedRelation]] = {heading: [] for heading in dict.fromkeys(by_relation.values())}
    for each in relations:
        if each.schema == "main":
            groups[by_relation.get(each.name, REST)].append(each)
    lines = [HEAD, *_contents(groups)]
    for heading, members in groups.items():
        lines += [f"## {heading}", "", *_sections(members)]
    return "\n".join([*lines, BEHIND, *_sections(each for each in relations if each.schema != "main")]).rstrip() + "\n"


def headings() -> dict[str, str]:
    """The heading of each public relation, by the room that defines it or the subject that its table declares."""
    rooms = {path.stem: heading for room, heading in ROOMS.items() for path in (SQL_FOLDER / room).rglob("*.sql")}
    subjects = {name: table.subject for name, table in tables().items() if table.is_public}
    return {"": REST} | rooms | dict.fromkeys(steps(), ROOMS["failover"]) | subjects


def _contents(groups: dict[str, list[DescribedRelation]]) -> Iterator[str]:
    yield from ("| subject | relations |", "|---|---|")
    for heading, members in groups.items():
        yield f"| {heading} | {', '.join(f'[{each.name}](#{each.name})' for each in members)} |"
    yield ""


def _sections(relations: Iterable[DescribedRelation]) -> Iterator[str]:
    for each in relations:
        yield from (f"### {each.sql_name}", "", _cell(each.comment), "")
        yield from ("| column | type | meaning |", "|---|---|---|")
        yield from (
            f"| `{column.name}` | {column.data_type.lower()} | {_cell(column.comment)} |" for column in each.columns
        )
        yield ""
        if each.sql_name == "finding":
            yield from ("| kind | severity | appears when |", "|---|---|---|")
            yield from (f"| `{one.kind}` | {one.severity} | {_cell(one.when)} |" for one in findings())
            yield ""


def _cell(text: str) -> str:
    """A comment in Markdown: its code spans stay, what would be markup does not."""
    parts = text.replace("\n", " ").split("`")
    for position in range(0, len(parts), 2):
        parts[position] = (
            parts[position].replace("|", "\\|").replace("*", "\\*").replace("<", "\\<").replace("_", "\\_")
        )
    return "`".join(part if place % 2 == 0 else part.replace("|", "\\|") for place, part in enumerate(parts))
