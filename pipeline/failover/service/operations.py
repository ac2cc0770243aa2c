"""Operations on resources: which line begins one, and which ends it."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

from pipeline.failover.evidence import BOOTS, Setting
from pipeline.failover.follow import how_long
from pipeline.failover.step import CONFIGURATION, Int16, Int32, grouped, nulls_last, passed_on, step
from pipeline.failover.timeline import Timelines
from pipeline.failover.windows import END_LOGGED_TWICE

RECURRING = {"monitor", "probe", "status", "notify", "meta-data"}
"""Operations that change nothing."""

STARTS = {"resource_start", "release_start"}
FAILED = "resource_failed"
ENDS = {"resource_done", FAILED}
REPORTS = {"agent_success", *ENDS}


class OperationLine(NamedTuple):
    """A line that can begin or end an operation on a resource."""

    configuration: str
    unit_run: str | None
    is_script: bool
    stack: str
    kind: str
    node: str | None
    node_key: str | None
    peer: str | None
    peer_key: str | None
    object: str | None
    object_class: str | None
    agent: str | None
    action: str | None
    return_code: int | None
    process: str | None
    pid: int | None
    at: datetime
    resolution_s: float
    file_id: int
    line_no: int
    part: int


class HaOperation(NamedTuple):
    """One row per operation on a resource that a cluster manager began or ended: from its start line to its end
    line. Times in UTC. A script of Heartbeat ends with the next line of the same ResourceManager, with the
    success that its agent reports, or with the end of the take-over, whichever comes first; other cluster
    managers name resource and operation in both lines. Probes and recurring monitors are not here.
    """

    configuration: str
    unit_run: str | None
    node: Annotated[str | None, "host on which the operation ran, short name"]
    node_key: str | None
    stack: Annotated[str, "heartbeat, pacemaker, sun_cluster, ..."]
    object: Annotated[str | None, "resource, device, address or script"]
    object_class: Annotated[str | None, "address, replication, mount, database, application, fencing; null if unknown"]
    agent: str | None
    action: Annotated[str, "start, stop, promote, ..."]
    start_at: Annotated[datetime | None, "the start's stamp; null where only the end was logged"]
    at: Annotated[datetime | None, "the end's stamp; null where none was logged"]
    duration_s: float | None
    resolution_s: float
    outcome: Annotated[str, "ok, failed, unknown (its end was not logged)"]
    return_code: Annotated[Int32 | None, "return code where printed"]
    start_file_id: Annotated[Int32 | None, "file of the start"]
    start_line_no: Annotated[Int32 | None, "line of the start"]
    file_id: Annotated[Int32, "file of the end, else of the start"]
    line_no: Annotated[Int32, "line of the end, else of the start"]
    part: Int16


class Operation(NamedTuple):
    """The lines that begin and end one, as far as they were logged; `line` describes it."""

    line: OperationLine
    start: OperationLine | None
    end: OperationLine | None


@step(by=CONFIGURATION, of="operation_line")
def ha_operation(operation_line: Sequence[OperationLine], study__setting: Sequence[Setting]) -> Iterator[HaOperation]:
    """The operations of a configuration, without those that recur."""
    logs = grouped((each for each in operation_line if each.is_script), "file_id").values()
    units = grouped((each for each in operation_line if not each.is_script), "unit_run").values()
    follow = how_long(study__setting)
    operations = [each for lines in logs for each in _scripts(lines, follow)]
    operations += [each for lines in units for each in _named_operations(lines, follow)]
    rows = (_row(each) for each in operations if each.line.action not in {None, *RECURRING})
    yield from sorted(rows, key=_order)


def _order(row: HaOperation) -> tuple[Any, ...]:
    first_at = row.at if row.start_at is None else row.start_at
    return nulls_last((row.unit_run, first_at, row.start_file_id, row.start_line_no, row.file_id, row.line_no))


def _row(operation: Operation) -> HaOperation:
    line, start, end = operation
    last = end or line
    node = line.node if line.is_script or line.peer is None else line.peer
    took = None if start is None or end is None else (end.at - start.at) // timedelta.resolution / 1_000_000
    return passed_on(
        HaOperation,
        line,
        node=node,
        node_key=None if node is None else node.lower(),
        action=line.action or "",
        start_at=None if start is None else start.at,
        at=None if end is None else end.at,
        duration_s=took,
        outcome=_outcome(end),
        return_code=None if end is None or end.kind not in ENDS else end.return_code,
        start_file_id=None if start is None else start.file_id,
        start_line_no=None if start is None else start.line_no,
        file_id=last.file_id,
        line_no=last.line_no,
        part=last.part,
    )


def _outcome(end: OperationLine | None) -> str:
    if end is None:
        return "unknown"
    return "failed" if end.kind == FAILED else "ok"


def _scripts(log: Sequence[OperationLine], follow: timedelta) -> Iterator[Operation]:
    """The scripts in a log."""
    lines = sorted(log, key=attrgetter("line_no", "part"))
    places: dict[Any, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        places[line.process, line.pid].append(place)
        if line.kind in REPORTS and line.agent is not None:
            places[line.agent.lower()].append(place)
        if line.kind == "takeover_done" or line.kind in BOOTS:
            places[None].append(place)
    for place, line in enumerate(lines):
        # the agent repeats what the ResourceManager runs
        is_stop = line.kind == "release_start" and line.action == "stop" and line.process != line.agent
        if line.kind == "resource_start" or is_stop:
            yield Operation(line, line, _end_of_script(place, lines, places, follow))


def _end_of_script(
    start: int, lines: Sequence[OperationLine], places: Mapping[Any, Sequence[int]], follow: timedelta
) -> OperationLine | None:
    """The next line of the process, or before it what its agent reports or the end of the take-over; not a restart."""
    line = lines[start]
    agent = () if line.agent is None else places.get(line.agent.lower(), ())
    ends = []
    for later in (places.get((line.process, line.pid), ()), agent, places.get(None, ())):
        for place in islice(later, bisect_right(later, start), None):
            if lines[place].at >= line.at + follow:
                break
            if lines[place].at >= line.at:
                ends.append(place)
                break
    end = lines[min(ends)] if ends else None
    return None if end is None or end.kind in BOOTS else end


def _named_operations(lines: Sequence[OperationLine], follow: timedelta) -> Iterator[Operation]:
    """The operations of a unit whose lines name resource and operation."""
    starts = [each for each in lines if each.kind in STARTS]
    starts_of = Timelines(starts, _host_and_operation)
    ends: list[OperationLine] = []
    previous: dict[Any, datetime] = {}
    for end in sorted(
        (each for each in lines if each.kind in ENDS), key=attrgetter("at", "file_id", "line_no", "part")
    ):
        key = _host_and_operation(end)
        previous_at = previous.get(key)
        previous[key] = end.at
        # the same end in the log of the daemon and in the syslog, or reported by two daemons
        if previous_at is not None and end.at - previous_at < END_LOGGED_TWICE:
            continue
        ends.append(end)
        since = end.at - follow
        began = starts_of.of(key).between(since if previous_at is None else max(since, previous_at), end.at)
        # the node's own start line where it has one
        yield Operation(end, max(began, key=partial(_nearness, end), default=None), end)
    ends_of = Timelines(ends, attrgetter("object", "action"))
    for start in starts:
        if not ends_of.of((start.object, start.action)).has(start.at, start.at + follow):
            yield Operation(start, start, None)


def _nearness(end: OperationLine, start: OperationLine) -> tuple[bool, datetime, int]:
    return start.file_id == end.file_id, start.at, start.line_no


def _host_and_operation(line: OperationLine) -> tuple[str | None, ...]:
    return line.node_key if line.peer_key is None else line.peer_key, line.stack, line.object, line.action
