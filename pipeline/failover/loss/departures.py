"""When a node leaves in order: orders, good-byes, and the losses that follow from them."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.loss.node_ids import RING, ClusterNode
from pipeline.failover.loss.unit_lines import UnitLines
from pipeline.failover.step import Int16, Int32, passed_on, step
from pipeline.failover.timeline import Timelines
from pipeline.failover.windows import (
    FENCE_LOGGED,
    FENCED_BEFORE,
    LEAVE_LOGGED,
    SHUTDOWN_TAKES,
    STANDBY_LASTS,
)

ALL_NODES = "*"
SHUTDOWN, STANDBY = "shutdown", "standby"

UNSET = {"off", "false", "(unset)", "0", "no"}
"""Values of an attribute by which an order to leave is taken back."""


class Departure(NamedTuple):
    """One row per log line by which a node leaves its cluster in order, or somebody orders it to leave or to run
    nothing. Times in UTC. The node says it itself (its cluster manager, corosync or operating system stops), its
    peers announce it, or a person ordered it. A loss that follows is planned, unless the node came back or was to
    be fenced in between: see `node_loss_evidence`.
    """

    configuration: str
    unit_run: str | None
    node_key: Annotated[str, "node that leaves, in small letters; * for all nodes"]
    at: Annotated[datetime, "stamp as printed"]
    how: Annotated[str, "shutdown, standby, maintenance"]
    is_revoked: Annotated[bool, "the order was taken back: the node may run something again"]
    is_own: Annotated[bool, "the node itself wrote the line"]
    until_at: Annotated[datetime, "a loss later than this does not follow from it"]
    file_id: Int32
    line_no: Int32
    part: Int16


class DepartureLine(NamedTuple):
    """A line by which a node may leave its cluster, or somebody orders it to."""

    configuration: str
    unit_run: str | None
    node_key: str | None
    kind: str
    action: str | None
    state: str | None
    leaver_key: str | None
    leaver_id: int | None
    at: datetime
    file_id: int
    line_no: int
    part: int


@step(of="departure_line", is_stored=False)
def departure(departure_line: Sequence[DepartureLine], cluster_node: Sequence[ClusterNode]) -> Iterator[Departure]:
    """Lines by which a known node leaves in order, or an order to leave is given or taken back."""
    names: dict[int | None, str] = {each.node_id: each.node.lower() for each in cluster_node if each.series == RING}
    for line in sorted(departure_line, key=attrgetter("at", "file_id", "line_no", "part")):
        node_key = names.get(line.leaver_id) if line.leaver_key is None else line.leaver_key
        if not node_key:
            continue
        how = {"standby_wanted": STANDBY, "leave_wanted": line.action}.get(line.kind, SHUTDOWN) or ""
        yield passed_on(
            Departure,
            line,
            node_key=node_key,
            how=how,
            is_revoked=line.kind == "leave_wanted" and (line.state or "").lower() in UNSET,
            is_own=node_key == line.node_key,
            until_at=line.at + (SHUTDOWN_TAKES if how == SHUTDOWN else STANDBY_LASTS),
        )


class Departures:
    """The departures of a unit, by node."""

    def __init__(self, departures: Sequence[Departure], lines: UnitLines) -> None:
        self._by_node = Timelines(departures, attrgetter("node_key"))
        self._lines = lines

    def explain(self, lost_key: str | None, at: datetime) -> bool:
        """Whether the loss of a node follows from one: it neither came back nor was fenced in between."""
        return any(
            not each.is_revoked
            and each.until_at >= at
            and (self._is_for_good(each, lost_key, at) if each.how == SHUTDOWN else not self._is_revoked(each, at))
            and not self._lines.fencings.of(lost_key).has(each.at - FENCED_BEFORE, at + FENCE_LOGGED)
            for node_key in (lost_key, ALL_NODES)
            for each in self._by_node.of(node_key).between(at - STANDBY_LASTS, at + LEAVE_LOGGED)
        )

    def _is_for_good(self, departure: Departure, lost_key: str | None, at: datetime) -> bool:
        return not self._lines.is_back(lost_key, departure.at, at)

    def _is_revoked(self, departure: Departure, at: datetime) -> bool:
        return any(each.is_revoked for each in self._by_node.of(departure.node_key).between(departure.at, at))
