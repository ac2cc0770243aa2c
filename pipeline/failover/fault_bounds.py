"""How the lines by which a layer of the cluster declares a node lost bound the time of its fault."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from itertools import product
from typing import NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incidents import Incident
from pipeline.failover.loss_evidence import NodeLossEvidence
from pipeline.failover.rules import rules
from pipeline.failover.stamps import Resolutions, duration_us, microseconds, resolutions
from pipeline.failover.step import grouped, nulls_last, step
from pipeline.failover.timeline import BY_LINE, Timeline
from pipeline.failover.timers import ClusterTimer
from pipeline.failover.windows import HEARTBEAT_TICK_S, LLT_TICK_S, RING_TICK_S


class Bound(NamedTuple):
    """The interval of a source, in microseconds of the epoch; the other columns as in `fault_estimate`."""

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


class DeclaredBound(NamedTuple):
    """A bound that follows from a line that declares the node of a run lost."""

    configuration: str
    run: str
    source: str
    low_us: int
    high_us: int
    line_count: int
    file_id: int | None
    line_no: int | None
    is_assumed: bool
    is_inferred: bool
    is_consistent: bool
    timer_error_s: float
    hold_s: float


class Departure(NamedTuple):
    """A line by which a node leaves in order, as `departure` has it."""

    configuration: str
    unit_run: str | None
    node_key: str
    at: datetime
    how: str
    is_revoked: bool
    until_at: datetime


@step(is_stored=False)
def declared_bound(
    incident: Sequence[Incident],
    cluster_timer: Sequence[ClusterTimer],
    node_loss_evidence: Sequence[NodeLossEvidence],
    departure: Sequence[Departure],
    cluster_line: Sequence[ClusterLine],
) -> Iterator[DeclaredBound]:
    """The bounds of each run of a unit, by the lines that declare its node lost."""
    decisive = [each for each in node_loss_evidence if each.is_decisive and each.layer in rules("fault")["layers"]]
    about_node = {key: Timeline(lines) for (key,), lines in grouped(decisive, "lost_key").items()}
    partners = [(each.file_id, each.loss_at) for each in incident if each.is_hadr]
    resolution_s = resolutions([*((each.file_id, each.at) for each in decisive), *partners], cluster_line)
    for own, timers in product(incident, cluster_timer):
        known = about_node.get(own.lost_key, Timeline([]))
        lines = [each for each in known.between(own.loss_at, own.end_at) if each.at < own.end_at]
        bounds = [
            *_by_memberships(own, timers, lines, resolution_s),
            *_by_silence(own, timers, lines, resolution_s, partial(_first_notice, own, departure, cluster_line)),
            *_by_partner(own, timers, resolution_s),
        ]
        yield from (DeclaredBound(own.configuration, own.run, *each) for each in bounds)


def _by_memberships(
    incident: Incident, timers: ClusterTimer, lines: Sequence[NodeLossEvidence], resolution_s: Resolutions
) -> Iterator[Bound]:
    """A membership without the node forms peerinact and the stable timeout after its last heartbeat."""
    timer = timers.bounds("membership")
    by_layer = grouped((each for each in lines if _rule(each)["bound"] == "membership"), "layer")
    for own in by_layer.values():
        first = min(
            own,
            key=lambda each: (
                each.node_key != incident.surviving_key,
                nulls_last([each.port]),
                *BY_LINE(each),
                each.part,
            ),
        )
        at_us = microseconds(first.at)
        tick_s = resolution_s[first.file_id, first.at] + timers.heartbeat_s
        yield Bound(
            _rule(first)["source"],
            at_us - duration_us(timer.high_s + LLT_TICK_S),
            at_us - duration_us(timer.low_s - 2 * LLT_TICK_S) + duration_us(tick_s),
            1,
            first.file_id,
            first.line_no,
            timer.is_assumed,
            timer.is_inferred,
            timer_error_s=timer.half_range_s,
        )


def _rule(line: NodeLossEvidence) -> Mapping[str, str]:
    """What fault.toml says of the layer of a line."""
    rule: Mapping[str, str] = rules("fault")["layers"][line.layer]
    return rule


def _by_silence(
    incident: Incident,
    timers: ClusterTimer,
    lines: Sequence[NodeLossEvidence],
    resolution_s: Resolutions,
    first_notice: Callable[[], datetime | None],
) -> Iterator[Bound]:
    """The cluster manager declares a peer dead after a time of silence; a good-bye is the fault itself."""
    own = [each for each in lines if _rule(each)["bound"] in BY_SILENCE]
    if not own:
        return
    first = min(own, key=lambda each: (each.at, each.node_key != incident.surviving_key, each.file_id, each.line_no))
    if first.is_planned:
        notice_us = microseconds(min(first.at, first_notice() or first.at))
        yield Bound("shutdown notice", notice_us, notice_us, 1, first.file_id, first.line_no)
    else:
        yield BY_SILENCE[_rule(first)["bound"]](first, timers, resolution_s[first.file_id, first.at])


def _by_dead_time(line: NodeLossEvidence, timers: ClusterTimer, resolution_s: float) -> Bound:
    """A peer is dead deadtime after its last heartbeat, which came before the fault; looks are a second apart."""
    timer, at_us = timers.bounds("deadtime"), microseconds(line.at)
    return Bound(
        _rule(line)["source"],
        at_us - duration_us(timer.high_s) - duration_us(timers.keepalive_s + HEARTBEAT_TICK_S),
        at_us - duration_us(timer.low_s) + duration_us(resolution_s),
        1,
        line.file_id,
        line.line_no,
        timer.is_assumed,
        timer_error_s=timer.half_range_s,
    )


def _by_token(line: NodeLossEvidence, timers: ClusterTimer, resolution_s: float) -> Bound:
    """The token is lost after its timeout, the others agree within consensus; the lost node may have kept the token."""
    token, at_us = timers.bounds("token"), microseconds(line.at)
    low_s, high_s = token.low_s + timers.consensus_low_s, token.high_s + timers.consensus_high_s
    kept_us = duration_us(timers.hold_s + RING_TICK_S)
    late_us = kept_us if _rule(line)["after"] == "hold" else duration_us(token.high_s)
    return Bound(
        _rule(line)["source"],
        at_us - duration_us(high_s) - late_us,
        at_us - duration_us(low_s) + kept_us + duration_us(resolution_s),
        1,
        line.file_id,
        line.line_no,
        token.is_assumed,
        token.is_inferred,
        timer_error_s=(high_s - low_s) / 2,
    )


BY_SILENCE: Mapping[str, Callable[[NodeLossEvidence, ClusterTimer, float], Bound]] = {
    "dead time": _by_dead_time,
    "token": _by_token,
}
"""By `bound` of a layer: how its line bounds the fault."""


def _first_notice(incident: Incident, departures: Sequence[Departure], lines: Sequence[ClusterLine]) -> datetime | None:
    """The first sign of a planned loss: who leaves says so, or is asked to, or takes the token along."""
    if not incident.is_planned:
        return None
    notices = (
        each.at
        for each in departures
        if each.node_key in {incident.lost_key, "*"}
        and each.how == "shutdown"
        and not each.is_revoked
        and each.at <= incident.loss_at <= each.until_at
    )
    tokens = (
        each.at
        for each in lines
        if each.kind == "token_lost"
        and each.node_key != incident.lost_key
        and incident.search_start_at <= each.at <= incident.membership_at
    )
    return min([*notices, *tokens], default=None)


def _by_partner(incident: Incident, timers: ClusterTimer, resolution_s: Resolutions) -> Iterator[Bound]:
    """HADR gives its primary up as the connection ends, or HADR_TIMEOUT after it fell silent."""
    if not incident.is_hadr:
        return
    lost_us = microseconds(incident.loss_at)
    yield Bound(
        "hadr connection",
        lost_us - duration_us(timers.hadr_timeout_s),
        lost_us + duration_us(resolution_s[incident.file_id, incident.loss_at]),
        1,
        incident.file_id,
        incident.line_no,
        timers.is_hadr_timeout_assumed,
        timer_error_s=timers.hadr_timeout_s / 2,
    )
