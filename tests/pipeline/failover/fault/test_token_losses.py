from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine, HaLine
from pipeline.failover.fault.host_clocks import ClientHost, HostClock, RefusalLine, RefusedQuestion, host_clock
from pipeline.failover.fault.last_words import LostNodeLine, last_words
from pipeline.failover.fault.token_losses import TokenLoss, token_loss
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.timer.timers import ClusterTimer
from tests.support.evidence_rows import at, row

INCIDENT = row(
    Incident,
    unit_run="1",
    run="1",
    lost_key="b",
    search_start_at=at(0),
    membership_at=at(20),
    loss_at=at(15),
    is_planned=False,
)


def _losses(lines: list[ClusterLine], warnings: list[HaLine] | None = None, nodes: int = 2) -> list[TokenLoss]:
    known: dict[str, Any] = {"is_token_assumed": False, "is_token_inferred": True, "hold_s": 0.5}
    timers = row(ClusterTimer, token_low_s=3.0, token_high_s=4.0, ring_nodes=nodes, **known)
    return list(token_loss([INCIDENT], [timers], lines, warnings or []))


def _lost(second: float, node: str = "a", **values: Any) -> ClusterLine:
    return row(
        ClusterLine, second, **{"source": "ha", "kind": "token_lost", "node_key": node, "resolution_s": 0.001, **values}
    )


def test_token_was_last_seen_its_timeout_before_the_last_loss() -> None:
    (found,) = _losses([_lost(5), _lost(12), _lost(13, "b"), _lost(25)])
    assert (found.low_at, found.high_at, found.is_inferred) == (at(12 - 4.01), at(12 - 2.99), True)


def test_printed_timeout_counts_before_that_of_the_configuration() -> None:
    (found,) = _losses([_lost(12, silent_s=3.5)])
    assert (found.low_at, found.high_at, found.is_inferred) == (at(12 - 3.51), at(12 - 3.49), False)


def test_node_of_a_larger_ring_may_have_held_the_token_before() -> None:
    (found,) = _losses([_lost(12)], nodes=3)
    assert found.low_at == at(12 - 4.51)


def test_warning_of_the_same_silence_counts_too() -> None:
    def late(second: float) -> HaLine:
        return row(HaLine, second, kind="token_late", value=2600.0, node_key="a", resolution_s=0.001)

    found = _losses([_lost(12, silent_s=3.5)], [late(6), late(11.1)])
    assert [each.at for each in found] == [at(12), at(11.1)]


def test_last_words_are_before_the_silence_by_the_survivors_clock() -> None:
    lines = [row(LostNodeLine, second, run="1", low_s=2.0, line_no=second) for second in (1, 4, 9)]
    assert [each.line_no for each in last_words([INCIDENT], lines, [])] == [9]
    silent = row(TokenLoss, run="1", high_at=at(8), hold_s=0.5)
    assert [(each.line_no, each.low_at) for each in last_words([INCIDENT], lines, [silent])] == [(4, at(6))]


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
