"""Changes of a leader of further stacks: Valkey Cluster, ZooKeeper, Kafka, Consul, orchestrator."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.support.failover_logs import Store, ingested, write

STACKS = Path(__file__).parents[4] / "shared" / "stacks" / "leader_stacks"
needs_stacks = pytest.mark.skipif(not STACKS.is_dir(), reason="the recorded logs are not beside this checkout")
CHANGES = """
    select former, leader, is_planned, strftime("at", '%H:%M:%S.%g') from leader_change
    where stack = ? order by "at"
"""
STEPS = """
    select milestone, strftime("at", '%H:%M:%S.%g') from milestone
    qualify run = min(run) over () order by "at", milestone
"""
START = datetime(2026, 3, 2, 9, 0)  # noqa: DTZ001  a wall clock


def copied(folder: Path, files: dict[str, str], zone: str = "") -> Store:
    for path, name in files.items():
        target = folder / "recorded" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(STACKS / name, target)
    write(folder / "study.toml", '[study]\ntimezone = "UTC"\nyear = 2026\n' + zone)
    return ingested(folder)


def in_berlin(node: str) -> str:
    return f'[[files]]\nmatch = "**/{node}/*"\ntimezone = "Europe/Berlin"\n'


@needs_stacks
def test_recorded_crash_and_order_of_valkey_cluster_in_four_framings(tmp_path: Path) -> None:
    files = {f"node{number}/valkey.log": f"gen_valkey_cluster_740{number}.log" for number in range(1, 7)}
    store = copied(tmp_path, files)
    assert store.rows(CHANGES, "redis") == [
        ("node1", "node4", False, "14:10:15.514"),
        ("node4", "node1", True, "14:10:32.375"),
    ]
    assert store.rows("select lost_node, surviving_node, is_planned from incident") == [
        ("node1", "node4", False),
        ("node4", "node1", True),
    ]
    steps = dict(store.rows(STEPS))
    assert steps["suspected"].startswith("14:10:14.")
    assert (steps["dead"], steps["elected"]) == ("14:10:14.785", "14:10:15.514")


@needs_stacks
def test_recorded_elections_of_zookeeper(tmp_path: Path) -> None:
    files = {f"node{number}/zookeeper.log": f"gen_zookeeper38_server{number}.log" for number in (1, 2, 3)}
    store = copied(tmp_path, files, in_berlin("node3"))
    # the second leader was stopped in order, which no line of ZooKeeper tells
    assert store.rows(CHANGES, "zookeeper") == [
        ("node2", "node3", False, "14:13:41.489"),
        ("node3", "node2", False, "14:13:57.860"),
    ]
    first = dict(store.rows(STEPS))
    assert first["missed"] == "14:13:41.087"
    assert (first["elected"], first["ready"]) == ("14:13:41.332", "14:13:41.514")


@needs_stacks
def test_recorded_loss_of_a_controller_of_kafka_is_two_outages(tmp_path: Path) -> None:
    files = {
        f"node{number}/{log}.log": f"gen_kafka39_kraft_node{number}_{log}.log"
        for number in (1, 2, 3)
        for log in ("controller", "state-change", "server")
        if (number, log) != (2, "server")
    }
    store = copied(tmp_path, files, in_berlin("node3"))
    assert store.rows(CHANGES, "kafka") == [("node2", "node3", False, "14:16:07.907")]
    steps = dict(store.rows(STEPS))
    assert steps["suspected"] == "14:16:06.057"
    # metadata wait for the controller, clients of a partition until the broker is fenced and another one leads it
    assert (steps["elected"], steps["dead"], steps["ready"]) == ("14:16:07.907", "14:16:16.909", "14:16:16.947")


@needs_stacks
def test_real_lines_without_a_change_of_leader(tmp_path: Path) -> None:
    names = (
        "consul06_2016_single_start.log",
        "consul18_leader_quorum_lost_two_servers.log",
        "consul_client_member_failed.log",
        "kafka40_kraft_single_fenced_after_restart.log",
        "orchestrator_issue1452_antiflap_block.log",
        "mysql80_gr_bootstrap_single_member.log",
        "mongodb24_text_no_year_initiate.log",
    )
    store = copied(tmp_path, {f"{name}/run1/{name}": name for name in names})
    assert store.rows("select * from leader_change") == []
    # orchestrator says that the master is dead, and that it fails over to nobody: the log ends with the loss
    blocked = "recorded/orchestrator_issue1452_antiflap_block.log"
    assert store.rows("select configuration, outcome from run_outcome join incident using (configuration)") == [
        (blocked, "log_ended")
    ]


def stamped(second: float, form: str) -> str:
    return f"{START + timedelta(seconds=second):{form}}"


def test_consul_elects_another_server(tmp_path: Path) -> None:
    said = {
        "node1": [(1.0, "[INFO]  agent.server: cluster leadership acquired")],
        "node2": [
            (
                21.5,
                "[WARN]  agent.server.raft: heartbeat timeout reached, starting election: last-leader-addr=10.0.0.1",
            ),
            (
                21.5,
                '[INFO]  agent.server.raft: entering candidate state: node="Node at 10.0.0.2:8300 [Candidate]" term=3',
            ),
            (21.6, "[INFO]  agent.server: cluster leadership acquired"),
        ],
        "node3": [(27.0, "[INFO]  agent.server.serf.lan: serf: EventMemberFailed: node1 10.0.0.1")],
    }
    for node, lines in said.items():
        texts = [f"{stamped(at, '%Y-%m-%dT%H:%M:%S')}.{round(at % 1 * 1000):03d}Z {text}" for at, text in lines]
        write(tmp_path / "study" / node / "consul.log", texts)
    store = ingested(tmp_path)
    assert store.rows(CHANGES, "consul") == [("node1", "node2", False, "09:00:21.600")]
    assert dict(store.rows(STEPS)) == {"suspected": "09:00:21.500", "elected": "09:00:21.600"}


# ADAPTED from public logs that begin amid a failover, or end with it
TOLD = {
    "sentinel": [
        (1.2, "30728:X {} # +vote-for-leader 0ca2c9cc633be28e522e3c270fc02432e98dc08b 61"),
        (2.2, "30728:X {} # +promoted-slave slave b:6379 b 6379 @ mymaster a 6379"),
    ],
    "repmgr": [
        (1.0, "[{}] [WARNING] unable to reconnect to node 1 after 5 attempts"),
        (2.0, '[{}] [DETAIL] server "b" (ID: 2) was successfully promoted to primary'),
        (3.0, '[{}] [NOTICE] starting monitoring of node "b" (ID: 2)'),
        (600.0, '[{}] [WARNING] unable to connect to upstream node "a" (node ID: 1)'),
    ],
    "maxscale": [
        (1.0, "{}   notice : Server changed state: a[10.0.0.1:3306]: new_master. [Running] -> [Master, Running]"),
        (60.0, "{}   notice : Server changed state: a[10.0.0.1:3306]: master_down. [Master, Running] -> [Down]"),
        (60.0, "{}   notice : Server changed state: b[10.0.0.2:3306]: new_master. [Slave, Running] -> [Master]"),
    ],
    "pgpool": [
        (1.0, "{}: main pid 1: LOG:  find_primary_node: primary node is 0"),
        (30.0, "{}: child pid 9: LOG:  received degenerate backend request for node_id: 1 from pid [9]"),
        (30.0, "{}: main pid 1: LOG:  failover: set new primary node: 0"),
        (60.0, "{}: child pid 9: LOG:  received degenerate backend request for node_id: 0 from pid [9]"),
        (60.0, "{}: main pid 1: LOG:  we are switching over node id 0 host: a.example port: 5432"),
        (61.0, "{}: main pid 1: LOG:  failover: set new primary node: 2"),
    ],
    "replication-manager": [
        (1.0, "{} [c1] INFO  - Master Failure detected! Retry 1/2"),
        (3.0, "{} [c1] INFO  - Declaring db master as failed a:3306"),
        (4.0, "{} [c1] INFO  - Slave b:3306 [0] has been elected as a new master"),
        (5.0, "{} [c1] INFO  - Master switch on b:3306 complete"),
        (600.0, "{} [c1] INFO  - Starting master switchover"),
        (601.0, "{} [c1] INFO  - Rejecting updates on b:3306 (old master)"),
        (602.0, "{} [c1] INFO  - Master switch on a:3306 complete"),
    ],
}


@pytest.mark.parametrize(
    ("program", "form", "found"),
    [
        ("pgpool", "%Y-%m-%d %H:%M:%S", [("a", "backend 2", False, "09:01:01.000")]),
        (
            "replication-manager",
            "%Y/%m/%d %H:%M:%S",
            [("a:3306", "b:3306", False, "09:00:05.000"), ("b:3306", "a:3306", True, "09:10:02.000")],
        ),
        ("sentinel", "%d %b %Y %H:%M:%S.%f", [("a:6379", "b:6379", False, "09:00:02.200")]),
        ("repmgr", "%Y-%m-%d %H:%M:%S", [("a", "b", False, "09:00:02.000")]),
        ("maxscale", "%Y-%m-%d %H:%M:%S", [("a", "b", False, "09:01:00.000")]),
    ],
)
def test_what_a_log_alone_says_of_who_was_lost(
    tmp_path: Path, program: str, form: str, found: list[tuple[str, str, bool, str]]
) -> None:
    lines = [text.format(stamped(at, form).removesuffix("000" * ("%f" in form))) for at, text in TOLD[program]]
    write(tmp_path / "study" / f"{program}.log", lines)
    changes = "select former, leader, is_planned, strftime(\"at\", '%H:%M:%S.%g') from leader_change"
    assert ingested(tmp_path).rows(changes) == found


def test_group_replication_behind_its_router(tmp_path: Path) -> None:
    said = {
        "db1": [
            (5.1, "[MY-011510] [Repl]", "This server is working as primary member."),
            (29.5, "[MY-011499] [Repl]", "Members removed from the group: db9:3306"),
        ],
        "db2": [
            (
                5.1,
                "[MY-011511] [Repl]",
                "This server is working as secondary member with primary member address db1:3306.",
            ),
            (36.2, "[MY-011493] [Repl]", "Member with address db1:3306 has become unreachable."),
            (41.3, "[MY-011500] [Repl]", "Primary server with address db1:3306 left the group. Electing new Primary."),
            (
                41.4,
                "[MY-011507] [Repl]",
                "A new primary with address db2:3306 was elected. The new primary will execute all",
            ),
            (41.9, "[MY-011510] [Repl]", "This server is working as primary member."),
        ],
    }
    for node, lines in said.items():
        texts = [
            f"{stamped(at, '%Y-%m-%dT%H:%M:%S.%f')}Z 0 [System] {code} Plugin group_replication reported: '{text}'"
            for at, code, text in lines
        ]
        write(tmp_path / "study/run1" / node / "error.log", texts)
    members = [(4, ("RW", "RO", "RO")), (37, ("n/a", "RO", "RO")), (43, ("n/a", "RW", "RO"))]
    router = [
        f"{stamped(at, '%Y-%m-%d %H:%M:%S')} metadata_cache INFO [7ff9]     db{number}:3306 / 33060 - mode={mode}"
        for at, modes in members
        for number, mode in enumerate(modes, 1)
    ]
    write(tmp_path / "study/run1/router/mysqlrouter.log", router)
    store = ingested(tmp_path)
    assert store.rows("select distinct configuration, run from source_file") == [("study", "run1")]
    assert store.rows(CHANGES, "mysql") == [("db1", "db2", False, "09:00:41.400")]
    assert dict(store.rows(STEPS)) == {
        "suspected": "09:00:36.200",
        "dead": "09:00:41.300",
        "elected": "09:00:41.400",
        "ready": "09:00:41.900",
        "routed": "09:00:43.000",
    }


@pytest.mark.parametrize("stopped", [None, 1, 2])
def test_kafka_with_zookeeper_loses_its_controller(tmp_path: Path, stopped: int | None) -> None:
    elected = "[Controller id={0}] {0} successfully elected as the controller. Epoch incremented to {1} and epoch zk"
    stop = (30.0, f"[KafkaServer id={stopped}] Starting controlled shutdown")
    online = "Changed partition t1-2 from OfflinePartition to OnlinePartition with state LeaderAndIsr(leader=3)"
    said = {
        "node1": [(1.1, "[KafkaServer id=1] started"), (1.3, f"{elected.format(1, 25)} version is now 25")],
        "node2": [
            (1.2, "[KafkaServer id=2] started"),
            (29.9, "[Log partition=t1-0] Rolled new log segment at offset 5"),
        ],
        "node3": [
            (1.4, "[KafkaServer id=3] started"),
            (36.0, f"{elected.format(3, 26)} version is now 26"),
            (36.3, "[Controller id=3] Newly added brokers: , deleted brokers: 1, all live brokers: 2,3"),
            (36.5, f"[Controller id=3 epoch=26] {online}"),
        ],
    }
    if stopped:
        said[f"node{stopped}"].append(stop)
    for node, lines in said.items():
        texts = [
            f"[{stamped(at, '%Y-%m-%d %H:%M:%S')},{round(at % 1 * 1000):03d}] INFO {text} (kafka.server.KafkaServer)"
            for at, text in lines
        ]
        write(tmp_path / "study" / node / "server.log", texts)
    store = ingested(tmp_path)
    assert store.rows(CHANGES, "kafka") == [("node1", "node3", stopped == 1, "09:00:36.000")]
    steps = {"elected": "09:00:36.000", "dead": "09:00:36.300", "ready": "09:00:36.500"}
    assert dict(store.rows(STEPS)) == steps


@pytest.mark.parametrize("is_ordered", [False, True])
def test_orchestrator_promotes_a_replica(tmp_path: Path, *, is_ordered: bool) -> None:
    lines = [
        (36, "topology_recovery: detected UnreachableMaster failure on db1:3306"),
        (39, "topology_recovery: detected DeadMaster failure on db1:3306"),
        (39, "topology_recovery: RecoverDeadMaster: will recover db1:3306"),
        (41, "topology_recovery: promoted replica: db2:3306"),
        (42, "topology_recovery: RecoverDeadMaster: successfully promoted db2:3306"),
        (42, "topology_recovery: - RecoverDeadMaster: applying read-only=0 on promoted master: success=true"),
    ]
    order = [(30, "GracefulMasterTakeover: designated master deduced to be db2:3306")] if is_ordered else []
    texts = [f"{stamped(at, '%Y-%m-%d %H:%M:%S')} INFO {text}" for at, text in order + lines]
    write(tmp_path / "study" / "run1" / "node1" / "orchestrator.log", texts)
    # orchestrator alone knows no moment before which the master lived: a client does
    asked = [(second, "failed" if 33 <= second < 43 else "ok") for second in range(10, 60)]
    moments = [f"{stamped(at, '%Y-%m-%dT%H:%M:%S')}.000000Z,{outcome},4.0," for at, outcome in asked]
    write(tmp_path / "study" / "run1" / "client" / "probe.csv", ["asked_at,outcome,elapsed_ms,reason", *moments])
    store = ingested(tmp_path)
    assert store.rows(CHANGES, "orchestrator") == [("db1:3306", "db2:3306", is_ordered, "09:00:42.000")]
    if not is_ordered:
        steps = dict(store.rows(STEPS))
        assert {name: steps[name] for name in ("suspected", "dead", "elected")} == {
            "suspected": "09:00:36.000",
            "dead": "09:00:39.000",
            "elected": "09:00:41.000",
        }
