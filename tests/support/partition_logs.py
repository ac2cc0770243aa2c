"""Writes the logs of networks that are cut, whose outcome is known: which node served afterwards, or that two did.

A cut lies at `CRASH`; times are seconds after it. Both sides see the other fall silent as the same timer runs out.
VCS logs are those of `failover_logs`; those of Pacemaker are in a syslog with stamps of microseconds, in words of
Pacemaker 2.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.support.failover_logs import CRASH, GROUP, Failover, write, write_logs, write_timers

BOOT_S = 240.0
HOUR_AGO_S = -3600.0


# --- VCS -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Side:
    """A node of a cut VCS cluster, as it logs it. `server` had the service; `starts`: it takes the service over."""

    node: str
    node_id: int
    others: dict[str, int]  # those it loses: name, id
    mates: dict[str, int] = field(default_factory=dict)  # those on its side of the cut
    had_service: bool = False
    starts: bool = False
    dies_s: float | None = None  # its last line is a panic then
    boots_s: float | None = None
    goes_on: bool = False  # writes lines of every day all the time
    only_links: bool = False  # LLT is all that it logs of the cut
    flaps: bool = False  # a second link comes and goes afterwards
    ahead_s: float = 0.0  # its clock is ahead
    names: bool = True  # the engine names the nodes that it loses
    cut_s: float = 0.0  # the cut is so much later than the first

    def logs(self) -> dict[str, list[str]]:
        """Its files."""
        messages = [line for at, line in sorted(self._messages()) if self._lives(at)]
        engine = [line for at, line in sorted(self._engine()) if self._lives(at)]
        logs = {"messages": messages, "engine_A.log": engine}
        if self.starts and (self.dies_s is None or self.dies_s > 40):
            logs["db2diag.log"] = self._as_failover().db2diag()
        return logs

    def _lives(self, at: float) -> bool:
        return (self.dies_s is None or at <= self.dies_s) or (self.boots_s is not None and at >= self.boots_s)

    def _as_failover(self) -> Failover:
        lost = next(iter(self.others))
        return Failover(
            crash=CRASH + timedelta(seconds=self.cut_s),
            lost=lost,
            survivor=self.node,
            lost_id=self.others[lost],
            survivor_id=self.node_id,
            shown=lambda moment: moment + timedelta(seconds=self.ahead_s),
        )

    def _syslog(self, at: float, text: str) -> tuple[float, str]:
        return at, self._as_failover().syslog_line(at, text)

    def _members(self) -> str:
        present = {self.node_id, *self.mates.values()}
        signs = [str(each % 10) if each in present else " " for each in range(max(present) + 1)]
        return ";".join("".join(signs[tens : tens + 10]) for tens in range(0, len(signs), 10))

    def _messages(self) -> Iterable[tuple[float, str]]:
        yield self._syslog(-300, "sshd[40]: Accepted publickey for root")
        yield from self._cut()
        if self.flaps:
            yield from self._flapping()
        yield from self._end()
        if self.goes_on:
            for at in range(20, 600, 60):
                yield self._syslog(at, f"sshd[{at}]: Accepted publickey for root")

    def _cut(self) -> Iterable[tuple[float, str]]:
        for node_id in self.others.values():
            yield self._syslog(2, f"kernel: LLT INFO V-14-1-10205 link 0 (qfe0) node {node_id} in trouble")
            if self.only_links:
                for silent in range(2, 16):
                    text = f"LLT INFO V-14-1-10032 link 0 (qfe0) node {node_id} inactive {silent} sec (4711)"
                    yield self._syslog(silent, f"kernel: {text}")
            yield self._syslog(3, f"kernel: LLT INFO V-14-1-10509 link 0 (qfe0) node {node_id} expired")
        if not self.only_links:
            for port, gen in (("a", "79c052"), ("h", "79c055")):
                yield self._syslog(
                    5, f"kernel: GAB INFO V-15-1-20036 Port {port} gen {gen} membership {self._members()}"
                )

    def _flapping(self) -> Iterable[tuple[float, str]]:
        for at in (15, 90, 170):
            for node_id in self.others.values():
                yield self._syslog(at, f"kernel: LLT INFO V-14-1-10024 link 1 (qfe1) node {node_id} active")
                yield self._syslog(at + 5, f"kernel: LLT INFO V-14-1-10509 link 1 (qfe1) node {node_id} expired")
                yield self._syslog(at + 6, f"kernel: LLT INFO V-14-1-10509 link 0 (qfe0) node {node_id} expired")

    def _end(self) -> Iterable[tuple[float, str]]:
        if self.dies_s is not None:
            text = "Local cluster node ejected from cluster to prevent potential data corruption."
            yield self._syslog(self.dies_s, f"vxfen: VXFEN:vxfen_plat_panic: {text}")
        if self.boots_s is not None:
            yield self._syslog(self.boots_s, "kernel: LLT INFO V-14-1-10009 LLT Protocol available")
            yield self._syslog(self.boots_s + 1, "kernel: GAB INFO V-15-1-20021 GAB available")

    def _engine(self) -> Iterable[tuple[float, str]]:
        failover = self._as_failover()
        if self.had_service:
            for resource in ("shark_ip", "db2shark", "datashark", "absolut_udb"):
                text = f"Resource {resource} (Owner: unknown, Group: {GROUP}) is online on {self.node} (VCS initiated)"
                yield HOUR_AGO_S, failover.engine_line(failover.at(HOUR_AGO_S), f"INFO V-16-1-10298 {text}")
        yield -60, failover.engine_line(failover.at(-60), "INFO V-16-1-53504 VCS Engine Alive message!!")
        if self.only_links:
            return
        yield 5, failover.engine_line(failover.at(5), "INFO V-16-1-10077 Received new cluster membership")
        for other, node_id in self.others.items() if self.names else ():
            text = f"System {other} (Node '{node_id}') changed state from RUNNING to FAULTED"
            yield 5, failover.engine_line(failover.at(5), f"ERROR V-16-1-10322 {text}")
        if self.starts:
            for line in failover.engine()[3:]:
                at = failover.at(0).strptime(line.split(" VCS ")[0], "%Y/%m/%d %H:%M:%S")
                yield (at - failover.at(0)).total_seconds(), line
        if self.goes_on:
            yield 500, failover.engine_line(failover.at(500), "INFO V-16-1-53504 VCS Engine Alive message!!")
        if self.boots_s is not None:
            at = failover.at(self.boots_s + 5)
            yield self.boots_s + 5, failover.engine_line(at, "INFO V-16-1-10196 Cluster logger started")


A, B, C, D = ("sun-ha3", 0), ("sun-ha4", 1), ("sun-ha5", 2), ("sun-ha6", 3)


def vcs(node: tuple[str, int], *others: tuple[str, int], mates: Iterable[tuple[str, int]] = (), **what: Any) -> Side:
    """A side of a cut: the node, and those that it loses."""
    return Side(*node, dict(others), dict(mates), **what)


def write_sides(folder: Path, *sides: Side) -> None:
    """Logs of nodes; one that sees two cuts is here twice."""
    logs: dict[str, dict[str, list[str]]] = {}
    for side in sides:
        for name, lines in side.logs().items():
            logs.setdefault(side.node, {}).setdefault(name, []).extend(lines)
    for node, files in logs.items():
        write_logs(folder / node, {name: in_order(name, lines) for name, lines in files.items()})


def in_order(name: str, lines: list[str]) -> list[str]:
    """The lines as a node writes them, in the order of their stamps; records of db2diag.log are in order already."""
    length = {"messages": len("Jul 28 10:27:04"), "engine_A.log": len("2003/07/28 10:27:04")}.get(name, 0)
    return sorted(lines, key=lambda line: line[:length])


def write_vcs(folder: Path, *sides: Side) -> None:
    """A run of a cut VCS cluster: logs of the given sides."""
    if sides:
        write_sides(folder / "run01", *sides)
        write_timers(folder)


# --- Pacemaker -------------------------------------------------------------------------------------------------------

LOST_S = 11.0  # token 5 s, consensus 6 s
START_S = 14.0
READY_S = 30.0


@dataclass(frozen=True, slots=True)
class Member:
    """A node of a cut Pacemaker cluster, as it logs it. Its id is the number at the end of its name."""

    node: str
    others: tuple[str, ...]
    had_service: bool = False
    starts: bool = False
    fences: tuple[str, ...] = ()
    fenced_s: float = 12.0
    dies_s: float | None = None
    boots_s: float | None = None
    goes_on: bool = False
    stops: bool = False
    has_quorum: bool = True
    only_links: bool = False
    flaps: bool = False

    def lines(self) -> list[str]:
        """Lines of its syslog."""
        every = [*self._past(), *self._cut(), *self._fencing(), *self._service(), *self._later()]
        lives = [each for each in every if self._lives(each[0])]
        return [self._line(at, text) for at, text in sorted(lives, key=lambda each: each[0])]

    def _lives(self, at: float) -> bool:
        return self.dies_s is None or at <= self.dies_s or (self.boots_s is not None and at >= self.boots_s)

    def _line(self, at: float, text: str) -> str:
        return f"{CRASH + timedelta(seconds=at):%Y-%m-%dT%H:%M:%S.%f}+00:00 {self.node} {text}"

    def _operation(self, at: float, action: str, resource: str, took_s: float) -> Iterable[tuple[float, str]]:
        controld = "pacemaker-controld[28]:  notice:"
        yield at, f"{controld} Requesting local execution of {action} operation for {resource} on {self.node}"
        yield at + took_s, f"{controld} Result of {action} operation for {resource} on {self.node}: ok"

    def _past(self) -> Iterable[tuple[float, str]]:
        yield -300, "sshd[41]: Accepted publickey for root"
        if self.had_service:
            yield from self._operation(HOUR_AGO_S, "start", "address", 0.1)
            yield from self._operation(HOUR_AGO_S + 1, "start", "database", 2)

    def _cut(self) -> Iterable[tuple[float, str]]:
        ids = " ".join(each[-1] for each in self.others)
        for each in self.others:
            yield 2, f"corosync[16]:   [KNET  ] link: host: {each[-1]} link: 0 is down"
        yield 3.75, "corosync[16]:   [TOTEM ] Token has not been received in 3750 ms"
        text = "A processor failed, forming new configuration: token timed out (5000ms), waiting 6000ms for consensus."
        yield 5, f"corosync[16]:   [TOTEM ] {text}"
        if self.only_links:
            return
        yield LOST_S, f"corosync[16]:   [TOTEM ] A new membership (2.d) was formed. Members left: {ids}"
        if not self.has_quorum:
            text = "This node is within the non-primary component and will NOT provide any services."
            yield LOST_S, f"corosync[16]:   [QUORUM] {text}"
        for each in self.others:
            text = f"Node {each} state is now lost | nodeid={each[-1]} previous=member"
            yield LOST_S + 0.01, f"pacemaker-controld[28]:  notice: {text}"

    def _fencing(self) -> Iterable[tuple[float, str]]:
        for each in self.fences:
            fenced = "pacemaker-fenced[24]:  notice:"
            yield 11.2, f"{fenced} Requesting peer fencing (reboot) targeting {each}"
            text = f"Operation 'reboot' targeting {each} by {self.node} for pacemaker-controld.28@{self.node}: OK"
            yield self.fenced_s, f"{fenced} {text}"

    def _service(self) -> Iterable[tuple[float, str]]:
        if self.stops:
            yield from self._operation(11.5, "stop", "database", 2)
            yield from self._operation(13.5, "stop", "address", 0.2)
        if self.starts:
            yield from self._operation(START_S, "start", "address", 0.1)
            yield from self._operation(START_S + 0.2, "start", "database", READY_S - START_S - 0.2)
            text = "State transition S_TRANSITION_ENGINE -> S_IDLE | input=I_TE_SUCCESS"
            yield READY_S + 0.1, f"pacemaker-controld[28]:  notice: {text}"

    def _later(self) -> Iterable[tuple[float, str]]:
        if self.flaps:
            for at in range(20, 200, 45):
                for each in self.others:
                    yield at, f"corosync[16]:   [KNET  ] rx: host: {each[-1]} link: 1 is up"
                    yield at + 5, f"corosync[16]:   [KNET  ] link: host: {each[-1]} link: 1 is down"
        if self.goes_on:
            for at in range(20, 600, 60):
                yield at, f"sshd[{at}]: Accepted publickey for root"
        if self.boots_s is not None:
            yield self.boots_s, "kernel: Linux version 5.10.0-26-amd64 (debian-kernel@lists.debian.org)"
            text = "Corosync Cluster Engine ('3.1.2'): started and ready to provide service."
            yield self.boots_s + 20, f"corosync[16]:   [MAIN  ] {text}"


CRM = """\
primitive address IPaddr2 params ip=10.77.0.10
primitive database pgsql params pgdata="/srv/postgresql"
group service address database
"""


def write_pacemaker(folder: Path, *members: Member) -> None:
    """A run of a cut Pacemaker cluster: logs of the given nodes."""
    if not members:
        return
    for member in members:
        write(folder / "run01" / member.node / "messages", member.lines())
    write(folder / "crm-configure.txt", CRM)
