"""Losses that somebody ordered, and crashes: told apart, and which machine was lost, whatever ids a ring prints."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.support.failover_logs import Store, ingested
from tests.support.ring_logs import BIG_IDS, SMALL_IDS, START, Ring

ZONE = timedelta(hours=8)
APART_S = 7200


def runs(store: Store, configuration: str) -> list[tuple[Any, ...]]:
    """Of runs that nobody planned: the lost and the surviving node, seconds after the start, whether used."""
    found = store.rows(
        "select lost_node, surviving_node, epoch(fault_at - ?) as s, used from run inner join run_outcome "
        "using (configuration, run) where fault_at is not null and outcome <> 'planned' and configuration = ? "
        "order by s",
        START - ZONE,
        configuration,
    )
    return [(lost, surviving, float(seconds), used) for lost, surviving, seconds, used in found]


def losses(store: Store, configuration: str) -> list[tuple[str, bool]]:
    """All losses: the node, and whether it was planned."""
    return store.rows(
        "select lost_node, is_planned or is_orderly from node_loss where configuration = ? order by loss_at",
        configuration,
    )


def never_itself(store: Store) -> None:
    """No machine is lost and survives at the same time."""
    assert store.rows("select * from run where lower(lost_node) = lower(surviving_node)") == []
    assert store.rows("select * from loss_candidate where taken_for = 'incident' and lower(peer) = lower(node)") == []


def rebooted_then_fenced(ring: Ring) -> None:
    """The first node is rebooted in order; a quarter of an hour later the second one is fenced."""
    first, second = ring.names[:2]
    ring.start()
    ring.serve(first, 60)
    ring.release(first, 673)
    ring.reboot(first, 674, coordinator=first)
    ring.serve(second, 676)
    ring.back(first, 800)
    ring.fence(second, 1615, took=31.7)
    ring.crash(second, 1641 - 5, fenced=False)
    ring.serve(first, 1650)


TWO, THREE = ("15sp1-1", "15sp1-2"), ("db1", "db2", "db3")


HISTORIES = {
    "two nodes, ids of 32 bits in lines": (TWO, BIG_IDS, True, False),
    "two nodes, ids 1 and 2 in the nodelist": (TWO, SMALL_IDS, False, True),
    "two nodes, ids of 32 bits that nothing maps": (TWO, BIG_IDS, False, False),
    "three nodes, ids in lines and in the nodelist": (THREE, SMALL_IDS, True, True),
    "three nodes, ids of 32 bits in the nodelist": (THREE, BIG_IDS, False, True),
    "three nodes, ids that nothing maps": (THREE, SMALL_IDS, False, False),
}
Story = Callable[[Ring], None]


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One study of all histories and stories, each a configuration, and later than the one before."""
    study, written = tmp_path_factory.mktemp("stories") / "study", count()

    def write(ring: Ring, name: str, *, nodelist: bool = False) -> None:
        shift = next(written) * APART_S
        ring.lines = {node: [(at + shift, text) for at, text in said] for node, said in ring.lines.items()}
        ring.write(study / name, nodelist=nodelist)

    for name, (names, ids, says_ids, nodelist) in HISTORIES.items():
        ring = Ring(names=names, ids=ids, says_ids=says_ids)
        rebooted_then_fenced(ring)
        write(ring, name, nodelist=nodelist)
    for story, moves in PLANNED:
        ring = Ring()
        ring.start()
        if moves:
            ring.serve("15sp1-1", 60)
            ring.serve("15sp1-2", 620)
        story(ring)
        write(ring, f"{story.__name__}, moves: {moves}")
    for story in CRASHES:
        ring = Ring()
        ring.start()
        ring.serve("15sp1-1", 60)
        story(ring)
        ring.serve("15sp1-2", 620)
        write(ring, story.__name__)
    store = ingested(study)
    never_itself(store)
    return store


@pytest.mark.parametrize("history", HISTORIES)
def test_a_reboot_is_no_crash_and_the_fenced_node_is_the_one_that_is_lost(stories: Store, history: str) -> None:
    names, *_ = HISTORIES[history]
    ((lost, surviving, fault_s, used),) = runs(stories, history)
    assert (lost, surviving, used) == (names[1], names[0], True)
    assert fault_s % APART_S == pytest.approx(1636, abs=5)
    assert losses(stories, history) == [(names[0], True), (names[1], False)]


def left_in_order(ring: Ring) -> None:
    ring.leave("15sp1-1", 600)


def shut_down_by_itself(ring: Ring) -> None:
    ring.reboot("15sp1-1", 600)


def stopped_by_command(ring: Ring) -> None:
    ring.ordered("15sp1-2", 590, "pcs cluster stop 15sp1-1")
    ring.crash("15sp1-1", 600, fenced=False)


def crashed_in_standby(ring: Ring) -> None:
    ring.ordered("15sp1-2", 300, "crm node standby 15sp1-1")
    ring.crash("15sp1-1", 600, fenced=False)


def host_shut_down(ring: Ring) -> None:
    ring.say("15sp1-1", 598, "systemd-logind[801]: System is rebooting.")
    ring.crash("15sp1-1", 600, fenced=False)


ORDERS: list[Story] = [left_in_order, shut_down_by_itself, stopped_by_command, crashed_in_standby, host_shut_down]
PLANNED = [(story, moves) for story in ORDERS for moves in (True, False)]


@pytest.mark.parametrize(("story", "moves"), PLANNED)
def test_what_follows_an_order_is_planned(stories: Store, story: Story, *, moves: bool) -> None:
    name = f"{story.__name__}, moves: {moves}"
    assert {is_planned for _, is_planned in losses(stories, name)} == {True}
    assert runs(stories, name) == []


def came_back_before(ring: Ring) -> None:
    ring.reboot("15sp1-1", 100, coordinator="15sp1-2")
    ring.back("15sp1-1", 300)
    ring.crash("15sp1-1", 600)


def standby_was_revoked(ring: Ring) -> None:
    ring.ordered("15sp1-2", 100, "crm node standby 15sp1-1")
    ring.ordered("15sp1-2", 200, "crm node online 15sp1-1")
    ring.crash("15sp1-1", 600)


def fenced_as_it_stopped(ring: Ring) -> None:
    ring.ordered("15sp1-2", 500, "pcs cluster stop 15sp1-1")
    ring.fence("15sp1-1", 590)
    ring.crash("15sp1-1", 600, fenced=False)


def forced_reboot(ring: Ring) -> None:
    ring.ordered("15sp1-1", 600, "reboot -f")
    ring.crash("15sp1-1", 600)


def order_to_the_other(ring: Ring) -> None:
    ring.ordered("15sp1-2", 500, "crm node standby 15sp1-2")
    ring.ordered("15sp1-2", 550, "crm node online 15sp1-2")
    ring.crash("15sp1-1", 600)


CRASHES: list[Story] = [came_back_before, standby_was_revoked, fenced_as_it_stopped, forced_reboot, order_to_the_other]


@pytest.mark.parametrize("story", CRASHES)
def test_what_follows_no_order_is_a_crash(stories: Store, story: Story) -> None:
    ((lost, surviving, fault_s, used),) = runs(stories, story.__name__)
    assert (lost, surviving, used) == ("15sp1-1", "15sp1-2", True)
    assert fault_s % APART_S == pytest.approx(600, abs=5)
    assert losses(stories, story.__name__)[-1] == ("15sp1-1", False)


def test_a_crash_that_moves_nothing_has_detection_and_fencing(tmp_path: Path) -> None:
    ring = Ring(names=("db1", "db2", "db3"), ids=SMALL_IDS, version="3.1.2")
    ring.start()
    ring.serve("db1", 60)
    ring.crash("db3", 600, first="db1")
    ring.say("db1", 1500, "sshd[41]: Accepted publickey for root")
    ring.write(tmp_path / "idle")
    store = ingested(tmp_path / "idle")
    never_itself(store)
    ((lost, surviving, fault_s, used),) = runs(store, "idle")
    assert (lost, used) == ("db3", True)
    assert surviving in {"db1", "db2"}
    assert fault_s == pytest.approx(600, abs=0.5)
    found = store.milestones("idle", "1")
    assert found["token"] == pytest.approx(5, abs=0.5)
    assert found["dead"] == pytest.approx(11, abs=0.5)
    assert found["fenced"] == pytest.approx(15.2, abs=0.5)
    assert store.one("select outcome, is_counted from run_outcome") == ("unknown", False)


def test_of_nodes_that_lose_each_other_the_fenced_one_is_lost_where_no_service_starts(tmp_path: Path) -> None:
    ring = Ring(ids=SMALL_IDS)
    ring.crash("15sp1-2", 600, fenced=False)
    ring.crash("15sp1-1", 600.3)
    ring.write(tmp_path / "split")
    store = ingested(tmp_path / "split")
    never_itself(store)
    assert store.rows("select lost_node, surviving_node, has_moved from incident") == [("15sp1-1", "15sp1-2", False)]
    assert store.milestones("split", "1")["fenced"] == pytest.approx(15.2, abs=2)


def test_a_node_that_is_fenced_with_the_token_in_place_is_no_loss(tmp_path: Path) -> None:
    ring = Ring(ids=SMALL_IDS)
    ring.start()
    ring.fence("15sp1-1", 600)
    ring.write(tmp_path / "by-hand", "15sp1-2")
    assert losses(ingested(tmp_path / "by-hand"), "by-hand") == []


def test_several_crashes_of_one_folder_are_runs_of_their_own(tmp_path: Path) -> None:
    ring = Ring(ids=SMALL_IDS)
    ring.start()
    for number, node in enumerate(("15sp1-1", "15sp1-2", "15sp1-1")):
        at = 600.0 + 1000 * number
        ring.crash(node, at)
        ring.back(node, at + 300)
    ring.reboot("15sp1-2", 5000, coordinator="15sp1-1")
    ring.write(tmp_path / "series")
    store = ingested(tmp_path / "series")
    never_itself(store)
    found = runs(store, "series")
    assert [lost for lost, *_ in found] == ["15sp1-1", "15sp1-2", "15sp1-1"]
    assert [seconds for _, _, seconds, _ in found] == pytest.approx([600, 1600, 2600], abs=5)


def test_a_token_that_no_line_prints_is_the_wait_for_consensus_by_1_2(tmp_path: Path) -> None:
    ring = Ring()
    ring.start()
    ring.crash("15sp1-1", 600)
    ring.serve("15sp1-2", 620)
    ring.write(tmp_path / "consensus")
    store = ingested(tmp_path / "consensus")
    low, high, inferred = store.one("select token_low_s, token_high_s, is_token_inferred from cluster_timer")
    assert low <= 5 <= high <= low + 0.4
    assert inferred
    assert runs(store, "consensus")[0][2] == pytest.approx(600, abs=0.6)
