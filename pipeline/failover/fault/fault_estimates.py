"""How each source bounds the time of a fault, and how much of that may be the same in all runs."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.fault.fault_bounds import Bound
from pipeline.failover.fault.fault_lines import ClientFault, FaultLine
from pipeline.failover.fault.host_clocks import BY_REFUSALS, TAKEN_TO_AGREE, HostClock
from pipeline.failover.fault_sources import COMMAND, RECORDED, source_rule
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.stamps import MICROSECOND, SECOND_US, duration_us, instant, microseconds
from pipeline.failover.step import CONFIGURATION, Int32, grouped, passed_on, step
from pipeline.failover.timeline import BY_LINE
from pipeline.failover.windows import CLOCKS_AGREE, CUT_OFF, HELD_TWICE, HELD_TWICE_S


class FaultEstimate(NamedTuple):
    """One row per run and source that shows when the fault happened, best source first. UTC. No log records the
    moment of a crash. Each source gives an interval; stamps are cut, so an instant lies in [stamp, stamp +
    resolution). LLT heard the node last less than one heartbeat before the crash. The lines of an outage of a
    link agree on the last heartbeat, so their intervals are intersected, then those of the links. LLT looks once
    a second and counts whole seconds: a timer may fire up to one second early (15 and 4 s were printed for 16 and
    5 s) or late. Corosync sees the token last when the lost node still lived, and the node may have kept it for
    the hold time. A timer that no file specifies is as long as `cluster_timer` allows: an interval, never a
    default. `fault_time` intersects the sources. What may be the same in all runs of a configuration (a timer
    that is not known, the phase of a node's tick, the bias of a rule) is kept apart: it does not average out.
    All of it counts that nothing in the logs decides: half the range of such a timer, half of the second that LLT
    counts, how long a token was kept or the last heartbeat was ago, and where a leader died between its last sign
    and the first line that missed it. Of a client's questions a quarter of the width counts: most answers are quick.
    """

    configuration: str
    run: str
    rank: Annotated[Int32, "1 is trusted most"]
    source: Annotated[
        str,
        "manifest, inactive series, in trouble, expired, membership, had membership, shutdown notice, dead time, "
        "token loss, token timeout, hadr connection, take-over command, marker line, client questions, last words, "
        "leader signs",
    ]
    low_at: Annotated[datetime, "earliest time of the fault"]
    middle_at: Annotated[
        datetime,
        "the best estimate: the middle of the interval; of a client's questions where the outage most likely began",
    ]
    high_at: Annotated[datetime, "latest time of the fault"]
    width_s: Annotated[float, "width of the interval, seconds"]
    line_count: Annotated[Int32, "log lines behind it"]
    is_assumed: Annotated[bool, "rests on a timer that neither a file nor a line shows"]
    is_inferred: Annotated[bool, "rests on a timer that no file specifies, but lines of the configuration show"]
    is_consistent: Annotated[bool, "the intervals of all lines have a common part; else the interval is their hull"]
    timer_error_s: Annotated[
        float, "half the range of timers that are not known exactly, seconds: the same error in all runs"
    ]
    common_share: Annotated[float, "the part of the rest of the interval that may be the same in all runs"]
    undecided_s: Annotated[
        float, "half of what a tick or a count of seconds leaves open, seconds: as much may be the same in all runs"
    ]
    common_error_s: Annotated[
        float,
        "half width of the part of the interval that may be the same in all runs, seconds; 0 for a recorded time",
    ]
    common_cause: Annotated[
        str | None, "what that error is: equal where two configurations have the same error; null where there is none"
    ]
    file_id: Annotated[Int32 | None, "file of the first line"]
    line_no: Annotated[int | None, "first line"]


class FaultMarker(NamedTuple):
    """A line `logger haledger fault`, as `fault_marker` has it."""

    configuration: str
    run: str
    at: datetime
    resolution_s: float
    file_id: Int32
    line_no: Int32


@step(by=CONFIGURATION, of="incident")
def fault_estimate(
    incident: Sequence[Incident],
    fault_line: Sequence[FaultLine],
    declared_bound: Sequence[Bound],
    order_bound: Sequence[Bound],
    fault_marker: Sequence[FaultMarker],
    client_fault: Sequence[ClientFault],
    host_clock: Sequence[HostClock],
) -> Iterator[FaultEstimate]:
    """What each source says of the faults of a configuration, run by run, the most trusted first."""
    lines, markers = grouped(fault_line, "run"), grouped(fault_marker, "run")
    clients = sorted(client_fault, key=attrgetter("likely_at"), reverse=True)
    likely_us = {each.run: microseconds(each.likely_at) for each in clients}  # the earliest of each run
    bounds = grouped((*declared_bound, *order_bound), "run")
    found: list[tuple[Incident, list[Bound]]] = []
    for own in incident:
        key = (own.run,)
        by_lines, marked = _by_lines(lines.get(key, ())), _marked(markers.get(key, ()))
        of_run = [*_recorded(own), *_ordered(own), *by_lines, *bounds.get(key, ()), *marked]
        if own.is_planned:  # what its end looks like to the others says nothing of when it began
            of_run = [each for each in of_run if source_rule(each.source).is_order] or of_run
        found.append((own, of_run))
    compared = {each.run for each in client_fault if each.basis != TAKEN_TO_AGREE}
    wrong = {each.run for each in host_clock if _is_proved_off(each)}
    wrong |= {each.run for each in client_fault if each.is_answered_early}
    wrong |= {own.run for own, of_run in found if _has_contradiction(of_run, likely_us.get(own.run))} - compared
    clocks = {_clock(each) for each in client_fault if each.run in wrong}
    distrusted = {each.run for each in client_fault if _clock(each) in clocks} - compared
    for own, of_run in found:
        ranks = {bound.source: _rank(bound, is_off=own.run in distrusted) for bound in of_run}
        for bound in sorted(of_run, key=lambda bound: (ranks[bound.source], bound.source)):
            has_likely_time = source_rule(bound.source).has_likely_time
            yield _estimate(bound, ranks[bound.source], likely_us.get(own.run) if has_likely_time else None)


def _rank(bound: Bound, *, is_off: bool) -> int:
    """How much a source is trusted: least where its clock is not that of the others."""
    rule = source_rule(bound.source)
    return rule.unproved_rank if is_off and rule.unproved_rank is not None else rule.rank


def _clock(client: ClientFault) -> str | int:
    """Whose clock stamped a client's questions: it is the same in all runs."""
    return client.node or client.answered_file_id


def _is_proved_off(clock: HostClock) -> bool:
    """Whether a clock is not what those that nothing compares are taken to be."""
    agree_s = CLOCKS_AGREE.total_seconds()
    return clock.basis == BY_REFUSALS and (clock.low_s > agree_s or clock.high_s < -agree_s)


def _has_contradiction(bounds: Sequence[Bound], likely_us: int | None) -> bool:
    """Whether a source whose clock is only taken to agree contradicts the others.

    A client may see the fault before them, as a leader that is cut off goes on writing, but gets no answer after it.
    """
    unproved = [each for each in bounds if source_rule(each.source).unproved_rank is not None]
    cut_off_us = CUT_OFF // MICROSECOND
    begun_us = likely_us - CLOCKS_AGREE // MICROSECOND if likely_us is not None else None
    if unproved and begun_us is not None and any(begun_us > each.high_us for each in bounds if each not in unproved):
        return True
    return any(
        own.low_us > each.high_us or own.high_us < each.low_us - cut_off_us for own in unproved for each in bounds
    )


def _recorded(incident: Incident) -> Iterator[Bound]:
    """The time that study.toml gives."""
    if incident.manifest_fault_at is not None:
        at_us = microseconds(incident.manifest_fault_at)
        yield Bound(incident.configuration, incident.run, RECORDED, at_us, at_us, 0, None, None)


def _ordered(incident: Incident) -> Iterator[Bound]:
    """A take-over that somebody ordered begins with the order."""
    if incident.is_commanded:
        at_us, place = microseconds(incident.loss_at), (incident.file_id, incident.line_no)
        yield Bound(incident.configuration, incident.run, COMMAND, at_us, at_us, 1, *place)


def _marked(markers: Sequence[FaultMarker]) -> Iterator[Bound]:
    """A person marked the fault; the stamp is cut to the resolution of the log."""
    if markers:
        first = min(markers, key=BY_LINE)
        low_us = microseconds(first.at)
        high_us = min(microseconds(each.at) + duration_us(each.resolution_s) for each in markers)
        place = (first.file_id, first.line_no)
        yield Bound(first.configuration, first.run, "marker line", low_us, high_us, 1, *place)


def _by_lines(lines: Iterable[FaultLine]) -> Iterator[Bound]:
    """What the lines of a source have in common, else their hull; a heartbeat longer."""
    for (source,), own in grouped(lines, "source").items():
        first = min(own, key=BY_LINE)
        lows = [microseconds(each.low_at) for each in own if each.low_at is not None]
        highs = [microseconds(each.high_at) for each in own if each.high_at is not None]
        if not lows or not highs:
            continue
        heartbeat_s = max(each.heartbeat_s for each in own)
        is_consistent = max(lows) <= min(highs) + duration_us(heartbeat_s)
        yield Bound(
            first.configuration,
            first.run,
            source,
            max(lows) if is_consistent else min(lows),
            (min(highs) if is_consistent else max(highs)) + duration_us(heartbeat_s),
            len(own),
            first.file_id,
            first.line_no,
            is_assumed=any(each.is_assumed for each in own),
            is_inferred=any(each.is_inferred for each in own),
            is_consistent=is_consistent,
            timer_error_s=max(each.common_s for each in own),
            hold_s=heartbeat_s,
        )


def _estimate(bound: Bound, rank: int, likely_us: int | None) -> FaultEstimate:
    """The row of a source."""
    rule = source_rule(bound.source)
    width_us = bound.high_us - bound.low_us
    width_s = width_us / SECOND_US
    timer_error_s = min(bound.timer_error_s, width_us / (2 * SECOND_US))
    middle_us = (
        bound.low_us + int(width_us / 2) if likely_us is None else max(bound.low_us, min(likely_us, bound.high_us))
    )
    return passed_on(
        FaultEstimate,
        bound,
        rank=rank,
        low_at=instant(bound.low_us),
        middle_at=instant(middle_us),
        high_at=instant(bound.high_us),
        width_s=width_s,
        timer_error_s=timer_error_s,
        common_share=rule.common_share,
        undecided_s=rule.undecided_s,
        common_error_s=common_error_s(width_s, timer_error_s, rule.common_share, rule.undecided_s),
        common_cause=None if rule.is_moment else _common_cause(bound, width_s),
    )


def common_error_s(width_s: float, timer_error_s: float, common_share: float, undecided_s: float) -> float:
    """How far the middle of an interval may be off in all runs alike: never more than half of its width."""
    rest_s = width_s - 2 * timer_error_s
    return timer_error_s + max(common_share * rest_s, min(undecided_s, rest_s / 2))


def _common_cause(bound: Bound, width_s: float) -> str:
    """What the error is that all runs may share: of the configuration, but for a hold that any ring has."""
    rule = source_rule(bound.source)
    is_open = bound.is_assumed or bound.is_inferred
    if rule.hold_cause is not None and not is_open:
        # in a ring of more than two another node may have kept it before
        is_twice = width_s > HELD_TWICE * bound.hold_s + HELD_TWICE_S
        return rule.hold_cause.format(bound.hold_s) + (", twice" if is_twice else "")
    cause = (rule.open_cause if is_open else None) or rule.cause or bound.source
    origin = " assumed" if bound.is_assumed else " inferred" if bound.is_inferred else ""
    return f"{cause}{origin}, {bound.configuration}"
