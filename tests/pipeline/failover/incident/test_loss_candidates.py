from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.incident.loss_candidates import LossLine, loss_line
from pipeline.failover.incident.missing_incidents import MissingIncident
from pipeline.failover.leaders.leader_lines import LeaderLine
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from tests.support.evidence_rows import at, row

DEAD = {
    "kind": "peer_dead",
    "stack": "heartbeat",
    "node": "birch",
    "node_key": "birch",
    "system": "alder",
    "system_key": "alder",
}


def line(second: float, **values: Any) -> ClusterLine:
    return row(ClusterLine, second, **(DEAD | {"line_no": 1000 + int(second)} | values))


def declared(of: ClusterLine, **values: Any) -> NodeLossEvidence:
    known = {"lost_node": "alder", "lost_key": "alder", "is_planned": False, "is_decisive": True}
    return row(NodeLossEvidence, 0, **(known | values))._replace(at=of.at, file_id=of.file_id, line_no=of.line_no)


def incident(of: ClusterLine, **values: Any) -> Incident:
    known = {"run": "run01", "lost_key": "alder", "lost_keys": ["alder"], "is_planned": False}
    found = row(Incident, 0, loss_at=of.at, search_start_at=at(-30), end_at=at(3600), **(known | values))
    return found._replace(file_id=of.file_id, line_no=of.line_no)


def taken(lines: list[ClusterLine], **of: Any) -> list[LossLine]:
    empty: dict[str, Any] = {"node_loss_evidence": [], "incident": [], "missing_incident": [], "leader_line": []}
    return list(loss_line(lines, **(empty | of)))


def test_the_line_that_an_incident_rests_on_and_those_of_the_same_event() -> None:
    lines = [line(0), line(2, kind="member_lost"), line(5, kind="upstream_lost", system=None, system_key=None)]
    found = taken(lines, node_loss_evidence=[declared(each) for each in lines[:2]], incident=[incident(lines[0])])
    assert [(each.taken_for, each.incident_run) for each in found] == [
        ("incident", "run01"),
        ("same event", "run01"),
        ("same event", "run01"),
    ]


@pytest.mark.parametrize(
    ("values", "before", "taken_for", "missing"),
    [
        pytest.param({"kind": "shutdown_notice"}, [], "planned", None, id="says good-bye"),
        pytest.param({}, [("boot", -60)], "start", None, id="its layer has just started"),
        pytest.param({"node": None, "node_key": "host of a.log"}, [], "none", "a line before it", id="writer unknown"),
        pytest.param({"system": "birch", "system_key": "birch"}, [], "none", "of another node", id="of itself"),
        pytest.param({"kind": "expired"}, [], "none", "the other links", id="one link of several"),
        pytest.param({"kind": "fence_failed"}, [], "none", "declares the fenced node lost", id="fencing fails"),
        pytest.param({"kind": "ping_ack_missing"}, [], "none", "a cluster manager", id="replication alone"),
        pytest.param({"kind": "member_gone"}, [], "none", "that are left go on", id="who goes on"),
        pytest.param({"kind": "leader_suspect", "stack": "galera"}, [], "none", "that are left go on", id="of a group"),
        pytest.param({"kind": "election_failed"}, [], "none", "misses the leader", id="an election without a loss"),
        pytest.param({"kind": "leader_chosen"}, [("leader", 9)], "none", "the leader that is gone", id="who is chosen"),
        pytest.param({"kind": "leader_down"}, [], "none", "names another leader", id="nobody leads after it"),
        pytest.param(
            {"kind": "quorum_lost", "system": None, "system_key": None},
            [],
            "none",
            "kept its quorum",
            id="no quorum",
        ),
        pytest.param({}, [("quorum_lost", 1)], "none", "kept its quorum", id="who is cut off misses the others"),
        pytest.param({"kind": "vrrp_fault"}, [], "none", "names another", id="who has an address fails"),
        pytest.param(
            {"kind": "leader_missing", "system_key": None},
            [("leader", 9)],
            "none",
            "the leader that is gone",
            id="who led",
        ),
        pytest.param({"kind": "leader_down"}, [("leader", 9)], "none", "leads again", id="it leads again"),
        pytest.param(
            {"kind": "give_up", "node_key": "alder", "system_key": None},
            [("leader_kept", 9)],
            "none",
            "leads again",
            id="kept",
        ),
        pytest.param({}, [], "none", "as a member", id="never seen before"),
    ],
)
def test_what_is_missing_to_make_a_line_an_incident(
    values: dict[str, Any], before: list[tuple[str, float]], taken_for: str, missing: str | None
) -> None:
    others = [line(second, kind=kind) for kind, second in before]
    found = next(each for each in taken([*others, line(0, **values)]) if each.at == at(0))
    assert found.taken_for == taken_for
    assert (missing is None) == (found.missing is None)
    assert missing is None or missing in str(found.missing)


@pytest.mark.parametrize(("kind", "peer"), [("leader_alive", "alder"), ("following", None)])
def test_a_leader_that_answers_again_was_silent_for_too_short(kind: str, peer: str | None) -> None:
    answers = row(LeaderLine, 9, kind=kind, peer=peer, peer_key=peer, node_key="birch")
    (found,) = taken([line(0, kind="leader_suspect")], leader_line=[answers])
    assert (found.taken_for, found.missing) == ("none", "a longer silence: the leader answers again")


@pytest.mark.parametrize(("second", "missing"), [(-600, "within a minute"), (-601, "names another leader")])
def test_what_is_said_long_before_a_loss_is_no_part_of_it(second: float, missing: str) -> None:
    lost, said = line(0), line(second, kind="upstream_lost", system=None, system_key=None)
    found = taken([said, lost], node_loss_evidence=[declared(lost)], incident=[incident(lost)])
    assert [each.taken_for for each in found] == ["none", "incident"]
    assert missing in str(found[0].missing)


def test_a_loss_that_no_service_followed_gives_the_reason_of_its_unit() -> None:
    lost = line(0)
    reason = row(MissingIncident, 0, reason="no service moved after the node loss")
    (found,) = taken([lost], node_loss_evidence=[declared(lost)], missing_incident=[reason])
    assert found.taken_for == "none"
    assert "(no service moved after the node loss)" in str(found.missing)


@pytest.mark.parametrize(
    ("between", "others", "candidates"),
    [
        pytest.param([], [], 1, id="nobody saw it"),
        pytest.param([], ["cedar"], 0, id="another server has a log"),
        pytest.param(["program_stopped"], [], 0, id="stopped in order"),
    ],
)
def test_a_leader_that_starts_is_a_loss_that_nobody_saw(between: list[str], others: list[str], candidates: int) -> None:
    own: dict[str, Any] = {"system": None, "system_key": None, "stack": "keepalived"}
    lines = [line(second, kind=kind, **own) for second, kind in enumerate(["leader", *between, "cluster_started"])]
    lines += [line(9, kind="other", node=each, node_key=each) for each in others]
    found = [(each.taken_for, each.peer, each.missing) for each in taken(lines)]
    assert found == [("none", "birch", "a log of another server, that shows who led meanwhile")] * candidates


def test_a_leader_that_follows_another_is_a_candidate_and_the_first_one_is_not() -> None:
    leads = [
        line(second, kind="leader", system=name, system_key=name) for second, name in ((0, "a"), (1, "a"), (9, "b"))
    ]
    assert [(each.at, each.peer) for each in taken(leads)] == [(at(9), None)]
