"""What the configuration of a cluster says of its resources: their types, and what waits for what."""

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.service.resource_types import (
    DeclaredResource,
    FoundResource,
    ResourceAgent,
    ResourceType,
    TypePattern,
    resource_type,
)
from pipeline.failover.service.start_orders import StartOrderLine, resource_order
from tests.support.evidence_rows import row

TOLD = row(ClusterLine, 0, source="vcs", resource="data")
ABOVE = row(DeclaredResource, resource="data", resource_type="CFSMount", group="db", distance=1)
OWN = row(DeclaredResource, resource="data", resource_type="Mount", group="db", distance=0, file_id=2)
PATTERN = TypePattern(1, "d*", "Volume")
AGENT = ResourceAgent("a", "data", "DiskGroup")
ELSEWHERE = FoundResource("data", "NFS", "share")


@pytest.mark.parametrize(
    ("declared", "patterns", "agents", "elsewhere", "expected"),
    [
        pytest.param([ABOVE, OWN], [PATTERN], [AGENT], [ELSEWHERE], "Mount", id="the nearest main.cf"),
        pytest.param([], [PATTERN], [AGENT], [ELSEWHERE], "Volume", id="study.toml"),
        pytest.param([], [], [AGENT], [ELSEWHERE], "DiskGroup", id="its agent"),
        pytest.param([], [], [], [ELSEWHERE], "NFS", id="a main.cf elsewhere"),
        pytest.param([], [], [], [ELSEWHERE, ELSEWHERE._replace(resource_type="IP")], None, id="two that differ"),
    ],
)
def test_type_comes_from_who_knows_best(
    declared: list[DeclaredResource],
    patterns: list[TypePattern],
    agents: list[ResourceAgent],
    elsewhere: list[FoundResource],
    expected: str | None,
) -> None:
    found: list[ResourceType] = list(resource_type(declared, [TOLD], patterns, agents, elsewhere))
    assert [each.resource_type for each in found] == ([] if expected is None else [expected])


GROUP = ("group", "service", "address database meta target-role=Started")
CLONE = ("ms", "ms_drbd", "drbd meta master-max=1")


def order(text: str) -> tuple[str, str, str]:
    return "order", "o", text


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param([("requires", "ip", "mount")], {"ip": {"mount"}}, id="main.cf"),
        pytest.param([GROUP], {"database": {"address"}}, id="group"),
        pytest.param([("group", "service", "a b meta ordered=false")], {}, id="group without order"),
        pytest.param([CLONE, order("Mandatory: ms_drbd:promote fs:start")], {"fs": {"drbd"}}, id="a clone's resource"),
        pytest.param(
            [GROUP, order("inf: fs service")], {"address": {"fs"}, "database": {"address", "fs"}}, id="group waits"
        ),
        pytest.param([order("Mandatory: a ( b c ) d")], {"b": {"a"}, "c": {"a"}, "d": {"b", "c"}}, id="sets"),
        pytest.param([order("Serialize: a b")], {}, id="only not at one time"),
        pytest.param([order("Mandatory: a:stop b:stop")], {}, id="order of stops"),
    ],
)
def test_resource_waits_for(lines: list[tuple[str, str, str]], expected: dict[str, set[str]]) -> None:
    found: dict[str, set[str]] = {}
    for each in resource_order([row(StartOrderLine, kind=k, name=n, value=v) for k, n, v in lines], []):
        found.setdefault(each.resource, set()).add(each.waits_for)
    assert found == expected


def test_service_group_waits_for_all_of_another() -> None:
    declared = [row(DeclaredResource, resource=name, group=group) for name, group in (("db", "app"), ("fs", "storage"))]
    lines = [row(StartOrderLine, kind="requires_group", name="app", value="storage")]
    assert [(each.resource, each.waits_for) for each in resource_order(lines, declared)] == [("db", "fs")]
