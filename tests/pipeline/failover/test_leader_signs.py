from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from pipeline.failover.leader_signs import LastLine, LeaderSign, LogSpan, LostLeader, leader_sign
from pipeline.failover.leaders import LeaderLine
from pipeline.failover.stamps import microseconds
from tests.support.evidence_rows import at, row

SPAN = row(LogSpan, node="birch", format="syslog", first_at=at(0), resolution_s=1)


def line(second: float, kind: str, node: str, peer: str | None = None, **more: Any) -> LeaderLine:
    given = {"stack": "repmgr", "file_id": 1 if node == "birch" else 2, "process": "repmgrd"} | more
    return row(LeaderLine, second, kind=kind, node=node, node_key=node, peer=peer, peer_key=peer, **given)


def sign(*lines: LeaderLine, last: Sequence[LastLine] = (), **more: Any) -> LeaderSign:
    """The sign of the loss of leader alder, which birch missed after 100 s."""
    lost = {"run": "r", "stack": "repmgr", "former_key": "alder", "is_planned": False, "is_replaced": True} | more
    loss = row(LostLeader, None, loss_at=at(100), membership_at=at(101), **lost)
    (found,) = leader_sign(
        [loss], [line(100, "leader_suspect", "birch"), *lines], last, [SPAN, SPAN._replace(file_id=2)]
    )
    assert found.high_us == microseconds(at(102))
    return found


def last(second: float, process: str) -> LastLine:
    return row(LastLine, second, run="r", stack="repmgr", loss_at=at(100), node="alder", process=process, file_id=2)


SEEN = line(70, "leader_alive", "birch", "alder")
OWN = line(50, "leader_ready", "alder")


def test_last_line_of_its_own_program_bounds_a_loss() -> None:
    found = sign(SEEN, OWN, last=[last(80, "repmgrd"), last(90, "sshd")])
    assert (found.low_us, found.node, found.is_assumed) == (microseconds(at(79.5)), "alder", False)


def test_other_nodes_count_where_its_logs_are_not_there() -> None:
    assert sign(SEEN).low_us == microseconds(at(69.5))


def test_log_that_missed_it_counts_where_nobody_says_that_it_lived() -> None:
    assert sign().low_us == microseconds(at(-0.5))


@pytest.mark.parametrize(
    ("node", "older_s", "is_assumed"),
    [
        pytest.param("alder", 0.5, False, id="its own renewal"),
        pytest.param("birch", 60.5, True, id="others see a lock for a lease"),
    ],
)
def test_lock_that_is_renewed(node: str, older_s: float, *, is_assumed: bool) -> None:
    renewal = line(70, "leader_alive", node, "alder", action="renew", stack="patroni")
    found = sign(renewal, stack="patroni")
    assert (found.at_us, found.is_assumed) == (microseconds(at(70)), is_assumed)
    assert found.low_us == microseconds(at(70) - timedelta(seconds=older_s))
