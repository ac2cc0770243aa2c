"""Losses that are one event: nodes lost together, a cut network, a node lost as it took over."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from pipeline.failover.evidence import BOOTS, ClusterLine, ServiceSign
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.loss.losses import BY_LOSS, LossEvent, losses_of
from pipeline.failover.step import step
from pipeline.failover.timeline import Timeline
from pipeline.failover.windows import FOLLOWED, LOST_TOGETHER, SEES_A_CUT


class Joined(NamedTuple):
    """An earlier loss that a loss is of one event with."""

    earlier: tuple[datetime, str]
    is_mutual: bool
    is_target: bool


@step(of="node_loss_evidence", is_stored=False)
def loss_event(
    node_loss_evidence: Sequence[NodeLossEvidence],
    service_sign: Sequence[ServiceSign],
    cluster_line: Sequence[ClusterLine],
    leader_change: Sequence[LeaderChange],
) -> Iterator[LossEvent]:
    """The losses of a unit and the events that they are of."""
    yield from numbered(losses_of(node_loss_evidence, cluster_line, leader_change), service_sign, cluster_line)


def numbered(
    losses: Sequence[LossEvent], service_sign: Sequence[ServiceSign], cluster_line: Sequence[ClusterLine]
) -> Iterator[LossEvent]:
    """Number the events of losses, by time: a loss that is joined to an earlier one begins none."""
    boots = [each for each in cluster_line if each.kind in BOOTS]
    # of leaders that change one after another each change is an event
    declared = [each for each in losses if not each.is_leader_change]
    earlier = Timeline(declared, BY_LOSS, "loss_at")
    signs = Timeline(service_sign)
    joins = {BY_LOSS(each): list(_joined(each, earlier, signs, boots)) for each in declared}
    cut = {
        place for later, found in joins.items() for join in found if join.is_mutual for place in (later, join.earlier)
    }
    event_no = 0
    for loss in losses:
        joined = joins.get(BY_LOSS(loss), [])
        event_no += not joined
        yield loss._replace(
            event_no=event_no,
            is_partition=BY_LOSS(loss) in cut,
            is_target=any(each.is_target for each in joined),
        )


def _joined(
    later: LossEvent, losses: Timeline[LossEvent], signs: Timeline[ServiceSign], boots: Sequence[ClusterLine]
) -> Iterator[Joined]:
    """The earlier losses that one is of one event with."""
    for earlier in losses.between(later.loss_at - FOLLOWED, later.loss_at):
        if BY_LOSS(earlier) >= BY_LOSS(later) or earlier.lost_key == later.lost_key:
            continue
        if earlier.is_planned != later.is_planned:
            continue
        is_mutual = _is_mutual(earlier, later, boots)
        # of a loss that no known host wrote of, nobody knows whether the earlier one did
        is_seen_by_lost = later.observers is None or earlier.lost_key in later.observers
        own = [each for each in signs.between(earlier.loss_at, later.loss_at) if each.node_key == later.lost_key]
        has_begun = any(each.sign == "start" for each in own)
        is_target = (
            not is_seen_by_lost
            and has_begun
            and not any(each.is_last_step for each in own)
            and _third_starts(later, earlier, signs)
        )
        is_out = not is_seen_by_lost and (earlier.back_at is None or earlier.back_at > later.loss_at)
        is_together = is_out and not has_begun and later.loss_at <= earlier.loss_at + LOST_TOGETHER
        if is_mutual or is_together or is_target:
            yield Joined(BY_LOSS(earlier), is_mutual, is_target)


def _is_mutual(earlier: LossEvent, later: LossEvent, boots: Sequence[ClusterLine]) -> bool:
    """Whether two nodes declared each other lost, but for one that had started again and found the other gone."""
    by_earlier = earlier.lost_key in (later.observers or ())
    by_later = later.lost_key in (earlier.observers or ())
    # what a node wrote that is known by its id alone, nobody knows
    return (
        (by_earlier or by_later)
        and (by_earlier or earlier.lost_key.startswith("node "))
        and (by_later or later.lost_key.startswith("node "))
        and later.loss_at <= earlier.loss_at + SEES_A_CUT
        and not any(b.node_key == earlier.lost_key and earlier.loss_at <= b.at <= later.loss_at for b in boots)
    )


def _third_starts(later: LossEvent, earlier: LossEvent, signs: Timeline[ServiceSign]) -> bool:
    """Whether a node that neither loss is of starts the service after the later one."""
    return any(
        each.sign == "start" and each.node_key not in {None, later.lost_key, earlier.lost_key}
        for each in signs.between(later.loss_at, later.loss_at + FOLLOWED)
    )
