"""The sides of a cut network: whom each node declared lost, and what it did afterwards by its own lines."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import BOOTS, ClusterLine, ServiceSign
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.loss.losses import LossEvent
from pipeline.failover.rules import rules
from pipeline.failover.stamps import MICROSECOND, SECOND_US
from pipeline.failover.step import CONFIGURATION, Int32, grouped, nulls_last, step
from pipeline.failover.timeline import BY_LINE, Timeline, Timelines
from pipeline.failover.windows import (
    BOOT_LOGGED_LATE,
    FOLLOWED,
    GOES_DOWN,
    QUORUM_DECIDED,
    QUORUM_LOST_BEFORE,
)

QUORUM = {"quorum_lost", "quorum_acquired"}


class PartitionSide(NamedTuple):
    """One row per partition of the network and node of it: whom it declared lost, and while what its lines are looked
    at. Times in UTC. Clocks of nodes are compared by what both do at the same time: each declares the other lost
    as the same timer runs out.
    """

    configuration: str
    unit_run: str | None
    event_no: Annotated[Int32, "number of the event, as in loss_event"]
    node: str
    node_key: Annotated[str, "the same in small letters"]
    event_at: Annotated[datetime, "first line of the event"]
    own_at: Annotated[
        datetime, "its first line that declares another node lost; where it wrote none, the first of the event"
    ]
    wrote: Annotated[bool, "it wrote such a line"]
    lost: Annotated[list[str], "nodes that it declared lost, in small letters"]
    lost_by: Annotated[list[str], "nodes that declared it lost"]
    end_at: Annotated[datetime, "end of the time that is looked at: the next event or one hour later"]


class PartitionLine(NamedTuple):
    """One row per line of a node of a partition that says that it starts or goes down, and per instant it wrote at."""

    configuration: str
    unit_run: str | None
    event_no: Int32
    node_key: str
    at: datetime
    file_id: Int32
    line_no: Int32
    is_boot: bool
    is_panic: bool


class Down(NamedTuple):
    """That a node went down: `at` by the clock of who shows it, `own_at` by its own; fenced, panicked, restarted."""

    at: datetime
    own_at: datetime
    how: str
    file_id: int
    line_no: int


@dataclass(frozen=True, slots=True)
class Node:
    """What a node of a partition did afterwards. Seconds are counted from the node's own first line about the loss of
    others, where it wrote one.

    `served_at`: last line before the partition by which it had the service. `started_at`, `stopped_at`: first lines by
    which it starts the service and gives it up afterwards, before it went down. `quorum_lost_at`: it did not get it
    back before it went down. `last`: its last line in that time or before it went down.
    """

    side: PartitionSide
    served_at: datetime | None
    started_at: datetime | None
    stopped_at: datetime | None
    quorum_lost_at: datetime | None
    down: Down | None
    last: PartitionLine | None

    def seconds(self, instant: datetime | None) -> float | None:
        """Seconds from its own first line."""
        return None if instant is None else (instant - self.side.own_at) // MICROSECOND / SECOND_US

    @property
    def started_s(self) -> float | None:
        """When it started the service."""
        return self.seconds(self.started_at)

    @property
    def down_s(self) -> float | None:
        """When it went down."""
        return self.seconds(self.down and self.down.own_at)

    @property
    def last_s(self) -> float | None:
        """When it wrote its last line; None without a log."""
        return self.seconds(self.last and self.last.at)


@step(by=CONFIGURATION, of="loss_event")
def partition_side(
    loss_event: Sequence[LossEvent], node_loss_evidence: Sequence[NodeLossEvidence]
) -> Iterator[PartitionSide]:
    """The nodes of each event in which nodes declared each other lost."""
    names: dict[str, str] = {}
    for loss in loss_event:
        names[loss.lost_key] = min(loss.lost_node, names.get(loss.lost_key, loss.lost_node))
    evidence = grouped((each for each in node_loss_evidence if each.is_decisive), "unit_run")
    for (unit_run,), losses in sorted(grouped(loss_event, "unit_run").items(), key=lambda each: nulls_last(each[0])):
        if not any(each.is_partition for each in losses):
            continue
        lines = Timeline(evidence.get((unit_run,), []))
        events = [own for _, own in sorted(grouped(losses, "event_no").items())]
        for own, following in zip_longest(events, events[1:]):
            if any(each.is_partition for each in own):
                yield from _sides(own, following or [], lines, names)


def _sides(
    losses: Sequence[LossEvent],
    following: Sequence[LossEvent],
    evidence: Timeline[NodeLossEvidence],
    names: Mapping[str, str],
) -> Iterator[PartitionSide]:
    event_at = min(each.loss_at for each in losses)
    end_at = min([event_at + FOLLOWED, *(each.loss_at for each in following)])
    declared = {(observer, each.lost_key) for each in losses for observer in each.observers or []}
    first: dict[str | None, datetime] = {}
    for line in evidence.within(event_at, end_at):
        first.setdefault(line.node_key, line.at)
    for node_key in sorted({node for pair in declared for node in pair}):
        yield PartitionSide(
            losses[0].configuration,
            losses[0].unit_run,
            losses[0].event_no,
            names.get(node_key, node_key),
            node_key,
            event_at,
            first.get(node_key, event_at),
            node_key in first,
            sorted(lost for observer, lost in declared if observer == node_key),
            sorted(observer for observer, lost in declared if lost == node_key),
            end_at,
        )


def nodes(
    sides: Iterable[PartitionSide],
    partition_lines: Iterable[PartitionLine],
    cluster_lines: Sequence[ClusterLine],
    signs: Iterable[ServiceSign],
) -> Iterator[Node]:
    """What each node of the partitions of a unit did afterwards."""
    own = grouped(partition_lines, "event_no", "node_key")
    written = Timelines((each for each in cluster_lines if each.kind in BOOTS | QUORUM), attrgetter("node_key"))
    fencings = Timeline(each for each in cluster_lines if each.kind in {"fence_done", "fence_helper_done"})
    service = Timelines(signs, attrgetter("node_key"))
    for side in sides:
        lines = own.get((side.event_no, side.node_key), [])
        of_cluster = written.of(side.node_key)
        boot = _boot(side, lines, of_cluster)
        last = _last_line(lines, boot)
        until = side.end_at if boot is None else min(side.end_at, boot.at)
        down = _down(side, _stop(side, lines, fencings), boot, last)
        quorum_lost_at = _quorum_lost_at(side, until, of_cluster)
        yield Node(side, *_service(side, until, service.of(side.node_key)), quorum_lost_at, down, last)


def _boot(
    side: PartitionSide, lines: Sequence[PartitionLine], of_cluster: Timeline[ClusterLine]
) -> PartitionLine | ClusterLine | None:
    """The first line by which the node starts, or its cluster manager, which gives up what it ran."""
    boots: list[PartitionLine | ClusterLine] = [each for each in lines if each.is_boot]
    boots += [each for each in of_cluster.within(side.own_at, side.end_at) if each.kind in BOOTS]
    return min(boots, key=BY_LINE, default=None)


def _last_line(lines: Sequence[PartitionLine], boot: PartitionLine | ClusterLine | None) -> PartitionLine | None:
    """The last line of the node before it starts again."""
    # the first line that names the boot is not the first of it
    before = [each for each in lines if boot is None or each.at < boot.at - BOOT_LOGGED_LATE]
    return max(before, key=lambda each: (each.at, each.line_no, -each.file_id), default=None)


def _stop(
    side: PartitionSide, lines: Sequence[PartitionLine], fencings: Timeline[ClusterLine]
) -> tuple[str, PartitionLine | ClusterLine] | None:
    """How the node itself goes down, and the line that shows it: that it is fenced, else that it panics."""
    fenced = [
        each
        for each in fencings.between(side.event_at, side.event_at + GOES_DOWN)
        if each.at < side.end_at and side.node_key == _fenced_node(each)
    ]
    if fenced:
        return "fenced", fenced[0]
    panics = [each for each in lines if each.is_panic and each.at <= side.own_at + GOES_DOWN]
    return ("panicked", min(panics, key=BY_LINE)) if panics else None


def _fenced_node(line: ClusterLine) -> str | None:
    """The node that a line says was fenced: where it names none, for some stacks its writer."""
    if line.system_key is None and line.stack in rules("losses")["fencing"]["stacks_whose_writer_is_fenced"]:
        return line.node_key
    return line.system_key


def _down(
    side: PartitionSide,
    stop: tuple[str, PartitionLine | ClusterLine] | None,
    boot: PartitionLine | ClusterLine | None,
    last: PartitionLine | None,
) -> Down | None:
    """Whether and when the node went down."""
    lived_at = last.at if last else side.own_at
    if stop:
        how, line = stop
        # the clock of who fenced is another one; the node's own last line shows how long it lived
        own_at = lived_at if how == "fenced" and side.wrote else line.at
        return Down(line.at, own_at, how, line.file_id, line.line_no)
    return Down(lived_at, lived_at, "restarted", boot.file_id, boot.line_no) if boot else None


def _service(
    side: PartitionSide, until: datetime, signs: Timeline[ServiceSign]
) -> tuple[datetime | None, datetime | None, datetime | None]:
    """When the node last had the service before, and when it starts it and gives it up afterwards."""
    before = [(each.at, each.sign) for each in signs.before(side.own_at)]
    served_at = max((at for at, sign in before if sign in {"start", "up"}), default=None)
    stopped_at = max((at for at, sign in before if sign == "stop"), default=None)
    if served_at is not None and stopped_at is not None and served_at <= stopped_at:
        served_at = None
    # what others say of it is what they think of it
    own = [each for each in signs.within(side.own_at, until) if each.writer_key in {None, side.node_key}]
    started_at = next((each.at for each in own if each.sign == "start"), None)
    return served_at, started_at, next((each.at for each in own if each.sign == "stop"), None)


def _quorum_lost_at(side: PartitionSide, until: datetime, of_cluster: Timeline[ClusterLine]) -> datetime | None:
    """When the node lost the quorum, unless it got it back."""
    latest = min(side.own_at + QUORUM_DECIDED, until)
    lines = [each for each in of_cluster.between(side.own_at - QUORUM_LOST_BEFORE, latest) if each.kind in QUORUM]
    last = max(lines, key=lambda each: (each.at, each.line_no), default=None)
    return last.at if last and last.kind == "quorum_lost" else None
