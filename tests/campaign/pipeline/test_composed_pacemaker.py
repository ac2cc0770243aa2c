"""Take-overs of SAP HANA and PAF on Pacemaker, composed from the texts of their sources: the truth is known."""

from datetime import datetime, timedelta
from pathlib import Path

from tests.support.failover_logs import ingested, write

START = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001  a wall clock
STEPS = """select milestone, strftime("at", '%H:%M:%S.%g'), node from milestone order by "at", milestone"""
OUTCOMES = "select run, outcome, is_counted from run_outcome order by run"
CONTROLLER, FENCER = "pacemaker-controld[2101]:  notice:", "pacemaker-fenced[2098]:  notice:"


def line(second: float, host: str, text: str) -> str:
    at = (START + timedelta(seconds=second)).isoformat(timespec="microseconds")
    return f"{at}+00:00 {host} {text}"


def lost(host: str, peer: str, *, token_s: float, lost_s: float, fenced_s: float) -> list[str]:
    """What Corosync and Pacemaker of a surviving node print when its peer is gone."""
    return [
        line(5, host, f"{CONTROLLER} State transition S_TRANSITION_ENGINE -> S_IDLE"),
        line(token_s, host, "corosync[2001]:  [TOTEM ] A processor failed, forming new configuration."),
        line(lost_s - 0.1, host, "corosync[2001]:  [TOTEM ] A new membership (2.16a) was formed. Members left: 1"),
        line(lost_s, host, f"{CONTROLLER} Node {peer} state is now lost"),
        line(lost_s + 0.2, host, f"{CONTROLLER} Requesting fencing (reboot) targeting node {peer}"),
        line(
            fenced_s,
            host,
            f"{FENCER} Operation 'reboot' targeting {peer} by {host} for pacemaker-controld.2101@{host}: OK",
        ),
    ]


def address(second: float, host: str, resource: str) -> list[str]:
    return [
        line(second, host, f"{CONTROLLER} Initiating start operation {resource}_start_0 locally on {host}"),
        line(second + 0.4, host, f"IPaddr2({resource})[3501]: INFO: Adding inet address 10.0.0.12/24 to device eth0"),
        line(second + 0.8, host, f"{CONTROLLER} Result of start operation for {resource} on {host}: ok"),
    ]


def test_take_over_of_hana(tmp_path: Path) -> None:
    agent = "SAPHana(rsc_SAPHana_HA1_HDB10)[3301]: INFO:"
    log = [
        *lost("hana2", "hana1", token_s=35, lost_s=41.2, fenced_s=62),
        line(
            62.3, "hana2", f"{CONTROLLER} Initiating promote operation rsc_SAPHana_HA1_HDB10_promote_0 locally on hana2"
        ),
        line(63, "hana2", f"{agent} RA ==== begin action promote_clone (0.162.1) ===="),
        line(64, "hana2", f"{agent} ACT: SAP HANA TAKEOVER: - Promote REPLICA HA1-HDB10 to be primary"),
        line(100, "hana2", f"{agent} RA ==== end action promote_clone with rc=0 (0.162.1) (37s)===="),
        line(100.5, "hana2", f"{CONTROLLER} Result of promote operation for rsc_SAPHana_HA1_HDB10 on hana2: ok"),
        *address(100.7, "hana2", "rsc_ip_HA1_HDB10"),
    ]
    write(tmp_path / "study/run1/hana2/messages", log)
    store = ingested(tmp_path)
    assert store.rows(STEPS) == [
        ("token", "09:00:35.000", "hana2"),
        ("dead", "09:00:41.200", "hana2"),
        ("fenced", "09:01:02.000", "hana2"),
        ("started", "09:01:40.000", "hana2"),
        ("ip", "09:01:41.500", "hana2"),
    ]
    assert store.rows(OUTCOMES) == [("run1", "recovered", True)]


def test_take_over_of_paf(tmp_path: Path) -> None:
    agent = "pgsqlms(pgsqld)[3301]: INFO:"
    log = [
        *lost("srv2", "srv1", token_s=32, lost_s=33.3, fenced_s=36),
        line(36.3, "srv2", f"{CONTROLLER} Initiating promote operation pgsqld_promote_0 locally on srv2"),
        line(36.6, "srv2", f'{agent} Promoting instance on node "srv2"'),
        line(38, "srv2", f"{agent} Promote complete"),
        line(38.2, "srv2", f"{CONTROLLER} Result of promote operation for pgsqld on srv2: ok"),
        *address(38.4, "srv2", "pgsql-master-ip"),
    ]
    write(tmp_path / "study/run1/srv2/messages", log)
    store = ingested(tmp_path)
    assert store.rows(STEPS) == [
        ("token", "09:00:32.000", "srv2"),
        ("dead", "09:00:33.300", "srv2"),
        ("fenced", "09:00:36.000", "srv2"),
        ("started", "09:00:38.000", "srv2"),
        ("ip", "09:00:39.200", "srv2"),
    ]
    assert store.rows(OUTCOMES) == [("run1", "recovered", True)]


def test_hana_that_refuses_to_take_over_is_no_recovery(tmp_path: Path) -> None:
    agent = "SAPHana(rsc_SAPHana_HA1_HDB10)[3301]:"
    log = [
        *lost("hana2", "hana1", token_s=35, lost_s=41.2, fenced_s=62),
        line(
            62.3, "hana2", f"{CONTROLLER} Initiating promote operation rsc_SAPHana_HA1_HDB10_promote_0 locally on hana2"
        ),
        line(63, "hana2", f"{agent} ERROR: ACT: HANA SYNC STATUS IS NOT 'SOK' SO THIS HANA SITE COULD NOT BE PROMOTED"),
        line(63.5, "hana2", f"{CONTROLLER} Result of promote operation for rsc_SAPHana_HA1_HDB10 on hana2: error"),
        line(900, "hana2", f"{CONTROLLER} State transition S_TRANSITION_ENGINE -> S_IDLE"),
    ]
    write(tmp_path / "study/run1/hana2/messages", log)
    ((run, outcome, _),) = ingested(tmp_path).rows(OUTCOMES)
    assert run == "run1"
    assert outcome not in {"recovered", "planned"}
