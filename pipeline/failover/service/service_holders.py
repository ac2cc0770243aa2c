"""Which nodes had a service as a node was lost: what a node that had none loses is no failed failover."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from pipeline.failover.evidence import ServiceSign
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.step import step
from pipeline.failover.timeline import Timeline
from pipeline.failover.windows import LOSS_IS_LOGGED

HELD = {"start", "up"}
"""Signs after which a node has a service."""


class ServiceHolder(NamedTuple):
    """One row per incident without a move and node that had a service as the node was lost."""

    configuration: str
    unit_run: str | None
    run: str
    node_key: str
    is_lost: bool


class Change(NamedTuple):
    """A sign of a service of a node, or the loss of the node; `order`: among those of one instant.

    `service`: None where no line names it.
    """

    at: datetime
    order: tuple[bool, int, int]
    sign: str
    service: str | None


class Holding(NamedTuple):
    """Whether a node has a service from an instant on."""

    at: datetime
    has_service: bool


@step(of="incident", is_stored=False)
def service_holder(incident: Sequence[Incident], service_sign: Sequence[ServiceSign]) -> Iterator[ServiceHolder]:
    """The nodes of a unit that had a service, of each incident in which none moved."""
    unmoved = [each for each in incident if not each.has_moved]
    if not unmoved:
        return
    changes = _changes(incident, service_sign)
    holdings = {key: Timeline(_holdings(own), attrgetter("at")) for key, own in changes.items()}
    stops = Timeline(each for each in service_sign if each.sign == "stop")
    for each in unmoved:
        last = {key: own.last_before(each.loss_at) for key, own in holdings.items()}
        holders = {key for key, held in last.items() if held is not None and held.has_service}
        # a primary has the database
        if each.is_hadr or _ended_with_node(each, stops):
            holders.add(each.lost_key)
        for key in sorted(holders):
            yield ServiceHolder(each.configuration, each.unit_run, each.run, key, is_lost=key == each.lost_key)


def _changes(incidents: Iterable[Incident], signs: Iterable[ServiceSign]) -> dict[str, list[Change]]:
    """What says that a service begins or ends on a node, by node."""
    found: dict[str, list[Change]] = defaultdict(list)
    for each in signs:
        if each.node_key is not None and each.sign in {*HELD, "stop"}:
            found[each.node_key].append(Change(each.at, (True, each.file_id, each.line_no), each.sign, each.service))
    for lost in incidents:
        # nodes that only lost sight of each other go on with what they have
        for key in lost.lost_keys if lost.partition_outcome is None else []:
            found[key].append(Change(lost.loss_at, (False, 0, 0), "lost", None))
    return found


def _holdings(changes: Iterable[Change]) -> Iterator[Holding]:
    """Whether a node has a service after each change. Lines that name none are about the one that others name."""
    held: set[str | None] = set()
    for each in sorted(changes, key=attrgetter("at", "order")):
        if each.sign == "lost" or (each.sign == "stop" and each.service is None):
            held.clear()
        elif each.sign == "stop":
            held -= {each.service, None}
        elif each.service is not None or not held:
            held.discard(None)
            held.add(each.service)
        yield Holding(each.at, bool(held))


def _ended_with_node(lost: Incident, stops: Timeline[ServiceSign]) -> bool:
    """Whether the cluster says of the lost node that its service ended with it."""
    return any(
        each.node_key == lost.lost_key and each.writer_key != lost.lost_key
        for each in stops.between(lost.loss_at, lost.membership_at + LOSS_IS_LOGGED)
    )
