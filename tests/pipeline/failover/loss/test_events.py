import pytest

from pipeline.failover.loss.events import numbered
from pipeline.failover.loss.losses import LossEvent
from tests.support.evidence_rows import at, row


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
