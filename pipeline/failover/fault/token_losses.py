"""How long the nodes that are left have not seen the token of their ring, at the loss that ended in the fault."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import product
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine, HaLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.stamps import MICROSECOND, SECOND_US, duration_us, microseconds
from pipeline.failover.step import Int32, grouped, step
from pipeline.failover.timeline import Timeline
from pipeline.failover.timer.timers import ClusterTimer, Timer
from pipeline.failover.windows import RING_TICK_S


class TokenLoss(NamedTuple):
    """One row per run and line of a node that is left which says how long it has not seen corosync's token, at the
    loss that ended in the fault. `A processor failed` comes a token timeout after the token was last seen; `Token
    has not been received in N ms` N ms after it. libqb takes stamps from a clock that ticks a hundred times a
    second.
    """

    configuration: str
    run: str
    unit_run: str | None
    node: str | None
    node_key: str | None
    at: datetime
    silent_low_s: Annotated[float, "seconds since the token was last seen, at least"]
    silent_high_s: Annotated[float, "at most"]
    hold_s: Annotated[float, "time for which a node may keep the token"]
    is_kept_by_others: Annotated[bool, "in a ring of more than two nodes another may have kept it before"]
    is_assumed: Annotated[bool, "the silence is a timer that neither a file nor a line shows"]
    is_inferred: Annotated[bool, "it is a timer that other lines of the configuration show"]
    low_at: Annotated[datetime, "the token was last seen no earlier"]
    high_at: Annotated[datetime, "no later"]
    file_id: Int32
    line_no: Int32


@step(of="incident", is_stored=False)
def token_loss(
    incident: Sequence[Incident],
    cluster_timer: Sequence[ClusterTimer],
    cluster_line: Sequence[ClusterLine],
    ha_line: Sequence[HaLine],
) -> Iterator[TokenLoss]:
    """The last loss of the token before the membership without the node, by host, and the last warning before it."""
    lost = Timeline((each for each in cluster_line if each.source == "ha" and each.kind == "token_lost"), BY_TIME)
    late = [each for each in ha_line if each.kind == "token_late" and each.value is not None]
    warnings = {key: Timeline(own, BY_TIME) for (key,), own in grouped(late, "node_key").items()}
    longest_s = max(map(_printed_s, late), default=0.0)
    for own, timers in product(incident, cluster_timer):
        lines = [] if own.is_planned else lost.between(own.search_start_at, own.membership_at)
        last = {each.node_key or str(each.file_id): each for each in lines if each.node_key != own.lost_key}
        for line in last.values():
            silence = timers.bounds("token") if line.silent_s is None else Timer(line.silent_s, line.silent_s)
            yield _token_loss(own, timers, line.node, line, silence)
            warning = _warning(line, silence, warnings.get(line.node_key, Timeline([])), longest_s)
            if warning is not None:
                silent_s = _printed_s(warning)
                yield _token_loss(own, timers, line.node, warning, Timer(silent_s, silent_s))


BY_TIME = attrgetter("at", "line_no")


def _printed_s(warning: HaLine) -> float:
    """The silence that a warning prints in milliseconds."""
    return (warning.value or 0.0) / 1000


def _warning(loss: ClusterLine, silence: Timer, warnings: Timeline[HaLine], longest_s: float) -> HaLine | None:
    """The last warning of the silence that ended in a loss. `longest_s`: no warning prints a longer one."""
    spread_s = silence.high_s - silence.low_s + _tick_s(loss)
    around = timedelta(seconds=max(silence.high_s, longest_s) + spread_s)
    for warning in reversed(warnings.between(loss.at - around, loss.at + around)):
        later_s = (microseconds(loss.at) - microseconds(warning.at)) / SECOND_US
        if abs(later_s - (silence.high_s - _printed_s(warning))) <= spread_s:
            return warning
    return None


def _tick_s(line: ClusterLine | HaLine) -> float:
    """How exact a stamp is, which libqb takes from a clock of its own."""
    return max(line.resolution_s, RING_TICK_S)


def _token_loss(
    incident: Incident, timers: ClusterTimer, node: str | None, line: ClusterLine | HaLine, silence: Timer
) -> TokenLoss:
    """The row of a line, of the silence before it."""
    is_kept_by_others = timers.ring_nodes is None or timers.ring_nodes > 2
    longest_s = silence.high_s + RING_TICK_S + (timers.hold_s if is_kept_by_others else 0)
    return TokenLoss(
        incident.configuration,
        incident.run,
        incident.unit_run,
        node,
        line.node_key,
        line.at,
        silence.low_s,
        silence.high_s,
        timers.hold_s,
        is_kept_by_others,
        silence.is_assumed,
        silence.is_inferred,
        line.at - duration_us(longest_s) * MICROSECOND,
        line.at - duration_us(silence.low_s - _tick_s(line)) * MICROSECOND,
        line.file_id,
        line.line_no,
    )
