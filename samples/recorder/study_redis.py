"""Redis on three nodes with a Sentinel each: how long an answer may be missing before a server is taken for down."""

import time
from collections.abc import Mapping, Sequence

from samples.recorder.bed import Machine, Moments
from samples.recorder.study import Knobs, Study

NODES = ("node1", "node2", "node3")
SERVER = """bind {address} 127.0.0.1
protected-mode no
port 6379
dir {data}
logfile /var/log/redis-server.log
save ""
{replicaof}
"""
SENTINEL = """bind {address} 127.0.0.1
protected-mode no
port 26379
dir {data}
logfile /var/log/redis-sentinel.log
sentinel monitor mymaster {master} 6379 2
sentinel down-after-milliseconds mymaster {down_after}
"""


class Redis:
    """Sentinel finds the master dead, and the sentinels elect one of them to promote a replica."""

    def start(self, machines: Mapping[str, Machine], knobs: Knobs) -> None:
        """Start servers and sentinels, node1 as master."""
        master = machines["node1"].address
        for name in NODES:
            node = machines[name]
            data = node.make_folder("data", "redis")
            replicaof = "" if name == "node1" else f"replicaof {master} 6379"
            server = node.write(
                "redis.conf", SERVER.format(address=node.address, data=data, replicaof=replicaof), "redis"
            )
            watcher = SENTINEL.format(address=node.address, data=data, master=master, **knobs)
            sentinel = node.write("data/sentinel.conf", watcher, "redis")
            node.start("redis-server", server, user="redis")
            node.start("redis-sentinel", sentinel, user="redis")

    def _ask(self, machine: Machine, *words: str, port: int = 26379) -> list[str]:
        return machine.call("redis-cli", "-p", str(port), *words, check=False).split()

    def is_ready(self, machines: Mapping[str, Machine]) -> bool:
        """Whether every sentinel knows two replicas in step and two other sentinels."""
        for name in NODES:
            state = self._ask(machines[name], "sentinel", "master", "mymaster")
            known = dict(zip(state[::2], state[1::2], strict=False))
            if (
                known.get("num-slaves") != "2"
                or known.get("num-other-sentinels") != "2"
                or known.get("flags") != "master"
            ):
                return False
        return "slave1:ip" in " ".join(self._ask(machines["node1"], "info", "replication", port=6379))

    def leader(self, machines: Mapping[str, Machine]) -> str:
        """The master by its address."""
        address = self._ask(machines["node2"], "sentinel", "get-master-addr-by-name", "mymaster")[0]
        return next(name for name in NODES if machines[name].address == address)

    def kill(self, machine: Machine) -> Moments:
        """Kill the server; the sentinel beside it lives."""
        return machine.kill("redis-server .*:6379")

    def switch_over(self, machines: Mapping[str, Machine]) -> Moments:
        """Order a failover from a sentinel."""
        before = time.time()
        self._ask(machines["node2"], "sentinel", "failover", "mymaster")
        return before, time.time()

    def probe(self, machines: Mapping[str, Machine]) -> Sequence[str]:
        """A client that asks the sentinels where the master is, and writes there."""
        return ["redis-sentinel", *(machines[name].address for name in NODES)]


REDIS = Study(
    name="redis-sentinel",
    stack=Redis(),
    nodes=NODES,
    configurations={"baseline": {"down_after": "5000"}, "down-after-1s": {"down_after": "1000"}},
    tools=("redis-server", "redis-sentinel", "redis-cli"),
    private=("/var/lib/redis",),
    logs=("redis-*.log",),
)
