"""Phases of a run: stretches of a failover in which one part of the system works, from its begin to a milestone."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from operator import itemgetter
from typing import Annotated, NamedTuple

from pipeline.failover.milestone.milestones import CLIENT, Milestone, RunFault, fault_width_us
from pipeline.failover.milestone.step_begins import PhaseRule, StepBegin
from pipeline.failover.stamps import SECOND_US, duration_us
from pipeline.failover.step import RUN, grouped, step

FAULT = "fault"
"""What a rule calls the fault, as a begin of a phase."""


class Phase(NamedTuple):
    """One row per run and phase: from its begin to its last milestone, in seconds after the fault. It begins where a
    line says that its first resource is started, else as what main.cf or the CIB makes that wait for is online, else
    with the latest milestone that the rule names. Phases overlap, as the cluster works in parallel, and are never
    added up. A phase whose end no line shows is absent, as is one that ends before it can have begun. A fault time
    at its begin brings the uncertainty of the fault; within the run it cancels.
    """

    configuration: str
    run: str
    phase: str
    start_s: Annotated[float, "begin, seconds after the fault"]
    end_s: Annotated[float, "end, seconds after the fault"]
    duration_s: float
    duration_low_s: Annotated[
        float,
        "least that the stamps of both ends allow, and the fault interval where it begins with the fault, seconds",
    ]
    duration_high_s: Annotated[float, "most that they allow, seconds"]
    uncertainty_s: Annotated[float, "standard uncertainty of the duration in this run, seconds"]
    common_error_s: float
    common_cause: str | None
    resolution_s: float
    begin: Annotated[
        str,
        "what shows its begin: fault, milestone (that defines it), line (it says that a resource is started), "
        "dependency (what the resource waits for is online), "
        "assumed (only a milestone before it: it may have begun later)",
    ]
    begin_milestone: Annotated[
        str | None, "milestone that it begins with; null where another line or the fault begins it"
    ]


class Instant(NamedTuple):
    """When a phase may begin or end, in microseconds after the fault; `half_us`: what the fault time adds."""

    elapsed_us: int
    term: str
    resolution_us: int
    begin: str
    milestone: str | None = None
    half_us: int = 0
    uncertainty_s: float = 0.0


@step(
    by=RUN,
    of="milestone",
    links=[
        "from: fault_time by configuration, run",
        "from: milestone by configuration, run, start_s as elapsed_s",
        "from: step_begin by configuration, run, phase, start_s as elapsed_s",
        "from: milestone by configuration, run, end_s as elapsed_s",
    ],
)
def phase(
    milestone: Sequence[Milestone],
    step_begin: Sequence[StepBegin],
    run: Sequence[RunFault],
    study__phase_rule: Sequence[PhaseRule],
) -> Iterator[Phase]:
    """The phases of a run; of phases of one name in several stacks the one that ends first."""
    shown = {each.milestone: each for each in milestone}
    instants = {name: _instant(each) for name, each in shown.items()} | {FAULT: _fault(run[0])}
    begun = {each.phase: each for each in step_begin}
    for (name,), of_stacks in sorted(grouped(study__phase_rule, "phase").items()):
        found = []
        for (end,), bounds in grouped(of_stacks, "to_milestone").items():
            begin = _begin(begun.get(name), bounds, instants, instants[end]) if end in shown else None
            if begin is not None and begin.elapsed_us <= instants[end].elapsed_us + _half_us(begin, instants[end]):
                found.append((instants[end].elapsed_us, end, begin))
        for _, end, begin in sorted(found, key=itemgetter(0, 1))[:1]:
            yield _phase(name, begin, shown[end])


def _instant(milestone: Milestone) -> Instant:
    resolution_us = 0 if milestone.stack == CLIENT else duration_us(milestone.resolution_s)
    return Instant(
        duration_us(milestone.elapsed_s), milestone.milestone, resolution_us, "milestone", milestone.milestone
    )


def _fault(run: RunFault) -> Instant:
    uncertainty_s = max(fault_width_us(run) / SECOND_US - 2 * run.fault_common_error_s, 0) / 6
    return Instant(0, FAULT, 0, FAULT, None, fault_width_us(run) // 2, uncertainty_s)


def _begin(
    begun: StepBegin | None,
    rules: Sequence[PhaseRule],
    instants: Mapping[str, Instant],
    end: Instant,
) -> Instant | None:
    """When a phase begins: by a line, but not before what it waits for; else by the milestones of its rules."""
    if begun is not None:
        waits = (instants[each] for rule in rules for each in rule.waits_for if each in instants)
        own = Instant(duration_us(begun.elapsed_s), "", duration_us(begun.resolution_s), begun.begin)
        begin = max([own, *waits], key=_order)
        # a later start is of a restart
        if begin.elapsed_us <= end.elapsed_us + _half_us(begin, end):
            return begin
    terms = {term for rule in rules for term in rule.from_terms.split(",")}
    latest = max(filter(None, (_first(term, instants) for term in terms)), key=_order, default=None)
    if latest is None or latest.milestone is None or not any(rule.starts or rule.starts_but for rule in rules):
        return latest
    return latest._replace(begin="assumed")


def _first(term: str, instants: Mapping[str, Instant]) -> Instant | None:
    """The first milestone of a term that the run shows."""
    return next((instants[each]._replace(term=term) for each in term.split("|") if each in instants), None)


def _order(instant: Instant) -> tuple[int, str]:
    return instant.elapsed_us, instant.term


def _half_us(begin: Instant, end: Instant) -> int:
    """How far the difference of two cut stamps may be off: half of each at most, and what the fault adds."""
    return (begin.resolution_us + end.resolution_us) // 2 + begin.half_us


def _phase(name: str, begin: Instant, milestone: Milestone) -> Phase:
    end = _instant(milestone)
    took_us, half_us = end.elapsed_us - begin.elapsed_us, _half_us(begin, end)
    stamps_s = (end.resolution_us / SECOND_US) ** 2 + (begin.resolution_us / SECOND_US) ** 2
    return Phase(
        milestone.configuration,
        milestone.run,
        name,
        begin.elapsed_us / SECOND_US,
        end.elapsed_us / SECOND_US,
        max(took_us, 0) / SECOND_US,
        max(took_us - half_us, 0) / SECOND_US,
        (took_us + half_us) / SECOND_US,
        sqrt(stamps_s / 12 + begin.uncertainty_s**2),
        milestone.common_error_s if begin.begin == FAULT else 0.0,
        milestone.common_cause if begin.begin == FAULT else None,
        max(end.resolution_us, begin.resolution_us) / SECOND_US,
        begin.begin,
        begin.milestone,
    )
