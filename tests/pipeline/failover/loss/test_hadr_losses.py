from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.loss.hadr_losses import HadrRecord, hadr_loss
from tests.support.evidence_rows import row


def standby(second: float, kind: str, state: str | None = None) -> ClusterLine:
    return row(ClusterLine, second, kind=f"hadr_{kind}", state=state, node="birch", node_key="birch", database="D")


def primary(second: float, node: str = "Alder", *, is_stop: bool = False) -> HadrRecord:
    return row(HadrRecord, second, node=node, node_key=node.lower(), database="D", is_stop=is_stop)


LOST, FOUND = standby(0, "partner_lost"), standby(50, "partner_found")
FORCED = standby(60, "takeover_command", "forced")


@pytest.mark.parametrize(
    ("lines", "records", "expected"),
    [
        pytest.param([LOST, FORCED], [primary(-9)], [(60, "Alder")], id="taken over by force"),
        pytest.param([LOST, FORCED], [], [(60, None)], id="from a node that nobody knows"),
        pytest.param([LOST, FORCED], [primary(-9), primary(-9, "ash")], [(60, None)], id="of two nodes"),
        pytest.param([LOST, FOUND, FORCED], [primary(-9)], [], id="they had found each other again"),
        pytest.param([LOST, FORCED], [primary(-60, is_stop=True)], [], id="somebody stopped the primary"),
        pytest.param([LOST, FORCED, standby(61, "takeover_command", "forced")], [], [(60, None)], id="given again"),
        pytest.param([LOST, standby(60, "takeover_command")], [primary(-999)], [], id="taken over without force"),
        pytest.param([LOST], [primary(-121)], [(None, "Alder")], id="nobody took over, and the primary is silent"),
        pytest.param([LOST], [primary(120)], [], id="the primary runs on"),
        pytest.param([LOST], [], [], id="no log of the primary"),
        pytest.param([LOST, standby(9, "partner_lost")], [primary(-999)], [(None, "Alder")], id="missed again"),
    ],
)
def test_primary_that_its_standby_missed(
    lines: list[ClusterLine], records: list[HadrRecord], expected: list[tuple[float | None, str | None]]
) -> None:
    found: list[Any] = list(hadr_loss(lines, records))
    times = [each.command_at and (each.command_at - LOST.at).total_seconds() for each in found]
    assert list(zip(times, (each.lost_node for each in found), strict=True)) == expected
    assert {each.loss_at for each in found} <= {LOST.at}
