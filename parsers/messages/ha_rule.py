"""Rules that turn the text of a cluster message into fields: read from `ha_rules/*.toml` and checked.

A file holds the rules of one stack. Its head gives what its rules have in common:

stack      what `ha_event.stack` says
process    the program that writes the messages, a pattern; null where the line has no tag
prefix     is before every `text` pattern
words      one of them is in the tag or the text of every message
fields     fixed values of columns
from_tag   the tag names agent and resource: `IPaddr2(vip1)`

Each `[[rule]]` may override these, and has `id`, `versions`, `text` (a pattern with named groups), `kind`, `source`
(REAL: the example is a line of a real log, FMT: the program's source or manual has the text) and `example`; if REAL,
`file` says where it is. `expect` holds the fields that the example gives beside the fixed ones.
A message is read by the first rule that matches, in the order of the file; where that one is `shared`, every other
shared rule that matches gives a row too. A rule with `changes` gives no row where the new state is the old one.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from parsers import ascii_pattern
from parsers.derived import derived

RULES_FOLDER = Path(__file__).parent / "ha_rules"
AGENTS_FILE = "agents.toml"

STACKS = (
    *("heartbeat", "drbd", "corosync", "pacemaker", "sun_cluster", "serviceguard", "keepalived"),
    *("patroni", "repmgr", "pg_auto_failover", "postgresql", "mysql", "galera", "redis", "mongodb"),
    *("etcd", "haproxy", "vxfen", "host"),
    *("consul", "zookeeper", "kafka", "orchestrator"),
    *("cloudnativepg", "stolon", "pgbouncer", "vip_manager", "pgpool"),
    *("sqlserver", "wsfc", "oracle", "kubernetes"),
    *("chaos_mesh", "litmus", "toxiproxy", "mysqlrouter", "proxysql", "maxscale", "replication_manager"),
)

KINDS: dict[str, str] = {
    "shutdown_notice": "a node announces that it leaves",
    "leave_wanted": "a node is asked to leave or to run nothing; action says which, state is on or off",
    "standby_wanted": "a node wants to hand over its resources",
    "late_heartbeat": "a heartbeat came late; value in ms",
    "peer_dead": "a peer is declared dead",
    "link_dead": "a link to a peer is lost",
    "link_up": "a link to a peer works",
    "peer_gave_up": "what the dead peer held is free",
    "token_late": "the token of the ring is late; value in ms",
    "token_lost": "the token of the ring is lost; value in ms",
    "membership": "a new membership was formed; value is the ring sequence, states are who left and who joined",
    "leave_missed": "members are gone that did not say that they leave; states are who left",
    "members": "who is in the partition with quorum; value is how many, states are who they are",
    "node_named": "the id of a node in the ring is that of a host, or the address (object) that of the writer",
    "writer_named": "the writer has an id (object)",
    "peer_named": "the address (peer) is that of the program with an id (object)",
    "member_lost": "a member is lost",
    "member_joined": "a member has joined",
    "quorum_lost": "the partition has no quorum",
    "quorum_acquired": "the partition has quorum",
    "ping_ack_missing": "the replication peer does not answer",
    "vrrp_backup": "the node becomes VRRP backup",
    "vrrp_fault": "the VRRP instance is faulty",
    "split_brain": "both sides were active",
    "fence_start": "a node is to be fenced",
    "fence_done": "a node was fenced",
    "fence_failed": "fencing failed",
    "no_fencing": "nothing to fence with",
    "takeover_start": "resources of a peer are about to be taken over",
    "group_acquire": "a group of resources is acquired",
    "takeover_done": "a takeover is complete",
    "initial_acquisition": "resources were acquired at start-up, no failover",
    "cluster_started": "the cluster software has started",
    "status_up": "the node, or a peer, is up or active",
    "transition_start": "a transition was calculated; value is its number",
    "transition_done": "a transition ended; value is its number",
    "idle": "the cluster manager has nothing left to do",
    "resource_start": "the start or promotion of a resource was begun",
    "resource_done": "an operation ended well",
    "resource_failed": "an operation failed",
    "probe": "a resource was looked for where it should not run",
    "monitor": "a resource was monitored",
    "address_added": "an address was set on an interface",
    "arp_sent": "neighbours are informed of the address",
    "mount_start": "a file system is being mounted",
    "script_line": "a script says something else",
    "resource_status": "a script says whether its resource runs",
    "agent_success": "an agent says that it succeeded",
    "give_up": "a node gives up what it holds",
    "release_start": "the stop or demotion of a resource or group was begun",
    "release_done": "a node has given up what it held",
    "peer_released": "the peer has completed the hand-over",
    "drbd_role": "own role",
    "drbd_peer_role": "role of the peer",
    "drbd_connection": "state of the connection",
    "drbd_disk": "state of the own disk",
    "drbd_peer_disk": "state of the peer's disk",
    "drbd_replication": "state of the replication",
    "drbd_quorum": "quorum of the device",
    "drbd_suspension": "input and output suspended",
    "drbd_other": "another state; action is its name",
    "drbd_handshake": "the peers are connected; value is the protocol version",
    "resync_start": "a resync began; value in KiB",
    "resync_done": "a resync ended; value in seconds",
    "verify_done": "an online verify ended; value in seconds",
    "fence_helper_start": "the handler that fences the peer was called",
    "fence_helper_done": "the handler that fences the peer has returned",
    "helper_start": "another handler was called",
    "helper_done": "another handler has returned",
    "state_change_refused": "a change of state was refused",
    "db_start": "a database server starts",
    "db_recovery_needed": "the database was not shut down properly",
    "db_recovery_start": "crash recovery begins",
    "db_redo_done": "the log is replayed; value in seconds",
    "db_recovery_done": "crash recovery is complete",
    "db_recovery_failed": "crash recovery fails, and the database does not start",
    "db_ready": "the database accepts connections",
    "db_promoted": "the database has become primary",
    "db_shutdown": "the database is shut down",
    "leader": "the node, or the peer where one is named, has become leader",
    "leader_alive": "the leader holds its lock",
    "leader_suspect": "a node takes the leader for lost; peer is the leader",
    "leader_down": "nodes agree that the leader is lost; peer is the leader",
    "leader_missing": "nobody leads; no line says who did",
    "leader_replaced": "the peer led before the one that leads now",
    "group_started": "the group of servers is new: whoever led before does not any more",
    "leader_wanted": "somebody orders a change of leader",
    "leader_chosen": "it is decided who becomes leader: the node, or the peer where one is named",
    "leader_ready": "the new leader serves",
    "leader_outranked": "a node of a higher rank takes the lead, which its holder gives up",
    "leader_resigned": "the leader says that it gives up its lead, which it also does when a check of it fails",
    "program_stopped": "the program that may lead is stopped in order",
    "member_gone": "a member (peer) of a group without a leader is not in it any more, lost or stopped",
    "leader_kept": "a leader takes its own role back",
    "election": "a node wants to become leader",
    "election_failed": "a node that wanted to become leader has not",
    "upstream_lost": "a replica has lost its leader",
    "following": "a replica follows its leader; peer is the leader",
    "route_down": "a proxy sends no clients to a server; object is the server",
    "route_up": "a proxy sends clients to a server; object is the server",
    "route_none": "a proxy has no server for its clients; object is the name of the service",
    "node_overload": "a daemon was not scheduled in time; value in ms",
    "fault_asked": "a tool is about to inject a fault; object is what it hits",
    "fault_injected": "a tool has just injected a fault",
    "fault_ended": "a tool takes a fault back; object is what it hit, none: all of its faults",
    "fault_over": "a tool has taken a fault back some time before",
    "timer_stated": "a timer of node loss; action is its name, new_state its length, or value in ms",
    "log_noise": "chatter that proves nothing",
    "other": "something else worth keeping",
}
"""What `ha_event.kind` may say, the same words for every stack."""

GROUPS = (
    *("object", "agent", "script", "action", "peer", "old_state", "new_state"),
    *("return_code", "result", "value", "value_hex", "peer_id", "node_id", "writer"),
)
"""Named groups of a text pattern. `script` is the agent, and the object where none is named; `result` is a word that
stands for a return code and becomes the new state; `value_hex` is a value in hexadecimal; `node_id` is `peer_id` where
a message may have it at another place; `writer` is what the writer calls itself, the host where the line has none."""

FIELDS = (
    *("object", "object_class", "agent", "action", "peer", "peer_id"),
    *("old_state", "new_state", "return_code", "value"),
)
"""Columns of `ha_event` that a rule may fix, and its example may expect."""

NUMBERS = frozenset({"return_code", "value", "peer_id"})
SHARED_KEYS = {
    "versions": str,
    "source": str,
    "process": str,
    "prefix": str,
    "words": list,
    "fields": dict,
    "from_tag": bool,
}
HEAD_KEYS = {"stack": str, **SHARED_KEYS, "rule": list}
RULE_KEYS = {
    "id": str,
    "text": str,
    "kind": str,
    "example": str,
    "file": str,
    "expect": dict,
    "shared": bool,
    "changes": bool,
    **SHARED_KEYS,
}
NEEDED = ("id", "versions", "text", "kind", "source", "example")
NAME = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)+")


class RuleError(ValueError):
    """A rule file that cannot be used. The message names file, rule and fault."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: which messages it reads, and what they tell."""

    id: str
    stack: str
    versions: str
    process: str | None
    words: tuple[str, ...]
    text: str
    kind: str
    fields: Mapping[str, str | float]
    from_tag: bool
    shared: bool
    changes: bool
    source: str
    example: str
    file: str | None
    expect: Mapping[str, str | float]

    @property
    def groups(self) -> tuple[str, ...]:
        """Names of the groups of the text pattern."""
        return tuple(re.findall(r"\(\?P<(\w+)>", self.text))

    @property
    def pattern(self) -> str:
        """The text pattern as it is run: for ASCII, all of it in a group `whole`."""
        return f"(?P<whole>{ascii_only(self.text)})"


@derived
def rules() -> tuple[Rule, ...]:
    """All rules of the package, in the order in which they are tried."""
    return load(path for path in sorted(RULES_FOLDER.glob("*.toml")) if path.name != AGENTS_FILE)


@derived
def needles() -> tuple[str, ...]:
    """Words of which every message that a rule reads has at least one in its tag or text; none holds another."""
    words = {word for rule in rules() for word in rule.words}
    return tuple(sorted(word for word in words if not any(other in word for other in words - {word})))


@cache
def classes() -> dict[str, tuple[str, ...]]:
    """Patterns of agents by the class of the resources that they manage; what fits none is an application."""
    content = tomllib.loads((RULES_FOLDER / AGENTS_FILE).read_text(encoding="utf-8"))
    return {name: tuple(patterns) for name, patterns in content["class"].items()}


def load(paths: Iterable[Path]) -> tuple[Rule, ...]:
    """Read rule files. Raises RuleError on the first fault; patterns are not compiled, which would take longest."""
    found: dict[str, Rule] = {}
    for path in paths:
        for rule in _read_file(path):
            if rule.id in found:
                raise RuleError(f"{path.name}: two rules are named {rule.id}")
            found[rule.id] = rule
    return tuple(found.values())


def _read_file(path: Path) -> list[Rule]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"{path.name}: {error}") from error
    _check_keys(path.name, content, HEAD_KEYS)
    if content.get("stack") not in STACKS:
        raise RuleError(f"{path.name}: stack must be one of {', '.join(STACKS)}")
    head = {key: value for key, value in content.items() if key != "rule"}
    return [_read_rule(path.name, head, entry) for entry in content.get("rule", [])]


def _read_rule(file_name: str, head: Mapping[str, Any], entry: Mapping[str, Any]) -> Rule:  # raw TOML values
    where = f"{file_name}: rule {entry.get('id', 'without id')}"
    _check_keys(where, entry, RULE_KEYS)
    both = {**head, **entry}
    if missing := [key for key in NEEDED if key not in both]:
        raise RuleError(f"{where}: {', '.join(missing)} missing")
    rule = Rule(
        id=both["id"],
        stack=both["stack"],
        versions=both["versions"],
        process=both.get("process"),
        words=tuple(both.get("words", ())),
        text=both.get("prefix", "") + both["text"],
        kind=both["kind"],
        fields={**head.get("fields", {}), **entry.get("fields", {})},
        from_tag=both.get("from_tag", False),
        shared=both.get("shared", False),
        changes=both.get("changes", False),
        source=both["source"],
        example=both["example"],
        file=both.get("file"),
        expect=both.get("expect", {}),
    )
    _check_rule(where, rule)
    return rule


def _check_keys(where: str, table: Mapping[str, Any], known: Mapping[str, type]) -> None:  # raw TOML values
    for key, value in table.items():
        if key not in known:
            raise RuleError(f"{where}: unknown key {key}; known are {', '.join(known)}")
        if not isinstance(value, known[key]):
            raise RuleError(f"{where}: {key} must be of type {known[key].__name__}")


def _check_rule(where: str, rule: Rule) -> None:
    if not NAME.fullmatch(rule.id):
        raise RuleError(f"{where}: an id is words of a-z, 0-9 and _ with dots between")
    if rule.kind not in KINDS:
        raise RuleError(f"{where}: unknown kind {rule.kind}")
    if rule.source not in {"REAL", "FMT"} or (rule.source == "REAL") != (rule.file is not None):
        raise RuleError(f"{where}: source is REAL with the file that holds the example, or FMT without")
    if not rule.words or not all(isinstance(word, str) and len(word) > 1 for word in rule.words):
        raise RuleError(f"{where}: words must be strings of at least two characters, at least one of them")
    for name, fields in (("fields", rule.fields), ("expect", rule.expect)):
        for key, value in fields.items():
            if key not in FIELDS or isinstance(value, str) == (key in NUMBERS):
                raise RuleError(f"{where}: {name}: no column {key}, or not of the type of {value!r}")
    if unknown := set(rule.groups) - set(GROUPS):
        raise RuleError(f"{where}: text: unknown group {', '.join(sorted(unknown))}; known are {', '.join(GROUPS)}")


def ascii_only(pattern: str) -> str:
    r"""Rewrite a rule for ASCII, with `\S` as all but a blank."""
    return ascii_pattern.ascii_only(pattern, ((r"\S", "[^ ]"),))
