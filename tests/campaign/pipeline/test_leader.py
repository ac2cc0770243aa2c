"""Incidents by a change of leader: who was lost, who leads, planned or not, from the logs of each server."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.support.failover_logs import Store, ingested, write, write_logs
from tests.support.leader_logs import (
    FAULT_S,
    FOLLOWS,
    HOLDS,
    ORDERED,
    SILENT,
    START,
    incidents,
    milestones,
    patroni,
    redis,
    stamped,
    write_patroni,
)


def test_leader_that_falls_silent_is_lost(tmp_path: Path) -> None:
    store = patroni(tmp_path, SILENT)
    assert incidents(store) == [("anna", "bert", False)]
    assert milestones(store) == {"suspected": 61.0, "elected": 61.2}
    ((low, high),) = store.rows("select epoch(low_at - ?), epoch(high_at - ?) from fault_time", START, START)
    assert low == 29.5  # half a second before the last line of the leader
    assert low < FAULT_S < high
    assert high == 61.001
    assert store.rows("select outcome from run_outcome") == [("recovered",)]
    # from the middle of the interval, 45.25 s, until the first suspicion of 61.0 s and the election of 61.2 s
    governed = "select settings, round(mean_s, 2), round(total_s, 2), dominates from governed_step"
    assert store.rows(governed) == [("ttl and loop_wait of Patroni", 15.75, 15.95, False)]


@pytest.mark.parametrize(
    ("ahead_s", "sources", "doubts"),
    [
        pytest.param(0, ["client questions", "leader signs"], [], id="it may be right"),
        pytest.param(-3, ["leader signs"], [("client_clock",)], id="answered again before the leader was missed"),
    ],
)
def test_client_that_is_answered_too_early_has_a_clock_of_its_own(
    tmp_path: Path, ahead_s: float, sources: list[str], doubts: list[tuple[str]]
) -> None:
    write_patroni(tmp_path / "ttl30", SILENT)
    asked = ((half / 2, FAULT_S < half / 2 < 62) for half in range(140))
    lines = [f"{stamped(at + ahead_s).replace(',', '.')},{'failed' if is_lost else 'ok'},2" for at, is_lost in asked]
    write(tmp_path / "ttl30" / "client" / "probe.csv", ["asked_at,outcome,elapsed_ms", *lines])
    store = ingested(tmp_path)
    assert store.rows("select sources from fault_time") == [(sources,)]
    assert store.rows("select kind from finding where kind = 'client_clock'") == doubts


def test_change_of_leader_that_somebody_ordered_is_planned(tmp_path: Path) -> None:
    assert incidents(patroni(tmp_path, ORDERED)) == [("anna", "bert", True)]


def test_server_known_by_its_address_is_the_node_that_writes_under_it(tmp_path: Path) -> None:
    store = redis(tmp_path)
    assert incidents(store) == [("redis1", "redis2", False)]
    found = milestones(store)
    assert {name: found[name] for name in ("suspected", "dead", "ready", "announced")} == {
        "suspected": 33.2,  # by the first that suspects it
        "dead": 33.4,
        "ready": 35.0,
        "announced": 36.0,
    }
    # the lost server goes on writing later: it was cut off, so that its own lines bound nothing, but the timers do
    assert store.rows("select epoch(low_at - ?) from fault_time", START) == [(pytest.approx(33.2 - 32.7),)]


SILENT_ANNA = "WARNING: Request failed to anna: GET http://10.0.0.1:8008/patroni (timed out)"
NOT_FIT = "INFO: My wal position exceeds maximum replication lag"
RACE = [(61.0, SILENT_ANNA), (61.2, NOT_FIT), (71.0, SILENT_ANNA), (71.2, NOT_FIT), (150.0, NOT_FIT)]


def fault_interval(store: Store) -> list[tuple[float, float]]:
    """In seconds of the test's own scale."""
    return store.rows("select epoch(fault_at_low - ?), epoch(fault_at_high - ?) from run order by run_no", START, START)


def test_race_that_nobody_wins_is_a_failed_failover(tmp_path: Path) -> None:
    store = patroni(tmp_path, {"bert": RACE, "cora": RACE})
    assert incidents(store) == [("anna", "bert", False)]
    assert store.rows("select outcome, is_counted from run_outcome") == [("failed", True)]
    assert store.rows("select runs, recovered from recovery") == [(1, 0)]
    ((low, high),) = fault_interval(store)
    assert low <= FAULT_S <= high


def sentinels(folder: Path, *, hours: int = 0) -> Store:
    """A server and a sentinel on each of two hosts. The first host is lost after 34.2 s, and nothing of it was kept."""

    def at(seconds: float, number: int) -> str:
        moment = START + timedelta(seconds=seconds, hours=hours if number == 3 else 0)
        return f"{moment:%d %b %Y %H:%M:%S}.{moment.microsecond // 1000:03d}"

    first, second = "10.0.0.1 6379", "10.0.0.2 6379"
    taken = "(user request from 'id=7 addr=10.0.0.3:52016 laddr=10.0.0.2:6379 fd=13 name=sentinel-28075820-cmd')"
    for number in (2, 3):
        server = [
            (2.0, "S", "MASTER <-> REPLICA sync: Finished with success"),
            (34.204, "S", "Connection with master lost."),
        ]
        said = [
            (0.0, f"+monitor master mymaster {first} quorum 2"),
            (39.2 + number / 100, f"+sdown master mymaster {first}"),
        ]
        if number == 2:
            server += [(39.6, "M", f"MASTER MODE enabled {taken}")]
            said += [
                (39.4, f"+odown master mymaster {first} #quorum 2/2"),
                (40.4, f"+promoted-slave slave 10.0.0.2:6379 {second} @ mymaster {first}"),
            ]
        said += [(40.5, f"+switch-master mymaster {first} {second}")]
        node = folder / "down5s" / "run01" / f"redis{number}"
        write(node / "server.log", [f"100:{role} {at(s, number)} * {text}" for s, role, text in server])
        write(node / "sentinel.log", [f"24497:X {at(s, number)} # {text}" for s, text in said])
    return ingested(folder)


def test_fault_of_a_leader_without_logs_lies_between_signs_of_others(tmp_path: Path) -> None:
    store = sentinels(tmp_path)
    assert store.rows("select outcome from run_outcome") == [("recovered",)]
    ((low, high),) = fault_interval(store)
    assert low == pytest.approx(39.22 - 32.7)  # down-after-milliseconds and two looks before the first that missed it
    assert high == pytest.approx(34.205)
    ((text,),) = store.rows("select text from finding where kind = 'wide_fault'")
    assert "lie within 28 s, longer than the 6 s" in text


def test_one_change_at_two_hours_is_a_doubt(tmp_path: Path) -> None:
    assert sentinels(tmp_path / "same").rows("select * from finding where kind = 'zone_difference'") == []
    ((text,),) = sentinels(tmp_path / "other", hours=1).rows("select text from finding where kind = 'zone_difference'")
    assert "redis3 writes of the same change 1.0 h later than redis2" in text


def vrrp(at: datetime, host: str, said: str) -> str:
    return f"{at:%b} {at.day:2d} {at:%H:%M:%S} {host} Keepalived_vrrp[812]: (VI_1) {said}"


def test_silence_of_a_quiet_holder_of_an_address_dates_its_loss(tmp_path: Path) -> None:
    """A host that writes nothing for hours is lost 3.5 s before its backup has waited for three advertisements."""
    long_ago = START - timedelta(hours=5)
    taken = START + timedelta(seconds=37.7)
    write(tmp_path / "vip" / "gw1" / "messages", [vrrp(long_ago, "gw1", "Entering MASTER STATE")])
    write(
        tmp_path / "vip" / "gw2" / "messages",
        [
            vrrp(long_ago, "gw2", "Entering BACKUP STATE"),
            vrrp(taken, "gw2", "Receive advertisement timeout"),
            vrrp(taken, "gw2", "Entering MASTER STATE"),
        ],
    )
    (tmp_path / "study.toml").write_text("[study]\nyear = 2026\n")
    store = ingested(tmp_path)
    ((low, high),) = fault_interval(store)
    assert low <= FAULT_S <= high
    assert high - low < 60
    assert store.rows("select contains(flags, 'assumed_timer') from run") == [(True,)]


def test_lines_of_the_backup_in_a_common_log_are_no_sign_of_the_holder(tmp_path: Path) -> None:
    said = [
        (-3600.0, "gw1", "Entering MASTER STATE"),
        (-3600.0, "gw2", "Entering BACKUP STATE"),
        (30.0, "gw1", "VRRP_Script(chk) succeeded"),
        (36.0, "gw2", "VRRP_Script(chk) succeeded"),
        (37.7, "gw2", "Receive advertisement timeout"),
        (37.7, "gw2", "Entering MASTER STATE"),
    ]
    lines = [vrrp(START + timedelta(seconds=at), host, text) for at, host, text in said]
    write(tmp_path / "vip" / "messages", lines)
    (tmp_path / "study.toml").write_text("[study]\nyear = 2026\n")
    ((low, high),) = fault_interval(ingested(tmp_path))
    assert 29 <= low <= FAULT_S <= high


def central(at: float, host: str, text: str) -> str:
    """A line of Patroni in a log of all hosts."""
    moment = START + timedelta(seconds=at)
    stamp = f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}+00:00"
    return f"{stamp} {host} patroni[9]: {moment:%Y-%m-%d %H:%M:%S},{moment.microsecond // 1000:03d} {text}"


def test_common_log_of_two_clusters_shows_the_leader_of_each(tmp_path: Path) -> None:
    """The other cluster's leader says last that it leads, and goes on."""
    said = [(at, "anna", HOLDS.format("anna")) for at in (0.0, 10.0, 20.0, 30.0)]
    said += [(at + 0.1, "bert", FOLLOWS.format("bert", "anna")) for at in (0.0, 10.0, 20.0, 30.0)]
    said += [(at + 5, "xena", HOLDS.format("xena")) for at in (0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0)]
    said += [(at + 5.1, "yuri", FOLLOWS.format("yuri", "xena")) for at in (0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0)]
    said += [(61.0, "bert", SILENT_ANNA), (61.2, "bert", "INFO: promoted self to leader by acquiring session lock")]
    write(tmp_path / "both" / "messages", [central(*each) for each in sorted(said)])
    store = ingested(tmp_path)
    assert incidents(store) == [("anna", "bert", False)]
    ((low, high),) = fault_interval(store)
    assert low <= FAULT_S <= high


SENTINEL = """\
[30] 03 Jun 2014 10:26:05.100 # +sdown master cache 10.0.0.1 6379
[30] 03 Jun 2014 10:26:06.190 # +odown master cache 10.0.0.1 6379 #quorum 2/2
[30] 03 Jun 2014 10:26:06.400 # +selected-slave slave 10.0.0.2:6379 10.0.0.2 6379 @ cache 10.0.0.1 6379
[30] 03 Jun 2014 10:26:07.224 # +promoted-slave slave 10.0.0.2:6379 10.0.0.2 6379 @ cache 10.0.0.1 6379
[30] 03 Jun 2014 10:26:07.291 # +switch-master cache 10.0.0.1 6379 10.0.0.2 6379
"""
STANDBY = """\
[2020-03-03 23:18:06] [INFO] node "cora" (ID: 3) monitoring upstream node "anna" (ID: 1) in normal state
[2020-03-03 23:20:31] [WARNING] unable to connect to upstream node "anna" (ID: 1)
[2020-03-03 23:20:36] [WARNING] unable to reconnect to node 1 after 6 attempts
[2020-03-03 23:20:36] [NOTICE] promotion candidate is "bert" (ID: 2)
[2020-03-03 23:20:36] [NOTICE] this node is not the promotion candidate, awaiting notification
[2020-03-03 23:20:41] [NOTICE] attempting to follow new primary "bert" (node ID: 2)
"""
MONITOR = """\
2021-01-12 00:07:16.395 UTC [16123] LOG:  Node 1 (10.0.0.1:5432) is marked as unhealthy by the monitor
2021-01-12 00:07:29.762 UTC [17009] LOG:  Setting goal state of node 1 "anna" (10.0.0.1:5432) to draining and \
node 2 "bert" (10.0.0.2:5432) to prepare_promotion after node 1 "anna" (10.0.0.1:5432) became unhealthy.
2021-01-12 00:07:30.776 UTC [17009] LOG:  New state is reported by node 2 "bert" (10.0.0.2:5432): "wait_primary"
"""


@pytest.mark.parametrize(
    ("name", "log", "survivor", "back"),
    [
        ("sentinel.log", SENTINEL, "10.0.0.2:6379", "10:26:07.224"),
        ("repmgrd.log", STANDBY, "bert", "23:20:41.000"),
        ("monitor.log", MONITOR, "bert", "00:07:30.776"),
    ],
    ids=["sentinel", "standby", "monitor"],
)
def test_service_is_back_when_somebody_sees_it_lead(
    tmp_path: Path, name: str, log: str, survivor: str, back: str
) -> None:
    """A leader that was chosen does not serve yet; its own log is not at hand."""
    study = tmp_path / "study"
    write_logs(study, {name: log})
    store = ingested(study)
    assert store.rows("select outcome, strftime(recovered_at, '%H:%M:%S.%g') from run_outcome") == [("recovered", back)]
    assert store.rows("select surviving_node from run") == [(survivor,)]
