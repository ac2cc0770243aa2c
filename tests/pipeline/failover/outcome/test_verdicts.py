"""What decides what became of a run: one verdict for each, in order."""

from typing import Any

import pytest

from pipeline.failover.evidence import RunUnit, UnitFile
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.incident.missing_incidents import MissingIncident
from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.milestone.client_clocks import ClientOutage
from pipeline.failover.outcome.outcome_facts import Facts
from pipeline.failover.outcome.outcome_lines import OutcomeLine
from pipeline.failover.outcome.outcomes import run_outcome
from pipeline.failover.outcome.progress import RunProgress
from pipeline.failover.outcome.verdicts import VERDICTS
from pipeline.failover.run.runs import Run
from pipeline.failover.service.service_holders import ServiceHolder
from tests.support.evidence_rows import at, row

INCIDENT = row(
    Incident,
    run="1",
    loss_at=at(1),
    membership_at=at(1),
    end_at=at(3600),
    is_to_limit=True,
    has_moved=True,
    surviving_node="beta",
    lost_key="alpha",
)
RECOVERED = {
    "fault_at": at(0),
    "recovered_at": at(30),
    "first_service_at": at(20),
    "first_service_by": at(21),
    "last_step": "db",
    "last_step_at": at(30),
    "progress_at": at(40),
}
OPEN = {"fault_at": at(0), "last_step": "vm", "last_step_at": at(15), "progress_at": at(20), "missing_step": "db"}


SHORT = {"needed_s": 30.0}
"""Other runs of the configuration recover within it."""


def line(second: float, says: str) -> OutcomeLine:
    return row(OutcomeLine, second, run="1", says=says, text="printed")


def verdict(
    progress: dict[str, Any],
    *lines: OutcomeLine,
    incident: Incident = INCIDENT,
    holders: list[ServiceHolder] | None = None,
    **more: Any,
) -> str:
    known = {"in_vain": None, "logs_end_at": None, "has_successor": False, "others_moved": True, "is_alone": False}
    facts = Facts(
        incident, row(RunProgress, **progress), lines, holders or [], **{"is_unreplaced": False} | known | more
    )
    return next(each.reason for each in VERDICTS if each.condition(facts))


@pytest.mark.parametrize(
    ("progress", "lines", "words"),
    [
        pytest.param(RECOVERED, [], "every step", id="recovered"),
        pytest.param(RECOVERED, [line(10, "by_hand")], "a person stepped in", id="a hand before service"),
        pytest.param(RECOVERED, [line(31, "by_hand")], "every step", id="a hand after service"),
        pytest.param(RECOVERED, [line(10, "stop"), line(11, "by_hand")], "was stopped", id="stopped, then by hand"),
        pytest.param(RECOVERED, [line(10, "by_hand"), line(11, "stop")], "a person", id="by hand, then stopped"),
        pytest.param(RECOVERED, [line(10, "start")], "down too before", id="the node restarts before service"),
        pytest.param(RECOVERED, [line(20.5, "down")], "every step", id="a recovery in the second of the first service"),
        pytest.param(RECOVERED, [line(25, "down")], "down again", id="down after the first service"),
        pytest.param(RECOVERED, [line(330, "down")], "down again", id="down within five minutes"),
        pytest.param(RECOVERED, [line(331, "down")], "every step", id="down later: another matter"),
        pytest.param(RECOVERED, [line(40, "stop"), line(50, "down")], "every step", id="down after a person's stop"),
        pytest.param(RECOVERED, [line(50, "lost")], "just after the service", id="the node is lost just after"),
        pytest.param(RECOVERED, [line(5, "left")], "a step failed", id="another group came back"),
        pytest.param(OPEN, [line(5, "fault"), line(9, "stop")], "a step failed", id="the first failure decides"),
        pytest.param(OPEN, [line(5, "stop"), line(9, "fault")], "was stopped", id="a stop first"),
        pytest.param(
            OPEN, [line(5, "fault"), line(9, "by_hand"), line(99, "back")], "a person", id="mended however late"
        ),
        pytest.param(OPEN, [], "say nothing", id="the logs end"),
        pytest.param(OPEN | {"deciding_end_at": at(3599)}, [], "say nothing", id="nothing shows how long it takes"),
        pytest.param(OPEN | {"deciding_end_at": at(3600)}, [], "never came", id="past the limit without it"),
        pytest.param(OPEN | SHORT | {"deciding_end_at": at(619)}, [], "say nothing", id="a silence that is not long"),
        pytest.param(OPEN | SHORT | {"deciding_end_at": at(620)}, [], "never came", id="longer than others needed"),
        pytest.param(
            OPEN | SHORT | {"progress_at": at(610), "deciding_end_at": at(620)}, [], "say nothing", id="it goes on"
        ),
        pytest.param(OPEN | {"end_at": at(3600), "is_begun": True}, [], "never came", id="a step that had begun hangs"),
        pytest.param(OPEN | {"end_at": at(3600)}, [line(9000, "later")], "came later", id="it comes past the limit"),
        pytest.param(OPEN | {"is_hidden": True}, [], "no log of the run can show", id="no log can show it"),
        pytest.param(OPEN | {"progress_at": None}, [], "database is there", id="no log of the node"),
        pytest.param(OPEN | {"fault_at": None}, [], "when the fault happened", id="no fault time"),
    ],
)
def test_the_first_verdict_that_holds_decides(progress: dict[str, Any], lines: list[OutcomeLine], words: str) -> None:
    assert words in verdict(progress, *lines)


@pytest.mark.parametrize(
    ("holders", "words"),
    [
        pytest.param(["alpha"], "no service started", id="the lost node had it"),
        pytest.param(["beta"], "no line shows that the lost node had one", id="another node had it"),
        pytest.param([], "no line shows that the lost node had one", id="nobody knows who had it"),
    ],
)
def test_a_loss_without_a_move_failed_only_where_the_lost_node_had_the_service(holders: list[str], words: str) -> None:
    had = [row(ServiceHolder, run="1", node_key=each, is_lost=each == "alpha") for each in holders]
    unmoved = INCIDENT._replace(has_moved=False, surviving_node=None)
    assert words in verdict(OPEN, incident=unmoved, holders=had, logs_end_at=at(900))


def test_nobody_tells_of_those_that_kept_a_quorum() -> None:
    unmoved, had = INCIDENT._replace(has_moved=False, surviving_node=None), [row(ServiceHolder, is_lost=True)]
    assert "may have gone on" in verdict(OPEN, incident=unmoved, holders=had, logs_end_at=at(900), is_alone=True)


@pytest.mark.parametrize(
    ("basis", "ends", "expected"),
    [
        pytest.param("given_up", 9999, ("unknown", "gave up"), id="who saw it gave up"),
        pytest.param("not_moved", 9, ("log_ended", "gave up"), id="the logs end, and not with the loss"),
        pytest.param("not_moved", 9999, ("failed", "no service started on another node after the loss"), id="long"),
    ],
)
def test_who_may_have_been_cut_off_is_no_witness(basis: str, ends: float, expected: tuple[str, str]) -> None:
    run = row(Run, run="1", run_no=1, used=False, flags="no_incident")
    loss = row(NodeLoss, loss_no=1, loss_at=at(1), is_orderly=False, is_planned=False)
    why, file = row(MissingIncident, basis=basis, reason="gave up"), row(UnitFile, last_at=at(ends), first_at=at(0))
    found = run_outcome([run], [], [], [], [], [], [file], [row(RunUnit)], [loss], [], [], [], [why])
    assert [(each.outcome, each.reason) for each in found] == [expected]


def test_a_loss_that_the_logs_end_with_has_no_outcome() -> None:
    """A node that another one had no service of has none to lose."""
    unmoved = INCIDENT._replace(has_moved=False, surviving_node=None)
    had = [row(ServiceHolder, run="1", node_key="alpha", is_lost=True)]
    assert "the logs end" in verdict(OPEN, incident=unmoved, holders=had, logs_end_at=at(60))
    assert "the logs end" in verdict(OPEN, incident=unmoved, holders=had, logs_end_at=at(60), is_unreplaced=True)
    assert "no service started" in verdict(OPEN, incident=unmoved, holders=had, logs_end_at=at(61), is_unreplaced=True)
    assert "no service started" in verdict(OPEN | SHORT, incident=unmoved, holders=had, logs_end_at=at(60))
    assert "the logs end" in verdict(OPEN | {"fault_at": None}, incident=unmoved, logs_end_at=at(60))
    both = [*had, row(ServiceHolder, run="1", node_key="beta", is_lost=False)]
    assert "the logs end" in verdict(OPEN, incident=unmoved, holders=both, logs_end_at=at(60))


def test_clients_that_ask_in_vain_after_the_last_step_have_no_service() -> None:
    outage = row(ClientOutage, run="1", last_failure_at=at(60), failed=40)
    assert verdict(RECOVERED, in_vain=outage) == verdict(RECOVERED)
    assert "asked in vain" in verdict(RECOVERED, in_vain=outage._replace(last_failure_at=at(61)))


@pytest.mark.parametrize(("progress", "says"), [(RECOVERED, "lost"), (OPEN, "lost"), (OPEN, "start")])
def test_a_server_alone_cannot_witness_that_nobody_else_served(progress: dict[str, Any], says: str) -> None:
    assert "no log of another server" in verdict(progress, line(50, says), is_alone=True)
    assert "no log of another server" not in verdict(progress, line(50, says))


def test_a_lost_node_whose_successor_takes_over_is_a_failover_of_its_own() -> None:
    assert verdict(RECOVERED, line(50, "lost"), has_successor=True) == verdict(RECOVERED)
