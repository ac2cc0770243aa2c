"""PostgreSQL under Patroni on three nodes, etcd beside it, HAProxy before it: how long a leader's lock is valid."""

import json
import time
from collections.abc import Mapping, Sequence

from samples.recorder.bed import Machine, Moments
from samples.recorder.study import Knobs, Study

NODES = ("node1", "node2", "node3")
BINARIES = "/usr/lib/postgresql/15/bin"
CONFIG = """scope: shop
name: {name}
log:
  dir: /var/log
restapi:
  listen: {address}:8008
  connect_address: {address}:8008
etcd3:
  hosts: {etcds}
bootstrap:
  dcs:
    ttl: {ttl}
    loop_wait: {loop_wait}
    retry_timeout: {retry_timeout}
    postgresql:
      use_pg_rewind: false
  initdb:
    - auth: trust
    - encoding: UTF8
  pg_hba:
    - host all all 0.0.0.0/0 trust
    - host replication all 0.0.0.0/0 trust
    - local all all trust
postgresql:
  listen: {address},127.0.0.1:5432
  connect_address: {address}:5432
  data_dir: {data}
  bin_dir: {binaries}
  pgpass: {data}.pgpass
  authentication:
    superuser: {{username: postgres, password: secret}}
    replication: {{username: replicator, password: replicator}}
  parameters:
    unix_socket_directories: /run
    fsync: "off"
    shared_buffers: 32MB
    logging_collector: "on"
    log_directory: /var/log
    log_filename: postgresql.log
    log_line_prefix: "%m [%p] "
"""
HAPROXY = """global
    log /dev/log local0
defaults
    mode tcp
    log global
    option log-health-checks
    option tcplog
    option dontlog-normal
    timeout connect 2s
    timeout client 30s
    timeout server 30s
listen primary
    bind *:5000
    option httpchk OPTIONS /primary
    http-check expect status 200
    default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""
RSYSLOG = """module(load="imuxsock" SysSock.Name="/dev/log" SysSock.UsePIDFromSystem="on")
template(name="ISO" type="string"
    string="%timereported:::date-rfc3339% %HOSTNAME% %syslogtag%%msg:::sp-if-no-1st-sp%%msg:::drop-last-lf%\\n")
*.* action(type="omfile" file="/var/log/{file}" template="ISO")
"""


def start_syslog(machine: Machine, file: str) -> None:
    """Start a system log that writes one file, stamps with microseconds and zone."""
    machine.start(
        "rsyslogd", "-n", "-i", "/run/rsyslogd.pid", "-f", machine.write("rsyslog.conf", RSYSLOG.format(file=file))
    )
    time.sleep(0.3)


class Patroni:
    """The leader's lock in etcd runs out, and the standbys race for it."""

    def start(self, machines: Mapping[str, Machine], knobs: Knobs) -> None:
        """Start etcd on all nodes, Patroni on node1, then on the others, HAProxy on the client's machine."""
        cluster = ",".join(f"{name}=http://{machines[name].address}:2380" for name in NODES)
        for name in NODES:
            self._start_etcd(machines[name], cluster)
        etcds = ",".join(f"{machines[name].address}:2379" for name in NODES)
        for name in NODES:
            self._start_patroni(machines[name], etcds, knobs)
            if name == "node1":
                self._wait_for(machines[name])
        client = machines["client"]
        servers = "\n".join(f"    server {name} {machines[name].address}:5432 check port 8008" for name in NODES)
        start_syslog(client, "haproxy.log")
        client.start("haproxy", "-W", "-f", client.write("haproxy.cfg", HAPROXY.format(servers=servers)))

    def _start_etcd(self, node: Machine, cluster: str) -> None:
        url = f"http://{node.address}"
        node.start(
            *("etcd", "--name", node.name, "--data-dir", node.make_folder("etcd", "postgres")),
            *("--listen-client-urls", f"{url}:2379,http://127.0.0.1:2379", "--advertise-client-urls", f"{url}:2379"),
            *("--listen-peer-urls", f"{url}:2380", "--initial-advertise-peer-urls", f"{url}:2380"),
            *("--initial-cluster", cluster, "--logger", "zap", "--unsafe-no-fsync"),
            user="postgres",
            output="etcd.log",
        )

    def _start_patroni(self, node: Machine, etcds: str, knobs: Knobs) -> None:
        data = f"{node.make_folder('postgresql', 'postgres')}/data"
        text = CONFIG.format(name=node.name, address=node.address, etcds=etcds, data=data, binaries=BINARIES, **knobs)
        config = node.write("patroni.yml", text, "postgres")
        node.start("patroni", config, user="postgres")

    def _wait_for(self, node: Machine) -> None:
        end = time.monotonic() + 40
        while time.monotonic() < end and self._member(node).get("role") != "master":
            time.sleep(0.5)

    def _member(self, node: Machine) -> dict[str, object]:
        """What a member says of itself."""
        text = node.call("curl", "--silent", "--max-time", "2", f"http://{node.address}:8008/patroni", check=False)
        try:
            return dict(json.loads(text))
        except ValueError:
            return {}

    def is_ready(self, machines: Mapping[str, Machine]) -> bool:
        """Whether one member leads, two stream from it, and clients get through."""
        members = [self._member(machines[name]) for name in NODES]
        streaming = [member for member in members if member.get("role") in {"master", "primary"}]
        replication = streaming[0].get("replication") if len(streaming) == 1 else None
        if not isinstance(replication, list) or len(replication) != len(NODES) - 1:
            return False
        sql = ("psql", "-h", "127.0.0.1", "-p", "5000", "-U", "postgres", "-Atc", "select txid_current()")
        return bool(machines["client"].call("env", "PGCONNECT_TIMEOUT=2", *sql, check=False).strip())

    def leader(self, machines: Mapping[str, Machine]) -> str:
        """The member that is primary."""
        return next(name for name in NODES if self._member(machines[name]).get("role") in {"master", "primary"})

    def kill(self, machine: Machine) -> Moments:
        """Kill Patroni and PostgreSQL; etcd beside them lives."""
        return machine.kill("patroni|postgres -D|postgres:")

    def switch_over(self, machines: Mapping[str, Machine]) -> Moments:
        """Ask the leader's API for a switchover, which is what patronictl does."""
        leader = self.leader(machines)
        others = [name for name in NODES if name != leader]
        body = json.dumps({"leader": leader, "candidate": others[0]})
        before = time.time()
        machines[leader].call(
            *("curl", "--silent", "--max-time", "60", "-XPOST", "-d", body),
            f"http://{machines[leader].address}:8008/switchover",
            check=False,
        )
        return before, time.time()

    def probe(self, machines: Mapping[str, Machine]) -> Sequence[str]:  # noqa: ARG002  the same for every stack
        """A client that goes through HAProxy."""
        return ["postgresql", "127.0.0.1:5000"]


PATRONI = Study(
    name="patroni-postgresql",
    stack=Patroni(),
    nodes=NODES,
    configurations={
        "baseline": {"ttl": "30", "loop_wait": "10", "retry_timeout": "10"},
        "ttl-20": {"ttl": "20", "loop_wait": "5", "retry_timeout": "5"},
    },
    tools=("patroni", "etcd", "haproxy", "rsyslogd", "curl", "psql", f"{BINARIES}/postgres"),
    private=("/var/lib/postgresql", "/var/lib/haproxy"),
    logs=("patroni.log", "postgresql.log", "etcd.log"),
    client_logs=("haproxy.log",),
)
