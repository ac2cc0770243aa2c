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
from pipeline.failover.recovery.milestone_lines import EarliestFault, RuleLine, milestone_line
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


def candidate(second: float, milestone: str, **others: object) -> MilestoneCandidate:
    plain = {"line_no": int(second), "evidence": 1, "pick": "first", "stack": "any", "is_other_node": False}
    return row(MilestoneCandidate, second, milestone=milestone, run="run01", **(plain | others))


def lines(*found: MilestoneCandidate) -> list[tuple[str, int, int]]:
    return [(each.milestone, each.evidence, each.line_no) for each in milestone_line(found, [], [])]


@pytest.mark.parametrize(
    ("second", "elected_at", "expected"),
    [
        pytest.param(2, 1, ("routed", 1, 2), id="evidence after the election is preferred"),
        pytest.param(2, 3, ("routed", 2, 2), id="before the election the other evidence is left"),
    ],
)
def test_milestone_occurs_once_whatever_its_evidence_follows(
    second: int, elected_at: int, expected: tuple[str, int, int]
) -> None:
    after_election = candidate(second, "routed", after="elected")
    by_itself = candidate(second, "routed", evidence=2)
    assert lines(candidate(elected_at, "elected"), by_itself, after_election) == [("elected", 1, elected_at), expected]


@pytest.mark.parametrize(
    ("pick", "line_no"), [pytest.param("first", 1, id="first"), pytest.param("last", 2, id="last")]
)
def test_own_log_comes_before_another_nodes(pick: str, line_no: int) -> None:
    own = [candidate(second, "ip", pick=pick) for second in (1, 2)]
    others = [candidate(second, "ip", pick=pick, is_other_node=True) for second in (0, 3)]
    assert lines(*own, *others) == [("ip", 1, line_no)]


def test_recovery_is_of_the_database_that_was_found_to_need_it() -> None:
    needed = candidate(1, "detect", instance="db2inst1", database="SAMPLE")
    other = candidate(2, "complete", after="detect", instance="db2inst1", database="OTHER")
    unnamed = candidate(3, "complete", after="detect", instance="db2inst1")
    assert lines(needed, other, unnamed) == [("complete", 1, 3), ("detect", 1, 1)]


@pytest.mark.parametrize(
    ("after", "is_found"),
    [
        pytest.param("fault", True, id="an instant"),
        pytest.param("ip", True, id="a milestone"),
        pytest.param("db2udb", False, id="a milestone that the run does not show"),
    ],
)
def test_rule_of_the_study_may_name_instants_and_milestones(after: str, *, is_found: bool) -> None:
    of = {"milestone": "warm", "run": "run01", "stack": "study", "evidence": 1, "pick": "first", "before": "end"}
    own = row(RuleLine, 5, **of, after=after, fault_at=at(0), end_at=at(60), resolution_s=1.0, is_other_node=False)
    found = [each.milestone for each in milestone_line([candidate(4, "ip")], [own], [])]
    assert found == ["ip", "warm"] if is_found else ["ip"]


def test_no_line_before_the_earliest_fault_shows_what_follows_a_fault() -> None:
    run = row(EarliestFault, 0, run="run01", fault_at=at(5), fault_at_low=at(3))
    moves = [candidate(second, "address_moved", after="fault", resolution_s=1.0) for second in (1, 4)]
    assert [each.line_no for each in milestone_line(moves, [], [run])] == [4]
