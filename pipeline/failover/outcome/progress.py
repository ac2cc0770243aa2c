"""How far the recovery of a run came, and how long the logs go on that could show more."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine, UnitFile
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.milestone.milestones import Milestone
from pipeline.failover.milestone.recovery_steps import RecoveryStep
from pipeline.failover.recovery.milestone_candidates import EvidenceRule
from pipeline.failover.rules import rules
from pipeline.failover.run.runs import Run
from pipeline.failover.service.open_starts import OpenStart
from pipeline.failover.step import CONFIGURATION, Int32, grouped, step
from pipeline.failover.timeline import BY_LINE, Timeline, Timelines
from pipeline.failover.windows import FAILS_AGAIN

SECOND = timedelta(seconds=1)

Writer = tuple[str | None, str | None]
"""A unit of a configuration and the key of the node that wrote a line there; None: no line names it."""


class RunProgress(NamedTuple):
    """One row per incident: how far its recovery came, and how long the surviving node's logs go on. Times in UTC.
    The deciding logs are those that hold the steps of its cluster manager and database; other logs of the node
    may go on without them.
    """

    configuration: str
    run: str
    fault_at: Annotated[datetime | None, "fault time"]
    recovered_at: Annotated[
        datetime | None,
        "the last of the steps that mean service, where all of them are shown and no resource is still starting; "
        "else null",
    ]
    first_service_at: Annotated[datetime | None, "the first of them that is shown"]
    first_service_by: Annotated[datetime | None, "when the first of them was certainly done, as its stamp is cut"]
    service_at: Annotated[datetime | None, "the last of them that is shown"]
    service_step: Annotated[str | None, "which one it is"]
    service_file_id: Annotated[Int32 | None, "file of its line"]
    service_line_no: Annotated[Int32 | None, "line"]
    last_step: Annotated[
        str | None,
        "last step in time that is shown, without those that come after service by themselves "
        "(resynchronisation, peer, client)",
    ]
    last_step_at: Annotated[datetime | None, "its time"]
    step_file_id: Annotated[Int32 | None, "file of its line"]
    step_line_no: Annotated[Int32 | None, "line"]
    missing_step: Annotated[
        str | None,
        "the last by place of the steps that mean service that no line shows; null without one, or where none is known",
    ]
    open_resource: Annotated[
        str | None, "resource whose start failed, or was not seen to end, on the surviving node by then; else null"
    ]
    is_hidden: Annotated[
        bool | None,
        "no file of the surviving node could show the missing step, and another step that means service is shown",
    ]
    is_begun: Annotated[bool, "a step is shown after which the missing one must follow"]
    progress_at: Annotated[datetime | None, "last line on the failover in the deciding logs"]
    progress_file_id: Annotated[Int32 | None, "file of it"]
    progress_line_no: Annotated[Int32 | None, "line"]
    deciding_end_at: Annotated[datetime | None, "last line of any kind in the deciding logs"]
    end_at: Annotated[datetime | None, "last line of any log of the surviving node"]
    needed_s: Annotated[
        float | None,
        "greatest time to recovery of the failovers of the configuration that show all steps and a bound of the fault",
    ]


class Service(NamedTuple):
    """The steps that mean service, as far as they are shown. `first_by`: when the first of them was certainly done."""

    first_at: datetime
    first_by: datetime
    last: Milestone
    is_whole: bool


class Choices:
    """Lines by which it is decided who leads, and those by which a node does lead."""

    def __init__(self, lines: Sequence[ClusterLine]) -> None:
        rule = rules("outcome")["choice"]
        self.leads_to = str(rule["leads_to"])
        self._made = {(each.file_id, each.line_no) for each in lines if each.kind == rule["made"]}
        carried_out = (each for each in lines if each.kind in rule["carried_out"])
        self._carried_out = Timelines(carried_out, lambda each: (each.unit_run,))

    def is_open(self, step: Milestone, incident: Incident) -> bool:
        """Whether a step only decides who leads, and no line of its incident says that a node does."""
        done = self._carried_out.of((incident.unit_run,)).between(step.at, incident.end_at)
        return (step.file_id, step.line_no) in self._made and not any(each.at < incident.end_at for each in done)


class Logs:
    """The logs of a configuration: the lines on failovers that its nodes wrote, and when their files end.

    `deciding`: logs that hold the steps of its cluster manager and database.
    """

    def __init__(self, lines: Iterable[ClusterLine], files: Sequence[UnitFile], deciding: set[str]) -> None:
        self.deciding = deciding
        written: dict[Writer, list[ClusterLine]] = defaultdict(list)
        self._begun: dict[Writer, dict[tuple[str, int], datetime]] = defaultdict(dict)
        for line in lines:
            if line.source in rules("outcome")["client_logs"]:
                continue
            # what an unknown host wrote may be of any node
            for node_key in {line.node_key, None if line.node is None else line.node_key}:
                begun = self._begun[line.unit_run, node_key]
                begun[line.source, line.file_id] = min(line.at, begun.get((line.source, line.file_id), line.at))
                if line.source in deciding:
                    written[line.unit_run, node_key].append(line)
        self._written = {writer: Timeline(own) for writer, own in written.items()}
        self._files = {each.file_id: each for each in files}
        self._by_node = grouped(files, "unit_run", "node_key")

    def last_line(self, incident: Incident) -> ClusterLine | None:
        """The last line of an incident on the failover in the deciding logs."""
        written = (self._written[each] for each in _writers(incident) if each in self._written)
        last = (lines.last_before(incident.end_at) for lines in written)
        return max((each for each in last if each is not None), key=BY_LINE, default=None)

    def files(self, incident: Incident) -> Mapping[str, Sequence[UnitFile]]:
        """The files of the surviving node, or of a node that no line names, that begin before an incident ends."""
        found: dict[str, list[UnitFile]] = defaultdict(list)
        for writer in _writers(incident):
            for (source, file_id), at in self._begun.get(writer, {}).items():
                if at < incident.end_at:
                    found[source].append(self._files[file_id])
        return found

    def files_of_node(self, incident: Incident) -> Sequence[UnitFile]:
        """All files of the surviving node."""
        if incident.surviving_key is None:
            return []
        return self._by_node.get((incident.unit_run, incident.surviving_key), [])


@step(by=CONFIGURATION, of="incident")
def run_progress(
    incident: Sequence[Incident],
    run: Sequence[Run],
    recovery_step: Sequence[RecoveryStep],
    milestone: Sequence[Milestone],
    cluster_line: Sequence[ClusterLine],
    unit_file: Sequence[UnitFile],
    open_start: Sequence[OpenStart],
    study__milestone_rule: Sequence[EvidenceRule],
) -> Iterator[RunProgress]:
    """How far each recovery of a configuration came."""
    sources: dict[str, set[str]] = defaultdict(set)
    for rule in study__milestone_rule:
        if rule.source is not None:
            sources[rule.milestone].add(rule.source)
    logs = Logs(cluster_line, unit_file, _deciding_logs(recovery_step, sources))
    choices = Choices(cluster_line)
    faults = {each.run: each.fault_at for each in run}
    bounded = {each.run for each in run if each.fault_at_low is not None}
    shown, starts = grouped(milestone, "run"), grouped(open_start, "run")
    counted = [each for each in sorted(incident, key=attrgetter("run")) if each.run in faults]
    found = [
        _opened(
            _chosen(
                _progress(each, faults[each.run], recovery_step, shown.get((each.run,), []), logs, sources),
                each,
                shown.get((each.run,), []),
                choices,
            ),
            starts.get((each.run,), []),
        )
        for each in counted
    ]
    needed = [
        (each.recovered_at - each.fault_at) / SECOND
        for row, each in zip(counted, found, strict=True)
        if each.recovered_at is not None and each.fault_at is not None
        if each.run in bounded and not row.is_planned
    ]
    for each in found:
        yield each._replace(needed_s=max(needed, default=None))


def _progress(
    incident: Incident,
    fault_at: datetime | None,
    wanted: Sequence[RecoveryStep],
    shown: Sequence[Milestone],
    logs: Logs,
    sources: Mapping[str, set[str]],
) -> RunProgress:
    service = _service(wanted, shown)
    last = _last_step(wanted, shown)
    names = {each.milestone for each in shown}
    missing = _missing_step(wanted, names)
    line = logs.last_line(incident)
    files = logs.files(incident)
    deciding = [each for source, own in files.items() if source in logs.deciding for each in own]
    own = [each for own in files.values() for each in own]
    is_hidden: bool | None = False
    if missing is not None and sources[missing.milestone].isdisjoint(files):
        is_hidden = True if service else None
    return RunProgress(
        incident.configuration,
        incident.run,
        fault_at,
        recovered_at=service.last.at if service and service.is_whole else None,
        first_service_at=service and service.first_at,
        first_service_by=service and service.first_by,
        service_at=service and service.last.at,
        service_step=service and service.last.milestone,
        service_file_id=service and service.last.file_id,
        service_line_no=service and service.last.line_no,
        last_step=last and last.milestone,
        last_step_at=last and last.at,
        step_file_id=last and last.file_id,
        step_line_no=last and last.line_no,
        missing_step=missing and missing.milestone,
        open_resource=None,
        is_hidden=is_hidden,
        is_begun=missing is not None and missing.begun_by in names,
        progress_at=line and line.at,
        progress_file_id=line and line.file_id,
        progress_line_no=line and line.line_no,
        deciding_end_at=last_end(deciding, incident.end_at),
        end_at=last_end([*own, *logs.files_of_node(incident)], incident.end_at),
        needed_s=None,
    )


def _opened(progress: RunProgress, starts: Sequence[OpenStart]) -> RunProgress:
    """A recovery with a resource whose start was begun with the others and is not done: the service is not back."""
    until = progress.recovered_at and progress.recovered_at + FAILS_AGAIN
    begun = [each for each in starts if until is None or each.at <= until]
    if not begun:
        return progress
    first = min(begun, key=BY_LINE)
    return progress._replace(recovered_at=None, open_resource=first.resource, is_begun=True)


def _chosen(progress: RunProgress, incident: Incident, shown: Sequence[Milestone], choices: Choices) -> RunProgress:
    """A recovery that ends with the choice of a leader: to be chosen is not yet to serve."""
    last = next((each for each in shown if each.milestone == progress.service_step), None)
    if progress.recovered_at is None or last is None or not choices.is_open(last, incident):
        return progress
    return progress._replace(recovered_at=None, missing_step=choices.leads_to, is_begun=True)


def _deciding_logs(wanted: Sequence[RecoveryStep], sources: Mapping[str, set[str]]) -> set[str]:
    """The logs that hold the steps that mean service; those of all stacks where no such step is known."""
    if not wanted:
        return set(rules("outcome")["deciding_logs"])
    return {source for each in wanted for source in sources[each.milestone]} - {*rules("outcome")["client_logs"]}


def _writers(incident: Incident) -> set[Writer]:
    """The surviving node of an incident, and a node that no line names."""
    return {(incident.unit_run, incident.surviving_key), (incident.unit_run, None)}


def _service(wanted: Sequence[RecoveryStep], shown: Sequence[Milestone]) -> Service | None:
    """The steps that mean service; None where none is shown."""
    names = {each.milestone for each in wanted}
    steps = [each for each in shown if each.milestone in names]
    if not steps:
        return None
    return Service(
        min(each.at for each in steps),
        min(each.at + each.resolution_s * SECOND for each in steps),
        max(steps, key=lambda each: (*BY_LINE(each), each.milestone)),
        is_whole=len(steps) == len(wanted),
    )


def _last_step(wanted: Sequence[RecoveryStep], shown: Sequence[Milestone]) -> Milestone | None:
    """The last step, but for those that come after service by themselves."""
    after_service = {*rules("outcome")["after_service"]} - {each.milestone for each in wanted}
    steps = sorted((each for each in shown if each.milestone not in after_service), key=attrgetter("milestone"))
    return max(steps, key=BY_LINE, default=None)


def _missing_step(wanted: Sequence[RecoveryStep], shown: set[str]) -> RecoveryStep | None:
    """The last step by place that means service and is not shown; before others one whose beginning is shown."""
    missing = (each for each in wanted if each.milestone not in shown)
    return max(missing, key=lambda each: (each.begun_by in shown, each.position), default=None)


def last_end(files: Iterable[UnitFile], until: datetime) -> datetime | None:
    """When the last of some files ends, no later than `until`; a file without dates, such as main.cf, has no end."""
    return max((min(each.last_at, until) for each in files if each.last_at is not None), default=None)
