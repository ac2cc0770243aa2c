from typing import Any

import pytest

from pipeline.failover.loss.node_ids import NodeLine, NodeSetting, cluster_node
from tests.support.evidence_rows import row


def line(kind: str, node: str, **values: Any) -> NodeLine:
    return row(NodeLine, **({"kind": kind, "node": node, "node_key": node, "line_count": 1} | values))


HOSTS = [line("host", "alder"), line("host", "birch")]


@pytest.mark.parametrize(
    ("lines", "nodes"),
    [
        pytest.param([line("named", "alder", node_id=2)], {2: "alder"}, id="a line has both"),
        pytest.param([line("members", "alder", member_ids="2", member_count=1)], {2: "alder"}, id="alone in its ring"),
        pytest.param(
            [line("membership", "birch", left_ids="1", member_ids="2")], {2: "birch"}, id="of two ids one has left"
        ),
        pytest.param(
            [line("bound", "alder", address="10.1.2.3"), line("members", "birch", member_ids="50462986 7")],
            {50462986: "alder"},
            id="the id is the address 3.2.1.10 backwards",
        ),
        pytest.param(
            [*HOSTS, line("named", "alder", node_id=1), line("members", "alder", member_ids="1 2")],
            {1: "alder", 2: "birch"},
            id="the only ones left over",
        ),
        pytest.param(
            [*HOSTS, line("named", "alder", node_id=1), line("membership", "birch", left_ids="1 2")],
            {1: "alder"},
            id="no host sees itself leave",
        ),
    ],
)
def test_host_of_an_id_in_lines(lines: list[NodeLine], nodes: dict[int, str]) -> None:
    assert {each.node_id: each.node for each in cluster_node([], lines, [])} == nodes


def test_nearest_file_counts_unless_a_line_has_both() -> None:
    files = [
        row(NodeSetting, series="corosync", node_id=node_id, node=node, distance=distance)
        for node_id, node, distance in ((1, "far", 2), (1, "near", 0), (2, "listed", 0))
    ]
    found = cluster_node([], [line("named", "printed", node_id=2)], files)
    assert {each.node_id: each.node for each in found} == {1: "near", 2: "printed"}
