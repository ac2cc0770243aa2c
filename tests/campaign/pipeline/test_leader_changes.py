"""Changes of a leader that are no incident, or not what they seem, and incidents recorded from running programs."""

import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.failover_logs import ingested, on_days, write
from tests.support.leader_logs import (
    HOLDS,
    SILENT,
    START,
    STATE,
    Said,
    incidents,
    patroni,
    write_availability_group,
    write_patroni,
)

STACKS = Path(__file__).parents[4] / "shared" / "stacks"
needs_stacks = pytest.mark.skipif(not STACKS.is_dir(), reason="the recorded logs are not beside this checkout")


NO_CHANGE: dict[str, Said] = {
    "nothing happens": {},
    "a follower falls silent": {
        "bert": [(61.0, "WARNING: Request failed to cora: GET http://10.0.0.3:8008/patroni (timed out)")]
    },
    "the leader takes its own role back": {
        "anna": [(62.0, "INFO: promoted self to leader because I had the session lock"), (70.0, HOLDS.format("anna"))]
    },
    "nobody is elected": {
        "bert": [(61.0, "INFO: Lock owner: None; I am bert"), (61.3, "INFO: Could not take out TTL lock")]
    },
}


def test_no_change_of_leader_is_no_incident(tmp_path: Path) -> None:
    for configuration, said in NO_CHANGE.items():
        write_patroni(tmp_path / "study" / configuration, said)
    store = ingested(tmp_path / "study")
    assert {*store.rows("select distinct configuration from source_file")} == {(each,) for each in NO_CHANGE}
    assert store.rows("select configuration from incident") == []
    assert store.rows("select configuration from leader_change") == []


TAKES_OVER = [
    (47.0, STATE.format("RESOLVING_NORMAL", "PRIMARY_PENDING")),
    (47.2, STATE.format("PRIMARY_PENDING", "PRIMARY_NORMAL")),
]
GOES = (40.0, STATE.format("PRIMARY_NORMAL", "RESOLVING_NORMAL"))
FAILS = (
    "Database 'app' encountered an error (error type: 2 'DB_SHUTDOWN') causing failure of the availability group 'ag1'."
)


HANDED_OVER: dict[str, Said] = {
    "no failure before": {"anna": [GOES], "bert": TAKES_OVER},
    "after a failure": {"anna": [(39.9, FAILS), GOES], "bert": TAKES_OVER},
    "the primary says nothing any more": {"bert": TAKES_OVER},
}


def test_availability_group_changes_its_primary(tmp_path: Path) -> None:
    for configuration, said in HANDED_OVER.items():
        write_availability_group(tmp_path / "study" / configuration / "run01", said)
    store = ingested(on_days(tmp_path / "study"))
    changes = store.rows('select configuration, former, leader, is_planned, "at"::time::varchar from leader_change')
    assert {*changes} == {(each, "anna", "bert", each == "no failure before", "09:00:47.2") for each in HANDED_OVER}
    lost = store.rows("select configuration, lost_node, surviving_node, is_planned from incident")
    assert sorted(lost) == sorted(each[:4] for each in changes)


def observed(folder: Path, lines: list[tuple[float, str]]) -> list[tuple[object, ...]]:
    """Changes by the log of an observer of Data Guard, which watches db1."""
    whole = [
        (0.0, "[W000 {}] Try to connect to the primary db1."),
        (1.0, "[W000 {}] Connection to the primary restored!"),
    ]
    text = [
        said.format(f"{START + timedelta(seconds=at):%Y-%m-%dT%H:%M:%S}.000+00:00") for at, said in [*whole, *lines]
    ]
    write(folder / "fsfo" / "watch" / "observer.log", text)
    return ingested(folder).rows("select former, leader, is_planned from leader_change")


def test_failover_that_an_observer_runs_is_a_loss_and_a_switchover_is_planned(tmp_path: Path) -> None:
    silent = [
        (60.0, "[W000 {}] Primary database cannot be reached."),
        (91.0, "[W000 {}] Fast-Start Failover threshold has expired."),
    ]
    failover = [*silent, (102.0, "[W000 {}] Primary database has changed to db2.")]
    assert observed(tmp_path / "failover", failover) == [("db1", "db2", False)]
    switchover = [
        (60.0, "{}\nPerforming switchover NOW, please wait..."),
        (90.0, '{}\nSwitchover succeeded, new primary is "db2"'),
    ]
    assert observed(tmp_path / "switchover", switchover) == [("db1", "db2", True)]


@pytest.mark.parametrize("is_done", [True, False], ids=["the standby is primary", "nobody is"])
def test_an_observer_names_the_database_of_the_node_that_became_primary(tmp_path: Path, *, is_done: bool) -> None:
    # Texts of Oracle's message reference, in the layouts of real logs: the database of node `stb` is db2
    def said(lines: list[tuple[float, str]]) -> list[str]:
        return [
            line.format(f"{START + timedelta(seconds=at):%Y-%m-%dT%H:%M:%S}.000000+00:00") for at, line in sorted(lines)
        ]

    observer = [
        (0.0, "[W000 {}] Try to connect to the primary db1."),
        (60.0, "[W000 {}] Primary database cannot be reached."),
        (70.0, "[W000 {}] Fast-Start Failover threshold has expired."),
        *([(85.0, '[W000 {}] Failover succeeded, new primary is "db2"')] if is_done else []),
        (400.0, "[W000 {}] Observer trace level is set to USER"),
    ]
    alert = [
        (0.0, "{}\n rfs (PID:4411): Selected LNO:7 for T-1.S-311 dbid 77"),
        (61.0, "{}\n rfs (PID:4411): Possible network disconnect with primary database"),
        *([(76.0, "{}\nStandby became primary SCN: 229593025")] if is_done else []),
        *([(80.0, "{}\nCompleted: ALTER DATABASE OPEN")] if is_done else []),
        (400.0, "{}\n rfs (PID:4411): Selected LNO:7 for T-1.S-312 dbid 77"),
    ]
    run = tmp_path / "study" / "fsfo" / "run01"
    write(run / "obs" / "observer.log", said(observer))
    write(run / "stb" / "alert_db.log", said(alert))
    store = ingested(tmp_path / "study")
    lost, fault_s = store.one("select lost_node, epoch(fault_at_high - ?) from run", START)
    assert (lost, 60 <= fault_s <= 62) == ("db1", True)
    assert store.one("select outcome from run_outcome") == ("recovered" if is_done else "failed",)
    if is_done:
        assert store.rows("select former, leader from leader_change") == [("db1", "stb")]
        assert store.one("select epoch(\"at\" - ?) from milestone where milestone = 'ready'", START) == (80.0,)


def test_node_that_clusterware_removes_is_lost(tmp_path: Path) -> None:
    # Texts of Oracle's message reference, in the layout of a real alert log of Grid Infrastructure
    silent = "CRS-1612: Network communication with node anna (1) missing for 50% of timeout interval."
    removed = "CRS-1632: Node anna is being removed from the cluster in cluster incarnation 2"
    said = [
        "2026-03-02 09:00:00.000 [OCSSD(5984)]CRS-1601: CSSD Reconfiguration complete. Active nodes are anna bert .",
        f"2026-03-02 09:01:15.000 [OCSSD(5984)]{silent}",
        f"2026-03-02 09:01:30.000 [OCSSD(5984)]{removed}",
        "2026-03-02 09:01:31.000 [OCSSD(5984)]CRS-1601: CSSD Reconfiguration complete. Active nodes are bert .",
    ]
    for node in ("anna", "bert"):
        write(tmp_path / "css30" / node / "alert.log", said[:1] if node == "anna" else said)
    (tmp_path / "study.toml").write_text(
        '[[files]]\nmatch = "**/anna/*"\nnode = "anna"\n[[files]]\nmatch = "**/bert/*"\nnode = "bert"\n'
    )
    store = ingested(tmp_path)
    assert incidents(store) == [("anna", "bert", False)]
    assert store.rows("select milestone from milestone order by 1") == [("dead",), ("ready",), ("suspected",)]


def test_address_of_vip_manager_counts_only_where_no_server_has_a_leader(tmp_path: Path) -> None:
    def moved(folder: Path) -> None:
        for node, at, word in (("anna", 0.0, "true, desired true"), ("bert", 62.0, "false, desired true")):
            moment = f"{START + timedelta(seconds=at):%Y-%m-%dT%H:%M:%S}.000000+00:00"
            said = f"IP address 10.0.0.48/23 state is {word}"
            write(
                folder / "ttl30" / node / "messages", [f"{moment} {node} vip-manager[961]: 2026/03/02 09:00:00 {said}"]
            )

    moved(tmp_path / "alone")
    alone = ingested(tmp_path / "alone").rows("select stack, former, leader from leader_change")
    assert alone == [("vip_manager", "anna", "bert")]
    moved(tmp_path / "both")
    assert incidents(patroni(tmp_path / "both", SILENT)) == [("anna", "bert", False)]


# Recorded from running programs; the times of the faults are those of the events files beside the logs


def copied(folder: Path, stack: str, files: dict[str, str], study: str = "") -> Path:
    """A study of one configuration with copies of recorded logs, by the path that each gets."""
    for path, name in files.items():
        target = folder / "recorded" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(STACKS / stack / name, target)
    write(folder / "study.toml", '[study]\ntimezone = "UTC"\nyear = 2026\n' + study)
    return folder


@needs_stacks
def test_recorded_crash_switchover_and_pause_of_patroni(tmp_path: Path) -> None:
    begin = "gen_patroni415_"
    files = {
        "pg1/patroni.log": f"{begin}S1toS4_pg1_plain.log",
        "pg2/patroni.log": f"{begin}S1toS4_pg2_bracket_format.log",
        "pg3/patroni.log": f"{begin}S1toS4_pg3_json.log",
        "pg2/etcd.log": f"{begin}etcd34_zap_S1_etcd2.log",
        "pg3/etcd.log": f"{begin}etcd34_zap_S1_etcd3.log",
        "lb/haproxy.log": f"{begin}haproxy26_rsyslog_bsd.log",
    } | {f"pg{number}/postgresql.log": f"{begin}postgresql_pg{number}.log" for number in (1, 2, 3)}
    store = ingested(copied(tmp_path, "postgresql_ha", files))
    changes = store.rows('select former, leader, is_planned, "at"::varchar from leader_change order by "at"')
    assert changes == [
        ("pg1", "pg3", False, "2026-11-22 14:15:23.046"),
        ("pg3", "pg1", True, "2026-11-22 14:16:07.393"),
        ("pg1", "pg3", False, "2026-11-22 14:17:22.708"),
    ]
    assert incidents(store) == [("pg1", "pg3", False), ("pg3", "pg1", True), ("pg1", "pg3", False)]
    held = "select '2026-11-22 {}'::timestamp between low_at and high_at from fault_time where run = '{}'"
    assert store.rows(held.format("14:14:50.552", 1)) == [(True,)]  # SIGKILL
    assert store.rows(held.format("14:16:51.079", 3)) == [(True,)]  # SIGSTOP of Patroni alone
    steps = "select milestone, strftime(\"at\", '%H:%M:%S.%g') from milestone where run = '1' and milestone in ({})"
    assert dict(store.rows(steps.format("'suspected', 'elected', 'ready', 'routed'"))) == {
        "suspected": "14:15:22.935",
        "elected": "14:15:23.073",
        "ready": "14:15:23.103",
        "routed": "14:15:26.000",
    }


@needs_stacks
def test_recorded_failover_of_etcd_names_the_nodes_of_its_ids(tmp_path: Path) -> None:
    files = {f"n{number}/etcd.log": f"gen_etcd34_zap_n{number}.log" for number in (1, 2, 3)}
    store = ingested(copied(tmp_path, "leader_stacks", files))
    assert incidents(store) == [("n2", "n3", False), ("n3", "n1", True)]
    killed = "select '2026-11-22 14:10:49.819' between low_at and high_at from fault_time where run = '1'"
    assert store.rows(killed) == [(True,)]


@needs_stacks
def test_recorded_failovers_of_sentinel(tmp_path: Path) -> None:
    files = {f"redis{number}/sentinel.log": f"gen_redis70_sentinel{number}.log" for number in (1, 2, 3)}
    files |= {f"redis{number}/redis.log": f"gen_redis70_server640{number}.log" for number in (1, 2, 3)}
    zone = '[[files]]\nmatch = "**/redis3/sentinel.log"\ntimezone = "Europe/Paris"\n'
    store = ingested(copied(tmp_path, "leader_stacks", files, zone))
    assert store.rows('select former, leader, is_planned from leader_change order by "at"') == [
        ("redis1", "redis3", False),
        ("redis3", "redis2", True),
        ("redis2", "redis1", False),
    ]
    steps = "select milestone, strftime(\"at\", '%H:%M:%S.%g') from milestone where run = '1'"
    assert dict(store.rows(steps)) == {
        "missed": "14:06:52.631",
        "suspected": "14:06:55.689",
        "dead": "14:06:55.796",
        "elected": "14:06:55.960",
        "ready": "14:06:56.062",
        "announced": "14:06:56.870",
    }


@needs_stacks
def test_recorded_failover_short_outage_and_clean_stop_of_repmgr(tmp_path: Path) -> None:
    files = {f"node{number}/repmgrd.log": f"gen_repmgr533_repmgrd_node{number}.log" for number in (1, 2, 3)}
    files |= {f"node{number}/postgresql.log": f"gen_repmgr533_postgresql_node{number}.log" for number in (1, 2, 3)}
    store = ingested(copied(tmp_path, "postgresql_ha", files))
    assert store.rows('select former, leader, is_planned, "at"::varchar from leader_change order by "at"') == [
        ("node1", "node2", False, "2026-11-22 14:14:36"),
        ("node2", "node3", True, "2026-11-22 14:15:43"),
    ]


@needs_stacks
def test_recorded_failover_and_switchover_of_pg_auto_failover(tmp_path: Path) -> None:
    files = {f"node{number}/keeper.log": f"gen_pgaf20_keeper_node{number}.log" for number in (1, 2, 3)}
    files |= {f"node{number}/postgresql.log": f"gen_pgaf20_postgresql_node{number}.log" for number in (1, 2, 3)}
    files |= {"monitor/monitor.log": "gen_pgaf20_monitor.log"}
    files |= {"monitor/postgresql.log": "gen_pgaf20_monitor_postgresql.log"}
    store = ingested(copied(tmp_path, "postgresql_ha", files))
    assert store.rows('select former, leader, is_planned, "at"::varchar from leader_change order by "at"') == [
        ("node1", "node2", False, "2026-11-22 14:24:13"),
        ("node2", "node1", True, "2026-11-22 14:25:11"),
    ]
    assert incidents(store) == [("node1", "node2", False), ("node2", "node1", True)]
