"""Rows of the relations that the fold rests on: what SQL selected from the logs, a row a line."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.step import Int16, Int32

BOOTS = frozenset({"boot", "cluster_started"})
"""Kinds of lines by which a node starts, or its cluster manager, which gives up what it ran."""


class ClusterLine(NamedTuple):
    """One row per dated log line that can be evidence in a failover, in any log. Times in UTC. The lean extract that
    incidents, fault times and milestones are found in; a HAD line carried by syslog and by an engine log is here
    twice, as the rules only ask for the first or last of its kind.
    """

    configuration: str
    unit_run: str | None
    node: str | None
    node_key: str | None
    source: str
    kind: str
    message_id: str | None
    at: datetime
    resolution_s: float
    system: str | None
    system_key: str | None
    node_id: int | None
    state: str | None
    previous_state: str | None
    is_vcs_online: bool
    resource: str | None
    group: str | None
    port: str | None
    members: list[Int16] | None
    link: Int16 | None
    silent_s: float | None
    outage_key: int | None
    object: str | None
    instance: str | None
    database: str | None
    appid: str | None
    stack: str | None
    action: str | None
    resource_class: str | None
    file_id: Int32
    line_no: Int32
    part: Int16


class HaLine(NamedTuple):
    """One row per dated message of a cluster manager, replication or database, made ready for the failover analysis.
    Times in UTC.
    """

    configuration: str
    unit_run: str
    node: str
    node_key: str
    stack: str
    kind: str
    object: str | None
    action: str | None
    peer: str | None
    peer_key: str | None
    new_state: str | None
    value: float | None
    at: datetime
    resolution_s: float
    file_id: Int32
    line_no: Int32
    part: Int16


class ServiceSign(NamedTuple):
    """One row per log line that says that a node starts a service, has it, or gives it up. Times in UTC. Fencing
    devices are no service. A node is the one that holds the service, which need not be the writer of the line.
    """

    configuration: str
    unit_run: str | None
    sign: Annotated[
        str,
        "start (the cluster manager starts it, or a database recovers or takes over, or a leader was "
        "elected), up (it is there), stop (given up), idle (the node's cluster manager has nothing left to "
        "do)",
    ]
    node: Annotated[str | None, "host that holds the service"]
    node_key: str | None
    writer_key: Annotated[str | None, "host that wrote the line"]
    rank: Annotated[
        Int32, "1 for the database, 2 for other resources, 3 for a sign of the database that names no resource"
    ]
    is_managed: Annotated[bool, "a cluster manager wrote it; false for a database"]
    is_last_step: Annotated[
        bool, "with it a service is complete: its group is online, its manager idle again, its database recovered"
    ]
    at: Annotated[datetime, "stamp as printed"]
    file_id: Int32
    line_no: Int32
    service: Annotated[
        str | None, "what it is about: VCS names a group, others a resource; null where a line names none"
    ]


class RunUnit(NamedTuple):
    """One row per run folder, and one per folder group without run folders: what a run or a series of runs was
    recorded in.
    """

    configuration: str
    unit_run: str | None
    has_failover_logs: bool
    has_performance_data: bool


class UnitFile(NamedTuple):
    """One row per log file and unit that it tells of: those of its run folder, and those that lie above run folders."""

    configuration: str
    unit_run: str | None
    node_key: str | None
    last_at: datetime | None
    format: str
    file_id: Int32


class RecordedFault(NamedTuple):
    """A fault time of study.toml."""

    configuration: str
    unit_run: str | None
    fault_at: datetime


def by_kind(lines: Iterable[ClusterLine]) -> Mapping[str, Sequence[ClusterLine]]:
    """Lines by their kind, in their order."""
    found: dict[str, list[ClusterLine]] = defaultdict(list)
    for each in lines:
        found[each.kind].append(each)
    return found


def host_key(line: ClusterLine) -> str:
    """The host that wrote a line; where it is not known, lines of a file are of one host."""
    return str(line.file_id) if line.node_key is None else line.node_key


class Setting(NamedTuple):
    """What study.toml sets. `follow`: seconds; `recovered_pct`: the share of its level at which a rate is back."""

    follow: float | None
    recovered_pct: float | None
    service_groups: list[str]
