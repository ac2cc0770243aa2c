"""`state_change`: what changed its state, from what to what."""

from itertools import pairwise
from typing import Any

from tests.support.hand_made import Ledger, membership

Row = tuple[Any, ...]

# Lines of host alder, a second apart, and the changes that they tell: subject, name, from, to
CLUSTER_LINES: dict[str, tuple[list[dict[str, Any]], list[Row]]] = {
    "both states are printed": (
        [
            {"stack": "drbd", "kind": "drbd_disk", "object": "drbd6", "old_state": "Diskless", "new_state": "UpToDate"},
            {"stack": "drbd", "kind": "drbd_role", "object": "drbd6", "old_state": "Secondary", "new_state": "Primary"},
        ],
        [("disk", "drbd6", "Diskless", "UpToDate"), ("role", "drbd6", "Secondary", "Primary")],
    ),
    "the state before was told before": (
        [{"kind": "member_joined", "peer": "birch"}, {"kind": "member_lost", "peer": "birch"}],
        [("peer", "birch", None, "joined"), ("peer", "birch", "joined", "lost")],
    ),
    "a repetition is no change": ([{"kind": "member_lost", "peer": "birch"}] * 3, [("peer", "birch", None, "lost")]),
    "fencing": (
        [{"kind": "fence_start", "peer": "birch"}, {"kind": "fence_done", "peer": "birch"}],
        [("fence", "birch", None, "begun"), ("fence", "birch", "begun", "done")],
    ),
    "quorum": (
        [{"kind": "quorum_acquired"}, {"kind": "quorum_lost"}],
        [("peer", "quorum", None, "acquired"), ("peer", "quorum", "acquired", "lost")],
    ),
    "leader": (
        [
            {"stack": "redis", "kind": kind, "object": "shop", "peer": peer}
            for kind, peer in (("leader_alive", "birch"), ("leader", "cedar"), ("leader", "cedar"), ("leader", "birch"))
        ],
        [("leader", "shop", "birch", "cedar"), ("leader", "shop", "cedar", "birch")],
    ),
    "a leader has a role too": (
        [
            {"stack": "keepalived", "kind": "vrrp_backup", "object": "shop", "new_state": "BACKUP"},
            {"stack": "keepalived", "kind": "leader", "object": "shop", "new_state": "MASTER"},
        ],
        [
            ("role", "shop", None, "BACKUP"),
            ("leader", "shop", None, "alder"),
            ("role", "shop", "BACKUP", "MASTER"),
        ],
    ),
}


def changes(ledger: Ledger) -> list[Row]:
    statement = (
        "select configuration, node, subject, name, from_state, to_state from state_change order by line_no, subject"
    )
    return ledger.build().execute(statement).fetchall()


def test_lines_of_cluster_stacks() -> None:
    ledger = Ledger()
    for case, (lines, _) in CLUSTER_LINES.items():
        messages = ledger.file(f"{case}/messages", "syslog", case, None, None)
        for second, line in enumerate(lines):
            ledger.add("ha_event", messages, second, **({"host": "alder", "stack": "pacemaker"} | line))
    expected = [(case, "alder", *each) for case, (_, rows) in CLUSTER_LINES.items() for each in rows]
    assert changes(ledger) == expected


def test_each_node_has_its_own_view_of_a_peer_and_all_have_one_of_the_leader() -> None:
    ledger = Ledger()
    messages = ledger.file("x/messages", "syslog", "x", None, None)
    for kind in ("leader_suspect", "leader"):
        for host in ("alder", "birch"):
            ledger.add("ha_event", messages, 1, host=host, stack="redis", kind=kind, object="shop", peer="cedar")
    assert changes(ledger) == [
        ("x", "alder", "peer", "cedar", None, "suspected"),
        ("x", "birch", "peer", "cedar", None, "suspected"),
        ("x", "alder", "leader", "shop", None, "cedar"),
    ]


def test_leaders_of_two_clusters_in_one_log_are_no_changes() -> None:
    ledger = Ledger()
    messages = ledger.file("x/messages", "syslog", "x", None, None)
    seen = [("alder", "alder"), ("birch", "birch"), ("cedar", "alder")] * 3 + [("cedar", "elm"), ("birch", "birch")]
    for second, (host, peer) in enumerate(seen):
        ledger.add("ha_event", messages, second, host=host, stack="patroni", kind="leader_alive", peer=peer)
    assert changes(ledger) == [("x", "cedar", "leader", "patroni", "alder", "elm")]


def test_same_change_in_the_logs_of_two_hosts_is_one_and_of_the_system_that_it_is_about() -> None:
    ledger = Ledger()
    resource = {"resource": "vip", "group": "g", "system": "cedar"}
    states = ("INITING", "REMOTE_BUILD", "RUNNING")
    for late, node in enumerate(("alder", "birch")):
        engine = ledger.file(f"x/{node}/engine_A.log", "vcs_engine", "x", None, node)
        ledger.add("vcs_event", engine, 0, kind="resource_offline", state="offline", how="First probe", **resource)
        ledger.add("vcs_event", engine, 20, kind="resource_online", state="online", how="VCS initiated", **resource)
        ledger.add("vcs_event", engine, 40, kind="resource_faulted", state="FAULTED", **resource)
        for second, (old, new) in enumerate(pairwise(states), 50 + late):
            values = {"system": "cedar", "previous_state": old, "state": new}
            ledger.add("vcs_event", engine, second, kind="system_state", **values)
    assert changes(ledger) == [
        ("x", "cedar", "resource", "vip", "offline", "online"),
        ("x", "cedar", "resource", "vip", "online", "FAULTED"),
        ("x", "cedar", "peer", "cedar", "INITING", "REMOTE_BUILD"),
        ("x", "cedar", "peer", "cedar", "REMOTE_BUILD", "RUNNING"),
    ]


def test_states_of_gab_hadr_and_a_database() -> None:
    ledger = Ledger()
    messages = ledger.file("x/messages", "syslog", "x", None, "sun-ha4")
    for second, members in ((0, [0, 1]), (5, [1])):
        membership(ledger, messages, second, members)
    diag = ledger.file("x/db2diag.log", "db2diag", "x", None, "birch")
    both = {"old_role": "standby", "new_role": "primary", "old_state": "disconnected_peer", "new_state": "peer"}
    ledger.add("hadr_event", diag, 10, kind="hadr_state", database="SHOP", **both)
    same = {"old_role": "primary", "new_role": "primary", "old_state": "peer", "new_state": "rcu"}
    ledger.add("hadr_event", diag, 19, kind="hadr_state", database="SHOP", **same)
    kinds = ("crash_recovery_needed", "crash_recovery_started", "crash_recovery_done", "other")
    for second, kind in enumerate(kinds, 20):
        ledger.add("db2diag_record", diag, second, kind=kind, database="SHOP")
    assert changes(ledger) == [
        ("x", "sun-ha4", "peer", "port a", None, "nodes 0, 1"),
        ("x", "sun-ha4", "peer", "port a", "nodes 0, 1", "nodes 1"),
        ("x", "birch", "peer", "SHOP", "disconnected_peer", "peer"),
        ("x", "birch", "role", "SHOP", "standby", "primary"),
        ("x", "birch", "peer", "SHOP", "peer", "rcu"),
        ("x", "birch", "resource", "SHOP", None, "inconsistent"),
        ("x", "birch", "resource", "SHOP", "inconsistent", "crash recovery"),
        ("x", "birch", "resource", "SHOP", "crash recovery", "recovered"),
    ]
