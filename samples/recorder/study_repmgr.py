"""PostgreSQL under repmgr on three nodes: how many times a standby tries to reach its primary before it gives up."""

import time
from collections.abc import Mapping, Sequence

from samples.recorder.bed import BedError, Machine, Moments, wait_until
from samples.recorder.study import Knobs, Study

NODES = ("node1", "node2", "node3")
BINARIES = "/usr/lib/postgresql/15/bin"
CONFIG = """node_id={number}
node_name='{name}'
conninfo='host={address} user=repmgr dbname=repmgr connect_timeout=2'
data_directory='{data}'
pg_bindir='{binaries}'
failover=automatic
promote_command='repmgr standby promote -f {config} --log-to-file'
follow_command='repmgr standby follow -f {config} --log-to-file --upstream-node-id=%n'
reconnect_attempts={attempts}
reconnect_interval={interval}
monitor_interval_secs=2
log_file='/var/log/repmgrd.log'
"""
SERVER = """listen_addresses = '*'
unix_socket_directories = '/run'
fsync = off
shared_buffers = 32MB
max_wal_senders = 10
max_replication_slots = 10
wal_level = replica
hot_standby = on
wal_log_hints = on
shared_preload_libraries = 'repmgr'
logging_collector = on
log_directory = '/var/log'
log_filename = 'postgresql.log'
log_line_prefix = '%m [%p] '
"""
HBA = """local all all trust
host all all 0.0.0.0/0 trust
local replication all trust
host replication all 0.0.0.0/0 trust
"""


class Repmgr:
    """The standbys' repmgrd cannot reach the primary, and the one with most log promotes itself."""

    def start(self, machines: Mapping[str, Machine], knobs: Knobs) -> None:
        """Make node1 primary, clone the others from it, start repmgrd everywhere."""
        for name in NODES:
            node = machines[name]
            folder = node.make_folder("postgresql", "postgres")
            config = f"{folder}/repmgr.conf"
            text = CONFIG.format(
                number=node.number,
                name=name,
                address=node.address,
                data=f"{folder}/data",
                binaries=BINARIES,
                config=config,
                **knobs,
            )
            node.write("postgresql/repmgr.conf", text, "postgres")
            self._make_primary(node, folder) if name == "node1" else self._make_standby(node, config, machines["node1"])
        for name in NODES:
            node = machines[name]
            config = f"{node.folder}/postgresql/repmgr.conf"
            node.start("repmgrd", "-f", config, "--daemonize=false", "--no-pid-file", user="postgres")

    def _control(self, node: Machine, *words: str, check: bool = True) -> None:
        data = f"{node.folder}/postgresql/data"
        node.call(f"{BINARIES}/pg_ctl", "-D", data, "-w", "-l", f"{data}.out", *words, user="postgres", check=check)

    def _make_primary(self, node: Machine, folder: str) -> None:
        node.call(f"{BINARIES}/initdb", "-D", f"{folder}/data", "-A", "trust", "--no-sync", user="postgres")
        node.write("postgresql/data/postgresql.conf", SERVER, "postgres")
        node.write("postgresql/data/pg_hba.conf", HBA, "postgres")
        self._control(node, "start")
        self._sql(node, "create role repmgr superuser replication login")
        self._sql(node, "create database repmgr owner repmgr")
        node.call("repmgr", "-f", f"{folder}/repmgr.conf", "primary", "register", user="postgres")

    def _make_standby(self, node: Machine, config: str, primary: Machine) -> None:
        clone = ("standby", "clone", "--fast-checkpoint")
        node.call(
            "repmgr", "-f", config, "-h", primary.address, "-U", "repmgr", "-d", "repmgr", *clone, user="postgres"
        )
        self._control(node, "start")
        node.call("repmgr", "-f", config, "standby", "register", "--wait-sync=10", user="postgres")

    def _sql(self, node: Machine, text: str) -> str:
        ask = ("psql", "-X", "-h", "/run", "-U", "postgres", "-d", "postgres", "-Atc", text)
        return node.call(*ask, user="postgres", check=False).strip()

    def is_ready(self, machines: Mapping[str, Machine]) -> bool:
        """Whether two standbys stream, and every repmgrd watches."""
        if self._sql(machines["node1"], "select count(*) from pg_stat_replication where state = 'streaming'") != "2":
            return False
        return all(
            "monitoring" in (machines[name].log / "repmgrd.log").read_text(encoding="utf-8", errors="replace")
            for name in NODES
            if (machines[name].log / "repmgrd.log").exists()
        )

    def leader(self, machines: Mapping[str, Machine]) -> str:
        """The server that is not in recovery."""
        return next(name for name in NODES if self._sql(machines[name], "select pg_is_in_recovery()") == "f")

    def kill(self, machine: Machine) -> Moments:
        """Kill PostgreSQL; repmgrd beside it lives."""
        return machine.kill("postgres -D|postgres:")

    def switch_over(self, machines: Mapping[str, Machine]) -> Moments:
        """Stop the primary in order; the standbys take over."""
        before = time.time()
        self._control(machines["node1"], "stop", "-m", "fast")
        if not wait_until(30, lambda: not self._sql(machines["node1"], "select 1")):
            raise BedError("node1 did not stop")
        return before, time.time()

    def probe(self, machines: Mapping[str, Machine]) -> Sequence[str]:
        """A client that knows all nodes and writes to the one that lets it."""
        return ["postgresql", *(f"{machines[name].address}:5432" for name in NODES)]


REPMGR = Study(
    name="repmgr",
    stack=Repmgr(),
    nodes=NODES,
    configurations={
        "baseline": {"attempts": "6", "interval": "3"},
        "attempts-3": {"attempts": "3", "interval": "3"},
    },
    tools=("repmgr", "repmgrd", "psql", f"{BINARIES}/postgres"),
    private=("/var/lib/postgresql",),
    logs=("repmgrd.log", "postgresql.log"),
)
