"""Signs of a service: which node starts it, has it, or gives it up."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Any, NamedTuple

from pipeline.failover.evidence import ClusterLine, ServiceSign
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.leaders.unreplaced_leaders import UnreplacedLeader
from pipeline.failover.rules import rules
from pipeline.failover.service.resource_types import ResourceType
from pipeline.failover.step import grouped, step

SIGNS: Mapping[str, Mapping[str, Any]] = rules("services")["signs"]
DATABASE_TYPES = frozenset(rules("services")["databases"])

OPERATIONS = {"operation_start", "operation_done"}
STARTS, STOPS = {"start", "promote"}, {"stop", "demote"}
DATABASE, FENCING = "database", "fencing"
FAILED = "failed"

RANK_OF_DATABASE, RANK_OF_RESOURCE = 1, 2


class OfflineLine(NamedTuple):
    """A line of VCS by which a group goes offline, or a resource at the initiative of VCS."""

    configuration: str
    unit_run: str | None
    node: str | None
    node_key: str | None
    writer_key: str | None
    at: datetime
    file_id: int
    line_no: int
    resource: str | None
    group: str | None


@step(is_stored=False)
def service_sign(
    cluster_line: Sequence[ClusterLine],
    leader_change: Sequence[LeaderChange],
    unreplaced_leader: Sequence[UnreplacedLeader],
    offline_line: Sequence[OfflineLine],
    resource_type: Sequence[ResourceType],
) -> Iterator[ServiceSign]:
    """The signs of a unit's services, by cluster managers, databases and nodes that elect a leader."""
    databases = {each.resource for each in resource_type if each.resource_type in DATABASE_TYPES}
    groups: dict[str | None, str | None] = {each.resource: each.group for each in resource_type}
    found = [
        *_started(cluster_line, databases, groups),
        *_elected(leader_change),
        *_led(unreplaced_leader),
        *_given_up(cluster_line, offline_line, groups),
    ]
    yield from sorted(found, key=attrgetter("at", "file_id", "line_no"))


def _sign(
    line: ClusterLine | LeaderChange | UnreplacedLeader | OfflineLine,
    sign: str,
    nodes: tuple[str | None, str | None, str | None],
    rank: int,
    *,
    is_managed: bool = True,
    is_last_step: bool = False,
    service: str | None = None,
) -> ServiceSign:
    """A sign of a line; `nodes`: who holds the service, the same in small letters, and who wrote it."""
    line_of_it = (line.at, line.file_id, line.line_no)
    return ServiceSign(
        line.configuration, line.unit_run, sign, *nodes, rank, is_managed, is_last_step, *line_of_it, service
    )


def _service_of(line: ClusterLine | OfflineLine, groups: Mapping[str | None, str | None]) -> str | None:
    """What a line says that it starts or stops: the service group, which only VCS has, else the resource."""
    return line.group or groups.get(line.resource) or line.resource


def _started(
    lines: Iterable[ClusterLine], databases: set[str], groups: Mapping[str | None, str | None]
) -> Iterator[ServiceSign]:
    """Nodes that start a resource or have it, or whose database recovers; fencing devices are no service."""
    for line in lines:
        rule = SIGNS.get(line.kind)
        if rule is None or (line.kind in OPERATIONS and not _is_operation(line, STARTS)):
            continue
        is_database = line.resource in databases or line.resource_class == DATABASE
        system = (line.system or line.node or line.node_key, line.system_key or line.node_key)
        yield _sign(
            line,
            "start" if line.is_vcs_online else rule["sign"],
            (*system, _writer_key(line)),
            RANK_OF_DATABASE if is_database else rule.get("rank", RANK_OF_RESOURCE),
            is_managed="rank" not in rule,
            is_last_step=rule.get("is_last_step", False),
            service=_service_of(line, groups),
        )


def _writer_key(line: ClusterLine) -> str | None:
    """The host that wrote a line; None where nobody knows: it may be any."""
    return None if line.node is None else line.node_key


def _is_operation(line: ClusterLine, actions: Collection[str]) -> bool:
    return line.action in actions and line.resource_class != FENCING


def _elected(changes: Iterable[LeaderChange]) -> Iterator[ServiceSign]:
    """Nodes that have become leader."""
    for each in changes:
        # a sentinel on the host of the lost server may lead the failover
        writer_key = None if each.node_key == each.former_key else each.node_key
        yield _sign(each, "start", (each.leader, each.leader_key, writer_key), RANK_OF_DATABASE)


def _led(lines: Iterable[UnreplacedLeader]) -> Iterator[ServiceSign]:
    """Leaders that nobody replaced: they had the service, by the first line that misses them."""
    for missed in grouped(lines, "former_key", "loss_at").values():
        first = min(missed, key=attrgetter("file_id", "line_no"))
        for former, seen_at in {(each.former, each.seen_at) for each in missed}:
            at = first.loss_at - timedelta.resolution if seen_at is None else seen_at
            yield _sign(first._replace(at=at), "up", (former, first.former_key, None), RANK_OF_DATABASE)


def _given_up(
    lines: Iterable[ClusterLine], offline: Iterable[OfflineLine], groups: Mapping[str | None, str | None]
) -> Iterator[ServiceSign]:
    """Nodes that have stopped a resource, and systems on which VCS took one offline."""
    for line in lines:
        if line.kind == "operation_done" and line.state != FAILED and _is_operation(line, STOPS):
            nodes = (line.node or line.node_key, line.node_key, _writer_key(line))
            yield _sign(line, "stop", nodes, RANK_OF_RESOURCE, service=_service_of(line, groups))
    for each in offline:
        nodes = (each.node, each.node_key, each.writer_key)
        yield _sign(each, "stop", nodes, RANK_OF_RESOURCE, service=_service_of(each, groups))
