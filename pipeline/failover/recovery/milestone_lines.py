"""The line that is the evidence of a milestone: of those that can show it, the best one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Annotated, NamedTuple, TypeVar

from pipeline.failover.recovery.milestone_candidates import FAULT, MilestoneCandidate
from pipeline.failover.stamps import end_of, microseconds
from pipeline.failover.step import RUN, Int32, passed_on, step


class RuleLine(NamedTuple):
    """A line that a milestone rule of the study finds, and the instants of its run that rules name."""

    configuration: str
    run: str
    milestone: str
    stack: str
    evidence: int
    pick: str
    after: str
    before: str
    fault_at: datetime
    membership_at: datetime
    end_at: datetime
    service_end_at: datetime
    database_start_at: datetime
    at: datetime
    resolution_s: float
    has_message_id: bool | None
    is_other_node: bool
    node: str | None
    file_id: int
    line_no: int
    part: int


class EarliestFault(NamedTuple):
    """When the fault of a run was, and at the earliest; None where nothing bounds it."""

    configuration: str
    run: str
    fault_at: datetime | None
    fault_at_low: datetime | None


L = TypeVar("L", MilestoneCandidate, RuleLine)


class MilestoneLine(NamedTuple):
    """One row per run and milestone that a log line shows: the line that is its evidence. `milestone` computes the
    seconds. Evidence is the surviving node's own log; where it has none for a step, another node's, never the lost
    node's.
    """

    configuration: str
    run: str
    stack: str
    milestone: str
    at: Annotated[datetime, "stamp of the line as printed, UTC"]
    resolution_s: float
    evidence: Annotated[Int32, "1 if the preferred evidence was found"]
    has_message_id: Annotated[bool | None, "found by message id, else by its text"]
    is_other_node: bool
    node: str | None
    file_id: Int32
    line_no: Int32


@step(by=RUN, is_stored=False)
def milestone_line(
    milestone_candidate: Sequence[MilestoneCandidate],
    milestone_rule_line: Sequence[RuleLine],
    run: Sequence[EarliestFault],
) -> Iterator[MilestoneLine]:
    """A line for each milestone that a run shows."""
    earliest_at = next((each.fault_at_low or each.fault_at for each in run), None)
    built_in = _built_in([each for each in milestone_candidate if _may_follow(each, earliest_at)])
    own = _best(each for each in milestone_rule_line if _is_in_time(each, built_in))
    chosen: list[MilestoneCandidate | RuleLine] = [*built_in.values(), *own.values()]
    for each in sorted(chosen, key=attrgetter("milestone")):
        yield passed_on(MilestoneLine, each)


def _may_follow(line: MilestoneCandidate, earliest_at: datetime | None) -> bool:
    """Whether a line that need not wait for the loss to be seen lies after the earliest time of the fault."""
    return line.after != FAULT or earliest_at is None or end_of(line.at, line.resolution_s) > earliest_at


def _built_in(candidates: Sequence[MilestoneCandidate]) -> dict[str, MilestoneCandidate]:
    """The lines of built-in milestones: those that follow on another milestone are chosen after it."""
    anchors = _best(each for each in candidates if each.after in {None, FAULT} and each.before is None)
    # a milestone may have evidence of both kinds
    return _best(
        each for each in candidates if _fits(each, anchors.get(each.after or ""), anchors.get(each.before or ""))
    )


def _fits(line: MilestoneCandidate, earlier: MilestoneCandidate | None, later: MilestoneCandidate | None) -> bool:
    """Whether a line lies between two milestones, and is of the same database as the earlier one."""
    follows = earlier is None or (
        line.at >= earlier.at
        and earlier.instance in {None, line.instance}
        and (line.database is None or earlier.database in {None, line.database})
    )
    return follows and (later is None or line.at <= later.at)


def _is_in_time(line: RuleLine, built_in: Mapping[str, MilestoneCandidate]) -> bool:
    """Whether a line lies between the instants or milestones that its rule names, if both are known."""
    instants = {each.milestone: each.at for each in built_in.values()} | {
        "fault": line.fault_at,
        "search_start": line.fault_at,
        "membership": line.membership_at,
        "service_end": line.service_end_at,
        "database_start": line.database_start_at,
        "end": line.end_at,
    }
    after_at, before_at = instants.get(line.after), instants.get(line.before)
    if after_at is None or before_at is None:
        return False
    return end_of(line.at, line.resolution_s) > after_at and line.at <= before_at


def _best(lines: Iterable[L]) -> dict[str, L]:
    """The best line for each milestone."""
    best: dict[str, L] = {}
    for each in sorted(lines, key=_preference):
        best.setdefault(each.milestone, each)
    return best


def _preference(line: MilestoneCandidate | RuleLine) -> tuple[object, ...]:
    """Better evidence, the surviving node's own log, the first or last line."""
    sign = -1 if line.pick == "last" else 1
    place = (sign * microseconds(line.at), sign * line.line_no, line.file_id, line.part)
    return (line.evidence, line.is_other_node, *place, line.stack)
