from typing import Any

import pytest

from pipeline.failover.incident.incidents import Incident
from pipeline.failover.recovery.incident_instants import IncidentInstant
from pipeline.failover.recovery.milestone_candidates import MilestoneCandidate
from pipeline.failover.run.clock_steps import ClockChange, clock_step
from tests.support.evidence_rows import at, row

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
