"""What became of a run with a fault, and the line that says so."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from operator import attrgetter
from typing import Annotated, Any, Final, NamedTuple

from pipeline.failover.evidence import ClusterLine, RunUnit, UnitFile
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.incident.missing_incidents import MissingIncident
from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.leaders.leader_lines import rules_of
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.leaders.unreplaced_leaders import UnreplacedLeader
from pipeline.failover.milestone.client_clocks import ClientOutage
from pipeline.failover.outcome.outcome_facts import Facts
from pipeline.failover.outcome.outcome_lines import OutcomeLine
from pipeline.failover.outcome.progress import RunProgress, last_end
from pipeline.failover.outcome.verdicts import LOGS_END_WITH_LOSS, NOTHING_STARTED, VERDICTS, Place, loss_line
from pipeline.failover.run.run_doubts import UNDECIDED_ORDER
from pipeline.failover.run.runs import Run
from pipeline.failover.service.service_holders import ServiceHolder
from pipeline.failover.step import CONFIGURATION, Int32, grouped, nulls_last, step
from pipeline.failover.timeline import BY_LINE
from pipeline.failover.windows import LONG_WAIT

NEVER = datetime.max  # noqa: DTZ901  it has no zone
SECOND = timedelta(seconds=1)

NO_INCIDENT: Final = "no_incident"
EXCLUDED: Final = "excluded"
"""Flags of a run."""

FIRST_RUN: Final = "1"
"""The run that the files are that lie in no run folder."""

TOLD_BY_THE_LOSER = {"reversed", "observer_down", "given_up"}
"""Why a loss is no incident where who saw it is what went down, or may have been cut off: others may have gone on."""

ORDERED_KINDS = {"group_switch", "standby_wanted"}
"""Kinds of line with which an operator moves a service."""


class RunOutcome(NamedTuple):
    """One row per run with a fault, or set aside because of what followed one: what became of it, and the line that
    says so. Recovered is a run that shows every step that means service (`recovery_step`), with no hand in it and
    no further failure until 5 minutes later. Of a run that does not, the earliest line that says why decides;
    without one it is the end of its logs. Runs of mere measurements, and those of logs without any loss, have no
    row. Whether the recovery of a run counts is `is_counted`: not in planned take-overs, not in runs that
    study.toml excludes, not in further incidents of a folder, not where the lost node had no service to move or may
    have been stopped.
    """

    configuration: str
    run: str
    outcome: Annotated[str, "recovered, recovered_by_hand, failed, aborted, log_ended, not_followed, planned, unknown"]
    reason: Annotated[str, "why, in words; seconds are those after the fault"]
    censored_at: Annotated[
        datetime | None,
        "what comes after this instant is no automatic recovery, UTC; null for recovered and planned runs",
    ]
    censored_s: Annotated[float | None, "the same in seconds after the fault"]
    recovered_at: Annotated[
        datetime | None,
        "when the last step that means service was done, whoever did it; null where it was not",
    ]
    last_step: Annotated[str | None, "last step that is shown"]
    missing_step: Annotated[str | None, "step that means service and is not shown"]
    is_counted: Annotated[bool, "counts in `recovery`"]
    file_id: Int32 | None
    line_no: Int32 | None


@step(by=CONFIGURATION)
def run_outcome(
    run: Sequence[Run],
    incident: Sequence[Incident],
    run_progress: Sequence[RunProgress],
    outcome_line: Sequence[OutcomeLine],
    service_holder: Sequence[ServiceHolder],
    client_outage: Sequence[ClientOutage],
    unit_file: Sequence[UnitFile],
    run_unit: Sequence[RunUnit],
    node_loss: Sequence[NodeLoss],
    cluster_line: Sequence[ClusterLine],
    unreplaced_leader: Sequence[UnreplacedLeader],
    leader_change: Sequence[LeaderChange],
    missing_incident: Sequence[MissingIncident],
) -> Iterator[RunOutcome]:
    """The outcome of each run of a configuration that has one, by number."""
    elected: dict[tuple[str | None, str], set[str | None]]
    elected = {(each.unit_run, each.former_key): set() for each in leader_change}
    for missed in unreplaced_leader:
        if rules_of(missed.stack).has_no_leader:  # who has lost its quorum knows nothing of those that keep it
            elected.setdefault((missed.unit_run, missed.former_key), set()).add(missed.node and missed.node.lower())
    facts = _facts(
        incident, run_progress, outcome_line, service_holder, client_outage, unit_file, unreplaced_leader, elected
    )
    units: dict[str, list[str | None]] = defaultdict(list)
    for unit in run_unit:
        units[unit.unit_run or FIRST_RUN].append(unit.unit_run)
    losses, files = grouped(node_loss, "unit_run"), grouped(unit_file, "unit_run")
    missing = {each.unit_run: each for each in missing_incident}
    ordered = grouped((each for each in cluster_line if each.kind in ORDERED_KINDS), "unit_run")
    for each in sorted(run, key=lambda each: nulls_last([each.run_no, each.run])):
        if each.run in facts:
            yield _outcome(each, facts[each.run])
        if NO_INCIDENT in each.flags:
            for folder in units[each.run]:
                own = losses.get((folder,), []), files.get((folder,), [])
                yield from _without_incident(each, *own, missing.get(folder))
            moved = [
                line for folder in units[each.run] if (folder,) not in losses for line in ordered.get((folder,), [])
            ]
            if moved:
                line = min(moved, key=BY_LINE)
                yield _unfollowed(each, "planned", "an operator moved the service", Place(line.file_id, line.line_no))


def _facts(
    incidents: Sequence[Incident],
    progress: Iterable[RunProgress],
    lines: Sequence[OutcomeLine],
    holders: Sequence[ServiceHolder],
    outages: Sequence[ClientOutage],
    files: Sequence[UnitFile],
    unreplaced: Sequence[UnreplacedLeader],
    elected: Mapping[tuple[str | None, str], set[str | None]],
) -> dict[str, Facts]:
    """What is known of the incidents of a configuration, by run."""
    of_run = {each.run: each for each in progress}
    lines_of, holders_of, outages_of = grouped(lines, "run"), grouped(holders, "run"), grouped(outages, "run")
    files_of = grouped(files, "unit_run")
    logged = {unit: {each.node_key for each in own if each.last_at is not None} for unit, own in files_of.items()}
    lost = {(each.unit_run, each.lost_key, each.loss_at) for each in incidents}
    races = {(each.unit_run, each.former_key): each.loss_at for each in unreplaced if each.is_watched}
    others_moved = any(each.has_moved and not each.is_planned for each in incidents)
    return {
        each.run: Facts(
            each,
            of_run[each.run],
            sorted(lines_of.get((each.run,), []), key=BY_LINE),
            holders_of.get((each.run,), []),
            _in_vain(outages_of.get((each.run,), [])),
            _logs_end(each, files_of),
            (each.unit_run, each.surviving_key, each.end_at) in lost,
            others_moved,
            is_unreplaced=each.loss_at <= races.get((each.unit_run, each.lost_key), NEVER) < each.end_at,
            is_alone=(tellers := elected.get((each.unit_run, each.lost_key))) is not None
            and logged.get((each.unit_run,), set()) <= {each.surviving_key, None, *tellers},
        )
        for each in incidents
        if each.run in of_run
    }


def _in_vain(outages: Sequence[ClientOutage]) -> ClientOutage | None:
    """The last outage of a run in which no client was answered again."""
    if any(each.first_success_at is not None or each.failed == 0 for each in outages):
        return None
    failed = sorted((each for each in outages if each.last_failure_at), key=lambda each: (each.file_id, each.line_no))
    return max(failed, key=attrgetter("last_failure_at"), default=None)


def _logs_end(incident: Incident, files: Mapping[tuple[str | None], Sequence[UnitFile]]) -> datetime | None:
    """When the logs of an incident end in which no node took over."""
    if incident.surviving_node is not None:
        return None
    return last_end(files.get((incident.unit_run,), []), incident.end_at)


def _outcome(run: Run, facts: Facts) -> RunOutcome:
    """What became of a run with an incident, by the first verdict of which the condition holds."""
    verdict = next(each for each in VERDICTS if each.condition(facts))
    line = verdict.line(facts)
    censored_at = verdict.censored(facts, line)
    progress = facts.progress
    censored_s = _seconds(censored_at, progress.fault_at)
    place = loss_line(facts) if line.file_id is None else line
    return RunOutcome(
        run.configuration,
        run.run,
        verdict.outcome,
        verdict.reason.format_map(_words(facts, line, censored_s)),
        censored_at,
        censored_s,
        facts.back_at if verdict.outcome == "recovered_by_hand" else facts.recovered_at,
        progress.last_step,
        progress.missing_step,
        verdict.outcome != "planned"
        and not facts.incident.is_extra
        and (verdict.outcome == "log_ended" or not facts.is_idle)
        and run.same_as is None
        and EXCLUDED not in run.flags
        and UNDECIDED_ORDER not in run.flags,
        place.file_id,
        place.line_no,
    )


def _words(run: Facts, line: Any, after_s: float | None) -> dict[str, str | None]:  # noqa: ANN401  any row with a line
    """What sentences name. Seconds are after the fault."""
    progress, end_s = run.progress, _seconds(run.ends_at, run.progress.fault_at)
    return {
        "node": run.incident.surviving_node or "an unnamed node",
        "after": None if after_s is None else f"{after_s:.1f}",
        "end": None if end_s is None else f"{end_s:.0f}",
        "follow": _duration(run.follow_s),
        "later": None if (s := _seconds(getattr(line, "at", None), progress.fault_at)) is None else f"{s:.0f}",
        "text": getattr(line, "text", None),
        "service": progress.service_step,
        "last": progress.last_step,
        "missing": _missing(progress),
    }


def _missing(progress: RunProgress) -> str:
    """What a recovery lacks."""
    if progress.missing_step is not None:
        return f"`{progress.missing_step}`"
    is_open = progress.open_resource is not None
    return f"the end of the start of `{progress.open_resource}`" if is_open else "a step that means service"


def _duration(seconds: float) -> str:
    """A duration in whole units, as study.toml has it."""
    units = ((86_400, "d"), (3600, "h"), (60, "min"))
    size, unit = next((each for each in units if seconds > each[0] and seconds % each[0] == 0), (1, "s"))
    return f"{seconds / size:g} {unit}"


def _seconds(at: datetime | None, since: datetime | None) -> float | None:
    return None if at is None or since is None else (at - since) / SECOND


def _without_incident(
    run: Run, losses: Iterable[NodeLoss], files: Sequence[UnitFile], why: MissingIncident | None
) -> Iterator[RunOutcome]:
    """A node was lost, and nothing started anywhere else."""
    for each in losses:
        if each.loss_no != 1:
            continue
        place = Place(each.file_id, each.line_no)
        if each.is_orderly or each.is_planned:
            yield _unfollowed(run, "planned", "the node left in order", place)
        # measured runs of a configuration without any failover are no failover tests
        elif not run.used:
            ends_at = last_end(files, each.next_at or NEVER)
            is_long = ends_at is not None and ends_at >= each.loss_at + LONG_WAIT
            reason = (why and why.reason) or LOGS_END_WITH_LOSS
            outcome = ("failed", NOTHING_STARTED) if is_long else ("log_ended", reason)
            outcome = ("unknown", reason) if why and why.basis in TOLD_BY_THE_LOSER else outcome
            yield _unfollowed(run, *outcome, place, each.loss_at)


def _unfollowed(run: Run, outcome: str, reason: str, place: Place, censored_at: datetime | None = None) -> RunOutcome:
    """The outcome of a run without an incident."""
    is_counted = outcome != "planned" and EXCLUDED not in run.flags and run.same_as is None
    return RunOutcome(
        run.configuration, run.run, outcome, reason, censored_at, None, None, None, None, is_counted, *place
    )
