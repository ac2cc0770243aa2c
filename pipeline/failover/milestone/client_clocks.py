"""Clients whose clock is not the surviving node's: by how much, and what shows it."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.fault.fault_estimates import FaultEstimate
from pipeline.failover.fault.fault_times import FaultTime, is_of_wrong_clock
from pipeline.failover.fault.host_clocks import TAKEN_TO_AGREE, HostClock
from pipeline.failover.run.runs import Run
from pipeline.failover.stamps import seconds
from pipeline.failover.step import RUN, Int32, passed_on, step
from pipeline.failover.windows import CLOCKS_AGREE

CLIENT_SOURCE = "client questions"


class ClientOutage(NamedTuple):
    """The outage that a client saw, by its own clock."""

    configuration: str
    run: str
    node: str | None
    last_success_at: datetime | None
    first_failure_at: datetime | None
    last_failure_at: datetime | None
    first_success_at: datetime | None
    first_answer_at: datetime | None
    interval_s: float | None
    failed: int
    file_id: Int32
    line_no: Int32


class ClientClock(NamedTuple):
    """One row per run and client whose clock is off. What `host_clock` proves is added to its stamps. A difference that
    nothing proves shows where its outage begins at another time than the fault: nobody knows whether its clock is
    off or the service was there for so much longer, so its first success is not counted. UTC.
    """

    configuration: str
    run: str
    node: Annotated[str | None, "host of the client"]
    is_proved: Annotated[bool, "what compares the clocks shows it"]
    basis: Annotated[str | None, "what compares them, as in `host_clock`; null where nothing does"]
    ahead_s: Annotated[float, "what is to be added to its stamps, seconds: negative where its clock is ahead"]
    error_s: Annotated[float, "half width of that, seconds"]
    answered_at: Annotated[datetime, "first answer after the outage, by its own clock"]
    resolution_s: Annotated[float, "time between two questions, seconds"]
    file_id: Annotated[Int32, "file of that answer"]
    line_no: Int32


@step(by=RUN, of="client_outage")
def client_clock(
    run: Sequence[Run],
    fault_time: Sequence[FaultTime],
    fault_estimate: Sequence[FaultEstimate],
    host_clock: Sequence[HostClock],
    client_outage: Sequence[ClientOutage],
) -> Iterator[ClientClock]:
    """The clients of a run whose clock is not the surviving node's."""
    rests_on_client = any(CLIENT_SOURCE in each.sources for each in fault_time)
    is_wrong = any(map(is_of_wrong_clock, fault_estimate))
    clocks = {each.node_key: each for each in host_clock}
    for own in run:
        for outage in client_outage:
            clock = clocks.get(None if outage.node is None else outage.node.lower())
            if own.fault_at is None or outage.first_answer_at is None:
                continue
            if clock is not None and clock.basis != TAKEN_TO_AGREE:
                if clock.low_s > 0 or clock.high_s < 0:
                    ahead_s, error_s = (clock.low_s + clock.high_s) / 2, (clock.high_s - clock.low_s) / 2
                    yield _row(outage, outage.first_answer_at, clock.basis, ahead_s, error_s)
            elif (seen_s := _unproved_s(own, outage, rests_on_client=rests_on_client, is_wrong=is_wrong)) is not None:
                yield _row(outage, outage.first_answer_at, None, seen_s, _width_s(own, outage) / 2)


def _unproved_s(run: Run, outage: ClientOutage, *, rests_on_client: bool, is_wrong: bool) -> float | None:
    """How much later the fault was than a client saw it begin; None where both may be the same moment.

    `is_wrong`: a run of the configuration shows that its clock is not that of the servers.
    """
    low_at, high_at = outage.last_success_at, outage.first_failure_at
    if not (low_at and high_at and run.fault_at and run.fault_at_low and run.fault_at_high):
        return None
    middle_at = low_at + (high_at - low_at) / 2
    is_beside = low_at - CLOCKS_AGREE <= run.fault_at_high and high_at + CLOCKS_AGREE >= run.fault_at_low
    is_its_own = not rests_on_client or abs(run.fault_at - middle_at) <= CLOCKS_AGREE
    return None if is_beside and is_its_own and not is_wrong else seconds(run.fault_at) - seconds(middle_at)


def _width_s(run: Run, outage: ClientOutage) -> float:
    """How far the moments may be apart that the servers and the client take for the fault."""
    ends = (run.fault_at_low, run.fault_at_high), (outage.last_success_at, outage.first_failure_at)
    return sum(seconds(high_at) - seconds(low_at) for low_at, high_at in ends if low_at and high_at)


def _row(outage: ClientOutage, answered_at: datetime, basis: str | None, ahead_s: float, error_s: float) -> ClientClock:
    return passed_on(
        ClientClock,
        outage,
        is_proved=basis is not None,
        basis=basis,
        ahead_s=ahead_s,
        error_s=error_s,
        answered_at=answered_at,
        resolution_s=outage.interval_s or 0.0,
    )
