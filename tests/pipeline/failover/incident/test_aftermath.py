from collections.abc import Sequence
from typing import Any

import pytest

from pipeline.failover.evidence import ClusterLine, ServiceSign, UnitFile
from pipeline.failover.incident.aftermath import LossAftermath, loss_aftermath
from pipeline.failover.incident.node_losses import NodeLoss
from pipeline.failover.loss.loss_evidence import NodeLossEvidence
from tests.support.evidence_rows import at, row

DECLARED = row(NodeLossEvidence, 0, lost_key="alder", layer="gab", is_decisive=True)
BOTH_LOG_ON = [row(UnitFile, 0, node_key=each, last_at=at(600)) for each in ("alder", "birch")]


def sign(second: float, kind: str, node: str, writer: str | None = None) -> ServiceSign:
    return row(ServiceSign, second, sign=kind, node=node, node_key=node, writer_key=writer or node)


def line(second: float, kind: str, node: str, **more: Any) -> ClusterLine:
    return row(ClusterLine, second, kind=kind, node=node, node_key=node, **more)


def aftermath(
    signs: Sequence[ServiceSign] = (),
    lines: Sequence[ClusterLine] = (),
    evidence: NodeLossEvidence = DECLARED,
    files: Sequence[UnitFile] = BOTH_LOG_ON,
) -> LossAftermath:
    known: dict[str, Any] = {"lost_node": "alder", "lost_key": "alder", "lost_keys": ["alder"], "observers": ["birch"]}
    loss = NodeLoss("a", None, 1, at(0), at(3600), **known)
    (found,) = loss_aftermath([loss], [], signs, lines, [evidence], files)
    return found


@pytest.mark.parametrize(
    ("seen", "is_unmoved"),
    [
        pytest.param({}, True, id="the node is gone"),
        pytest.param({"evidence": DECLARED._replace(layer="llt")}, False, id="links alone say so"),
        pytest.param({"lines": [line(-600, "jeopardy", "birch")]}, False, id="in jeopardy"),
        pytest.param({"signs": [sign(30, "start", "alder")]}, False, id="it starts the service itself"),
        pytest.param(
            {"signs": [sign(30, "start", "alder")], "lines": [line(20, "boot", "alder")]}, True, id="but after its boot"
        ),
        pytest.param({"signs": [sign(30, "stop", "birch")]}, False, id="who saw it gives the service up"),
        pytest.param({"lines": [line(90, "boot", "birch")]}, False, id="who saw it went down, and nobody else logs"),
        pytest.param(
            {"lines": [line(90, "boot", "birch"), line(95, "member_joined", "cedar")]}, True, id="another one logs on"
        ),
        pytest.param({"files": []}, True, id="no file shows an end"),
        pytest.param({"files": [row(UnitFile, 0, node_key="birch", last_at=at(59))]}, True, id="the logs end"),
        pytest.param(
            {
                "files": [row(UnitFile, 0, node_key="birch", last_at=at(59))],
                "lines": [line(5, "fence_done", "birch", system_key="alder")],
            },
            True,
            id="the logs end with its fencing",
        ),
    ],
)
def test_loss_without_move_is_certain(seen: dict[str, Any], *, is_unmoved: bool) -> None:
    assert aftermath(**seen).is_unmoved == is_unmoved


def test_another_node_starts_the_service_by_a_line_of_its_own() -> None:
    assert aftermath([sign(-599, "start", "cedar")]).other_start_node == "cedar"
    assert aftermath([sign(30, "start", "cedar", writer="alder")]).other_start_node is None
