"""Whether a service that goes down is taken away by the next planned change: that is no failure of this recovery."""

from collections.abc import Iterable
from datetime import datetime

from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.timeline import Timelines
from pipeline.failover.windows import ORDERED_BEFORE

GOES_DOWN = {"fault", "down"}
"""What lines say of a service that goes down, whoever wanted it."""


class PlannedChanges:
    """The planned losses of the nodes of a configuration."""

    def __init__(self, losses: Iterable[NodeLoss]) -> None:
        planned = (each for each in losses if each.is_planned or each.is_orderly)
        self._by_node = Timelines(
            planned, lambda each: (each.unit_run, each.lost_key), lambda each: (each.loss_at, each.loss_no), "loss_at"
        )

    def explain(self, unit_run: str | None, node_key: str | None, at: datetime) -> bool:
        """Whether what a node gives up follows from a planned change that another node is named in soon after."""
        return self._by_node.of((unit_run, node_key)).has(at, at + ORDERED_BEFORE)
