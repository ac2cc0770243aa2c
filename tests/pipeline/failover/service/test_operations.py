from typing import Any

import pytest

from pipeline.failover.service.operations import OperationLine, ha_operation
from tests.support.evidence_rows import at, row

PROCESS = {"process": "ResourceManager", "pid": 7}


def line(second: float, kind: str, **values: Any) -> OperationLine:
    named = {"stack": "pacemaker", "object": "db", "action": "start", "node": "birch", "node_key": "birch"}
    return row(OperationLine, second, **(named | {"kind": kind, "resolution_s": 1.0} | values))


def script(second: float, kind: str, line_no: int, **values: Any) -> OperationLine:
    return line(second, kind, is_script=True, stack="heartbeat", line_no=line_no, **values)


def durations(*lines: OperationLine) -> list[tuple[str, float | None]]:
    return [(each.outcome, each.duration_s) for each in ha_operation(lines, [])]


START = script(0, "resource_start", 1, agent="IPaddr", **PROCESS)


@pytest.mark.parametrize(
    ("lines", "operation"),
    [
        pytest.param([script(2, "other", 2, **PROCESS)], ("ok", 2.0), id="the next line of the process"),
        pytest.param([script(2, "other", 2, process="IPaddr", pid=7)], ("unknown", None), id="not that of another"),
        pytest.param([script(2, "agent_success", 2, agent="ipaddr")], ("ok", 2.0), id="its agent reports success"),
        pytest.param([script(2, "takeover_done", 2)], ("ok", 2.0), id="the take-over ends"),
        pytest.param([script(2, "resource_failed", 2, **PROCESS)], ("failed", 2.0), id="it fails"),
        pytest.param(
            [script(2, "cluster_started", 2), script(3, "other", 3, **PROCESS)],
            ("unknown", None),
            id="not after a restart",
        ),
        pytest.param([script(9000, "takeover_done", 2)], ("ok", 9000.0), id="after hours"),
        pytest.param([script(86_400, "takeover_done", 2)], ("unknown", None), id="when it is followed no longer"),
    ],
)
def test_end_of_a_script(lines: list[OperationLine], operation: tuple[str, float | None]) -> None:
    assert durations(START, *lines) == [operation]


@pytest.mark.parametrize(
    ("lines", "operations"),
    [
        pytest.param([line(0, "resource_start"), line(5, "resource_done")], [("ok", 5.0)], id="start and end"),
        pytest.param(
            [line(0, "resource_start"), line(5, "resource_done"), line(5.5, "resource_done", file_id=2)],
            [("ok", 5.0)],
            id="its end is logged twice",
        ),
        pytest.param(
            [line(0, "resource_start"), line(5, "resource_done"), line(9, "resource_done")],
            [("ok", 5.0), ("ok", None)],
            id="a start before the end before is another's",
        ),
        pytest.param([line(0, "resource_start", action="monitor")], [], id="a monitor recurs"),
    ],
)
def test_operation_that_both_lines_name(lines: list[OperationLine], operations: list[tuple[str, float | None]]) -> None:
    assert durations(*lines) == operations


def test_own_start_line_of_the_node_counts() -> None:
    own, other = line(0, "resource_start"), line(1, "resource_start", file_id=2)
    (found,) = ha_operation([own, other, line(5, "resource_done")], [])
    assert (found.start_at, found.start_file_id) == (at(0), 1)
