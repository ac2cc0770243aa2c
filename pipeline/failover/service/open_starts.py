"""Resources whose start was begun on the surviving node and never seen to end: the service is not back with them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.service.resource_types import ResourceType
from pipeline.failover.service.service_windows import BY_THE_WAY, STARTING, ServiceWindow, group_of
from pipeline.failover.step import CONFIGURATION, grouped, step
from pipeline.failover.timeline import Timeline

FENCING = "fencing"
FAILED = "failed"
OPERATIONS = {"operation_start", "operation_done"}
ALL_DONE = {"takeover_done", "idle"}
"""Kinds of line by which a cluster manager has nothing left to start."""

KINDS = {"initiate_online", "resource_online", "group_online", *OPERATIONS, *ALL_DONE}


class OpenStart(NamedTuple):
    """One row per incident and resource whose first start on the surviving node failed, or was not seen to end."""

    configuration: str
    run: str
    at: datetime
    resource: str
    has_failed: bool
    file_id: int
    line_no: int


@step(by=CONFIGURATION, of="incident", is_stored=False)
def open_start(
    incident: Sequence[Incident],
    cluster_line: Sequence[ClusterLine],
    service_window: Sequence[ServiceWindow],
    resource_type: Sequence[ResourceType],
) -> Iterator[OpenStart]:
    """What was begun and not ended, of each incident in which a service started on a known node."""
    told = grouped((each for each in cluster_line if each.kind in KINDS), "unit_run")
    units = {unit: Timeline(own) for (unit,), own in told.items()}
    windows = grouped(service_window, "run")
    known: dict[str | None, ResourceType] = {each.resource: each for each in resource_type}
    for each in incident:
        if each.surviving_key is not None and each.unit_run in units:
            own_groups = {one.group for one in windows.get((each.run,), []) if one.is_own_group}
            lines = units[each.unit_run].within(each.membership_at, each.end_at)
            starts = Starts(each)
            for line in lines:
                group = group_of(line, known)
                if line.kind in {*OPERATIONS, *ALL_DONE} or group in own_groups:
                    starts.add(line, group)
            yield from starts.left()


class Starts:
    """The starts of resources on the surviving node of an incident, line by line in time."""

    def __init__(self, incident: Incident) -> None:
        self._incident = incident
        self._open: dict[str, tuple[ClusterLine, str | None]] = {}
        self._done: set[str] = set()

    def add(self, line: ClusterLine, group: str | None) -> None:
        """Take a line into account. A resource that was started once is started anew for another reason."""
        if line.kind in ALL_DONE:
            if line.node_key != self._incident.lost_key and line.action not in BY_THE_WAY:
                self._end(lambda begun, _: begun.state != FAILED)
        elif self._is_on_survivor(line):
            if line.kind == "group_online":
                self._end(lambda _, own: own == group)
            elif line.resource is not None and line.resource_class != FENCING:
                self._step(line, line.resource, group)

    def _is_on_survivor(self, line: ClusterLine) -> bool:
        key = line.node_key if line.kind in OPERATIONS else line.system_key
        return key == self._incident.surviving_key and line.node_key != self._incident.lost_key

    def _step(self, line: ClusterLine, resource: str, group: str | None) -> None:
        is_start = line.kind not in OPERATIONS or line.action in STARTING
        is_end = line.kind in {"resource_online", "operation_done"}
        if resource in self._done:
            return
        if is_end and (line.state != FAILED or not is_start):
            self._open.pop(resource, None)
            if is_start:
                self._done.add(resource)
        elif is_start:
            self._open[resource] = line, group

    def _end(self, is_ended: Callable[[ClusterLine, str | None], bool]) -> None:
        """What is ended by a line about all, but for what has failed."""
        ended = [resource for resource, begun in self._open.items() if is_ended(*begun)]
        for resource in ended:
            del self._open[resource]
        self._done.update(ended)

    def left(self) -> Iterable[OpenStart]:
        """What is open."""
        for resource, (line, _) in sorted(self._open.items()):
            own = self._incident
            has_failed = line.state == FAILED
            yield OpenStart(own.configuration, own.run, line.at, resource, has_failed, line.file_id, line.line_no)
