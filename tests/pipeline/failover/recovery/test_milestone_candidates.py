from collections.abc import Sequence

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.recovery.incident_instants import IncidentInstant
from pipeline.failover.recovery.milestone_candidates import (
    EvidenceRule,
    MilestoneCandidate,
    milestone_candidate,
)
from pipeline.failover.service.resource_types import ResourceType
from pipeline.failover.service.service_windows import ServiceWindow
from tests.support.evidence_rows import at, row

ALDER_LOST = row(
    Incident,
    lost_key="alder",
    lost_id=0,
    lost_keys=[],
    surviving_key="birch",
    run="run01",
    search_start_at=at(-60),
    loss_at=at(0),
    membership_at=at(10),
    end_at=at(600),
)
INSTANT = row(IncidentInstant, run="run01", service_end_at=at(60), database_start_at=at(30))
WINDOW = row(ServiceWindow, run="run01", group="db", service_end_at=at(60), is_own_group=True)
ADDRESS = row(ResourceType, resource="vip", resource_type="IP", group="db")
LISTS: dict[str, list[str]] = {
    "message_ids": [],
    "resource_types": [],
    "resource_classes": [],
    "actions": [],
    "states": [],
}


def rule(source: str, kind: str, subject: str, **others: object) -> EvidenceRule:
    places = {"after": "membership", "before": "end"}
    of = {"milestone": "ip", "stack": "any", "evidence": 1, "pick": "last", "is_user": False}
    return row(EvidenceRule, source=source, kinds=[kind], subject=subject, **(of | LISTS | places | others))


def line(second: float, **others: object) -> ClusterLine:
    plain = {"file_id": 1, "line_no": int(second), "part": 1, "resolution_s": 1.0, "node_key": "birch"}
    return row(ClusterLine, second, **(plain | {"is_vcs_online": False} | others))


def found(of: EvidenceRule, *lines: ClusterLine, besides: Sequence[EvidenceRule] = ()) -> list[MilestoneCandidate]:
    return list(milestone_candidate([ALDER_LOST], [INSTANT], lines, [of, *besides], [ADDRESS], [WINDOW], [], []))


def seconds(of: EvidenceRule, *lines: ClusterLine) -> list[int]:
    return [each.line_no for each in found(of, *lines)]


@pytest.mark.parametrize(
    ("second", "is_found"),
    [
        pytest.param(9, False, id="its second is over before the membership change"),
        pytest.param(9.5, True, id="within its second the membership changed"),
        pytest.param(60, True, id="as the service comes back"),
        pytest.param(61, False, id="after the service was back"),
    ],
)
def test_line_lies_between_the_instants_of_its_rule(second: float, *, is_found: bool) -> None:
    online = line(second, source="vcs", kind="resource_online", is_vcs_online=True, resource="vip", system_key="birch")
    of = rule("vcs", "resource_online", "surviving_node", before="service_end", resource_types=["IP"])
    assert bool(found(of, online)) == is_found


def test_first_start_of_a_resource_counts() -> None:
    starts = [line(second, source="ha", kind="operation_done", action="start", resource="vip") for second in (20, 40)]
    assert seconds(rule("ha", "operation_done", "surviving_node"), *starts) == [20]


def test_resource_that_is_started_only_afterwards_was_online_before() -> None:
    told = {"source": "vcs", "resource": "vip", "system_key": "birch"}
    online = [line(second, kind="resource_online", is_vcs_online=True, **told) for second in (20, 40)]
    initiation = line(30, kind="initiate_online", **told)
    assert seconds(rule("vcs", "resource_online", "surviving_node"), *online, initiation) == [40]


@pytest.mark.parametrize(
    ("stack", "is_found"), [pytest.param("redis", True, id="Sentinel"), pytest.param("mongodb", False, id="a member")]
)
def test_sentinel_outlives_the_server_on_its_host(stack: str, *, is_found: bool) -> None:
    told = line(5, source="ha", stack=stack, kind="leader_down", node_key="alder", system_key="alder")
    assert bool(found(rule("ha", "leader_down", "lost_node", after="search_start"), told)) == is_found


@pytest.mark.parametrize(
    ("node_id", "is_found"), [pytest.param(0, True, id="its id"), pytest.param(2, False, id="another node's")]
)
def test_lost_node_is_known_by_its_number(node_id: int, *, is_found: bool) -> None:
    of = rule("llt", "expired", "lost_node", after="search_start", before="membership")
    assert bool(found(of, line(5, source="llt", kind="expired", node_id=node_id))) == is_found


@pytest.mark.parametrize(
    ("stack", "seen_at"), [pytest.param("patroni", [20], id="of a server"), pytest.param("etcd", [5, 20], id="of none")]
)
def test_coordinator_misses_a_leader_of_its_own_where_servers_have_another(stack: str, seen_at: list[int]) -> None:
    told = {"source": "ha", "kind": "leader_suspect"}
    lines = [line(5, stack="etcd", **told), line(20, stack="patroni", **told)]
    leads = line(30, source="ha", stack=stack, kind="leader")
    suspected = rule("ha", "leader_suspect", "lost_node", milestone="suspected", after="search_start")
    of_both = found(suspected, *lines, leads, besides=[rule("ha", "leader", "surviving_node", milestone="elected")])
    assert [each.line_no for each in of_both if each.milestone == "suspected"] == seen_at
