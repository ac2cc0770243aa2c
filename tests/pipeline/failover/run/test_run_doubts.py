from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.recovery.incident_instants import IncidentInstant
from pipeline.failover.recovery.milestone_candidates import MilestoneCandidate
from pipeline.failover.run.clock_errors import ClockCorrection
from pipeline.failover.run.clock_steps import ClockChange, ClockStep, clock_step
from pipeline.failover.run.run_doubts import ManualChange, clock_doubt, run_doubt
from pipeline.failover.service.service_windows import ServiceWindow
from tests.support.evidence_rows import at, row

ALDER_LOST = row(
    Incident,
    run="run01",
    lost_key="alder",
    surviving_key="birch",
    search_start_at=at(-60),
    membership_at=at(0),
    end_at=at(600),
)
INSTANT = row(IncidentInstant, run="run01", service_end_at=at(60), database_start_at=at(60))
WINDOW = row(ServiceWindow, run="run01", group="db", service_end_at=at(60), is_own_group=True)


def flags(*lines: ClusterLine, change: ManualChange | None = None) -> set[str]:
    changes = [] if change is None else [change]
    return {each.flag for each in run_doubt([ALDER_LOST], [], [INSTANT], [WINDOW], lines, changes, [], [])}


def line(second: float, kind: str, **others: object) -> ClusterLine:
    return row(ClusterLine, second, kind=kind, **({"node_key": "birch"} | others))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(line(-500, "jeopardy"), {"jeopardy"}, id="jeopardy before the membership change"),
        pytest.param(line(5, "jeopardy"), set(), id="jeopardy that the loss itself brings"),
        pytest.param(line(-5, "ddna"), {"ddna"}, id="a daemon of the survivor died"),
        pytest.param(line(-5, "ddna", node_key="alder"), set(), id="that of the lost node"),
        pytest.param(line(70, "group_switch"), set(), id="a switch back when the service was back"),
        pytest.param(line(5, "resource_faulted"), {"faulted_resource"}, id="a resource of the survivor"),
        pytest.param(line(5, "resource_faulted", system_key="alder"), set(), id="a resource of the lost node"),
        pytest.param(line(5, "operation_done", state="ok"), set(), id="an operation that succeeded"),
        pytest.param(line(5, "group_autodisabled", system_key="birch"), {"autodisabled"}, id="on the survivor"),
    ],
)
def test_lines_near_the_failover_cast_doubt(found: ClusterLine, expected: set[str]) -> None:
    assert flags(found) == expected


@pytest.mark.parametrize(("lost", "expected"), [("alder", {"undecided_order"}), ("cedar", set())])
def test_change_that_may_have_been_in_order_casts_doubt_on_the_loss_that_it_ends(lost: str, expected: set[str]) -> None:
    change = row(LeaderChange, 5, former_key=lost, loss_at=at(-5), line_no=9, is_undecided=True)
    span = ALDER_LOST._replace(loss_at=at(-5), line_no=1)
    assert {each.flag for each in run_doubt([span], [], [INSTANT], [WINDOW], [], [], [], [change])} == expected


@pytest.mark.parametrize(
    ("files", "seconds", "is_second"),
    [
        pytest.param((1, 1), (5, 20), True, id="started again"),
        pytest.param((1, 2), (5, 20), False, id="told by two logs"),
        pytest.param((1, 1), (5, 70), False, id="started when the service was back"),
    ],
)
def test_second_attempt(files: tuple[int, int], seconds: tuple[int, int], *, is_second: bool) -> None:
    own = {"system_key": "birch", "resource": "vip", "group": "db"}
    lines = [line(s, "initiate_online", file_id=f, **own) for f, s in zip(files, seconds, strict=True)]
    assert flags(*lines) == ({"second_attempt"} if is_second else set())


def test_recovery_that_was_done_is_no_first_attempt() -> None:
    needed = [line(second, "crash_recovery_needed") for second in (5, 20)]
    assert flags(*needed) == {"second_attempt"}
    assert flags(*needed, line(10, "crash_recovery_done")) == set()


def test_parameter_that_was_changed_meanwhile() -> None:
    assert flags(change=row(ManualChange, -30)) == {"configuration_changed"}
    assert flags(change=row(ManualChange, -90)) == set()


@pytest.mark.parametrize(
    ("sources", "is_unproved"),
    [
        pytest.param(["ntpd"], True, id="a setting by an unknown amount"),
        pytest.param(["stamps go back"] * 2, True, id="stamps that go back twice"),
        pytest.param(["stamps go back"] * 3, False, id="a log in disorder"),
    ],
)
def test_clock_that_was_set_inside(sources: list[str], *, is_unproved: bool) -> None:
    steps = [row(ClockStep, run="run01", source=each, is_corrected=False, is_inside=True) for each in sources]
    (found,) = clock_doubt(steps, [], [])
    assert (found.is_step, found.is_unproved) == (True, is_unproved)


@pytest.mark.parametrize(("error_s", "count"), [(1.0, 0), (1.1, 1)])
def test_line_that_either_clock_may_have_stamped(error_s: float, count: int) -> None:
    found = list(clock_doubt([], [row(MilestoneCandidate, 5, run="run01")], [ClockCorrection(1, 1, 1, error_s)]))
    assert [each.is_unproved for each in found] == [True] * count


INCIDENT = row(Incident, unit_run="run01", run="run01", search_start_at=at(0), end_at=at(3600), lost_key="b")
STEPS = [row(MilestoneCandidate, second, run="run01", milestone=name) for second, name in ((60, "db2"), (900, "peer"))]


def _is_inside(service_end: float = 3600, **values: Any) -> list[bool]:
    change = row(ClockChange, **{"node": "a", "source": "ntpd", **values})
    ends = [row(IncidentInstant, run="run01", service_end_at=at(service_end))]
    return [each.is_inside for each in clock_step([change], [INCIDENT], ends, STEPS)]


@pytest.mark.parametrize(
    ("second", "node", "is_inside"),
    [
        pytest.param(60, "a", True, id="at the last step"),
        pytest.param(61, "a", False, id="after it: the lost node comes back later"),
        pytest.param(30, "B", False, id="the lost node's clock tells nothing"),
    ],
)
def test_corrected_clock_is_inside_up_to_the_last_step(second: float, node: str, is_inside: bool) -> None:  # noqa: FBT001  a case of a table
    change: dict[str, Any] = {"at": at(second), "old_at": at(second - 5), "step_s": 5.0, "error_s": 0.1, "node": node}
    assert _is_inside(**change) == [is_inside]


def test_clock_set_by_an_unknown_amount_may_hide_the_steps_after_it() -> None:
    change: dict[str, Any] = {"at": at(500), "old_at": at(500)}
    assert _is_inside(**change) == [True]
    assert _is_inside(service_end=400, **change) == [False]


def test_clock_set_outside_of_all_incidents_has_a_row_of_its_own() -> None:
    assert _is_inside(at=at(5000), old_at=at(5000)) == [False]
