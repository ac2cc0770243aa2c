"""Clocks of hosts that were set, and whether that was within a failover."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.incident.incidents import Incident
from pipeline.failover.recovery.incident_instants import IncidentInstant
from pipeline.failover.recovery.milestone_candidates import MilestoneCandidate
from pipeline.failover.rules import rules
from pipeline.failover.step import CONFIGURATION, Int32, passed_on, step
from pipeline.failover.windows import CORRECTED_S, HIDES_STEPS


class ClockStep(NamedTuple):
    """One row per setting of a host's clock and incident in whose time it lies; those outside of all incidents once.
    Times in UTC. Seen by lines that say so, by counts of seconds that no setting changes (uptime), and by stamps
    that go back. A clock set forward that no line reports and no count spans looks like a silence, and is not
    seen.
    """

    configuration: str | None
    run: Annotated[str | None, "run in whose incident it lies; else the run folder; null outside of all"]
    node: Annotated[str | None, "host whose clock was set, short name in small letters"]
    at: Annotated[datetime, "first instant on the new clock, as printed"]
    step_s: Annotated[
        float | None,
        "seconds forward, negative back; null where the amount is unknown; "
        "of stamps that go back the least that it was",
    ]
    error_s: Annotated[float | None, "half width of the amount, seconds; null where it is unknown"]
    source: Annotated[
        str, "what shows it: ntpd, ntpdate, chronyd, systemd, uptime, LLT's count of silence, stamps go back, ..."
    ]
    is_corrected: Annotated[
        bool, "the amount is known to within a second, and times before it were moved onto the new clock"
    ]
    is_inside: Annotated[bool, "lies between the first sign of the loss and the last step of the failover"]
    file_id: Annotated[Int32, "file that shows it"]
    line_no: Annotated[Int32, "its first line on the new clock"]


class ClockChange(NamedTuple):
    """A change of a host's clock, as `log.clock_change` has it."""

    configuration: str | None
    run: str | None
    node: str | None
    old_at: datetime | None
    at: datetime
    step_s: float | None
    error_s: float | None
    source: str
    file_id: Int32
    line_no: Int32


def _is_corrected(change: ClockChange) -> bool:
    """Whether the amount is known well enough to move the times before."""
    return change.step_s is not None and change.error_s is not None and change.error_s <= CORRECTED_S


def _old_at(change: ClockChange) -> datetime:
    """The last instant that the old clock is known to have shown."""
    return change.old_at or change.at


@dataclass(frozen=True, slots=True)
class Failover:
    """An incident, the last of its steps, and when others may have followed that a clock hides."""

    incident: Incident
    last_at: datetime | None
    open_until_at: datetime | None

    def is_beside(self, change: ClockChange) -> bool:
        """Whether a clock was set in the time of the incident."""
        own = self.incident
        return (
            change.run in {None, own.unit_run}
            and min(_old_at(change), change.at) < own.end_at
            and max(_old_at(change), change.at) >= own.search_start_at
        )

    def holds(self, change: ClockChange) -> bool:
        """Whether a clock that tells the failover was set within it: one set by an unknown amount by either time."""
        start_at, open_until_at = self.incident.search_start_at, self.open_until_at
        if change.node is not None and change.node.lower() == self.incident.lost_key:
            return False
        if self.last_at is not None and start_at <= change.at <= self.last_at:
            return True
        if _is_corrected(change):
            return False
        return _old_at(change) < start_at < change.at or (
            open_until_at is not None
            and (start_at <= _old_at(change) < open_until_at or start_at <= change.at <= open_until_at)
        )


@step(by=CONFIGURATION, of="log__clock_change")
def clock_step(
    log__clock_change: Sequence[ClockChange],
    incident: Sequence[Incident],
    incident_instant: Sequence[IncidentInstant],
    milestone_candidate: Sequence[MilestoneCandidate],
) -> Iterator[ClockStep]:
    """Each change of a clock, by the failovers in whose time it lies."""
    failovers = _failovers(incident, incident_instant, milestone_candidate)
    for change in log__clock_change:
        beside: list[Failover | None] = [each for each in failovers if each.is_beside(change)]
        for failover in beside or [None]:
            yield passed_on(
                ClockStep,
                change,
                run=change.run if failover is None else failover.incident.run,
                step_s=-(change.error_s or 0.0) if change.source == "stamps go back" else change.step_s,
                error_s=None if change.step_s is None else change.error_s,
                is_corrected=_is_corrected(change),
                is_inside=failover is not None and failover.holds(change),
            )


def _failovers(
    incidents: Sequence[Incident], instants: Sequence[IncidentInstant], candidates: Sequence[MilestoneCandidate]
) -> list[Failover]:
    """The failovers of a configuration. What brings the lost node back later belongs to none."""
    last: dict[str, datetime] = {}
    for each in candidates:
        if each.milestone not in rules("milestones")["returns"]:
            last[each.run] = max(each.at, last.get(each.run, each.at))
    ends = {each.run: each.service_end_at for each in instants}
    found = []
    for own in incidents:
        last_at = last.get(own.run)
        hidden_until_at = None if last_at is None else last_at + HIDES_STEPS
        known = [last_at, ends[own.run] if ends[own.run] < own.end_at else hidden_until_at]
        found.append(Failover(own, last_at, max((each for each in known if each is not None), default=None)))
    return found
