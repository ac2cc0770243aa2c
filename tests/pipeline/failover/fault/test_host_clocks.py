from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.fault.host_clocks import ClientHost, HostClock, RefusalLine, RefusedQuestion, host_clock
from pipeline.failover.incident.incidents import Incident
from tests.support.evidence_rows import at, row

RUN: dict[str, Any] = {"run": "r", "unit_run": "r"}
WORDS = "connection refused"


def clocks(
    client: str | None = None,
    refused: Sequence[RefusedQuestion] = (),
    lines: Sequence[RefusalLine] = (),
    rings: Sequence[ClusterLine] = (),
) -> dict[str | None, HostClock]:
    """Clocks by host, where birch survives the loss of alder after 100 s."""
    incident = row(Incident, None, lost_key="alder", surviving_key="birch", membership_at=at(100), **RUN)
    clients = [row(ClientHost, node_key=client, **RUN)] if client else []
    return {each.node_key: each for each in host_clock([incident], [], rings, clients, refused, lines)}


def question(asked: float, known: float) -> RefusedQuestion:
    times = {"known_at": at(known), "first_known_at": at(110.01), "last_asked_at": at(120)}
    return row(RefusedQuestion, asked, node_key="cedar", reason=WORDS, **times, **RUN)


def refusal(second: float) -> RefusalLine:
    return row(RefusalLine, second, reason=WORDS, resolution_s=0.001, **RUN)


def ring(second: float, node_key: str, number: str = "1.8") -> ClusterLine:
    known = {"source": "ha", "stack": "corosync", "kind": "membership", "resolution_s": 0.001}
    return row(ClusterLine, second, node_key=node_key, resource=number, **known)


def test_client_on_the_surviving_node_has_its_clock() -> None:
    assert (clocks("birch")["birch"].low_s, clocks("birch")["birch"].high_s) == (0, 0)


def test_clock_of_a_client_that_nothing_compares_is_not_known() -> None:
    assert not clocks("cedar")


def test_refusals_bound_a_clock_by_the_lines_between_asking_and_answer() -> None:
    asked = [question(110, 110.01), question(120, 120.01)]
    found = clocks("cedar", asked, [refusal(115.005), refusal(125.005)])["cedar"]
    assert (found.basis, found.witnesses) == ("refusals", 2)
    assert (found.low_s, found.high_s) == pytest.approx((4.994, 5.007))


def test_ring_that_both_nodes_logged_compares_their_clocks() -> None:
    later = [ring(90, "alder", "1.9"), ring(101, "birch", "1.9")]
    found = clocks(rings=[ring(50, "alder"), ring(52, "birch"), *later])["alder"]
    assert found.basis == "ring"
    assert (found.low_s, found.high_s) == pytest.approx((1.98, 2.02))
