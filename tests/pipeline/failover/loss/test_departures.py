from datetime import timedelta

import pytest

from pipeline.failover.loss.departures import DepartureLine, departure
from pipeline.failover.loss.node_ids import ClusterNode
from tests.support.evidence_rows import at, row


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
