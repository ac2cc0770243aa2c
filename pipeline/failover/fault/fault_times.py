"""When the fault of a run happened, by all that bounds it, and which sources contradict each other."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.fault.fault_estimates import FaultEstimate, common_error_s
from pipeline.failover.fault.leader_signs import LogSpan, LostLeader
from pipeline.failover.fault_sources import FIRST_SYMPTOM, RECORDED, source_rule
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.stamps import MICROSECOND, SECOND_US, end_of
from pipeline.failover.step import RUN, Int32, passed_on, step
from pipeline.failover.windows import FOLLOWED

BY_TRUST = attrgetter("rank", "source")


class FaultTime(NamedTuple):
    """One row per run whose logs tell when the fault happened, or when it was first seen: all sources of
    `fault_estimate` but study.toml, intersected. UTC. The fault lies in every interval, so it lies in what they have
    in common. The sources are taken in order of trust; one that has nothing in common with those before it is left
    out (`fault_disagreement` has it). Lines of LLT and GAB rest on one tick, those of corosync on one token: of each
    the most trusted source counts alone, unless it rests on a timer that no file specifies, as bounds that lean to
    one side together would draw the middle there. A marker line is written by a person at another moment than the
    crash, and an announced departure is the fault itself: these are never intersected. The best estimate is the
    middle of what all leave; where a client's questions are trusted most it is theirs, if the others leave it. The
    fault is no later than the first line by which anybody saw the loss. Where nothing says that it was no earlier,
    or what is left is more than the hour in which steps are looked for, times count from that line: the source is
    `first symptom`.
    """

    configuration: str
    run: str
    source: Annotated[str, "the source that is trusted most"]
    low_at: Annotated[datetime | None, "earliest time of the fault; null: nothing bounds it"]
    middle_at: Annotated[datetime, "the best estimate; else the first line by which anybody saw the loss"]
    high_at: Annotated[datetime, "latest time of the fault"]
    width_s: Annotated[float | None, "width of the interval, seconds"]
    sources: Annotated[list[str], "the sources that the interval rests on, the most trusted first"]
    low_source: Annotated[str | None, "the source that says that the fault was no earlier; null: none does"]
    high_source: Annotated[str, "the source that says that it was no later"]
    line_count: Annotated[Int32, "log lines of these sources"]
    is_assumed: Annotated[bool, "the interval ends where a timer allows that neither a file nor a line shows"]
    is_inferred: Annotated[bool, "it ends where a timer allows that lines of the configuration show"]
    is_consistent: Annotated[bool | None, "the lines of the most trusted source have a common part"]
    common_error_s: Annotated[float, "as in `fault_estimate`"]
    common_cause: Annotated[str | None, "as in `fault_estimate`; of an interval that two sources bound, both"]
    file_id: Annotated[Int32 | None, "file of the first line of the most trusted source"]
    line_no: Annotated[int | None, "first line"]


class Symptom(NamedTuple):
    """The first line by which anybody saw the loss of a run; it was written before `end_at`."""

    configuration: str
    run: str
    at: datetime
    end_at: datetime
    file_id: int | None
    line_no: int | None


@step(by=RUN, of="incident")
def fault_time(
    incident: Sequence[Incident],
    fault_estimate: Sequence[FaultEstimate],
    log_span: Sequence[LogSpan],
    lost_leader: Sequence[LostLeader],
) -> Iterator[FaultTime]:
    """Intersect what the sources of a run leave, the most trusted first; else count from the first symptom."""
    resolution_s: dict[int | None, float] = {each.file_id: each.resolution_s for each in log_span}
    for own in incident:
        # a leader that fails is the first to say so
        seen_at = min([own.loss_at, *(each.loss_at for each in lost_leader)])
        end_at = end_of(seen_at, resolution_s.get(own.file_id, 0.0))
        symptom = Symptom(own.configuration, own.run, seen_at, end_at, own.file_id, own.line_no)
        found = _intersected(fault_estimate, symptom)
        if found is not None:
            yield found
        elif not own.is_planned and all(each.source != RECORDED for each in fault_estimate):
            yield _first_seen(symptom)


def _intersected(estimates: Iterable[FaultEstimate], symptom: Symptom) -> FaultTime | None:
    """What all sources leave, if that is a fault time."""
    counted = sorted((each for each in estimates if each.source != RECORDED), key=BY_TRUST)
    # what puts the fault after its first symptom is wrong
    counted = [e for e in counted if source_rule(e.source).is_order or e.low_at < symptom.end_at]
    if not counted:
        return None
    best = low_end = high_end = counted[0]
    parts = [best]
    for estimate in counted[1:]:
        if _may_narrow(estimate, best) and _overlaps(estimate, low_end.low_at, high_end.high_at):
            parts.append(estimate)
            low_end = max(low_end, estimate, key=attrgetter("low_at"))
            high_end = min(high_end, estimate, key=attrgetter("high_at"))
    if low_end.low_at < symptom.end_at < high_end.high_at:
        high_end = high_end._replace(high_at=symptom.end_at)
    if high_end.high_at - low_end.low_at > FOLLOWED:
        return None
    return _bounded(best, low_end, high_end, parts, symptom.at)


def _first_seen(symptom: Symptom) -> FaultTime:
    """Times count from the first symptom where nothing bounds the fault."""
    return FaultTime(
        symptom.configuration,
        symptom.run,
        FIRST_SYMPTOM,
        None,
        symptom.at,
        symptom.end_at,
        None,
        [FIRST_SYMPTOM],
        None,
        FIRST_SYMPTOM,
        1,
        is_assumed=False,
        is_inferred=False,
        is_consistent=None,
        common_error_s=0.0,
        common_cause=None,
        file_id=symptom.file_id,
        line_no=symptom.line_no,
    )


def _may_narrow(estimate: FaultEstimate, best: FaultEstimate) -> bool:
    """Whether a source may narrow what a more trusted one leaves.

    It gives no moment, ticks by another clockwork, and its clock may be that of the others.
    """
    if source_rule(best.source).is_moment or not best.is_consistent or is_of_wrong_clock(estimate):
        return False
    is_known = not (best.is_assumed or best.is_inferred)
    is_same = is_known and _clockwork(estimate) == _clockwork(best)
    return estimate.is_consistent and not is_same and not source_rule(estimate.source).is_moment


def is_of_wrong_clock(estimate: FaultEstimate) -> bool:
    """Whether a source counts least because its clock is not that of the others."""
    return estimate.rank == source_rule(estimate.source).unproved_rank


def _clockwork(estimate: FaultEstimate) -> str:
    return source_rule(estimate.source).clockwork or estimate.source


def _overlaps(estimate: FaultEstimate, low_at: datetime, high_at: datetime) -> bool:
    return max(estimate.low_at, low_at) < min(estimate.high_at, high_at)


def _bounded(
    best: FaultEstimate,
    low_end: FaultEstimate,
    high_end: FaultEstimate,
    parts: Sequence[FaultEstimate],
    symptom_at: datetime,
) -> FaultTime:
    """What is left between the source that says no earlier and the one that says no later, or the first symptom."""
    low_at, high_at = low_end.low_at, high_end.high_at
    width_us = (high_at - low_at) // MICROSECOND
    width_s = width_us / SECOND_US
    timer_error_s = min((low_end.timer_error_s + high_end.timer_error_s) / 2, width_us / (2 * SECOND_US))
    common_share = max(low_end.common_share, high_end.common_share)
    causes = dict.fromkeys(each for each in (low_end.common_cause, high_end.common_cause) if each is not None)
    likely_at = best.middle_at if source_rule(best.source).has_likely_time else low_at + int(width_us / 2) * MICROSECOND
    return passed_on(
        FaultTime,
        best,
        low_at=low_at,
        middle_at=max(low_at, min(likely_at, high_at, symptom_at)),
        high_at=high_at,
        width_s=width_s,
        sources=[each.source for each in parts],
        low_source=low_end.source,
        high_source=high_end.source,
        line_count=sum(each.line_count for each in parts),
        is_assumed=low_end.is_assumed or high_end.is_assumed,
        is_inferred=low_end.is_inferred or high_end.is_inferred,
        common_error_s=common_error_s(
            width_s, timer_error_s, common_share, max(low_end.undecided_s, high_end.undecided_s)
        ),
        common_cause=" and ".join(causes) or None,
    )
