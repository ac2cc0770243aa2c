"""Sources of a fault time that contradict each other."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from pipeline.failover.fault.fault_estimates import FaultEstimate
from pipeline.failover.fault.fault_times import BY_TRUST, FaultTime
from pipeline.failover.fault_sources import FIRST_SYMPTOM, RECORDED, source_rule
from pipeline.failover.recorded_runs import Recorded, RecordedRun
from pipeline.failover.stamps import MICROSECOND, SECOND_US
from pipeline.failover.step import CONFIGURATION, Int32, grouped, passed_on, step
from pipeline.failover.windows import LEAST_GAP_S, MIDDLES_APART_S, NOTED_GAP_S


class FaultDisagreement(NamedTuple):
    """One row per run and pair of sources whose fault times are more than 2 s apart (middles compared), or cannot both
    be right. A wrong timer label, clock skew, or timers that fired early. An interval that rests on a timer which
    no file specifies, and one whose ends are single lines (a client's questions, the last words of the lost node
    or leader, a lost token), disagrees where it lies a tenth of a second or more outside of what all others
    leave, and 2 s outside of a recorded time. A true fault time from study.toml is compared too.
    """

    configuration: str
    run: str
    source: Annotated[str, "better source"]
    other_source: Annotated[str, "other source, or true_fault_at"]
    difference_s: Annotated[float, "other minus better, seconds"]
    is_assumed: Annotated[bool, "the other source rests on a timer that no file specifies"]
    file_id: Annotated[Int32 | None, "file of the other source"]
    line_no: int | None


class Compared(NamedTuple):
    """What is compared with the best source of a run: another one, or the true time of the fault."""

    source: str
    low_at: datetime
    middle_at: datetime
    high_at: datetime
    file_id: int | None = None
    line_no: int | None = None
    is_open: bool = False
    is_sharp: bool = False


@step(by=CONFIGURATION, of="fault_estimate")
def fault_disagreement(
    fault_estimate: Sequence[FaultEstimate], fault_time: Sequence[FaultTime], study__run: Sequence[RecordedRun]
) -> Iterator[FaultDisagreement]:
    """Compare the best source of each run with the others, and with the true time."""
    times = {each.run: each for each in fault_time}
    recorded = Recorded(study__run)
    for (run,), estimates in grouped(fault_estimate, "run").items():
        first, *others = sorted(estimates, key=BY_TRUST)
        left = first if first.source == RECORDED else times.get(run)
        best: FaultEstimate | FaultTime = first
        if left is not None and left.source == FIRST_SYMPTOM:  # each of them lies after it, or says too little
            best, others = left, [first, *others]
        true_times = dict.fromkeys(each.true_fault_at for each in recorded.entries(run) if each.true_fault_at)
        compared = [*map(_compared, others), *(Compared("true_fault_at", at, at, at) for at in true_times)]
        for other in compared:
            difference_s = _seconds_between(best.middle_at, other.middle_at)
            if _contradicts(other, best, difference_s, left):
                yield FaultDisagreement(
                    best.configuration,
                    run,
                    best.source,
                    other.source,
                    difference_s,
                    other.is_open,
                    other.file_id,
                    other.line_no,
                )


def _compared(estimate: FaultEstimate) -> Compared:
    return passed_on(
        Compared,
        estimate,
        is_open=estimate.is_assumed or estimate.is_inferred,
        is_sharp=source_rule(estimate.source).is_sharp,
    )


def _seconds_between(earlier: datetime, later: datetime) -> float:
    return (later - earlier) // MICROSECOND / SECOND_US


def _contradicts(
    other: Compared, best: FaultEstimate | FaultTime, difference_s: float, left: FaultEstimate | FaultTime | None
) -> bool:
    """Whether two sources contradict each other. `left`: what all evidence leaves, or the recorded time."""
    if not (other.is_open or best.is_assumed or best.is_inferred or other.is_sharp):
        return abs(difference_s) > MIDDLES_APART_S
    if left is None or left.low_at is None:
        return False
    gap_s = max(_seconds_between(left.high_at, other.low_at), _seconds_between(other.high_at, left.low_at))
    return gap_s >= (NOTED_GAP_S if best.source == RECORDED else LEAST_GAP_S)
