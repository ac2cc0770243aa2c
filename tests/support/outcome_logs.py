"""Writes logs of failovers whose outcome is known: VCS with DB2, and corosync with Pacemaker and PostgreSQL.

Every writer fills the folder of one run. `SCENARIOS` says what each of them must be found to be.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from tests.support.failover_logs import GROUP, STEPS, Failover, write, write_logs, write_timers

OWNER = f"(Owner: unknown, Group: {GROUP})"
SCENARIOS: Mapping[str, str] = {
    "healthy": "recovered",
    "cleared": "recovered_by_hand",
    "faulted": "failed",
    "target_dies": "failed",
    "dies_again": "failed",
    "hangs": "failed",
    "stopped": "aborted",
    "cut": "log_ended",
    "ordered": "planned",
}
Logs = dict[str, list[str]]


# --- VCS -------------------------------------------------------------------------------------------------------------


def write_vcs_cluster(folder: Path) -> None:
    """What is above the runs."""
    write_timers(folder)


def write_vcs_run(folder: Path, scenario: str, extra_s: float = 0.0) -> None:
    """One run; every step after the membership change is so much later."""
    crash = Failover(steps={name: seconds + (extra_s if seconds > 5 else 0) for name, seconds in STEPS.items()})
    logs = crash.survivors()
    VCS[scenario](crash, logs)
    write_logs(folder / crash.survivor, logs)
    if scenario != "ordered":
        write_logs(folder / crash.lost, crash.crashed())


def _engine(crash: Failover, step: str | float, text: str) -> str:
    return crash.engine_line(crash.at(step), text)


def _until(crash: Failover, logs: Logs, last: str, seconds: float = 1.0) -> None:
    """Leave the lines out that come later than so long after a step."""
    limit = crash.at(last) + timedelta(seconds=seconds)
    shown = {
        "engine_A.log": f"{limit:%Y/%m/%d %H:%M:%S}",
        "messages": f"{limit:%b} {limit.day:2d} {limit:%H:%M:%S}",
    }
    for name, stamp in shown.items():
        logs[name] = [line for line in logs[name] if line[: len(stamp)] <= stamp]
    steps = [each for each in ("detect", "complete") if crash.at(each) <= limit]
    logs["db2diag.log"] = crash.db2diag(steps) if steps else []


def _vcs_faults(crash: Failover, logs: Logs) -> None:
    chatter = logs["messages"][-1]
    _until(crash, logs, "vm")
    at = crash.steps["vm"] + 4
    logs["engine_A.log"] += [
        _engine(
            crash, at, f"ERROR V-16-1-10303 Resource datashark {OWNER} is FAULTED (timed out) on sys {crash.survivor}"
        ),
        _engine(crash, at + 2, f"ERROR V-16-1-10205 Group {GROUP} is faulted on system {crash.survivor}"),
    ]
    logs["messages"].append(chatter)


def _vcs_cleared(crash: Failover, logs: Logs) -> None:
    whole = {name: list(lines) for name, lines in logs.items()}
    _vcs_faults(crash, logs)
    late = Failover(steps={name: each + (240 if each > crash.steps["vm"] else 0) for name, each in crash.steps.items()})
    command = f"INFO V-16-1-50135 User root fired command: hares -clear datashark {crash.survivor}  from localhost"
    logs["engine_A.log"] += [_engine(crash, 230, command), *late.engine(["fs", "db2udb"])]
    logs["db2diag.log"] = late.db2diag()
    logs["messages"] = whole["messages"]


def _vcs_target_dies(crash: Failover, logs: Logs) -> None:
    _until(crash, logs, "vm", 2)
    logs["messages"] += [
        crash.syslog_line(230, "kernel: LLT INFO V-14-1-10009 LLT Protocol available"),
        crash.syslog_line(231, "kernel: GAB INFO V-15-1-20021 GAB available"),
    ]
    logs["engine_A.log"].append(_engine(crash, 240, "INFO V-16-1-10196 Cluster logger started"))


def _vcs_dies_again(crash: Failover, logs: Logs) -> None:
    again = Failover(
        steps=dict(crash.steps) | {name: crash.steps[name] + 55 for name in ("detect", "complete", "db2udb")}
    )
    logs["db2diag.log"] = [*crash.db2diag(["detect", "complete"]), *again.db2diag(["detect", "complete"])]
    logs["engine_A.log"] = [*crash.engine(["gab", "ip", "vm", "fs"]), *again.engine(["db2udb"])]


def _vcs_hangs(crash: Failover, logs: Logs) -> None:
    chatter = logs["messages"][-1]
    _until(crash, logs, "detect")
    logs["engine_A.log"] += [
        _engine(crash, at, "INFO V-16-1-53504 VCS Engine Alive message!!") for at in (600.0, 1200.0)
    ]
    logs["messages"].append(chatter)


def _vcs_stopped(crash: Failover, logs: Logs) -> None:
    _until(crash, logs, "vm", 2)
    logs["engine_A.log"] += [
        _engine(
            crash, crash.steps["vm"] + 5, "INFO V-16-1-50135 User root fired command: hastop -all -force from localhost"
        ),
        _engine(
            crash,
            crash.steps["vm"] + 6,
            f"NOTICE V-16-1-10322 System {crash.survivor} (Node '1') changed state from RUNNING to LEAVING",
        ),
    ]


def _vcs_cut(crash: Failover, logs: Logs) -> None:
    _until(crash, logs, "vm", 2)


def _vcs_ordered(crash: Failover, logs: Logs) -> None:
    logs["engine_A.log"] = [
        _engine(crash, 0.0, f"INFO V-16-1-50135 User root fired command: hagrp -switch {GROUP}  {crash.survivor}"),
        _engine(
            crash,
            0.0,
            f"NOTICE V-16-1-10208 Initiating switch of group {GROUP} "
            f"from system {crash.lost} to system {crash.survivor}",
        ),
        *(line for line in logs["engine_A.log"] if crash.lost not in line and "10077" not in line),
    ]
    logs["messages"] = [logs["messages"][0], logs["messages"][-1]]
    logs["db2diag.log"] = []


VCS: Mapping[str, Callable[[Failover, Logs], None]] = {
    "healthy": lambda _crash, _logs: None,
    "cleared": _vcs_cleared,
    "faulted": _vcs_faults,
    "target_dies": _vcs_target_dies,
    "dies_again": _vcs_dies_again,
    "hangs": _vcs_hangs,
    "stopped": _vcs_stopped,
    "cut": _vcs_cut,
    "ordered": _vcs_ordered,
}


# --- corosync, Pacemaker, PostgreSQL ---------------------------------------------------------------------------------

PACEMAKER_CRASH = datetime(2026, 11, 21, 14, 21, 47, 500000)  # noqa: DTZ001  a wall clock
PACEMAKER_STEPS: Mapping[str, float] = {
    "token": 5.0,
    "dead": 11.0,
    "ip": 11.6,
    "db_start": 12.0,
    "redo": 12.4,
    "redo_done": 22.0,
    "ready": 24.0,
    "started": 25.3,
}
CRM = """\
node 1: node1
node 2: node2
primitive address IPaddr2 \\
	params ip=10.77.0.10 cidr_netmask=24 nic=eth0
primitive database pgsql \\
	params pgdata="/srv/postgresql"
group service address database
"""
COROSYNC = """\
totem {
    version: 2
    cluster_name: failover
    token: 5000
}
nodelist {
    node {
        name: node1
        nodeid: 1
    }
    node {
        name: node2
        nodeid: 2
    }
}
"""


def write_pacemaker_cluster(folder: Path) -> None:
    """What is above the runs."""
    write_logs(folder, {"crm-configure.txt": CRM, "corosync.conf": COROSYNC})


class _Pacemaker:
    """One crash of node1, as node2 logs it: lines with the second after the crash at which they were written."""

    def __init__(self, extra_s: float) -> None:
        self.extra_s = extra_s
        self.lines: dict[str, list[tuple[float, str]]] = {name: [] for name in ("corosync", "pacemaker", "postgresql")}

    def at(self, step: str) -> float:
        seconds = PACEMAKER_STEPS[step]
        return seconds + (self.extra_s if seconds > 11 else 0)

    def corosync(self, at: float, text: str) -> None:
        self.lines["corosync"].append((at, f"[16] node2 corosync notice  {text}"))

    def pacemaker(self, at: float, daemon: str, text: str) -> None:
        self.lines["pacemaker"].append((at, f"node2 pacemaker-{daemon}  [28] (log) \t{text}"))

    def postgresql(self, at: float, text: str) -> None:
        self.lines["postgresql"].append((at, f"[344] LOG:  {text}"))

    def before(self) -> None:
        """The cluster as it comes up; a minute later node1 is lost."""
        for name, node in (("node1", 1), ("node2", 2)):
            self.pacemaker(-38, "controld", f"notice: Node {name} state is now member | nodeid={node} previous=unknown")
        self.corosync(-38, "[TOTEM ] A new membership (1.9) was formed. Members joined: 1 2")
        self.pacemaker(-30, "controld", "notice: State transition S_TRANSITION_ENGINE -> S_IDLE | input=I_TE_SUCCESS")

    def loss(self) -> None:
        """node1 is gone."""
        text = "A processor failed, forming new configuration: token timed out (5000ms), waiting 6000ms for consensus."
        self.corosync(self.at("token"), f"[TOTEM ] {text}")
        self.corosync(self.at("dead"), "[TOTEM ] A new membership (2.d) was formed. Members left: 1")
        self.pacemaker(self.at("dead"), "controld", "notice: Node node1 state is now lost | nodeid=1 previous=member")
        self.begin()

    def begin(self) -> None:
        """The cluster manager decides, and begins with the address."""
        self.pacemaker(
            self.at("dead") + 0.3,
            "schedulerd",
            "notice: Calculated transition 1, saving inputs in /var/lib/pe-input-1.bz2",
        )
        self.pacemaker(
            self.at("dead") + 0.4,
            "controld",
            "notice: Initiating start operation address_start_0 locally on node2 | action 1",
        )
        self.pacemaker(self.at("ip"), "controld", "notice: Result of start operation for address on node2: ok | rc=0")

    def database(self, later_s: float = 0.0) -> None:
        """The database starts and reads its log."""
        self.pacemaker(
            self.at("ip") + later_s + 0.1,
            "controld",
            "notice: Initiating start operation database_start_0 locally on node2 | action 3",
        )
        self.postgresql(self.at("db_start") + later_s, "starting PostgreSQL 15.18 on x86_64-pc-linux-gnu, 64-bit")
        self.postgresql(
            self.at("db_start") + later_s + 0.1,
            "database system was interrupted; last known up at 2026-11-21 14:21:17 UTC",
        )
        self.postgresql(self.at("redo") + later_s, "redo starts at 0/10AE5210")

    def recovery(self, later_s: float = 0.0) -> None:
        """The database is back, and the cluster manager sees it."""
        self.postgresql(self.at("redo_done") + later_s, "redo done at 0/A2F06908 system usage: CPU: user: 7.80 s")
        self.postgresql(self.at("ready") + later_s, "database system is ready to accept connections")
        self.pacemaker(
            self.at("started") + later_s,
            "controld",
            "notice: Result of start operation for database on node2: ok | rc=0",
        )
        self.pacemaker(
            self.at("started") + later_s + 0.2,
            "controld",
            "notice: State transition S_TRANSITION_ENGINE -> S_IDLE | input=I_TE_SUCCESS",
        )

    def failed(self) -> None:
        """The start of the database fails, and is not tried again."""
        at = self.at("db_start") + 3
        self.pacemaker(at, "controld", "notice: Result of start operation for database on node2: error | rc=1")
        self.pacemaker(
            at + 0.5, "controld", "notice: State transition S_TRANSITION_ENGINE -> S_IDLE | input=I_TE_SUCCESS"
        )

    def write(self, folder: Path) -> None:
        """Into `node2` below the folder of the run."""
        for name, lines in self.lines.items():
            text = [self._line(name, at, each) for at, each in sorted(lines, key=lambda line: line[0])]
            if text:
                write(folder / "node2" / f"{name}.log", text)

    @staticmethod
    def _line(name: str, at: float, text: str) -> str:
        moment = PACEMAKER_CRASH + timedelta(seconds=at)
        milli = f"{moment.microsecond // 1000:03d}"
        if name == "postgresql":
            return f"{moment:%Y-%m-%d %H:%M:%S}.{milli} UTC {text}"
        return f"{moment:%b %d %H:%M:%S}.{milli} {text}"


def write_pacemaker_run(folder: Path, scenario: str, extra_s: float = 0.0) -> None:
    """One run; every step after the membership change is so much later."""
    node = _Pacemaker(extra_s)
    node.before()
    if scenario != "ordered":
        node.loss()
    PACEMAKER[scenario](node)
    node.write(folder)


def _healthy(node: _Pacemaker) -> None:
    node.database()
    node.recovery()


def _faulted(node: _Pacemaker) -> None:
    node.database()
    node.failed()


def _cleared(node: _Pacemaker) -> None:
    _faulted(node)
    node.pacemaker(240.0, "controld", "notice: Forcing the status of all resources to be redetected")
    node.database(240.0)
    node.recovery(240.0)


def _dies_again(node: _Pacemaker) -> None:
    _healthy(node)
    text = "notice: Result of monitor operation for database on node2: not running | rc=7"
    node.pacemaker(40.0, "controld", text)
    node.database(45.0)
    node.recovery(45.0)


def _hangs(node: _Pacemaker) -> None:
    node.database()
    for at in (600.0, 1200.0):
        node.pacemaker(at, "based", "info: Reporting our current digest to node2: 74107c33 for 0.6.32")


def _target_dies(node: _Pacemaker) -> None:
    node.corosync(230.0, "[MAIN  ] Corosync Cluster Engine 3.1.7 starting up")
    node.pacemaker(235.0, "controld", "notice: Starting Pacemaker 2.1.5 | build=a3f44794f94")


def _stopped(node: _Pacemaker) -> None:
    node.pacemaker(13.0, "d", "notice: Shutting down Pacemaker")
    node.corosync(14.0, "[MAIN  ] Node was shut down by a signal")


def _ordered(node: _Pacemaker) -> None:
    node.pacemaker(1.0, "schedulerd", "notice: Scheduling shutdown of node node1")
    node.begin()
    _healthy(node)
    node.pacemaker(30.0, "controld", "notice: Node node1 state is now lost | nodeid=1 previous=member")


PACEMAKER: Mapping[str, Callable[[_Pacemaker], None]] = {
    "healthy": _healthy,
    "cleared": _cleared,
    "faulted": _faulted,
    "target_dies": _target_dies,
    "dies_again": _dies_again,
    "hangs": _hangs,
    "stopped": _stopped,
    "cut": lambda _node: None,
    "ordered": _ordered,
}
WRITERS: Mapping[str, tuple[Callable[[Path], None], Callable[[Path, str, float], None]]] = {
    "vcs": (write_vcs_cluster, write_vcs_run),
    "pacemaker": (write_pacemaker_cluster, write_pacemaker_run),
}


def write_outcomes(folder: Path, stack: str, scenarios: Sequence[str]) -> None:
    """Runs 1, 2, ... of a configuration, one of each scenario that is named, each a second longer."""
    write_cluster, write_run = WRITERS[stack]
    write_cluster(folder)
    for number, scenario in enumerate(scenarios, 1):
        write_run(folder / f"run{number:02d}", scenario, float(number % 5))
