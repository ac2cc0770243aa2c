from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from pipeline.failover.fault.leader_signs import LastLine, LeaderSign, LogSpan, LostLeader, leader_sign
from pipeline.failover.leaders.leader_lines import LeaderLine
from pipeline.failover.stamps import microseconds
from pipeline.failover.timer.timer_settings import SpecifiedTimer
from tests.support.evidence_rows import at, row

SPAN = row(LogSpan, node="birch", format="syslog", first_at=at(0), resolution_s=1)


def line(second: float, kind: str, node: str, peer: str | None = None, **more: Any) -> LeaderLine:
    given = {"stack": "repmgr", "file_id": 1 if node == "birch" else 2, "process": "repmgrd"} | more
    return row(LeaderLine, second, kind=kind, node=node, node_key=node, peer=peer, peer_key=peer, **given)


def sign(*lines: LeaderLine, last: Sequence[LastLine] = (), **more: Any) -> LeaderSign:
    """The sign of the loss of leader alder, which birch missed after 100 s."""
    stack = more.get("stack", "repmgr")
    stated = [row(SpecifiedTimer, timer=name, seconds=seconds) for name, seconds in more.pop("stated", {}).items()]
    missed = line(100, more.pop("kind", "leader_suspect"), "birch", stack=stack)
    lost = {"run": "r", "stack": stack, "former_key": "alder", "is_planned": False, "is_replaced": True} | more
    loss = row(LostLeader, None, loss_at=at(100), membership_at=at(101), **lost)
    (found,) = leader_sign([loss], [missed, *lines], last, [SPAN, SPAN._replace(file_id=2)], stated)
    return found


def last(second: float, process: str, *, is_cut_off: bool = False) -> LastLine:
    given = {"run": "r", "stack": "repmgr", "loss_at": at(100), "node": "alder", "is_cut_off": is_cut_off}
    return row(LastLine, second, process=process, file_id=2, **given)


SEEN = line(96, "leader_alive", "birch", "alder")
OWN = line(50, "leader_ready", "alder")


def test_last_line_of_its_own_program_bounds_a_loss() -> None:
    found = sign(SEEN, OWN, last=[last(98, "repmgrd"), last(99, "sshd")])
    assert (found.low_us, found.node, found.is_assumed) == (microseconds(at(97.5)), "alder", False)
    assert found.high_us == microseconds(at(101))


@pytest.mark.parametrize(("first_s", "low_s"), [(100, None), (86, None), (84, 100 - 5 - 1 - 0.5)])
def test_line_that_is_said_again_and_again_bounds_no_loss_that_the_log_may_begin_after(
    first_s: float, low_s: float | None
) -> None:
    loss = row(LostLeader, run="r", stack="repmgr", former_key="alder", loss_at=at(100), membership_at=at(101))
    again, span = line(100, "leader_suspect", "birch", action="repeat"), SPAN._replace(first_at=at(first_s))
    (found,) = leader_sign([loss], [again], [], [span], [])
    assert (found.low_us, found.high_us) == (None if low_s is None else microseconds(at(low_s)), microseconds(at(101)))


def test_leader_whose_program_goes_on_was_cut_off() -> None:
    assert sign(SEEN, OWN, last=[last(98, "repmgrd", is_cut_off=True)]).low_us == microseconds(at(95.5))


def test_other_nodes_count_where_its_logs_are_not_there() -> None:
    assert sign(SEEN).low_us == microseconds(at(95.5))


@pytest.mark.parametrize(
    ("stack", "kind", "stated", "longest_s", "shortest_s"),
    [
        pytest.param("redis", "leader_suspect", {}, 30 + 1 + 0.2, 0, id="default of down-after-milliseconds"),
        pytest.param(
            "redis", "leader_suspect", {"sentinel_down_after": 5}, 5 + 1 + 0.2, 5 - 1, id="as sentinel.conf says"
        ),
        pytest.param(
            "repmgr", "leader_suspect", {"repmgr_monitor_interval": 10}, 10 + 2 + 1, 0, id="one of two stated"
        ),
        pytest.param("galera", "leader_suspect", {}, 5 + 1, 0, id="evs.suspect_timeout"),
        pytest.param("galera", "leader_suspect", {"galera_suspect": 3}, 3 + 1, 3 - 1, id="that a log prints"),
        pytest.param(
            "galera", "leader_suspect", {"galera_suspect": 3, "galera_stall": 6}, 3 + 1 + 6, 3 - 1, id="stood still"
        ),
        pytest.param("mysql", "leader_suspect", {}, 5 + 1, 5 - 2, id="Group Replication"),
        pytest.param("keepalived", "leader", {}, 4, 0, id="advertisements"),
    ],
)
def test_timers_bound_a_loss_that_nobody_saw_begin(
    stack: str, kind: str, stated: dict[str, float], longest_s: float, shortest_s: float
) -> None:
    found = sign(line(60, "leader_alive", "birch", "alder", stack=stack), stack=stack, kind=kind, stated=stated)
    assert found.low_us == microseconds(at(100 - longest_s - 1 - 0.5))
    assert found.high_us == microseconds(at(101 - max(shortest_s - 0.5, 0)))
    assert found.is_assumed == ("sentinel_down_after" not in stated and stack != "mysql")


def test_where_a_log_begins_is_no_bound() -> None:
    assert sign(stack="another").low_us is None


@pytest.mark.parametrize(
    ("node", "older_s", "stated", "is_assumed"),
    [
        pytest.param("alder", 0.5, {}, False, id="its own renewal"),
        pytest.param("birch", 40.5, {}, True, id="others see a lock for a lease"),
        pytest.param(
            "birch", 25.5, {"patroni_ttl": 20.0, "patroni_loop_wait": 5.0}, False, id="of a lease that is known"
        ),
    ],
)
def test_lock_that_is_renewed(node: str, older_s: float, stated: dict[str, float], *, is_assumed: bool) -> None:
    renewal = line(99, "leader_alive", node, "alder", action="renew", stack="patroni")
    found = sign(renewal, stack="patroni", stated=stated)
    assert (found.at_us, found.is_assumed) == (microseconds(at(99)), is_assumed)
    assert found.low_us == microseconds(at(99) - timedelta(seconds=older_s))
