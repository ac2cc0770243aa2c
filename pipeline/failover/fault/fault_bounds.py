"""How the lines by which a layer of the cluster declares a node lost, or an order, bound the time of its fault."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from operator import attrgetter
from typing import NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.fault_sources import COMMAND, NOTICE
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.loss.departures import ALL_NODES, SHUTDOWN, Departure
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from pipeline.failover.rules import rules
from pipeline.failover.stamps import duration_us, microseconds, resolutions
from pipeline.failover.step import grouped, nulls_last, step
from pipeline.failover.timeline import BY_LINE, Timeline
from pipeline.failover.timer.timers import ClusterTimer, Timer
from pipeline.failover.windows import HEARTBEAT_TICK_S, LLT_TICK_S, RING_TICK_S, SHUTDOWN_TAKES

BY_PART = attrgetter("at", "file_id", "line_no", "part")


class Bound(NamedTuple):
    """The interval of a source, in microseconds of the epoch; the other columns as in `fault_estimate`."""

    configuration: str
    run: str
    source: str
    low_us: int
    high_us: int
    line_count: int
    file_id: int | None
    line_no: int | None
    is_assumed: bool = False
    is_inferred: bool = False
    is_consistent: bool = True
    timer_error_s: float = 0.0
    hold_s: float = 0.0


class Before(NamedTuple):
    """How long before a line the fault was, in microseconds, and the timer that this rests on."""

    longest_us: int
    shortest_us: int
    timer: Timer


@step(of="incident", is_stored=False)
def declared_bound(
    incident: Sequence[Incident],
    cluster_timer: Sequence[ClusterTimer],
    node_loss_evidence: Sequence[NodeLossEvidence],
    departure: Sequence[Departure],
    cluster_line: Sequence[ClusterLine],
) -> Iterator[Bound]:
    """The bounds of each run of a unit, by the lines that declare its node lost."""
    decisive = [each for each in node_loss_evidence if each.is_decisive and each.layer in rules("fault")["layers"]]
    about_node = {key: Timeline(lines) for (key,), lines in grouped(decisive, "lost_key").items()}
    stamps = [(each.file_id, each.at) for each in decisive] + [(each.file_id, each.loss_at) for each in incident]
    resolution_s = resolutions(stamps, cluster_line)
    tokens = Timeline(each for each in cluster_line if each.kind == "token_lost")
    leaving = Timeline(each for each in cluster_line if _says_that_it_leaves(each))
    for own, timers in product(incident, cluster_timer):
        known = about_node.get(own.lost_key, Timeline([]))
        lines = [each for each in known.between(own.loss_at, own.end_at) if each.at < own.end_at]
        for line in sorted(_notices(own, lines, departure, leaving, tokens), key=BY_LINE)[:1]:
            at_us = microseconds(line.at)
            yield Bound(own.configuration, own.run, NOTICE, at_us, at_us, 1, line.file_id, line.line_no)
        for line in _first_memberships(own, lines):
            yield _bound(own, line, timers, resolution_s[line.file_id, line.at])
        for line in _first_silence(own, lines):
            if not line.is_planned:
                yield _bound(own, line, timers, resolution_s[line.file_id, line.at])
        if own.is_hadr:
            yield _by_partner(own, timers, resolution_s[own.file_id, own.loss_at])


def _rule(line: NodeLossEvidence) -> Mapping[str, str]:
    """What fault.toml says of the layer of a line."""
    rule: Mapping[str, str] = rules("fault")["layers"][line.layer]
    return rule


def _first_memberships(incident: Incident, lines: Sequence[NodeLossEvidence]) -> Iterator[NodeLossEvidence]:
    """The first membership without the node, by layer: the surviving node's, of the first port."""
    for own in grouped((each for each in lines if _rule(each)["bound"] == "membership"), "layer").values():
        yield min(own, key=lambda each: (_is_of_other(each, incident), nulls_last([each.port]), *BY_PART(each)))


def _first_silence(incident: Incident, lines: Sequence[NodeLossEvidence]) -> Sequence[NodeLossEvidence]:
    """The first line by which a cluster manager declares the node dead or gone; none or one."""
    own = [each for each in lines if _rule(each)["bound"] != "membership"]
    return sorted(own, key=lambda each: (each.at, _is_of_other(each, incident), each.file_id, each.line_no))[:1]


def _is_of_other(line: NodeLossEvidence, incident: Incident) -> bool:
    return line.node_key != incident.surviving_key


def _bound(incident: Incident, line: NodeLossEvidence, timers: ClusterTimer, resolution_s: float) -> Bound:
    """The bound of a line, by the timers that had run out by then."""
    rule, at_us = _rule(line), microseconds(line.at)
    before = BEFORE[rule["bound"]](timers, resolution_s, rule.get("after"))
    return Bound(
        incident.configuration,
        incident.run,
        rule["source"],
        at_us - before.longest_us,
        at_us - before.shortest_us,
        1,
        line.file_id,
        line.line_no,
        before.timer.is_assumed,
        before.timer.is_inferred,
        timer_error_s=before.timer.half_range_s,
    )


def _before_membership(timers: ClusterTimer, resolution_s: float, _: str | None) -> Before:
    """A membership forms peerinact and the stable timeout after the last heartbeat."""
    timer = timers.bounds("membership")
    shortest_us = duration_us(timer.low_s - 2 * LLT_TICK_S) - duration_us(resolution_s + timers.heartbeat_s)
    return Before(duration_us(timer.high_s + LLT_TICK_S), shortest_us, timer)


def _before_dead(timers: ClusterTimer, resolution_s: float, _: str | None) -> Before:
    """A peer is dead deadtime after its last heartbeat; the fault came up to a keepalive after that."""
    timer = timers.bounds("deadtime")
    shortest_us = duration_us(timer.low_s) - duration_us(timers.keepalive_s + resolution_s)
    return Before(duration_us(timer.high_s + HEARTBEAT_TICK_S), shortest_us, timer)


def _before_ring(timers: ClusterTimer, resolution_s: float, after: str | None) -> Before:
    """The token is lost after its timeout, the others agree within consensus; the lost node may have kept the token."""
    token = timers.bounds("token")
    low_s, high_s = token.low_s + timers.consensus_low_s, token.high_s + timers.consensus_high_s
    kept_us = duration_us(timers.hold_s + RING_TICK_S)
    late_us = kept_us if after == "hold" else duration_us(token.high_s)
    timer = Timer(low_s, high_s, token.is_assumed, token.is_inferred)
    return Before(duration_us(high_s) + late_us, duration_us(low_s) - kept_us - duration_us(resolution_s), timer)


BEFORE: Mapping[str, Callable[[ClusterTimer, float, str | None], Before]] = {
    "membership": _before_membership,
    "dead time": _before_dead,
    "token": _before_ring,
}
"""By `bound` of a layer: how long before its line the fault was."""


def _notices(
    incident: Incident,
    lines: Sequence[NodeLossEvidence],
    departures: Iterable[Departure],
    leaving: Timeline[ClusterLine],
    tokens: Timeline[ClusterLine],
) -> Iterator[NodeLossEvidence | Departure | ClusterLine]:
    """The signs of a planned loss: who leaves says so, is asked to, is seen leaving, or takes the token along."""
    if not incident.is_planned:
        return
    said = [each for each in _first_silence(incident, lines) if each.is_planned]
    yield from said
    if said:
        since, until = incident.search_start_at, incident.membership_at
        yield from (each for each in tokens.between(since, until) if each.node_key != incident.lost_key)
    for order in departures:
        is_own = order.node_key in {incident.lost_key, ALL_NODES} and order.how == SHUTDOWN and not order.is_revoked
        if is_own and order.at <= incident.loss_at <= order.until_at:
            yield order
    seen = leaving.between(incident.loss_at - SHUTDOWN_TAKES, incident.loss_at)
    yield from (each for each in seen if _is_about(each, incident))


def _says_that_it_leaves(line: ClusterLine) -> bool:
    """Whether a cluster manager gives a node a state of leaving."""
    return line.kind == "system_state" and (line.state or "").upper() in rules("losses")["departures"]["states"]


def _is_about(line: ClusterLine, incident: Incident) -> bool:
    """Whether a line names the lost node, or its id."""
    return line.system_key == incident.lost_key or (line.node_id is not None and line.node_id == incident.lost_id)


def _by_partner(incident: Incident, timers: ClusterTimer, resolution_s: float) -> Bound:
    """HADR gives its primary up as the connection ends, or HADR_TIMEOUT after it fell silent."""
    lost_us = microseconds(incident.loss_at)
    return Bound(
        incident.configuration,
        incident.run,
        "hadr connection",
        lost_us - duration_us(timers.hadr_timeout_s),
        lost_us + duration_us(resolution_s),
        1,
        incident.file_id,
        incident.line_no,
        timers.is_hadr_timeout_assumed,
        timer_error_s=timers.hadr_timeout_s / 2,
    )


@step(of="incident", is_stored=False)
def order_bound(incident: Sequence[Incident], leader_change: Sequence[LeaderChange]) -> Iterator[Bound]:
    """The order of each planned change of a leader that is a run of a unit."""
    planned = [each for each in leader_change if each.ordered_at is not None]
    for own in incident:
        for change in planned if own.is_planned and not own.is_commanded else ():
            if change.former_key == own.lost_key and change.loss_at <= own.loss_at <= change.at and change.ordered_at:
                at_us = microseconds(min(change.ordered_at, change.at))
                source = change.ordered_by or COMMAND
                place = (change.order_file_id, change.order_line_no)
                yield Bound(own.configuration, own.run, source, at_us, at_us, 1, *place)
                break
