"""MariaDB with Galera on three nodes, HAProxy before them: how long a member may be silent before it is suspected."""

import shlex
import time
from collections.abc import Mapping, Sequence

from samples.recorder.bed import BedError, Machine, Moments, wait_until
from samples.recorder.study import Knobs, Study
from samples.recorder.study_patroni import start_syslog

NODES = ("node1", "node2", "node3")
CONFIG = """[mariadbd]
user = mysql
datadir = {data}
socket = {data}/mysqld.sock
pid_file = {data}/mysqld.pid
bind_address = 0.0.0.0
skip_name_resolve = on
binlog_format = ROW
default_storage_engine = InnoDB
innodb_autoinc_lock_mode = 2
innodb_flush_log_at_trx_commit = 0
innodb_buffer_pool_size = 64M
innodb_log_file_size = 16M
wsrep_on = ON
wsrep_provider = /usr/lib/galera/libgalera_smm.so
wsrep_cluster_name = shop
wsrep_cluster_address = gcomm://{members}
wsrep_node_name = {name}
wsrep_node_address = {address}
wsrep_sst_method = rsync
wsrep_provider_options = "gcache.size=32M; evs.suspect_timeout={suspect}; evs.inactive_timeout={inactive}"
"""
HAPROXY = """global
    log /dev/log local0
defaults
    mode tcp
    option tcplog
    option dontlog-normal
    log global
    timeout connect 2s
    timeout client 30s
    timeout server 30s
listen writer
    bind *:3306
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
    option mysql-check user haproxy
{servers}
"""
SETUP = """create user haproxy; create user probe; create database probe;
create table probe.answer (id bigint primary key auto_increment, at datetime(6)); grant all on probe.* to probe"""


class Galera:
    """The members miss one of them, and form a component without it; HAProxy sends the writer to another one."""

    def start(self, machines: Mapping[str, Machine], knobs: Knobs) -> None:
        """Bootstrap node1, let the others join one after the other, then start HAProxy."""
        members = ",".join(machines[name].address for name in NODES)
        for name in NODES:
            node = machines[name]
            data = node.make_folder("data", "mysql")
            text = CONFIG.format(data=data, members=members, name=name, address=node.address, **knobs)
            config = node.write("my.cnf", text)
            node.call(
                "mariadb-install-db",
                f"--defaults-file={config}",
                "--skip-test-db",
                "--wsrep-on=OFF",
                user="mysql",
                check=False,
            )
            self._start(node, config)
            if name == "node1":
                self._sql(node, SETUP)
        client = machines["client"]
        backup = {"node1": "", "node2": " backup", "node3": " backup"}
        servers = "\n".join(f"    server {name} {machines[name].address}:3306 check{backup[name]}" for name in NODES)
        start_syslog(client, "haproxy.log")
        client.start("haproxy", "-W", "-f", client.write("haproxy.cfg", HAPROXY.format(servers=servers)))

    def _start(self, node: Machine, config: str) -> None:
        first = ("--wsrep-new-cluster",) if node.name == "node1" else ()
        start_syslog(node, "mariadb.log")
        server = shlex.join(("mariadbd", f"--defaults-file={config}", *first))
        # its own stamps are whole seconds; those of the system log, where Debian's packages send it, are finer
        node.start("bash", "-c", f"exec {server} > >(exec logger -t mariadbd) 2>&1", user="mysql")
        state = "show status like 'wsrep_local_state_comment'"
        if not wait_until(60, lambda: "Synced" in self._sql(node, state)):
            raise BedError(f"the server of {node.name} did not start")

    def _sql(self, node: Machine, text: str) -> str:
        socket = f"--socket={node.folder}/data/mysqld.sock"
        return node.call("mariadb", "--no-defaults", socket, "-N", "-e", text, check=False)

    def is_ready(self, machines: Mapping[str, Machine]) -> bool:
        """Whether the component has three members, and the writer's answer comes through HAProxy."""
        if "\t3" not in self._sql(machines["node1"], "show status like 'wsrep_cluster_size'"):
            return False
        ask = (
            "mariadb",
            "--no-defaults",
            "-h",
            "127.0.0.1",
            "-P",
            "3306",
            "-u",
            "probe",
            "--connect-timeout=2",
            "-N",
            "-e",
        )
        return "ok" in machines["client"].call(
            *ask, "insert into probe.answer (at) values (now(6)); select 'ok'", check=False
        )

    def leader(self, machines: Mapping[str, Machine]) -> str:  # noqa: ARG002  the same for every stack
        """The node that HAProxy sends the writer to."""
        return "node1"

    def kill(self, machine: Machine) -> Moments:
        """Kill the server."""
        return machine.kill("mariadbd --defaults-file")

    def switch_over(self, machines: Mapping[str, Machine]) -> Moments:
        """Stop the writer's server in order: it leaves the component."""
        before = time.time()
        machines["node1"].kill("mariadbd --defaults-file", signal="TERM")
        return before, time.time()

    def probe(self, machines: Mapping[str, Machine]) -> Sequence[str]:  # noqa: ARG002  the same for every stack
        """A client that writes through HAProxy."""
        return ["mysql", "127.0.0.1:3306"]


GALERA = Study(
    name="galera",
    stack=Galera(),
    nodes=NODES,
    configurations={
        "baseline": {"suspect": "PT5S", "inactive": "PT15S"},
        "suspect-3s": {"suspect": "PT3S", "inactive": "PT15S"},
    },
    tools=("mariadbd", "mariadb", "mariadb-install-db", "haproxy", "rsyslogd", "rsync", "logger"),
    private=("/var/lib/haproxy",),
    logs=("mariadb.log",),
    client_logs=("haproxy.log",),
)
