"""When the failover of a service is over: its group is online on the node that took over, or the take-over is done."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine, Setting
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.rules import rules
from pipeline.failover.service.resource_types import ResourceType
from pipeline.failover.step import CONFIGURATION, grouped, step
from pipeline.failover.timeline import Timeline

DATABASES = frozenset(rules("services")["databases"])

TOLD_KINDS = {
    *("initiate_online", "group_online", "group_switch"),
    *("operation_start", "operation_done", "takeover_done", "idle"),
}
"""Kinds of line that tell when a service starts and when its failover is over."""

STARTING = {"start", "promote"}
BY_THE_WAY = {"local", "standby"}
"""Take-overs of Heartbeat that are none of the service: at its own start, and as it goes."""


class RequiredGroup(NamedTuple):
    """A service group that requires another one."""

    configuration: str
    parent: str
    child: str


class ServiceWindow(NamedTuple):
    """One row per incident and service group that started on the surviving node: when its failover was over. UTC. The
    first failover only: it ends when the group is online (Heartbeat: the take-over is complete; Pacemaker: the
    controller is idle again), at a planned switch, at the next node loss or where steps are
    followed no longer.
    """

    configuration: str
    run: str
    group: Annotated[str | None, "service group; null where messages name none"]
    service_end_at: Annotated[datetime, "end of the group's failover"]
    is_own_group: Annotated[
        bool,
        "failovers are measured by the group: one that `service_groups` of study.toml names; "
        "else the group with the Db2udb resource, or one that it requires; any group where none has a database",
    ]


class StartedGroup(NamedTuple):
    """A group that started on the surviving node of an incident."""

    incident: Incident
    group: str | None
    has_database: bool


@step(by=CONFIGURATION, of="incident")
def service_window(
    incident: Sequence[Incident],
    cluster_line: Sequence[ClusterLine],
    resource_type: Sequence[ResourceType],
    required_group: Sequence[RequiredGroup],
    study__setting: Sequence[Setting],
) -> Iterator[ServiceWindow]:
    """The windows of an incident's groups, and of its take-over where resources are of no group."""
    resources: dict[str | None, ResourceType] = {each.resource: each for each in resource_type}
    told = (each for each in cluster_line if each.is_vcs_online or each.kind in TOLD_KINDS)
    units = {unit_run: Timeline(rows) for (unit_run,), rows in grouped(told, "unit_run").items()}
    groups: list[tuple[Incident, list[StartedGroup]]] = []
    for each in incident:
        timeline = units.get(each.unit_run, Timeline(()))
        groups.append((each, list(_started_groups(each, timeline, resources))))
        if takeover_end_at := _takeover_end(each, timeline):
            yield ServiceWindow(each.configuration, each.run, None, takeover_end_at, is_own_group=True)
    named = {name for each in study__setting for name in each.service_groups}
    # a configuration in which none of them moved is treated as if it named none
    moved_named = {each.group for _, started in groups for each in started} & named
    for each, started in groups:
        own = moved_named or _database_groups(started, required_group) or {one.group for one in started}
        for one in started:
            end_at = _service_end(one, units[each.unit_run])
            yield ServiceWindow(each.configuration, each.run, one.group, end_at, is_own_group=one.group in own)


def group_of(line: ClusterLine, resources: Mapping[str | None, ResourceType]) -> str | None:
    """The service group of a line, else of its resource."""
    if line.group is not None or line.resource not in resources:
        return line.group
    return resources[line.resource].group


def _started_groups(
    incident: Incident, timeline: Timeline[ClusterLine], resources: Mapping[str | None, ResourceType]
) -> Iterator[StartedGroup]:
    has_database: dict[str | None, bool] = {}
    for line in timeline.within(incident.membership_at, incident.end_at):
        is_start = line.kind == "initiate_online" or line.is_vcs_online
        if is_start and line.system_key == incident.surviving_key and line.node_key != incident.lost_key:
            group = group_of(line, resources)
            is_database = line.resource in resources and resources[line.resource].resource_type in DATABASES
            has_database[group] = has_database.get(group, False) or is_database
    for group, has in has_database.items():
        yield StartedGroup(incident, group, has)


def _service_end(started: StartedGroup, timeline: Timeline[ClusterLine]) -> datetime:
    """When the group is online, or switched after a loss; else the end of the incident."""
    incident = started.incident
    told = [
        each
        for each in timeline.within(incident.membership_at, incident.end_at)
        if (started.group is None or each.group in {None, started.group}) and each.node_key != incident.lost_key
    ]
    online = (e for e in told if e.kind == "group_online" and e.system_key == incident.surviving_key)
    switched = (e for e in told if e.kind == "group_switch" and not incident.is_planned)
    ends = (_first_told(online, incident.surviving_key), _first_told(switched, incident.surviving_key))
    return min(each for each in (*ends, incident.end_at) if each is not None)


def _first_told(lines: Iterable[ClusterLine], node_key: str | None) -> datetime | None:
    """When a node first told of it, else another one: the clock of the node is the one of its steps."""
    _, at = min(((each.node_key != node_key, each.at) for each in lines), default=(None, None))
    return at


def _takeover_end(incident: Incident, timeline: Timeline[ClusterLine]) -> datetime | None:
    """When the take-over is done: Heartbeat tells it, Pacemaker is idle again after the first start."""
    operations = [
        each
        for each in timeline.within(incident.membership_at, incident.end_at)
        if each.kind in {"operation_start", "operation_done"}
        and each.action in STARTING
        and each.node_key == incident.surviving_key
    ]
    if not operations:
        return None
    start_at = next((each.at for each in operations if each.kind == "operation_start"), incident.membership_at)
    ends = (
        each.at
        for each in timeline.within(start_at, incident.end_at)
        if each.kind in {"takeover_done", "idle"}
        and each.action not in BY_THE_WAY
        and each.node_key != incident.lost_key
    )
    return next(ends, incident.end_at)


def _database_groups(started: Collection[StartedGroup], required: Iterable[RequiredGroup]) -> set[str | None]:
    """The groups with a database, and those that they require."""
    groups = {each.group for each in started if each.has_database}
    return groups | {each.child for each in required if each.parent in groups}
