"""Whether a node that is said to start worked on meanwhile: a line alone does not restart it."""

from collections.abc import Sequence
from datetime import datetime
from operator import attrgetter

from pipeline.failover.evidence import BOOTS, ClusterLine
from pipeline.failover.timeline import Timelines
from pipeline.failover.windows import BOOT_TAKES, SAME_SECOND

WORKING = {
    *("initiate_online", "resource_online", "group_online"),
    *("operation_start", "operation_done", "takeover_done", "idle"),
}
"""Kinds of line that a cluster manager writes only after it has started."""


class Work:
    """The lines by which nodes of a configuration work or start."""

    def __init__(self, lines: Sequence[ClusterLine]) -> None:
        by_node = attrgetter("unit_run", "node_key")
        self._work = Timelines((each for each in lines if each.kind in WORKING), by_node)
        self._starts = Timelines((each for each in lines if each.kind in BOOTS), by_node)

    def contradicts_start(self, unit_run: str | None, node_key: str | None, at: datetime) -> bool:
        """Whether a node works on sooner than it can have started, and its cluster manager does not start anew."""
        key = unit_run, node_key
        line = self._work.of(key).first_since(at + SAME_SECOND)
        return (
            line is not None and line.at <= at + BOOT_TAKES and not self._starts.of(key).has(at - SAME_SECOND, line.at)
        )
