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
