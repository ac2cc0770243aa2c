"""Milestones of a run in seconds after the fault, with what the stamp, the fault and the clock leave open."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from math import fsum, sqrt
from typing import Annotated, NamedTuple

from pipeline.failover.milestone.client_clocks import ClientClock, ClientOutage
from pipeline.failover.recovery.milestone_lines import MilestoneLine
from pipeline.failover.rules import rules
from pipeline.failover.run.clock_errors import ClockCorrection, ClockErrors
from pipeline.failover.stamps import MICROSECOND, SECOND_US, duration_us, microseconds
from pipeline.failover.step import STUDY, Int32, grouped, passed_on, step

INFERRED = frozenset(rules("milestones")["inferred"]["milestones"])

CLIENT = "client"
"""The stack of a client's answers."""

FIRST_SUCCESS = "client_success"
"""A client is served again."""


class RunFault(NamedTuple):
    """When the fault of a run was; None without one. Nothing bounds one without `fault_at_low`: it was seen then."""

    configuration: str
    run: str
    fault_at: datetime | None
    fault_at_low: datetime | None
    fault_at_high: datetime
    fault_common_error_s: float
    fault_common_cause: str | None


class Milestone(NamedTuple):
    """One row per run and milestone that a log line shows: the completion of a step, in seconds after the fault, or
    after its first symptom where nothing bounds the fault (`run.fault_source`). A
    stamp is cut, so the step lies in [stamp, stamp + resolution) and is placed in the middle; the fault lies in the
    interval that its evidence allows and is placed in the middle too. The low and high ends hold what both allow,
    and what a corrected clock leaves open. Evidence is the surviving node's own log; where it has none for a step,
    another node's, as the note says, never the lost node's. A client whose clock is off counts by the surviving
    node's where `client_clock` proves the difference, else not; its first success ends the outage of `client_outage`.
    A milestone that no line shows has no row.
    """

    configuration: str
    run: str
    stack: str
    milestone: str
    at: Annotated[datetime, "stamp of the line as printed, UTC; of a client whose clock is off by the surviving node's"]
    elapsed_s: Annotated[float, "best estimate, seconds: the middle of the stamp minus the fault time"]
    elapsed_low_s: Annotated[float, "least that stamp, fault interval and clock allow, seconds; never below zero"]
    elapsed_high_s: Annotated[float, "most that they allow, seconds"]
    printed_elapsed_s: Annotated[float, "the stamp as printed minus the fault time, seconds"]
    uncertainty_s: Annotated[
        float,
        "standard uncertainty of the estimate in this run, seconds: the stamp evenly distributed, "
        "the fault as the sum of three even parts",
    ]
    common_error_s: float
    common_cause: str | None
    resolution_s: float
    method: Annotated[str, "message (by message id), text, inferred (order of lines, for clustered storage)"]
    note: Annotated[str | None, "what to know about the evidence"]
    evidence: Int32
    node: str | None
    file_id: Int32
    line_no: Int32


@step(by=STUDY, links=["from: fault_time by configuration, run"])
def milestone(
    milestone_line: Sequence[MilestoneLine],
    run: Sequence[RunFault],
    log__clock_correction: Sequence[ClockCorrection],
    client_clock: Sequence[ClientClock],
    client_outage: Sequence[ClientOutage],
) -> Iterator[Milestone]:
    """The milestones of runs whose fault time is known."""
    faults = {(each.configuration, each.run): each for each in run}
    clocks = ClockErrors(log__clock_correction)
    off = grouped(client_clock, "configuration", "run")
    answered = {(each.configuration, each.run) for each in client_outage if each.first_answer_at is not None}
    answered -= off.keys()
    for line in milestone_line:
        fault = faults[line.configuration, line.run]
        is_told = line.milestone != FIRST_SUCCESS or _run_of(line) in answered
        if fault.fault_at is not None and is_told:
            yield _milestone(line, fault, fault.fault_at, fsum(clocks.errors_s(line.file_id, line.line_no)))
    for place, of_run in off.items():
        fault = faults[place]
        proved = [each for each in of_run if each.is_proved]
        if proved and fault.fault_at is not None:
            first = min(proved, key=_answered_at)
            yield _milestone(_line_of(first), fault, fault.fault_at, first.error_s)


def _run_of(line: MilestoneLine) -> tuple[str, str]:
    return line.configuration, line.run


def _answered_at(clock: ClientClock) -> datetime:
    """When a client was answered again, by the surviving node's clock."""
    return clock.answered_at + duration_us(clock.ahead_s) * MICROSECOND


def _line_of(clock: ClientClock) -> MilestoneLine:
    """The first answer of a client whose clock is off by a known amount."""
    return passed_on(
        MilestoneLine,
        clock,
        stack=CLIENT,
        milestone=FIRST_SUCCESS,
        at=_answered_at(clock),
        evidence=1,
        has_message_id=True,
        is_other_node=False,
    )


def _milestone(line: MilestoneLine, fault: RunFault, fault_at: datetime, clock_error_s: float) -> Milestone:
    # whole microseconds, so that equal stamps give equal durations
    at_us, clock_us = microseconds(line.at), duration_us(clock_error_s)
    printed_us = at_us - microseconds(fault_at)
    # a client's answer is known to the instant; what it says of the service lies up to one question earlier
    fineness_us = duration_us(line.resolution_s)
    stamp_us, question_us = (0, fineness_us) if line.stack == CLIENT else (fineness_us, 0)
    low_us = at_us - microseconds(fault.fault_at_high) - question_us - clock_us
    high_us = at_us - microseconds(fault.fault_at_low or fault_at) + stamp_us + clock_us
    return passed_on(
        Milestone,
        line,
        elapsed_s=max(printed_us + stamp_us // 2, 0) / SECOND_US,
        elapsed_low_s=max(low_us, 0) / SECOND_US,
        elapsed_high_s=max(high_us, 0) / SECOND_US,
        printed_elapsed_s=printed_us / SECOND_US,
        uncertainty_s=_uncertainty_s(stamp_us, fault, clock_error_s),
        common_error_s=fault.fault_common_error_s,
        common_cause=fault.fault_common_cause,
        method="inferred" if line.milestone in INFERRED else "message" if line.has_message_id else "text",
        note=_note(line),
    )


def fault_width_us(fault: RunFault) -> int:
    """How long the interval is in which the times of a run begin to count, microseconds."""
    low_at = fault.fault_at_low or fault.fault_at
    return 0 if low_at is None else microseconds(fault.fault_at_high) - microseconds(low_at)


def _uncertainty_s(stamp_us: int, fault: RunFault, clock_error_s: float) -> float:
    """A count of seconds, a stamp and a heartbeat make up the fault interval: its middle is likelier than its ends."""
    own_width_s = max(fault_width_us(fault) / SECOND_US - 2 * fault.fault_common_error_s, 0)
    return sqrt((stamp_us / SECOND_US) ** 2 / 12 + own_width_s**2 / 36 + clock_error_s**2 / 3)


def _note(line: MilestoneLine) -> str | None:
    notes = ["second choice of evidence"] if line.evidence > 1 else []
    if line.is_other_node:
        notes.append(f"from a log of {line.node}, not of the surviving node")
    return "; ".join(notes) or None
