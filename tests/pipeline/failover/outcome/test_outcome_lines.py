"""Which lines say what became of a failover."""

from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.outcome.outcome_lines import OutcomeRule, OutcomeText, outcome_line
from pipeline.failover.recovery.milestone_candidates import EvidenceRule
from pipeline.failover.service.service_windows import ServiceWindow
from tests.support.evidence_rows import at, row

INCIDENT = row(
    Incident,
    run="1",
    loss_at=at(0),
    membership_at=at(10),
    end_at=at(600),
    lost_key="alpha",
    surviving_key="beta",
)
RULES = [row(OutcomeRule, says="down", source="db2diag", kinds=["crash_recovery_needed"], actions=[])]
ANY: dict[str, Any] = {"message_ids": [], "resource_types": [], "resource_classes": [], "actions": [], "states": []}
ENDS = [row(EvidenceRule, source="vcs", milestone="db", kinds=["resource_online"], ends_recovery=1, **ANY)]


def text(second: float, says: str, **values: Any) -> OutcomeText:
    return row(OutcomeText, second, says=says, **{"node_key": "beta", "text": "printed"} | values)


def said(
    *texts: OutcomeText,
    lines: Sequence[ClusterLine] = (),
    groups: Sequence[ServiceWindow] = (),
    losses: Sequence[NodeLoss] = (),
    incident: Incident = INCIDENT,
) -> list[str]:
    return [each.says for each in outcome_line([incident], texts, lines, groups, [], losses, RULES, ENDS)]


@pytest.mark.parametrize(
    ("second", "is_planned", "is_heard"),
    [
        pytest.param(301, True, False, id="the next planned change"),
        pytest.param(301, False, True, id="its own loss"),
        pytest.param(421, True, True, id="long before that change"),
    ],
)
def test_what_the_next_planned_change_takes_away_did_not_fail(second: float, is_planned: bool, is_heard: bool) -> None:  # noqa: FBT001  a case of a table
    lost = row(NodeLoss, unit_run=None, loss_no=2, loss_at=at(second), lost_key="beta", is_planned=is_planned)
    assert ("fault" in said(text(300, "fault"), losses=[lost])) == is_heard


def work(second: float, kind: str = "resource_online", node: str = "beta") -> ClusterLine:
    return row(ClusterLine, second, source="ha", kind=kind, node_key=node)


@pytest.mark.parametrize(
    ("lines", "is_heard"),
    [
        pytest.param([work(45)], False, id="its cluster manager works on"),
        pytest.param([work(30), work(71)], True, id="it works again after a time"),
        pytest.param([work(43, "boot"), work(45)], True, id="its cluster manager starts anew"),
        pytest.param([work(45, node="gamma")], True, id="another node works"),
    ],
)
def test_a_node_that_works_on_has_not_started(lines: list[ClusterLine], is_heard: bool) -> None:  # noqa: FBT001  a case of a table
    assert said(text(40, "start"), lines=lines) == ["start"] * is_heard


@pytest.mark.parametrize(
    ("line", "is_heard"),
    [
        pytest.param(text(5, "fault"), False, id="a fault before the cluster notices the loss"),
        pytest.param(text(5, "stop"), True, id="a person's stop before it"),
        pytest.param(text(600, "fault"), False, id="after the end"),
        pytest.param(text(20, "fault", node_key="alpha"), False, id="the lost node's own line"),
        pytest.param(text(20, "fault", system_key="gamma"), False, id="about another node"),
        pytest.param(text(20, "fault", node_key="gamma", system_key="beta"), True, id="another node's about this one"),
        pytest.param(text(20, "start", node_key="gamma"), False, id="another node starts"),
        pytest.param(text(20, "start"), True, id="this node starts"),
    ],
)
def test_a_line_counts_that_is_about_the_surviving_node_in_the_time_of_its_take_over(
    line: OutcomeText,
    is_heard: bool,  # noqa: FBT001 - a table of cases
) -> None:
    assert bool(said(line)) == is_heard


def test_what_faults_counts_on_any_node_where_nothing_started_and_no_node_was_lost() -> None:
    incident = INCIDENT._replace(lost_key="", surviving_key=None)
    assert said(text(20, "fault", system_key="gamma"), incident=incident) == ["fault"]


def test_a_group_that_never_came_online_is_left_where_another_one_did() -> None:
    groups = [row(ServiceWindow, run="1", group=name, is_own_group=True) for name in ("db", "web")]
    online = row(ClusterLine, 30, source="vcs", kind="group_online", group="web", system_key="beta")
    faults = [text(second, "fault", group=name) for second, name in ((20, "db"), (21, "other"), (22, "web"))]
    assert said(*faults, groups=groups) == ["fault", "fault"]
    assert said(*faults, groups=groups, lines=[online]) == ["left", "fault"]


def test_a_kind_of_line_alone_can_say_it_and_a_step_of_service_says_that_it_is_back() -> None:
    lines = [
        row(ClusterLine, 20, source="db2diag", kind="crash_recovery_needed", node_key="beta"),
        row(ClusterLine, 30, source="vcs", kind="resource_online", system_key="beta"),
        row(ClusterLine, 40, source="vcs", kind="resource_online", system_key="gamma"),
    ]
    assert said(lines=lines) == ["down", "back"]


@pytest.mark.parametrize(("node", "says"), [("beta", ["down"]), ("gamma", []), (None, ["down"])])
def test_a_database_that_goes_down_says_so_of_itself(node: str | None, says: list[str]) -> None:
    line = {"source": "db2diag", "kind": "crash_recovery_needed", "node": node, "node_key": node or "host of a log"}
    assert said(lines=[row(ClusterLine, 20, **line)]) == says


@pytest.mark.parametrize(("is_orderly", "says"), [(False, "lost"), (True, "stop")])
def test_the_surviving_node_is_lost_too(is_orderly: bool, says: str) -> None:  # noqa: FBT001 - a table of cases
    loss = row(NodeLoss, loss_at=at(600), lost_key="beta", lost_node="beta", is_orderly=is_orderly)
    assert said(losses=[loss]) == [says]
