"""The reference of relations, docs/relations.md, from the comments that a store itself carries."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

import duckdb

from parsers.format import tables
from pipeline.failover.step import steps
from pipeline.ingest import store_template
from pipeline.store.description import DescribedRelation, described
from pipeline.store.findings import findings

HEAD = """\
# Relations of a store

Written from the comments of the store by `make docs`; do not edit. `haledger sql` shows the same: `.tables`, and
`.schema NAME`.

Times are `timestamp` in UTC, durations are seconds. `file_id, line_no` lead to the line of a log: join `source_file`
for its path. NULL means unknown. `time` is `"at"` by a name that SQL takes as it
is; DuckDB reserves `at` and `group`: write `"at"` or `e.at`, `"group"` or `r.group`.
"""

EVIDENCE = "Lines and settings that failovers are judged by"
"""The subject of what the fold reads, but for what has another."""

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Files and lines", ("source_file", "rejected_line", "store_info", "stamp_resolution", "log_format", "clock_*")),
    (
        "Configurations",
        ("configuration_*", "applicable_file", "parameter*", "automatic_change", "environment"),
    ),
    (
        "Runs",
        (
            "run",
            "run_*",
            "recovery*",
            "outcome_*",
            "data_origin",
            "incident*",
            "loss_*",
            "missing_incident",
            "node_loss*",
            "double_loss",
            "leader_change",
            "network_partition",
            "service_window",
            "label_contradiction",
        ),
    ),
    (
        "The fault time and its timers",
        (
            "fault_*",
            "injected_fault",
            "cluster_timer",
            "host_clock",
            "inferred_timer",
            "specified_timer",
        ),
    ),
    (
        "Milestones and phases",
        (
            "milestone*",
            "phase*",
            "counted_*",
            "governed_step",
            "sample_stats",
            "mean_comparison",
            "comparison*",
            "finding",
            "t_quantile",
        ),
    ),
    (
        "How runs vary, and in which order they were made",
        ("mode_split", "order_*", "noise_*", "design*", "paired_comparison", "warm_up", "outlier", "drift"),
    ),
    ("Benchmarks", ("measurement*", "workload_mix", "log_flush")),
    ("The client's view and the truth", ("client_*", "fault_time_*", "test_operation")),
    ("Disks and processors", ("iostat_*", "vmstat", "disk_test")),
    ("Messages", ("event*", "carried_line", "hadr_event", "ha_line", "ha_operation", "cluster_line")),
    (
        "Clusters",
        ("crm_resource", "resource_type", "drbd_*"),
    ),
    ("DB2", ("db2diag_gap", "crash_recovery", "snapshot_*", "hadr_status", "hadr_takeover")),
    ("HADR planning", ("hadr*", "simhadr_*", "logscan_*")),
    (
        EVIDENCE,
        (
            "layer_line",
            "database_line",
            "node_file",
            "unit_file",
            "lost_leader",
            "partition_side",
            "survivor_watch",
            "step_begin",
        ),
    ),
    ("Other relations", ("*",)),
)
"""Headings, and the names below them; the first that fits. A table of a format has the subject that it declares."""

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
    declared = [table.subject for table in tables().values() if table.is_public]
    headings = dict.fromkeys([*(heading for heading, _ in GROUPS[:-1]), *declared, GROUPS[-1][0]])
    groups = {heading: [each for each in relations if group_of(each) == heading] for heading in headings}
    lines = [HEAD, *_contents(groups)]
    for heading, members in groups.items():
        if members:
            lines += [f"## {heading}", "", *_sections(members)]
    behind = [each for each in relations if group_of(each) is None]
    return "\n".join([*lines, BEHIND, *_sections(behind)]).rstrip() + "\n"


def group_of(relation: DescribedRelation) -> str | None:
    """The heading a relation is under; None for those that are not public."""
    if relation.schema != "main":
        return None
    table = tables().get(relation.name)
    if table is not None and table.is_public:
        return table.subject
    heading = next(heading for heading, names in GROUPS if any(fnmatchcase(relation.name, name) for name in names))
    is_evidence = heading == GROUPS[-1][0] and any(relation.name in step.evidence for step in steps().values())
    return EVIDENCE if is_evidence else heading


def _contents(groups: dict[str, list[DescribedRelation]]) -> Iterator[str]:
    yield from ("| subject | relations |", "|---|---|")
    for heading, members in groups.items():
        if members:
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
