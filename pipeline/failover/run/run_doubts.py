"""What casts doubt on a run: lines of the cluster before and during its failover, and clocks that were set."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.incident.missing_incidents import MissingIncident
from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.recovery.incident_instants import IncidentInstant
from pipeline.failover.recovery.milestone_candidates import MilestoneCandidate
from pipeline.failover.run.clock_errors import ClockCorrection, ClockErrors
from pipeline.failover.run.clock_steps import ClockStep
from pipeline.failover.service.planned_changes import PlannedChanges
from pipeline.failover.service.service_windows import ServiceWindow
from pipeline.failover.step import CONFIGURATION, STUDY, grouped, step
from pipeline.failover.timeline import Timeline
from pipeline.failover.windows import DOUBTED_BEFORE, UNPROVED_ERROR_S

FAULT_KINDS = {"resource_faulted", "clean_called", "unexpected_offline", "give_up"}
SWITCH_KINDS = {"group_switch", "user_command"}
ATTEMPT_KINDS = {"initiate_online", "crash_recovery_needed", "crash_recovery_done", "recovery_ok"}

UNDECIDED_ORDER = "undecided_order"
STAMPS_GO_BACK = "stamps go back"
DISORDER = 3
"""A log in which so many lines go back is in disorder; that is no clock."""


class ManualChange(NamedTuple):
    """A parameter that a person changed."""

    configuration: str
    unit_run: str | None
    at: datetime


class RunDoubt(NamedTuple):
    """A doubt about a run, by its flag."""

    configuration: str
    run: str
    flag: str


class ClockDoubt(NamedTuple):
    """A run in which a clock was set. `is_unproved`: what its times are is not known. `is_step`: a line shows it."""

    configuration: str
    run: str
    is_step: bool
    is_unproved: bool


LINE_DOUBTS: Sequence[tuple[str, Callable[[ClusterLine, Incident], bool]]] = (
    ("jeopardy", lambda line, span: line.kind == "jeopardy" and line.at < span.membership_at),
    ("ddna", lambda line, span: line.kind == "ddna" and line.node_key != span.lost_key),
    # a later switch back is none
    ("planned_switch", lambda line, span: line.kind in SWITCH_KINDS and line.at >= span.search_start_at),
    (
        "faulted_resource",
        lambda line, span: (
            (line.kind in FAULT_KINDS or (line.kind == "operation_done" and line.state == "failed"))
            and line.at >= span.membership_at
            and span.lost_key not in {line.node_key, line.system_key}
        ),
    ),
    (
        "autodisabled",
        lambda line, span: line.kind == "group_autodisabled" and line.system_key == span.surviving_key,
    ),
)
"""Lines shortly before and during a failover that cast doubt on it."""

KINDS_WITHOUT = {"jeopardy": "jeopardy", "ddna": "ddna"} | dict.fromkeys(SWITCH_KINDS, "planned_switch")
"""Of a unit without a failover: the flag of a line at any time, by its kind."""

DOUBT_KINDS = {"operation_done", "group_autodisabled", *FAULT_KINDS, *KINDS_WITHOUT, *ATTEMPT_KINDS}


@step(by=CONFIGURATION, is_stored=False)
def run_doubt(
    incident: Sequence[Incident],
    missing_incident: Sequence[MissingIncident],
    incident_instant: Sequence[IncidentInstant],
    service_window: Sequence[ServiceWindow],
    cluster_line: Sequence[ClusterLine],
    manual_change: Sequence[ManualChange],
    node_loss: Sequence[NodeLoss],
    leader_change: Sequence[LeaderChange],
) -> Iterator[RunDoubt]:
    """The flags of each run that lines show."""
    lines = grouped((each for each in cluster_line if each.kind in DOUBT_KINDS), "unit_run")
    changes = {
        unit: Timeline(rows, lambda each: each.at) for (unit,), rows in grouped(manual_change, "unit_run").items()
    }
    timelines = {unit: Timeline(rows) for (unit,), rows in lines.items()}
    planned = PlannedChanges(node_loss)
    instants = {each.run: each.service_end_at for each in incident_instant}
    windows = grouped(service_window, "run")
    undecided = grouped((each for each in leader_change if each.is_undecided), "unit_run", "former_key")
    for span in incident:
        timeline = timelines.get(span.unit_run, Timeline(()))
        flags = _line_flags(span, timeline, instants[span.run], planned)
        if _has_second_attempt(span, timeline, windows.get((span.run,), [])):
            flags.add("second_attempt")
        changes_of_lost = undecided.get((span.unit_run, span.lost_key), ())
        if any(each.loss_at <= span.loss_at <= each.at for each in changes_of_lost):
            flags.add(UNDECIDED_ORDER)
        if span.unit_run in changes and changes[span.unit_run].within(span.search_start_at, instants[span.run]):
            flags.add("configuration_changed")
        yield from (RunDoubt(span.configuration, span.run, flag) for flag in sorted(flags))
    for unit in missing_incident:
        flags = {KINDS_WITHOUT[each.kind] for each in lines.get((unit.unit_run,), []) if each.kind in KINDS_WITHOUT}
        run = "1" if unit.unit_run is None else unit.unit_run
        yield from (RunDoubt(unit.configuration, run, flag) for flag in sorted(flags))


def _line_flags(
    span: Incident, timeline: Timeline[ClusterLine], service_end_at: datetime, planned: PlannedChanges
) -> set[str]:
    near = timeline.within(span.membership_at - DOUBTED_BEFORE, span.end_at)
    return {
        flag
        for line in near
        if line.at <= service_end_at
        and not (line.kind in FAULT_KINDS and planned.explain(span.unit_run, span.surviving_key, line.at))
        for flag, casts_doubt in LINE_DOUBTS
        if casts_doubt(line, span)
    }


def _has_second_attempt(span: Incident, timeline: Timeline[ClusterLine], windows: Iterable[ServiceWindow]) -> bool:
    """Whether a resource was started again, or a crash recovery needed again, before it was done."""
    lines = timeline.within(span.membership_at, span.end_at)
    ends = {each.group: each.service_end_at for each in windows}
    starts: dict[tuple[object, ...], set[datetime]] = defaultdict(set)
    recoveries: Counter[tuple[object, ...]] = Counter()
    done: set[tuple[object, ...]] = set()
    for line in lines:
        if line.kind == "initiate_online" and line.system_key == span.surviving_key:
            if line.group in ends and line.at <= ends[line.group]:
                # a copy of a line in another file is no second attempt
                starts[line.resource, line.file_id].add(line.at)
        elif line.kind == "crash_recovery_needed" and line.node_key != span.lost_key:
            database = (line.file_id, line.instance, line.database)
            recoveries[database] += (line.file_id, line.instance) not in done
        elif line.kind in {"crash_recovery_done", "recovery_ok"}:
            done.add((line.file_id, line.instance))
    return any(len(each) > 1 for each in starts.values()) or any(each > 1 for each in recoveries.values())


@step(by=STUDY, is_stored=False)
def clock_doubt(
    clock_step: Sequence[ClockStep],
    milestone_candidate: Sequence[MilestoneCandidate],
    log__clock_correction: Sequence[ClockCorrection],
) -> Iterator[ClockDoubt]:
    """The runs in which a clock was set, or that show lines which either clock may have stamped."""
    clocks = ClockErrors(log__clock_correction)
    uncertain = {
        (each.configuration, each.run)
        for each in milestone_candidate
        if any(error_s > UNPROVED_ERROR_S for error_s in clocks.errors_s(each.file_id, each.line_no))
    }
    steps = grouped((each for each in clock_step if each.run is not None), "configuration", "run")
    for configuration, run in sorted(uncertain | steps.keys()):
        set_here = steps.get((configuration, run), [])
        is_unproved = (configuration, run) in uncertain or _is_unproved(set_here)
        yield ClockDoubt(configuration, run, is_step=bool(set_here), is_unproved=is_unproved)


def _is_unproved(steps: Iterable[ClockStep]) -> bool:
    sources = [each.source for each in steps if each.is_inside and not each.is_corrected]
    falls = sources.count(STAMPS_GO_BACK)
    return falls < len(sources) or 0 < falls < DISORDER
