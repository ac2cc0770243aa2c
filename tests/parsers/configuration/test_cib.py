import pytest

from parsers.configuration.cib import FORMAT
from parsers.configuration.crm_configure import FORMAT as CRM
from parsers.format import Verdict
from tests.support.configuration_lines import confidence, values, verdicts

# REAL: Pacemaker 2.1.5, `cibadmin --query` and `crm configure show` of one and the same cluster
XML = """\
<cib crm_feature_set="3.16.1" validate-with="pacemaker-3.9" epoch="2" num_updates="0" admin_epoch="0">
  <configuration>
    <crm_config>
      <cluster_property_set id="cib-bootstrap-options">
        <nvpair name="stonith-enabled" value="false" id="cib-bootstrap-options-stonith-enabled"/>
      </cluster_property_set>
    </crm_config>
    <nodes>
      <node id="1" uname="node1"/>
    </nodes>
    <resources>
      <group id="service">
        <primitive id="address" class="ocf" provider="heartbeat" type="IPaddr2">
          <instance_attributes id="address-instance_attributes">
            <nvpair name="ip" value="10.77.0.10" id="address-instance_attributes-ip"/>
            <nvpair name="nic" value="eth0" id="address-instance_attributes-nic"/>
          </instance_attributes>
          <operations>
            <op name="monitor" interval="10s" timeout="20s" id="address-monitor-10s"/>
          </operations>
        </primitive>
        <primitive id="database" class="ocf" provider="heartbeat" type="pgsql">
          <instance_attributes id="database-instance_attributes">
            <nvpair name="monitor_password" value="tiger" id="database-instance_attributes-monitor_password"/>
          </instance_attributes>
          <meta_attributes id="database-meta_attributes">
            <nvpair name="target-role" value="Started" id="database-meta_attributes-target-role"/>
          </meta_attributes>
        </primitive>
      </group>
      <master id="ms_drbd">
        <meta_attributes id="ms_drbd-meta_attributes">
          <nvpair name="master-max" value="1" id="ms_drbd-meta_attributes-master-max"/>
          <nvpair name="clone-max" value="2" id="ms_drbd-meta_attributes-clone-max"/>
        </meta_attributes>
        <primitive id="drbd" class="ocf" provider="linbit" type="drbd">
          <instance_attributes id="drbd-instance_attributes">
            <nvpair name="drbd_resource" value="r0" id="drbd-instance_attributes-drbd_resource"/>
          </instance_attributes>
        </primitive>
      </master>
    </resources>
    <constraints>
      <rsc_location id="first-on-node1" rsc="service" score="50" node="node1"/>
      <rsc_colocation id="fs-with" score="INFINITY" rsc="fs" with-rsc="ms_drbd" with-rsc-role="Master"/>
      <rsc_order id="drbd-first" kind="Mandatory" first="ms_drbd" first-action="promote" then="fs" then-action="start"/>
    </constraints>
    <rsc_defaults>
      <meta_attributes id="rsc-options">
        <nvpair name="resource-stickiness" value="100" id="rsc-options-resource-stickiness"/>
      </meta_attributes>
    </rsc_defaults>
  </configuration>
  <status/>
</cib>
""".splitlines()

SHOWN = r"""
node 1: node1
primitive address IPaddr2 \
	params ip=10.77.0.10 nic=eth0 \
	op monitor interval=10s timeout=20s
primitive database pgsql \
	params monitor_password=tiger \
	meta target-role=Started
primitive drbd ocf:linbit:drbd \
	params drbd_resource=r0
group service address database
ms ms_drbd drbd \
	meta master-max=1 clone-max=2
order drbd-first Mandatory: ms_drbd:promote fs:start
location first-on-node1 service 50: node1
colocation fs-with inf: fs ms_drbd:Master
property cib-bootstrap-options: \
	stonith-enabled=false
rsc_defaults rsc-options: \
	resource-stickiness=100
""".strip().splitlines()


def test_both_forms_of_one_configuration_say_the_same() -> None:
    from_xml, shown = values(FORMAT, *XML), values(CRM, *SHOWN)
    agents = {"address": "ocf:heartbeat:IPaddr2", "database": "ocf:heartbeat:pgsql"}  # crmsh leaves these out
    assert from_xml == shown | agents
    assert "tiger" not in from_xml.values()


def test_lines_on_which_a_value_begins_are_parsed_and_others_are_markup() -> None:
    parsed, markup = Verdict.PARSED, Verdict.IGNORED
    assert verdicts(FORMAT, *XML)[:5] == [markup] * 4 + [parsed]
    assert verdicts(FORMAT, *XML)[-3:] == [markup] * 3


def test_state_of_the_cluster_is_no_configuration() -> None:
    state = '<status><node_state id="1"><nvpair name="x" value="y"/><op name="z" interval="1"/></node_state></status>'
    assert values(FORMAT, XML[0], state, "</cib>") == {}


def test_sets_of_constraints_name_their_resources() -> None:
    ordered = (
        '<rsc_order id="o"><resource_set id="s"><resource_ref id="a"/><resource_ref id="b"/></resource_set></rsc_order>'
    )
    assert values(FORMAT, XML[0], ordered, "</cib>") == {"order o": "Mandatory: a b"}


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param([XML[0], '<node id="1"'], [3, 5], id="ends inside an element"),
        pytest.param(["<!DOCTYPE cib [<!ENTITY a 'b'>]>", XML[0], "</cib>"], [5, 5, 5], id="declares a document type"),
        pytest.param([XML[0], "<a>" * 98, "<b/>", "<a><b/>", "</a>"], [3, 3, 3, 5, 5], id="too deep"),
    ],
)
def test_what_is_no_cib_is_rejected_from_there_on(texts: list[str], expected: list[int]) -> None:
    assert [int(each) for each in verdicts(FORMAT, *texts)] == expected


def test_own_files_are_recognised_and_other_xml_is_refused() -> None:
    assert confidence(FORMAT, *XML) >= 0.9
    assert confidence(FORMAT, f'<?xml version="1.0" ?>{XML[0]}') >= 0.9
    assert confidence(FORMAT, '<?xml version="1.0"?>', "<configuration>") == 0
    logged = f"Dec 14 20:07:54 xen-e cib: [24226]: info: log_data_element: cib:diff: - {XML[0]}"
    assert confidence(FORMAT, logged) == 0
