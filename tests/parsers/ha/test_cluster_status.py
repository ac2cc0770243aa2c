"""pcs status and crm_mon -1: nodes, resources and failed actions at one moment."""

import pytest

from parsers.cluster_state import CLUSTER_STATE
from parsers.format import Recognition, Verdict
from parsers.ha.cluster_status import FORMAT
from tests.support.message_lines import numbered

# RECONSTRUCTED, in the forms before and from 2.0 on
OLD = """\
2 nodes configured
Node east: UNCLEAN (online)
Online: [ west ]
 fence   (stonith:fence_x):      Started west
 Master/Slave Set: shop-master [shop]
     Masters: [ west ]
     Stopped: [ east ]
 Resource Group: address
     vip     (ocf::heartbeat:IPaddr2):       Started west
Failed Actions:
* shop_demote_0 on east 'unknown error' (1): call=49, status=complete, exitreason='none',
    last-rc-change='Mon Jan  6 07:08:09 2020', queued=0ms, exec=411ms"""
NEW = """\
Node List:
  * Node east: UNCLEAN (online)
  * Online: [ west ]
Full List of Resources:
  * fence\t(stonith:fence_x):\t Started west
  * Clone Set: shop-master [shop] (promotable):
    * Masters: [ west ]
    * Stopped: [ east ]
  * Resource Group: address:
    * vip\t(ocf::heartbeat:IPaddr2):\t Started west
Failed Resource Actions:
  * shop_demote_0 on east 'unknown error' (1): call=49, last-rc-change='2020-01-06 07:08:09 +01:00', exec=411ms"""


@pytest.mark.parametrize("text", [OLD, NEW])
def test_each_thing_has_its_state(text: str) -> None:
    lines = numbered(text.split("\n"))
    assert isinstance(FORMAT.recognise(lines["text"]), Recognition)
    parsed = FORMAT.parse(lines)
    assert Verdict.REJECTED not in parsed.lines["verdict"].to_list()
    assert parsed.tables[CLUSTER_STATE.name].select("subject", "name", "parent", "host", "state").rows() == [
        ("node", "east", None, "east", "UNCLEAN (online)"),
        ("node", "west", None, "west", "Online"),
        ("resource", "fence", None, "west", "Started"),
        ("resource", "shop", "shop-master", "west", "Master"),
        ("resource", "shop", "shop-master", "east", "Stopped"),
        ("resource", "vip", "address", "west", "Started"),
        ("action", "shop", None, "east", "unknown error"),
    ]
    action = parsed.tables[CLUSTER_STATE.name].row(-1, named=True)
    assert (str(action["stamp"]), action["role"], action["duration_s"]) == ("2020-01-06 07:08:09", "demote", 0.411)
    assert action["utc_offset_min"] == (60 if text is NEW else None)


def test_an_endless_duration_of_an_action_is_none() -> None:
    found = FORMAT.parse(numbered(OLD.replace("411ms", f"{'9' * 400}ms").split("\n"))).tables[CLUSTER_STATE.name]
    assert found["duration_s"].null_count() == found.height > 0


def test_the_output_says_when_it_was_printed() -> None:
    lines = numbered(
        ["Last updated: Wed Mar  3 10:11:12 2021", "Online: [ west ]", "vip (ocf::x:y): FAILED west (blocked)"]
    )
    found = FORMAT.parse(lines).tables[CLUSTER_STATE.name]
    assert found["stamp"].cast(str).to_list() == ["2021-03-03 10:11:12.000000"] * 2
    assert found["detail"].to_list() == [None, "ocf::x:y (blocked)"]


@pytest.mark.parametrize(
    ("action", "state", "stamp", "duration_s"),
    [
        ("    shop_monitor_20000 (node=east, call=4, rc=7, status=complete): not running", "not running", None, None),
        (
            "  * shop monitor on east could not be executed (Timed Out) at Mon Jan  6 07:08:09 2020 after 1m2.5s",
            "Timed Out",
            "2020-01-06 07:08:09",
            62.5,
        ),
        (
            "  * shop 20s-interval monitor on east returned 'not running' at 2020-01-06 07:08:09 +01:00 after 12ms",
            "not running",
            "2020-01-06 07:08:09",
            0.012,
        ),
    ],
)
def test_failed_actions_of_other_releases(action: str, state: str, stamp: str | None, duration_s: float | None) -> None:
    lines = numbered(["2 Nodes configured", "Stopped: [ shop:1 ]", "Online: [ west ]", "Failed actions:", action])
    parsed = FORMAT.parse(lines)
    assert Verdict.REJECTED not in parsed.lines["verdict"].to_list()
    *_, row = parsed.tables[CLUSTER_STATE.name].iter_rows(named=True)
    found = (row["name"], row["role"], row["host"], row["state"], row["duration_s"])
    assert found == ("shop", "monitor", "east", state, duration_s)
    assert row["stamp"] is None if stamp is None else str(row["stamp"]) == stamp


def test_rows_above_the_time_of_the_output_have_it_and_an_instance_is_no_host() -> None:
    lines = numbered(
        [
            "Current DC: west (version 2) - partition with quorum",
            "Last updated: Wed Mar  3 10:11:12 2021",
            "Clone Set: shop-clone [shop]",
            "    Stopped: [ shop:1 ]",
        ]
    )
    found = FORMAT.parse(lines).tables[CLUSTER_STATE.name]
    assert found["stamp"].null_count() == 0
    assert found["host"].to_list() == ["west", None]
