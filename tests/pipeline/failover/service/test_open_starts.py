"""Which starts on the surviving node were begun and never ended."""

from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.service.open_starts import open_start
from pipeline.failover.service.service_windows import ServiceWindow
from tests.support.evidence_rows import at, row

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
