"""How far a recovery came, and how long the logs go on that could show more."""

from collections.abc import Mapping, Sequence

import pytest

from pipeline.failover.evidence import ClusterLine, UnitFile
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.milestone.milestones import Milestone
from pipeline.failover.milestone.recovery_steps import RecoveryStep
from pipeline.failover.outcome.progress import RunProgress, run_progress
from pipeline.failover.recovery.milestone_candidates import EvidenceRule
from pipeline.failover.run.runs import Run
from pipeline.failover.service.open_starts import OpenStart
from tests.support.evidence_rows import at, row

ENGINE, DATABASE, OTHER = 1, 2, 3
INCIDENT = row(Incident, run="1", end_at=at(3600), surviving_key="beta")


def line(source: str, file_id: int, second: float, node_key: str | None = "beta") -> ClusterLine:
    return row(ClusterLine, second, source=source, node=node_key, node_key=node_key, file_id=file_id)


def rule(name: str, source: str) -> EvidenceRule:
    return row(EvidenceRule, milestone=name, source=source)


def wanted(position: int, name: str, begun_by: str | None = None) -> RecoveryStep:
    return RecoveryStep("a", name, position, 1, is_headline=False, is_shown=True, begun_by=begun_by)


def progress(
    shown: Sequence[tuple[str, float]],
    lines: Sequence[ClusterLine],
    steps: Sequence[RecoveryStep],
    ends: Mapping[int, float | None],
    starts: Sequence[OpenStart] = (),
    *,
    incident: Incident = INCIDENT,
    low_s: float | None = 0,
) -> RunProgress:
    milestones = [row(Milestone, second, run="1", milestone=name, resolution_s=1.0) for name, second in shown]
    files = [
        row(UnitFile, node_key="beta", last_at=None if second is None else at(second), file_id=file_id)
        for file_id, second in ends.items()
    ]
    rules = [rule("db", "db2diag"), rule("recovery", "db2diag"), rule("complete", "vcs")]
    run = row(Run, run="1", fault_at=at(0), fault_at_low=None if low_s is None else at(low_s))
    (found,) = run_progress([incident], [run], steps, milestones, lines, files, starts, rules)
    return found


STEPS = [wanted(1, "recovery", "recovery_start"), wanted(2, "db"), wanted(3, "complete")]
LINES = [line("vcs", ENGINE, 10), line("db2diag", DATABASE, 20), line("llt", OTHER, 30)]
ENDS: dict[int, float | None] = {ENGINE: 40, DATABASE: 50, OTHER: 60}


def test_service_is_back_with_the_last_step_of_all() -> None:
    found = progress([("recovery", 5), ("db", 30), ("complete", 20), ("resync_done", 99)], LINES, STEPS, ENDS)
    assert (found.recovered_at, found.service_step, found.first_service_by) == (at(30), "db", at(6))
    assert (found.last_step, found.missing_step, found.needed_s) == ("db", None, 30)


def test_only_failovers_whose_fault_is_bounded_say_how_long_others_need() -> None:
    shown = [("recovery", 5.0), ("db", 30.0), ("complete", 20.0)]
    assert progress(shown, LINES, STEPS, ENDS, low_s=None).needed_s is None
    assert progress(shown, LINES, STEPS, ENDS, incident=INCIDENT._replace(is_planned=True)).needed_s is None


@pytest.mark.parametrize(
    ("led_s", "recovered_s", "missing"),
    [
        pytest.param(None, None, "ready", id="nobody leads"),
        pytest.param(12, 10, None, id="a leader follows"),
        pytest.param(3600, None, "ready", id="of the next incident"),
    ],
)
def test_to_be_chosen_is_not_yet_to_serve(led_s: float | None, recovered_s: float | None, missing: str | None) -> None:
    milestone = row(Milestone, 10, run="1", milestone="elected", resolution_s=1.0)
    lines = [line("ha", milestone.file_id, 10)._replace(kind="leader_chosen", line_no=milestone.line_no)]
    lines += [] if led_s is None else [line("ha", ENGINE, led_s)._replace(kind="leader")]
    found = progress([("elected", 10)], lines, [wanted(1, "elected")], ENDS)
    assert (found.recovered_at, found.missing_step) == (None if recovered_s is None else at(recovered_s), missing)


@pytest.mark.parametrize(
    ("second", "recovered_s", "resource"),
    [
        pytest.param(30, None, "app", id="begun with the last step"),
        pytest.param(330, None, "app", id="soon after"),
        pytest.param(331, 30, None, id="later: another matter"),
    ],
)
def test_a_resource_that_is_still_starting_is_no_service(
    second: float, recovered_s: float | None, resource: str | None
) -> None:
    shown = [("recovery", 5.0), ("db", 30.0), ("complete", 20.0)]
    found = progress(shown, LINES, STEPS, ENDS, [row(OpenStart, second, run="1", resource="app", has_failed=False)])
    assert (found.recovered_at, found.open_resource) == (None if recovered_s is None else at(recovered_s), resource)


@pytest.mark.parametrize(("begun", "missing"), [([], "complete"), ([("recovery_start", 4.0)], "recovery")])
def test_the_missing_step_is_one_that_has_begun_else_the_last_by_place(
    begun: list[tuple[str, float]], missing: str
) -> None:
    found = progress([*begun, ("db", 5)], LINES, STEPS, ENDS)
    assert (found.recovered_at, found.missing_step, found.is_begun) == (None, missing, bool(begun))


def test_only_logs_that_hold_the_wanted_steps_say_how_long_they_could_have_come() -> None:
    found = progress([], LINES, STEPS, ENDS)
    assert (found.progress_at, found.deciding_end_at, found.end_at) == (at(20), at(50), at(60))


def test_lines_of_other_nodes_are_no_progress_and_those_of_no_node_are() -> None:
    lines = [*LINES, line("vcs", ENGINE, 25, None), line("vcs", ENGINE, 35, "alpha")]
    assert progress([], lines, STEPS, ENDS).progress_at == at(25)


@pytest.mark.parametrize(("shown", "is_hidden"), [([("db", 5.0)], True), ([], None)])
def test_a_step_is_hidden_where_no_file_could_show_it(shown: list[tuple[str, float]], is_hidden: bool | None) -> None:  # noqa: FBT001 - a table of cases
    assert progress(shown, LINES[1:], STEPS, ENDS).is_hidden is is_hidden


def test_a_file_without_dates_does_not_lengthen_the_logs() -> None:
    found = progress([], LINES, STEPS, ENDS | {OTHER: None, 4: None})
    assert (found.deciding_end_at, found.end_at) == (at(50), at(50))
    assert progress([], LINES, STEPS, dict.fromkeys(ENDS)).end_at is None
