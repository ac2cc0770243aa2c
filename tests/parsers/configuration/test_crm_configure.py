import pytest

from parsers.configuration.crm_configure import FORMAT
from parsers.format import Verdict
from tests.support.configuration_lines import confidence, values, verdicts
from tests.support.message_lines import numbered

# RECONSTRUCTED (crmsh); the primitive of the address is REAL but for its name
CRM = [
    "node 1: alice \\",
    "\tattributes standby=off",
    "primitive VIP ocf:heartbeat:IPaddr2 \\",
    '\tparams ip="204.228.236.39" cidr_netmask=24 \\',
    "\top monitor interval=30s timeout=20s \\",
    "\tmeta target-role=Started",
    "primitive fence stonith:external/ipmi params passwd=tiger userid=root",
    "ms ms_drbd drbd \\",
    "\tmeta master-max=1",
    "colocation c1 inf: VIP ms_drbd:Master",
    "property cib-bootstrap-options: \\",
    "\tstonith-enabled=true \\",
    "\tno-quorum-policy=ignore",
]


def test_statements_become_parameters() -> None:
    assert values(FORMAT, *CRM) == {
        "node 1": "alice attributes standby=off",
        "VIP": "ocf:heartbeat:IPaddr2",
        "VIP.ip": "204.228.236.39",
        "VIP.cidr_netmask": "24",
        "VIP.op.monitor.interval": "30s",
        "VIP.op.monitor.timeout": "20s",
        "VIP.meta.target-role": "Started",
        "fence": "stonith:external/ipmi",
        "fence.passwd": "********",
        "fence.userid": "root",
        "ms ms_drbd": "drbd meta master-max=1",
        "colocation c1": "inf: VIP ms_drbd:Master",
        "property.stonith-enabled": "true",
        "property.no-quorum-policy": "ignore",
    }


# REAL: crmsh leaves out `ocf:heartbeat:`
SHORT = [
    "node 1: node1",
    "node 2: node2",
    "primitive address IPaddr2 \\",
    "\tparams ip=10.77.0.10 cidr_netmask=24 nic=eth0 \\",
    "\top monitor interval=10s timeout=20s",
    "primitive database pgsql \\",
    '\tparams pgctl="/usr/lib/postgresql/15/bin/pg_ctl" pgdata="/srv/postgresql"',
    "group service address database",
    "location first-on-node1 service 50: node1",
]


def test_agent_without_class_and_provider() -> None:
    assert confidence(FORMAT, *SHORT) >= 0.9
    found = values(FORMAT, *SHORT)
    assert (found["address"], found["database"]) == ("IPaddr2", "pgsql")
    assert (found["database.pgdata"], found["group service"]) == ("/srv/postgresql", "address database")
    assert found["location first-on-node1"] == "service 50: node1"


def test_statement_goes_on_after_a_backslash() -> None:
    parsed, goes_on = Verdict.PARSED, Verdict.CONTINUATION
    assert verdicts(FORMAT, *CRM[:7]) == [parsed, goes_on, parsed, goes_on, goes_on, goes_on, parsed]


def test_commands_that_make_a_configuration_are_read_alike() -> None:
    texts = ["# an address", "crm configure primitive IP ocf:heartbeat:IPaddr2 params ip=10.0.0.1", "ls"]
    assert values(FORMAT, *texts) == {"IP": "ocf:heartbeat:IPaddr2", "IP.ip": "10.0.0.1"}
    assert verdicts(FORMAT, *texts) == [Verdict.IGNORED, Verdict.PARSED, Verdict.REJECTED]


def test_resource_is_recognised_by_its_description() -> None:
    rows = FORMAT.parse(numbered(CRM)).tables["parameter_value"].filter(description="primitive")
    assert rows["name"].to_list() == ["VIP", "fence"]


@pytest.mark.parametrize("texts", [[], ["primitive"], ["primitive x y"], ["node 1: alice"]])
def test_other_files_are_refused(texts: list[str]) -> None:
    assert confidence(FORMAT, *texts) == 0


def test_own_files_are_recognised() -> None:
    assert confidence(FORMAT, *CRM) >= 0.9
