"""Writes logs of Pacemaker clusters whose losses are known: which nodes were stopped, and which crashed.

Texts are those of corosync 2 and 3 with Pacemaker 2, as in the logs of a cluster of two that was rebooted and fenced.
Seconds are counted from `START`; every node writes its own syslog, with stamps of microseconds and a zone.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from tests.support.failover_logs import write

START = datetime(2019, 3, 22, 10, 30)  # noqa: DTZ001  a wall clock
TOKEN_S, CONSENSUS_S = 5.0, 6.0
ADDRESSES = ("10.67.20.242", "10.67.20.250", "10.67.20.251")
BIG_IDS = (172168434, 172168442, 172168443)  # made of the addresses
SMALL_IDS = (1, 2, 3)


@dataclass(slots=True)
class Ring:
    """A cluster. `names` are its hosts, `ids` theirs; `says_ids`: Pacemaker prints them; `version` is corosync's."""

    names: tuple[str, ...] = ("15sp1-1", "15sp1-2")
    ids: tuple[int, ...] = BIG_IDS
    says_ids: bool = True
    version: str = "2.4.4"
    lines: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    sequence: int = 4

    def say(self, node: str, at: float, text: str) -> None:
        """Add a line to a node's log."""
        self.lines.setdefault(node, []).append((at, text))

    def number(self, node: str) -> int:
        """Id of a node."""
        return self.ids[self.names.index(node)]

    def start(self, at: float = 0) -> None:
        """All nodes start and join."""
        for index, node in enumerate(self.names):
            address = ADDRESSES[index]
            text = f"Corosync Cluster Engine ('{self.version}'): started and ready to provide service."
            self.say(node, at, f"corosync[2907]:   [MAIN  ] {text}")
            self.say(node, at, f"corosync[2908]:   [TOTEM ] The network interface [{address}] is now up.")
            self._ring(node, at + 0.1, joined=[node], members=[node])
            self._ring(node, at + 1, joined=[each for each in self.names if each != node], members=self.names)
            for each in self.names:
                self._state(node, at + 2, each, "member")

    def serve(self, node: str, at: float) -> None:
        """A node starts the service."""
        controld = "pacemaker-controld[2921]:  notice:"
        for resource, begin, took in (("vip1", 0.0, 0.5), ("mysql1", 0.6, 2.0)):
            text = f"Requesting local execution of start operation for {resource} on {node}"
            self.say(node, at + begin, f"{controld} {text}")
            text = f"Result of start operation for {resource} on {node}: 0 (ok)"
            self.say(node, at + begin + took, f"{controld} {text}")
        self.say(node, at + 3, f"{controld} State transition S_TRANSITION_ENGINE -> S_IDLE")

    def release(self, node: str, at: float) -> None:
        """A node stops the service."""
        controld = "pacemaker-controld[2921]:  notice:"
        for resource, begin in (("mysql1", 0.0), ("vip1", 0.4)):
            text = f"Requesting local execution of stop operation for {resource} on {node}"
            self.say(node, at + begin, f"{controld} {text}")
            self.say(node, at + begin + 0.3, f"{controld} Result of stop operation for {resource} on {node}: 0 (ok)")

    def reboot(self, node: str, at: float, coordinator: str | None = None) -> None:
        """A node is rebooted in order; without a coordinator nobody prints a notice but the node itself."""
        if coordinator:
            text = f"Scheduling shutdown of node {node}"
            self.say(coordinator, at, f"pacemaker-schedulerd[2920]:  notice: {text}")
        self.say(node, at, "systemd[1]: Stopping Pacemaker High Availability Cluster Manager...")
        self.say(node, at, "pacemakerd[2914]:  notice: Shutting down Pacemaker")
        self.say(node, at + 1.2, "systemd[1]: Stopping Corosync Cluster Engine...")
        self.say(node, at + 1.3, "corosync[2908]:   [MAIN  ] Node was shut down by a signal")
        self.say(node, at + 1.4, "corosync[2908]:   [MAIN  ] Corosync Cluster Engine exiting normally")
        for other in self._others(node):
            self._ring(other, at + 1.45, left=[node], members=self._others(node))
            self._state(other, at + 1.5, node, "lost")

    def leave(self, node: str, at: float) -> None:
        """A node leaves in order, as its peers alone log it: corosync hears its good-bye."""
        for other in self._others(node):
            self._ring(other, at, left=[node], members=self._others(node))
            self._state(other, at + 0.05, node, "lost")

    def crash(self, node: str, at: float, *, fenced: bool = True, first: str | None = None) -> None:
        """A node falls silent at `at`; the others lose the token, form a membership, and may fence it."""
        lost_at, formed_at = at + TOKEN_S, at + TOKEN_S + CONSENSUS_S
        for other in self._others(node):
            if first in (None, other):  # who is asked by another one does not print it
                text = "A processor failed, forming new configuration"
                waited = f"{TOKEN_S * 1000:.0f}ms), waiting {CONSENSUS_S * 1000:.0f}ms for consensus."
                tail = f": token timed out ({waited}" if self.version >= "3.1" else "."
                self.say(other, lost_at, f"corosync[2908]:   [TOTEM ] {text}{tail}")
            self._ring(other, formed_at, left=[node], members=self._others(node))
            failed = f"Failed to receive the leave message. failed: {self.number(node)}"
            self.say(other, formed_at, f"corosync[2908]:   [TOTEM ] {failed}")
            self._state(other, formed_at + 0.01, node, "lost")
        if fenced:
            self.fence(node, formed_at + 0.2)

    def fence(self, node: str, at: float, took: float = 4.0) -> None:
        """The first of the others has a node fenced."""
        other = self._others(node)[0]
        text = f"Requesting peer fencing (reboot) targeting {node}"
        self.say(other, at, f"pacemaker-fenced[2917]:  notice: {text}")
        text = f"Operation 'reboot' targeting {node} by {other} for pacemaker-controld.2921@{other}: OK"
        self.say(other, at + took, f"pacemaker-fenced[2917]:  notice: {text}")

    def back(self, node: str, at: float) -> None:
        """A node joins again."""
        self.say(node, at, f"corosync[2907]:   [MAIN  ] Corosync Cluster Engine ('{self.version}'): started and ready")
        for other in self._others(node):
            self._ring(other, at + 1, joined=[node], members=self.names)
            self._state(other, at + 2, node, "member")

    def ordered(self, node: str, at: float, command: str) -> None:
        """A person orders something on a node, by sudo."""
        self.say(node, at, f"sudo[812]:     root : TTY=pts/0 ; PWD=/root ; USER=root ; COMMAND=/usr/sbin/{command}")

    def write(self, folder: Path, *nodes: str, nodelist: bool = False) -> None:
        """Write the logs, in a folder a node; of the given nodes, or of all."""
        for node in nodes or self.names:
            said = sorted(self.lines.get(node, []), key=lambda each: each[0])
            write(folder / node / "messages", [self._line(node, at, text) for at, text in said])
        if nodelist:
            write(folder / "corosync.conf", self._conf())

    def _others(self, node: str) -> list[str]:
        return [each for each in self.names if each != node]

    def _ring(
        self, node: str, at: float, *, members: Iterable[str], left: Iterable[str] = (), joined: Iterable[str] = ()
    ) -> None:
        self.sequence += 4
        changes = [
            f" {word}: {' '.join(str(self.number(each)) for each in who)}"
            for word, who in (("joined", list(joined)), ("left", list(left)))
            if who
        ]
        text = f"A new membership ({ADDRESSES[0]}:{self.sequence}) was formed. Members{''.join(changes)}"
        self.say(node, at, f"corosync[2908]:   [TOTEM ] {text}")
        ids = [str(self.number(each)) for each in members]
        self.say(node, at, f"corosync[2908]:   [QUORUM] Members[{len(ids)}]: {' '.join(ids)}")

    def _state(self, writer: str, at: float, node: str, state: str) -> None:
        tail = f" | nodeid={self.number(node)} previous=x source=y" if self.says_ids else ""
        self.say(writer, at, f"pacemaker-controld[2921]:  notice: Node {node} state is now {state}{tail}")

    def _line(self, node: str, at: float, text: str) -> str:
        return f"{START + timedelta(seconds=at):%Y-%m-%dT%H:%M:%S.%f}+08:00 {node} {text}"

    def _conf(self) -> list[str]:
        nodes = [
            line
            for index, node in enumerate(self.names)
            for line in (
                "  node {",
                f"    ring0_addr: {ADDRESSES[index]}",
                f"    nodeid: {self.ids[index]}",
                f"    name: {node}",
                "  }",
            )
        ]
        return ["totem {", "  version: 2", "}", "nodelist {", *nodes, "}"]
