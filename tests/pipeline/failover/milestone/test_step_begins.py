from collections.abc import Sequence

import pytest

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.milestone.milestones import RunFault
from pipeline.failover.milestone.recovery_steps import CrmResource
from pipeline.failover.milestone.step_begins import PhaseRule, step_begin
from pipeline.failover.recovery.milestone_candidates import EvidenceRule
from pipeline.failover.recovery.milestone_lines import MilestoneLine
from pipeline.failover.service.resource_types import DeclaredResource, ResourceType
from pipeline.failover.service.service_windows import ServiceWindow
from pipeline.failover.service.start_orders import ResourceOrder
from tests.support.evidence_rows import at, row

LOSS = row(Incident, run="run01", surviving_key="birch", membership_at=at(20), end_at=at(600))
KNOWN = row(MilestoneLine, 20, run="run01", milestone="gab", resolution_s=1.0, line_no=20)
FAULT = row(RunFault, run="run01", fault_at=at(0))
WINDOWS = [
    row(ServiceWindow, run="run01", group=name, service_end_at=at(100), is_own_group=True) for name in ("g", None)
]
TYPES = {"dg": "DiskGroup", "mnt": "Mount", "ip": "IP", "nic": "NIC"}
RULES = [
    row(
        EvidenceRule, milestone="ip", evidence=1, resource_types=["IP"], resource_classes=[], actions=[], is_user=False
    ),
    row(
        EvidenceRule,
        milestone="ip",
        evidence=1,
        resource_types=[],
        resource_classes=["address"],
        actions=["start"],
        is_user=False,
    ),
]
ADDRESS = row(PhaseRule, phase="virtual_ip", starts=["ip"], starts_but=[])
REST = row(PhaseRule, phase="virtual_ip", starts=[], starts_but=["ip"])


def vcs(second: int, kind: str, resource: str, **others: object) -> ClusterLine:
    of = {"source": "vcs", "system_key": "birch", "resource_class": None, "resolution_s": 1.0, "line_no": second}
    return row(ClusterLine, second, kind=kind, resource=resource, is_vcs_online=True, **(of | others))


def started(second: int, resource: str, **others: object) -> ClusterLine:
    return vcs(second, "initiate_online", resource, **others)


def online(second: int, resource: str, **others: object) -> ClusterLine:
    return vcs(second, "resource_online", resource, **others)


def operation(second: int, kind: str, **others: object) -> ClusterLine:
    of = {"source": "ha", "node_key": "birch", "system_key": None, "resource_class": "address", "action": "start"}
    return vcs(second, kind, "vip", **(of | others))


def begins(
    lines: Sequence[ClusterLine],
    waits: Sequence[tuple[str, str]] = (),
    rule: PhaseRule = ADDRESS,
    *,
    has_file: bool = True,
) -> list[tuple[float, str]]:
    types = [row(ResourceType, resource=name, resource_type=kind, group="g") for name, kind in TYPES.items()]
    declared = [row(DeclaredResource, resource=name) for name in TYPES] if has_file else []
    crm = [row(CrmResource, resource=name) for name in ("vip", "fs")] if has_file else []
    orders = [row(ResourceOrder, resource=later, waits_for=first) for later, first in waits]
    found = step_begin([LOSS], lines, RULES, [rule], types, declared, crm, orders, WINDOWS, [KNOWN], [FAULT])
    return [(each.elapsed_s, each.begin) for each in found]


CHAIN = [("ip", "mnt"), ("mnt", "dg"), ("ip", "nic")]


@pytest.mark.parametrize(
    ("lines", "waits", "expected"),
    [
        pytest.param([started(27, "ip"), online(28, "ip")], CHAIN, (27.5, "line"), id="as a line says"),
        pytest.param([online(26, "mnt"), online(28, "ip")], CHAIN, (26.5, "dependency"), id="as its mount is there"),
        pytest.param(
            [online(24, "dg"), online(28, "ip")], CHAIN, (24.5, "dependency"), id="its mount was there before"
        ),
        pytest.param([online(26, "mnt"), online(28, "ip")], [], (20.5, "dependency"), id="it waits for nothing"),
        pytest.param([started(20, "ip"), online(22, "ip"), started(40, "ip")], [], (20.5, "line"), id="first start"),
        pytest.param(
            [started(22, "ip", system_key="alder"), online(28, "ip")], [], (20.5, "dependency"), id="other node"
        ),
        pytest.param(
            [operation(25, "operation_start"), operation(26, "operation_done")], [], (25.5, "line"), id="operation"
        ),
        pytest.param([operation(26, "operation_done", state="ok")], [], (20.5, "dependency"), id="CIB orders nothing"),
    ],
)
def test_phase_begins(lines: list[ClusterLine], waits: list[tuple[str, str]], expected: tuple[float, str]) -> None:
    assert begins(lines, waits) == [expected]


def test_nobody_knows_without_line_and_file() -> None:
    assert begins([online(26, "mnt"), online(28, "ip")], has_file=False) == []


def test_what_is_neither_storage_nor_address_begins_with_its_own_start() -> None:
    assert begins([started(20, "ip"), started(31, "app")], rule=REST) == [(31.5, "line")]
