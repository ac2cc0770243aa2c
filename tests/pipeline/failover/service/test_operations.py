"""Starts and stops of resources: what ends them, and which were begun on the surviving node and never ended."""

from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.service.open_starts import open_start
from pipeline.failover.service.operations import OperationLine, ha_operation
from pipeline.failover.service.service_windows import ServiceWindow
from tests.support.evidence_rows import at, row

PROCESS = {"process": "ResourceManager", "pid": 7}


def line(second: float, kind: str, **values: Any) -> OperationLine:
    named = {"stack": "pacemaker", "object": "db", "action": "start", "node": "birch", "node_key": "birch"}
    return row(OperationLine, second, **(named | {"kind": kind, "resolution_s": 1.0} | values))


def script(second: float, kind: str, line_no: int, **values: Any) -> OperationLine:
    return line(second, kind, is_script=True, stack="heartbeat", line_no=line_no, **values)


def durations(*lines: OperationLine) -> list[tuple[str, float | None]]:
    return [(each.outcome, each.duration_s) for each in ha_operation(lines, [])]


START = script(0, "resource_start", 1, agent="IPaddr", **PROCESS)


@pytest.mark.parametrize(
    ("lines", "operation"),
    [
        pytest.param([script(2, "other", 2, **PROCESS)], ("ok", 2.0), id="the next line of the process"),
        pytest.param([script(2, "other", 2, process="IPaddr", pid=7)], ("unknown", None), id="not that of another"),
        pytest.param([script(2, "agent_success", 2, agent="ipaddr")], ("ok", 2.0), id="its agent reports success"),
        pytest.param([script(2, "takeover_done", 2)], ("ok", 2.0), id="the take-over ends"),
        pytest.param([script(2, "resource_failed", 2, **PROCESS)], ("failed", 2.0), id="it fails"),
        pytest.param(
            [script(2, "cluster_started", 2), script(3, "other", 3, **PROCESS)],
            ("unknown", None),
            id="not after a restart",
        ),
        pytest.param([script(9000, "takeover_done", 2)], ("ok", 9000.0), id="after hours"),
        pytest.param([script(86_400, "takeover_done", 2)], ("unknown", None), id="when it is followed no longer"),
    ],
)
def test_end_of_a_script(lines: list[OperationLine], operation: tuple[str, float | None]) -> None:
    assert durations(START, *lines) == [operation]


@pytest.mark.parametrize(
    ("lines", "operations"),
    [
        pytest.param([line(0, "resource_start"), line(5, "resource_done")], [("ok", 5.0)], id="start and end"),
        pytest.param(
            [line(0, "resource_start"), line(5, "resource_done"), line(5.5, "resource_done", file_id=2)],
            [("ok", 5.0)],
            id="its end is logged twice",
        ),
        pytest.param(
            [line(0, "resource_start"), line(5, "resource_done"), line(9, "resource_done")],
            [("ok", 5.0), ("ok", None)],
            id="a start before the end before is another's",
        ),
        pytest.param([line(0, "resource_start", action="monitor")], [], id="a monitor recurs"),
    ],
)
def test_operation_that_both_lines_name(lines: list[OperationLine], operations: list[tuple[str, float | None]]) -> None:
    assert durations(*lines) == operations


def test_own_start_line_of_the_node_counts() -> None:
    own, other = line(0, "resource_start"), line(1, "resource_start", file_id=2)
    (found,) = ha_operation([own, other, line(5, "resource_done")], [])
    assert (found.start_at, found.start_file_id) == (at(0), 1)


LOST = row(
    Incident, run="1", loss_at=at(0), membership_at=at(0), end_at=at(9000), surviving_key="beta", lost_key="alpha"
)


def begun(second: float, resource: str = "db", **values: Any) -> ClusterLine:
    known = {"node_key": "beta", "source": "ha", "kind": "operation_start", "action": "start", "resource": resource}
    return row(ClusterLine, second, **known | values)


def done(second: float, state: str = "ok", **values: Any) -> ClusterLine:
    return begun(second, kind="operation_done", state=state, **values)


def vcs(second: float, kind: str, resource: str | None = "db") -> ClusterLine:
    return row(
        ClusterLine, second, node_key="beta", source="vcs", kind=kind, system_key="beta", resource=resource, group="g"
    )


@pytest.mark.parametrize(
    ("lines", "resources"),
    [
        pytest.param([begun(1)], [("db", False)], id="begun"),
        pytest.param([begun(1), done(2)], [], id="done"),
        pytest.param([begun(1), done(2, "failed")], [("db", True)], id="failed"),
        pytest.param([begun(1), done(2, "failed"), begun(3), done(4)], [], id="done at the second attempt"),
        pytest.param([begun(1), done(2), begun(900)], [], id="started anew for another reason"),
        pytest.param([begun(1), done(2, action="stop")], [], id="stopped"),
        pytest.param([begun(1), begun(1, kind="idle", resource="")], [], id="the manager has nothing left to do"),
        pytest.param(
            [begun(1), done(2, "failed"), begun(3, kind="idle", resource="")], [("db", True)], id="but for a failure"
        ),
        pytest.param([begun(1, resource_class="fencing")], [], id="fencing is no service"),
        pytest.param([begun(1, node_key="gamma")], [], id="on another node"),
        pytest.param([vcs(1, "initiate_online")], [("db", False)], id="VCS began"),
        pytest.param([vcs(1, "initiate_online"), vcs(2, "resource_online")], [], id="VCS: online"),
        pytest.param([vcs(1, "initiate_online"), vcs(2, "group_online", None)], [], id="VCS: its group is online"),
    ],
)
def test_a_start_is_open_until_its_end_or_that_of_all(
    lines: list[ClusterLine], resources: list[tuple[str, bool]]
) -> None:
    window = row(ServiceWindow, run="1", group="g", is_own_group=True)
    found = open_start([LOST], lines, [window], [])
    assert [(each.resource, each.has_failed) for each in found] == resources
