from typing import Any

from pipeline.failover.evidence import ClusterLine, HaLine
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
