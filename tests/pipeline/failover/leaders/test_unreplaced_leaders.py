from typing import Any

import pytest

from pipeline.failover.leaders.leader_lines import LeaderLine
from pipeline.failover.leaders.unreplaced_leaders import LogFile, unreplaced_leader
from tests.support.evidence_rows import at, row


def line(second: float, kind: str, node: str, peer: str | None = None, **more: Any) -> LeaderLine:
    return row(
        LeaderLine, second, kind=kind, stack="patroni", node=node, node_key=node, peer=peer, peer_key=peer, **more
    )


LED = line(0, "leader_alive", "birch", "alder")
MISSED = line(100, "leader_suspect", "birch", "alder")
RACE = line(110, "election", "birch")


@pytest.mark.parametrize(
    ("lines", "log_end", "is_unreplaced"),
    [
        pytest.param([LED, MISSED, RACE], 160, True, id="a race that nobody wins"),
        pytest.param([LED, MISSED, RACE], 110, True, id="the log ends"),
        pytest.param([LED, MISSED], 160, True, id="the log ends before anybody wants to lead"),
        pytest.param([LED, MISSED], 400, False, id="nobody wants to lead, though the log goes on"),
        pytest.param([LED, line(100, "leader_down", "birch", "alder")], 160, True, id="they agree that it is gone"),
        pytest.param([MISSED, RACE], 160, False, id="nobody said that it led"),
        pytest.param([LED, MISSED, RACE, line(3700, "leader", "birch")], 4000, False, id="one leads within the hour"),
        pytest.param([LED, MISSED, RACE, line(120, "following", "birch", "alder")], 160, False, id="it leads on"),
        pytest.param([LED, MISSED, line(124, "leader_alive", "birch", "alder")], 130, False, id="it answers again"),
        pytest.param([LED, MISSED, RACE, line(90, "leader_wanted", "birch")], 160, False, id="somebody asked for it"),
        pytest.param([LED, MISSED, RACE, line(90, "db_shutdown", "alder")], 160, False, id="it was stopped"),
        pytest.param([LED, MISSED, line(103, "quorum_lost", "birch")], 110, False, id="who misses it is cut off"),
        pytest.param([LED, MISSED, line(103, "quorum_lost", "cedar")], 110, True, id="another node is"),
        pytest.param([LED, MISSED._replace(action="member")], 110, False, id="it may be a replica"),
        pytest.param([LED, MISSED._replace(action="member"), RACE], 160, True, id="an election shows that it led"),
    ],
)
def test_leader_that_nobody_replaces(lines: list[LeaderLine], log_end: float, *, is_unreplaced: bool) -> None:
    found = list(unreplaced_leader(lines, [LogFile("a", 1, at(log_end))]))
    assert [(each.former, each.loss_at, each.seen_at) for each in found] == [("alder", at(100), at(0))] * is_unreplaced


@pytest.mark.parametrize(
    ("lines", "missed_s"),
    [
        pytest.param([LED, MISSED, RACE, line(98, "upstream_lost", "cedar")], [98, 100], id="who is connected to it"),
        pytest.param([MISSED, line(101, "leader_down", "birch", "alder")], [100, 101], id="before it is said to lead"),
        pytest.param([MISSED, line(161, "leader_down", "birch", "alder")], [161], id="long before"),
        pytest.param([line(99, "leader_suspect", "birch", "cedar"), LED, MISSED, RACE], [100], id="another member"),
    ],
)
def test_loss_begins_with_the_first_line_that_misses_the_leader(lines: list[LeaderLine], missed_s: list[float]) -> None:
    found = list(unreplaced_leader(lines, [LogFile("a", 1, at(200))]))
    assert [each.at for each in found] == [at(second) for second in missed_s]
    assert {each.loss_at for each in found} == {at(missed_s[0])}


@pytest.mark.parametrize(
    ("after", "loss_at"),
    [
        pytest.param([line(100, "following", "birch", line_no=2)], [], id="in the same second"),
        pytest.param([line(100, "following", "birch", line_no=0)], [at(100)], id="a line before"),
        pytest.param([line(101, "following", "birch")._replace(stack="postgresql")], [at(100)], id="another program"),
        pytest.param([line(101, "following", "birch"), MISSED._replace(at=at(180))], [at(180)], id="it is missed anew"),
    ],
)
def test_node_that_follows_a_leader_again_without_naming_it(after: list[LeaderLine], loss_at: list[object]) -> None:
    lines = [LED, MISSED._replace(line_no=1), *after]
    assert [each.loss_at for each in unreplaced_leader(lines, [LogFile("a", 1, at(200))])] == loss_at


@pytest.mark.parametrize(("decided", "is_watched"), [([], False), ([line(170, "leader_down", "birch", "alder")], True)])
def test_log_that_ends_while_the_leader_is_tried_again_shows_no_failure(
    decided: list[LeaderLine], *, is_watched: bool
) -> None:
    tries = [line(second, "leader_suspect", "birch", "alder", action="repeat") for second in range(100, 170, 10)]
    found = list(unreplaced_leader([LED, *tries, *decided], [LogFile("a", 1, at(171))]))
    assert {each.is_watched for each in found} == {is_watched}


def test_group_without_a_leader_is_lost_with_its_quorum() -> None:
    gone, lost = line(100, "leader_suspect", "birch", "alder"), line(101, "quorum_lost", "birch")
    ready, own = line(103, "leader_ready", "cedar"), line(60, "leader_ready", "birch")

    def former(*lines: LeaderLine) -> list[str]:
        members = [each._replace(stack="galera") for each in (own, *lines)]
        return [each.former for each in unreplaced_leader(members, [LogFile("a", 1, at(999))])]

    assert former(gone, lost) == ["alder"]
    assert not former(gone)
    assert not former(gone, lost, ready)
    assert not former(gone, line(100, "leader_suspect", "birch", "cedar"), lost), "the writer is cut off from several"


@pytest.mark.parametrize(("log_end", "is_watched"), [(159, False), (160, True)])
def test_log_that_goes_on_would_show_another_leader(log_end: float, *, is_watched: bool) -> None:
    (found,) = unreplaced_leader([LED, MISSED, RACE], [LogFile("a", 1, at(log_end))])
    assert found.is_watched == is_watched


@pytest.mark.parametrize("named", [["alder"], []])
def test_a_leader_missed_without_its_name_is_the_one_missed_before(named: list[str]) -> None:
    lines = [*(line(100, "leader_suspect", "birch", each) for each in named), line(110, "leader_down", "birch")]
    found = unreplaced_leader([each._replace(stack="repmgr") for each in lines], [LogFile("a", 1, at(160))])
    assert {each.former for each in found} == set(named or ["former leader"])


def test_keeper_that_its_sentinel_hears_nothing_of_may_be_a_standby() -> None:
    silent, failed = line(100, "leader_suspect", "sentinel", "keeper1"), line(110, "leader_down", "sentinel", "keeper1")
    stolon = [each._replace(stack="stolon") for each in (silent, failed)]
    assert not list(unreplaced_leader(stolon[:1], [LogFile("a", 1, at(100))]))
    assert {each.former for each in unreplaced_leader(stolon, [LogFile("a", 1, at(110))])} == {"keeper1"}
