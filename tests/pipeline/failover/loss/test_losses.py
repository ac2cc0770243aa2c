from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.loss.departures import DepartureLine, departure
from pipeline.failover.loss.events import numbered
from pipeline.failover.loss.hadr_losses import HadrRecord, hadr_loss
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.loss.losses import LossEvent, losses_of
from pipeline.failover.loss.node_ids import ClusterNode, NodeLine, NodeSetting, cluster_node
from tests.support.evidence_rows import at, row


def evidence(second: float, layer: str = "gab", node_key: str | None = "birch") -> NodeLossEvidence:
    lost = {"lost_id": 0, "lost_node": "alder", "lost_key": "alder"}
    return row(NodeLossEvidence, second, layer=layer, node_key=node_key, is_decisive=True, is_planned=False, **lost)


def losses(
    *found: NodeLossEvidence, lines: Sequence[ClusterLine] = (), led: Sequence[LeaderChange] = ()
) -> Sequence[LossEvent]:
    return losses_of(found, lines, led)


@pytest.mark.parametrize(
    ("seconds", "starts"),
    [
        pytest.param([0, 60, 120], [at(0)], id="no pause is longer than a minute"),
        pytest.param([0, 61], [at(0), at(61)], id="a longer pause divides"),
    ],
)
def test_pause_divides_losses(seconds: list[float], starts: list[datetime]) -> None:
    assert [each.loss_at for each in losses(*map(evidence, seconds))] == starts
    of_leader = [evidence(each)._replace(missed_at=at(0)) for each in seconds]
    assert [each.loss_at for each in losses(*of_leader)] == [at(0)], "lines of one change are of one loss"


def change(second: float, leader: str, former: str, missed: float) -> LeaderChange:
    names = {"leader_key": leader, "former_key": former, "stack": "redis", "group": ""}
    return row(LeaderChange, second, loss_at=at(missed), **names)


@pytest.mark.parametrize(
    ("led", "starts"),
    [
        pytest.param([change(8, "alder", "birch", 8)], [at(0), at(14)], id="a node that leads again was back"),
        pytest.param([change(8, "birch", "cedar", 8)], [at(0)], id="that another one leads divides nothing"),
        pytest.param(
            [change(1, "birch", "alder", 0), change(15, "birch", "alder", 14)],
            [at(0), at(14)],
            id="a leader that is replaced a second time was back",
        ),
        pytest.param(
            [change(1, "birch", "alder", 0), change(15, "birch", "alder", 0)],
            [at(0)],
            id="unless it was missed only once",
        ),
    ],
)
def test_return_as_leader_divides_losses(led: list[LeaderChange], starts: list[datetime]) -> None:
    assert [each.loss_at for each in losses(evidence(0), evidence(14), led=led)] == starts


JOINS: dict[str, dict[str, Any]] = {
    "gab": {"kind": "membership", "members": [0, 1]},
    "corosync": {"kind": "membership", "state": "0"},
    "pacemaker": {"kind": "member_joined", "system_key": "alder"},
    "had": {"kind": "system_state", "system_key": "alder", "state": "RUNNING"},
}


@pytest.mark.parametrize("join", JOINS.values(), ids=JOINS)
@pytest.mark.parametrize(
    ("again", "joined", "started", "count"),
    [
        pytest.param(20, (12, "birch"), "alder", 2, id="a node that starts and joins is lost anew"),
        pytest.param(20, (12, "birch"), "birch", 2, id="so is one that joins who starts"),
        pytest.param(20, (12, "birch"), "cedar", 1, id="a member for seconds is of one loss without a start"),
        pytest.param(25, (12, "birch"), None, 2, id="a member for longer was back"),
        pytest.param(20, (12, "cedar"), "alder", 1, id="what another host saw first may be late"),
        pytest.param(20, (22, "birch"), "alder", 1, id="who only starts has not joined"),
    ],
)
def test_return_to_its_cluster_divides_losses(
    join: dict[str, Any], again: float, joined: tuple[float, str], started: str | None, count: int
) -> None:
    lines = [row(ClusterLine, joined[0], node=joined[1], node_key=joined[1], **join)]
    lines += [row(ClusterLine, 10, kind="boot", node_key=started)] if started else []
    assert len(losses(evidence(0), evidence(again), lines=lines)) == count


def test_node_that_is_fenced_after_it_returned_is_lost_once() -> None:
    lines = [row(ClusterLine, 12, node="birch", node_key="birch", **JOINS["pacemaker"])]
    lines += [row(ClusterLine, 24, kind="fence_start", system_key="alder")]
    assert len(losses(evidence(0), evidence(25), lines=lines)) == 1


@pytest.mark.parametrize(
    ("members", "count"),
    [
        pytest.param([1], 1, id="while the node is out a link that flaps is no loss"),
        pytest.param([0, 1], 2, id="after its return it is"),
    ],
)
def test_flapping_link(members: list[int], count: int) -> None:
    line = row(ClusterLine, 300, kind="membership", members=members)
    assert len(losses(evidence(0), evidence(600, "llt"), lines=[line])) == count


def test_loss_that_no_known_host_wrote_has_no_observers() -> None:
    assert [each.observers for each in losses(evidence(0, node_key=None))] == [None]


def lost(node: str, second: float, back: float | None = None) -> LossEvent:
    known = {"lost_node": node, "lost_key": node, "loss_at": at(second), "observers": ["cedar"]}
    return row(LossEvent, back_at=None if back is None else at(back), is_planned=False, is_leader_change=False, **known)


@pytest.mark.parametrize(
    ("back", "events"),
    [
        pytest.param(None, [1, 1], id="nodes lost within a minute are lost together"),
        pytest.param(45, [1, 1], id="also where one returns later"),
        pytest.param(20, [1, 2], id="unless it had returned before the other was lost"),
    ],
)
def test_nodes_lost_within_a_minute(back: float | None, events: list[int]) -> None:
    found = numbered([lost("alder", 0, back), lost("birch", 40)], [], [])
    assert [each.event_no for each in found] == events


@pytest.mark.parametrize(
    ("kind", "action", "state", "how", "minutes", "is_revoked"),
    [
        pytest.param("shutdown_notice", None, None, "shutdown", 10, False, id="good-bye"),
        pytest.param("standby_wanted", None, None, "standby", 60, False, id="standby"),
        pytest.param("leave_wanted", "maintenance", "true", "maintenance", 60, False, id="an attribute is set"),
        pytest.param("leave_wanted", "maintenance", "Off", "maintenance", 60, True, id="and taken back"),
    ],
)
def test_how_long_a_loss_follows(
    kind: str, action: str | None, state: str | None, how: str, minutes: int, *, is_revoked: bool
) -> None:
    line = row(DepartureLine, 0, kind=kind, action=action, state=state, leaver_key="alder", node_key="birch")
    (found,) = departure([line], [])
    until_at = at(0) + timedelta(minutes=minutes)
    assert (found.how, found.until_at, found.is_revoked, found.is_own) == (how, until_at, is_revoked, False)


def test_leaver_by_its_id() -> None:
    lines = [row(DepartureLine, 0, kind="shutdown_notice", leaver_id=each) for each in (1, 2)]
    found = departure(lines, [ClusterNode("a", "corosync", 1, "Alder")])
    assert [each.node_key for each in found] == ["alder"]


def standby(second: float, kind: str, state: str | None = None) -> ClusterLine:
    return row(ClusterLine, second, kind=f"hadr_{kind}", state=state, node="birch", node_key="birch", database="D")


def primary(second: float, node: str = "Alder", *, is_stop: bool = False) -> HadrRecord:
    return row(HadrRecord, second, node=node, node_key=node.lower(), database="D", is_stop=is_stop)


LOST, FOUND = standby(0, "partner_lost"), standby(50, "partner_found")
FORCED = standby(60, "takeover_command", "forced")


@pytest.mark.parametrize(
    ("lines", "records", "expected"),
    [
        pytest.param([LOST, FORCED], [primary(-9)], [(60, "Alder")], id="taken over by force"),
        pytest.param([LOST, FORCED], [], [(60, None)], id="from a node that nobody knows"),
        pytest.param([LOST, FORCED], [primary(-9), primary(-9, "ash")], [(60, None)], id="of two nodes"),
        pytest.param([LOST, FOUND, FORCED], [primary(-9)], [], id="they had found each other again"),
        pytest.param([LOST, FORCED], [primary(-60, is_stop=True)], [], id="somebody stopped the primary"),
        pytest.param([LOST, FORCED, standby(61, "takeover_command", "forced")], [], [(60, None)], id="given again"),
        pytest.param([LOST, standby(60, "takeover_command")], [primary(-999)], [], id="taken over without force"),
        pytest.param([LOST], [primary(-121)], [(None, "Alder")], id="nobody took over, and the primary is silent"),
        pytest.param([LOST], [primary(120)], [], id="the primary runs on"),
        pytest.param([LOST], [], [], id="no log of the primary"),
        pytest.param([LOST, standby(9, "partner_lost")], [primary(-999)], [(None, "Alder")], id="missed again"),
    ],
)
def test_primary_that_its_standby_missed(
    lines: list[ClusterLine], records: list[HadrRecord], expected: list[tuple[float | None, str | None]]
) -> None:
    found: list[Any] = list(hadr_loss(lines, records))
    times = [each.command_at and (each.command_at - LOST.at).total_seconds() for each in found]
    assert list(zip(times, (each.lost_node for each in found), strict=True)) == expected
    assert {each.loss_at for each in found} <= {LOST.at}


def line(kind: str, node: str, **values: Any) -> NodeLine:
    return row(NodeLine, **({"kind": kind, "node": node, "node_key": node, "line_count": 1} | values))


HOSTS = [line("host", "alder"), line("host", "birch")]


@pytest.mark.parametrize(
    ("lines", "nodes"),
    [
        pytest.param([line("named", "alder", node_id=2)], {2: "alder"}, id="a line has both"),
        pytest.param([line("members", "alder", member_ids="2", member_count=1)], {2: "alder"}, id="alone in its ring"),
        pytest.param(
            [line("membership", "birch", left_ids="1", member_ids="2")], {2: "birch"}, id="of two ids one has left"
        ),
        pytest.param(
            [line("bound", "alder", address="10.1.2.3"), line("members", "birch", member_ids="50462986 7")],
            {50462986: "alder"},
            id="the id is the address 3.2.1.10 backwards",
        ),
        pytest.param(
            [*HOSTS, line("named", "alder", node_id=1), line("members", "alder", member_ids="1 2")],
            {1: "alder", 2: "birch"},
            id="the only ones left over",
        ),
        pytest.param(
            [*HOSTS, line("named", "alder", node_id=1), line("membership", "birch", left_ids="1 2")],
            {1: "alder"},
            id="no host sees itself leave",
        ),
    ],
)
def test_host_of_an_id_in_lines(lines: list[NodeLine], nodes: dict[int, str]) -> None:
    assert {each.node_id: each.node for each in cluster_node([], lines, [])} == nodes


def test_nearest_file_counts_unless_a_line_has_both() -> None:
    files = [
        row(NodeSetting, series="corosync", node_id=node_id, node=node, distance=distance)
        for node_id, node, distance in ((1, "far", 2), (1, "near", 0), (2, "listed", 0))
    ]
    found = cluster_node([], [line("named", "printed", node_id=2)], files)
    assert {each.node_id: each.node for each in found} == {1: "near", 2: "printed"}
