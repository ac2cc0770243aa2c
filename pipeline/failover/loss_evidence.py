"""Lines that say that a node is gone."""

from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.step import Int16, Int32


class NodeLossEvidence(NamedTuple):
    """One row per log line that says a node is gone. Times in UTC. A GAB membership counts when the one before it on
    that port and host had the node; the first membership of a log counts against the nodes known otherwise,
    unless the cluster layer was just starting. Port h counts where port a is not logged. Planned is what follows
    from an order or a good-bye of the node (`departure`), unless it was back, or was to be fenced, in between.
    Corosync's members that left without a lost token, and said so, have left in order; what Pacemaker says of
    them follows from it. Where no line declares a node lost, fencing after a lost token does; where nodes elect a
    leader, a change of it (`leader_change`), or that nobody replaced it (`unreplaced_leader`).
    """

    configuration: str
    unit_run: str | None
    layer: Annotated[str, "llt, gab, had, heartbeat, pacemaker, corosync, or the stack whose leader it was"]
    port: str | None
    is_leader_change: Annotated[bool, "the node led, and another one does so afterwards"]
    is_decisive: Annotated[bool, "counts as node loss; false for the other GAB ports"]
    is_planned: Annotated[bool, "the node leaves in order"]
    lost_id: Annotated[int | None, "LLT or corosync id of the lost node, where known"]
    lost_node: Annotated[str, "host name, or `node 0` where only the id is known"]
    lost_key: str
    node_key: Annotated[str | None, "host that wrote the line"]
    at: Annotated[datetime, "stamp as printed"]
    file_id: Int32
    line_no: Int32
    part: Int16
