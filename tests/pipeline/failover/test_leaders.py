from typing import Any

import pytest

from pipeline.failover.leader_lines import LeaderLine
from pipeline.failover.leaders import LeaderChange, leader_change
from tests.support.evidence_rows import at, row


def line(second: float, kind: str, node: str, peer: str | None = None, stack: str = "redis", **more: Any) -> LeaderLine:
    more.setdefault("line_no", round(second * 10))
    return row(LeaderLine, second, kind=kind, stack=stack, node=node, node_key=node, peer=peer, peer_key=peer, **more)


def changes(*lines: LeaderLine) -> list[LeaderChange]:
    led = line(0, "leader", "alder", stack=lines[0].stack)
    return list(leader_change([led, *lines], []))


def test_another_leader_is_a_change_and_the_same_one_is_none() -> None:
    found = changes(line(100, "leader", "alder"), line(200, "leader", "birch"), line(201, "leader", "cedar", "birch"))
    assert [(each.former, each.leader, each.at) for each in found] == [("alder", "birch", at(200))]


@pytest.mark.parametrize(
    ("missed", "loss_at"),
    [
        pytest.param([80, 140, 200], at(80), id="lines a minute apart are one chain"),
        pytest.param([79, 140, 200], at(140), id="a longer pause ends it"),
    ],
)
def test_former_leader_is_missed_before_the_change(missed: list[int], loss_at: object) -> None:
    suspects = [line(each, "leader_suspect", "cedar", "alder") for each in missed]
    assert [each.loss_at for each in changes(*suspects, line(200, "leader", "birch"))] == [loss_at]


def test_node_that_follows_a_leader_again_missed_nothing() -> None:
    suspect, again = line(180, "leader_suspect", "cedar", "alder"), line(190, "following", "cedar")
    assert [each.loss_at for each in changes(suspect, again, line(200, "leader", "birch"))] == [at(200)]


@pytest.mark.parametrize(
    ("cause", "stack", "is_planned"),
    [
        pytest.param(line(1, "other", "cedar"), "redis", True, id="no sentinel missed it"),
        pytest.param(line(199, "leader_suspect", "cedar", "alder"), "redis", False, id="a sentinel did"),
        pytest.param(line(1, "other", "cedar"), "repmgr", False, id="a stack that does not say so of each failure"),
        pytest.param(line(150, "leader_wanted", "cedar"), "repmgr", True, id="somebody asked for it"),
        pytest.param(line(79, "leader_wanted", "cedar"), "repmgr", False, id="for an earlier one"),
        pytest.param(line(190, "db_shutdown", "alder"), "repmgr", True, id="the leader was stopped"),
        pytest.param(line(190, "db_shutdown", "alder", action="immediate"), "repmgr", False, id="in a hurry"),
        pytest.param(line(195, "give_up", "alder", stack="sqlserver"), "sqlserver", True, id="it hands its role over"),
    ],
)
def test_planned_change(cause: LeaderLine, stack: str, *, is_planned: bool) -> None:
    own = cause if cause.kind == "give_up" else cause._replace(stack=stack)
    assert [each.is_planned for each in changes(own, line(200, "leader", "birch", stack=stack))] == [is_planned]


def test_order_belongs_to_the_next_change() -> None:
    order = line(190, "leader_wanted", "cedar", stack="repmgr")
    found = changes(
        order, *(line(second, "leader", node, stack="repmgr") for second, node in [(200, "birch"), (210, "cedar")])
    )
    assert [each.is_planned for each in found] == [True, False]


def test_coordinator_counts_only_where_nothing_else_has_a_leader() -> None:
    moved = [line(0, "leader", "x", stack="etcd"), line(9, "leader", "y", stack="etcd")]
    assert [each.stack for each in leader_change(moved, [])] == ["etcd"]
    assert not list(leader_change([*moved, line(5, "leader", "alder")], []))


def test_member_is_forgotten_by_a_group_that_goes_on() -> None:
    gone = line(10, "member_gone", "birch", "alder", "galera")
    assert not list(leader_change([gone], []))
    (found,) = leader_change([gone, line(12, "leader_ready", "birch", stack="galera")], [])
    assert (found.former, found.leader) == ("alder", "birch")
