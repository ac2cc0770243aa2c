"""Runs: incidents and what came without one, with the time of the fault, what is doubtful, and whether they count."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.fault.fault_disagreements import FaultDisagreement
from pipeline.failover.fault.fault_estimates import FaultEstimate
from pipeline.failover.fault.fault_kinds import FaultKind
from pipeline.failover.fault.fault_times import FaultTime
from pipeline.failover.fault.injected_faults import InjectedFault
from pipeline.failover.fault_sources import FIRST_SYMPTOM
from pipeline.failover.incident.identities import CopiedUnit
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.incident.missing_incidents import MissingIncident
from pipeline.failover.partition.partitions import NetworkPartition
from pipeline.failover.recorded_runs import Recorded, RecordedRun
from pipeline.failover.recovery.double_losses import DoubleLoss
from pipeline.failover.run.run_doubts import UNDECIDED_ORDER, ClockDoubt, RunDoubt
from pipeline.failover.step import CONFIGURATION, Int32, grouped, step
from pipeline.failover.windows import INJECTED_WITHIN
from pipeline.study.declared_places import FOUND

MANIFEST = "manifest"
"""The source of a fault time that study.toml records: it comes before all others."""

NUMBER = re.compile(r"([0-9]+)", re.ASCII)
PADDED = re.compile(r"0*([0-9]{10})", re.ASCII)


class Run(NamedTuple):
    """One row per run: each incident, and each run folder or undivided folder group without one. Times in UTC. A run
    is left out of statistics (used is false) by study.toml, as a copy of another run (`same_as`), as a further
    incident of its folder, or because no
    failover was found in logs that could show one (`missing_incident` says why), unless the run was measured and
    its whole configuration shows none; because after a partition two nodes served or nobody can say which did;
    because nobody can say whether it was ordered;
    and where a clock was set during the failover by an amount that nothing shows. The other flags are doubts:
    they are reported, and the run stays in use.
    """

    configuration: str
    run: Annotated[str, "run as found, e.g. run03; for groups without run folders 1, 2, ... by time"]
    run_no: Annotated[Int32, "number of the run; its place by name where the name holds no single number"]
    fault_at: Annotated[
        datetime | None,
        "fault time: as recorded, else the middle of the interval that all evidence leaves, else the first symptom; "
        "null without an incident",
    ]
    fault_at_low: Annotated[
        datetime | None,
        "earliest time of the fault, not before the last sign of life of the lost node; null where nothing bounds it: "
        "times count from the first symptom",
    ]
    fault_at_high: Annotated[datetime | None, "latest time of the fault, not after its first logged symptom"]
    fault_source: Annotated[
        str | None,
        "manifest, inactive series, in trouble, expired, membership, had membership, shutdown notice, dead time, "
        "token loss, token timeout, hadr connection, take-over command, marker line, client questions, last words, "
        "leader signs: the most trusted of `fault_time`; first symptom: nothing bounds the fault, and times count from "
        "the first line by which anybody saw the loss",
    ]
    fault_common_error_s: Annotated[
        float | None,
        "half width of the part of the interval that may be the same in all runs of the configuration, seconds; "
        "0 for a recorded time",
    ]
    fault_common_cause: Annotated[
        str | None, "what that error is: equal where two configurations have the same; null where there is none"
    ]
    fault_kind: Annotated[
        str | None,
        "kind of fault: as study.toml says, else as the logs show it: planned switch, network cut, service killed, "
        "node lost; null where they do not. Statistics are by configuration and kind",
    ]
    true_fault_at: Annotated[
        datetime | None,
        "time from study.toml, else of the injected fault (`injected_fault`), that is only compared with the inferred "
        "one",
    ]
    lost_node: Annotated[
        str | None, "node that was lost; of several the one that had the service; null where a partition leaves it open"
    ]
    surviving_node: Annotated[str | None, "node on which the service came up; null where a partition leaves it open"]
    used: Annotated[bool, "counts in statistics"]
    excluded_reason: Annotated[str | None, "why it does not"]
    same_as: Annotated[
        str | None,
        "the run that counts instead, as `configuration/run`, where both are one physical event: copies, and what "
        "cumulative logs hold again; null where this one counts",
    ]
    flags: Annotated[
        str,
        "doubts and states, separated by `, `: assumed_timer, autodisabled, clock_step, configuration_changed, copy, "
        "ddna, double_loss, excluded, extra_incident, fault_disagreement, faulted_resource, first_symptom, "
        "inconsistent_fault, inferred_timer, jeopardy, no_incident, partition, planned_switch, planned_takeover, "
        "second_attempt, split_brain, undecided_order, undecided_partition",
    ]
    membership_at: Annotated[datetime | None, "membership change on the surviving node"]
    end_at: Annotated[datetime | None, "end of the incident"]
    file_id: Annotated[Int32 | None, "file of the first evidence of the node loss"]
    line_no: Int32 | None


@dataclass(frozen=True)
class Facts:
    """What is known of a run: an incident, or a unit that misses one. `flags`: those that lines show."""

    row: Incident | MissingIncident
    fault: FaultTime | FaultEstimate | None
    fault_kind: str | None
    flags: frozenset[str]
    clock: ClockDoubt | None
    recorded_reason: str | None
    partition_doubt: str | None
    is_double_loss: bool
    has_disagreement: bool
    same_as: str | None
    others_are_bounded: bool

    @property
    def counts_from_symptom(self) -> bool:
        """Whether its times count from the first symptom."""
        return self.fault is not None and self.fault.source == FIRST_SYMPTOM

    @property
    def incident(self) -> Incident | None:
        """The incident that the run is."""
        return self.row if isinstance(self.row, Incident) else None

    @property
    def missing(self) -> MissingIncident | None:
        """The unit that misses one."""
        return self.row if isinstance(self.row, MissingIncident) else None

    @property
    def outcome(self) -> str | None:
        """What came of the partition that the run is; None where it is none."""
        return self.incident and self.incident.partition_outcome

    @property
    def is_undecided(self) -> bool:
        """Whether a partition leaves open who had the service."""
        return self.outcome in {"split_brain", "undecided"}

    @property
    def missing_reason(self) -> str | None:
        """Why no failover was found in a unit that could show one."""
        return self.missing and self.missing.reason


class State(NamedTuple):
    """A state or doubt of a run: its flag, when it holds, and why the run is then left out, a format of its facts."""

    flag: str | None
    holds: Callable[[Facts], object]
    reason: str | None = None


STATES = (
    State("excluded", lambda run: run.recorded_reason, "{0.recorded_reason}"),
    State(None, lambda run: run.same_as, "the same as `{0.same_as}`, which counts"),
    State("copy", lambda run: run.same_as and not (run.incident and run.incident.is_extra)),
    State(
        "extra_incident", lambda run: run.incident and run.incident.is_extra, "further incident in the folder of a run"
    ),
    State(
        "split_brain",
        lambda run: run.outcome == "split_brain",
        "split brain: the nodes declared each other lost, and {0.partition_doubt}",
    ),
    State(
        "undecided_partition",
        lambda run: run.is_undecided,
        "the nodes declared each other lost, and {0.partition_doubt}",
    ),
    State(
        None,
        lambda run: UNDECIDED_ORDER in run.flags,
        "no line says whether the former leader was stopped or had failed",
    ),
    State(None, lambda run: run.missing_reason, "{0.missing_reason}"),
    State(
        None,
        lambda run: run.clock and run.clock.is_unproved,
        "the clock of a node was set during the failover, and what its times are is not proved",
    ),
    State(
        None,
        lambda run: run.counts_from_symptom and run.others_are_bounded,
        "nothing bounds its fault: its times count from the first symptom, those of other runs from the fault",
    ),
    State("first_symptom", lambda run: run.counts_from_symptom),
    State("no_incident", lambda run: run.missing),
    State("partition", lambda run: run.missing.is_partition if run.missing else run.outcome),
    State("double_loss", lambda run: run.is_double_loss),
    State("planned_takeover", lambda run: run.incident and run.incident.is_planned),
    State("clock_step", lambda run: run.clock and run.clock.is_step),
    State("fault_disagreement", lambda run: run.has_disagreement),
    State("assumed_timer", lambda run: run.fault and run.fault.is_assumed),
    State("inferred_timer", lambda run: run.fault and run.fault.is_inferred),
    State("inconsistent_fault", lambda run: run.fault and run.fault.is_consistent is False),
)
"""Flags that facts set besides lines. The first that holds and has a reason says why a run is left out."""


@step(by=CONFIGURATION, links=["from: fault_time by configuration, run"])
def run(
    incident: Sequence[Incident],
    missing_incident: Sequence[MissingIncident],
    fault_time: Sequence[FaultTime],
    fault_estimate: Sequence[FaultEstimate],
    fault_disagreement: Sequence[FaultDisagreement],
    network_partition: Sequence[NetworkPartition],
    double_loss: Sequence[DoubleLoss],
    run_doubt: Sequence[RunDoubt],
    clock_doubt: Sequence[ClockDoubt],
    study__run: Sequence[RecordedRun],
    injected_fault: Sequence[InjectedFault],
    copied_unit: Sequence[CopiedUnit],
    fault_kind: Sequence[FaultKind],
) -> Iterator[Run]:
    """The runs of a configuration, by number."""
    faults: dict[str, FaultTime | FaultEstimate] = {each.run: each for each in fault_time}
    faults |= {each.run: each for each in fault_estimate if each.source == MANIFEST}
    is_any_bounded = any(
        faults[each.run].source != FIRST_SYMPTOM for each in incident if each.run in faults and not each.is_planned
    )
    kinds = {each.run: each.fault_kind for each in fault_kind}
    flags = grouped(run_doubt, "run")
    clocks = {each.run: each for each in clock_doubt}
    doubts: dict[tuple[str | None, int | None], str | None] = {}
    doubts |= {(each.unit_run, each.event_no): each.doubt for each in network_partition}
    twice_lost, disagreeing = {each.run for each in double_loss}, {each.run for each in fault_disagreement}
    recorded, injections = Recorded(study__run), grouped(injected_fault, "run")
    rows: dict[str, Incident | MissingIncident] = {
        "1" if e.unit_run is None else e.unit_run: e for e in missing_incident
    }
    rows |= {each.run: each for each in incident}
    places = {place: number for number, place in enumerate(sorted(set(map(_place, rows))), 1)}
    copies = {each.unit_run: each for each in copied_unit}
    found = []
    for name, row in rows.items():
        own = row if isinstance(row, Incident) else None
        facts = Facts(
            row,
            faults.get(name),
            kinds.get(name),
            frozenset(each.flag for each in flags.get((name,), [])),
            clocks.get(name),
            recorded.reason(name),
            own and doubts.get((own.unit_run, own.event_no)),
            is_double_loss=name in twice_lost if isinstance(row, Incident) else row.is_double_loss,
            has_disagreement=name in disagreeing,
            same_as=row.same_as if isinstance(row, Incident) else _original(row, copies),
            others_are_bounded=is_any_bounded,
        )
        injected_at = own and _injected_at(own, injections.get((own.unit_run or own.run,), []))
        number = _number(row)
        run_no = places[_place(name)] if number is None else number
        found.append(_run(name, run_no, facts, recorded.true_fault_at(name) or injected_at))
    yield from sorted(found, key=attrgetter("run_no", "run"))


def _run(name: str, run_no: int, facts: Facts, true_fault_at: datetime | None) -> Run:
    incident, fault, row = facts.incident, facts.fault, facts.row
    holding = [each for each in STATES if each.holds(facts)]
    reason = next((each.reason.format(facts) for each in holding if each.reason), None)
    between = None if facts.is_undecided else incident
    return Run(
        row.configuration,
        name,
        run_no,
        fault and fault.middle_at,
        fault and fault.low_at,
        fault and fault.high_at,
        fault and fault.source,
        fault.common_error_s if fault else None,
        fault and fault.common_cause,
        facts.fault_kind,
        true_fault_at,
        between and between.lost_node,
        between and between.surviving_node,
        used=reason is None,
        excluded_reason=reason,
        same_as=facts.same_as,
        flags=", ".join(sorted(facts.flags.union(each.flag for each in holding if each.flag))),
        membership_at=incident and incident.membership_at,
        end_at=incident and incident.end_at,
        file_id=row.file_id,
        line_no=row.line_no,
    )


def _original(unit: MissingIncident, copies: Mapping[str | None, CopiedUnit]) -> str | None:
    """The run that a unit without an incident is a copy of; runs that a benchmark's file holds lie in no folder."""
    copy = copies.get(unit.unit_run) or copies.get(None)
    if copy is None:
        return None
    return f"{copy.original_configuration}/{copy.original or unit.unit_run or '1'}"


def _number(row: Incident | MissingIncident) -> int | None:
    """The number of a run; None where its name holds no single one."""
    if isinstance(row, Incident):
        return row.run_no
    number = FOUND.fullmatch("1" if row.unit_run is None else row.unit_run)
    return int(number[1]) if number else None


def _injected_at(incident: Incident, injections: Iterable[InjectedFault]) -> datetime | None:
    """When a test injected the last fault before the membership changed, where it says so closely enough."""
    if incident.is_planned or incident.is_commanded:
        return None
    spans = (
        (each.fault_no, each.asked_at, each.done_at)
        for each in injections
        if incident.search_start_at <= each.asked_at <= incident.membership_at
        and each.done_at is not None
        and each.done_at <= each.asked_at + INJECTED_WITHIN
    )
    _, asked_at, done_at = max(spans, default=(0, None, None))
    return asked_at and done_at and asked_at + (done_at - asked_at) // 2


def _place(run: str) -> str:
    """A text to sort runs by so that run2 comes before run10."""
    return PADDED.sub(r"\1", NUMBER.sub(r"0000000000\1", run.partition("#")[0].lower()))
