"""The logs of the survivor: the lines that report a failover, with stamps cut to the resolution of their log.

Two logs of VCS 4 and later and the db2diag.log of V8.1. Between the runs the lost node comes back, and a person
switches the service back to it, so that one set of logs holds all runs of a configuration.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bench.coverage.physics import FIRST_SILENCE_S, SECOND, TROUBLE_S, Physics, Run

LOST, SURVIVOR, GROUP = "sun-ha3", "sun-ha4", "db2_shark"
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  a wall clock that shows UTC
MAIN_CF = """\
include "types.cf"

cluster shark_test (
	)

system sun-ha3 (
	)

system sun-ha4 (
	)

group db2_shark (
	SystemList = { sun-ha3 = 0, sun-ha4 = 1 }
	)

	Db2udb absolut_udb (
		DatabaseName = absolut
		)

	DiskGroup db2shark (
		DiskGroup = db2shark
		)

	IP shark_ip (
		Address = "10.0.35.128"
		)

	Mount datashark (
		MountPoint = "/db03/data"
		)

	absolut_udb requires datashark
	absolut_udb requires shark_ip
	datashark requires db2shark
"""

Timed = tuple[int, str]
"""An instant and what is logged then."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What LLT logs of a silent node."""

    trouble: bool = True
    series: bool = True
    expired: bool = True


NO_EVIDENCE = Evidence(trouble=False, series=False, expired=False)


def wall(instant: int) -> datetime:
    """The wall clock at an instant."""
    return EPOCH + timedelta(microseconds=instant)


def llttab(peerinact_s: int) -> str:
    """The timers of LLT, in 1/100 s."""
    timers = (
        f"set-timer heartbeat:50\nset-timer peertrouble:{TROUBLE_S * 100}\nset-timer peerinact:{peerinact_s * 100}\n"
    )
    return f"set-node /etc/nodename\nset-cluster 2\nlink qfe0 /dev/qfe:0 - ether - -\n{timers}"


def gabtab(stable_s: int) -> str:
    """The stable timeout of GAB, in ms."""
    return f"/sbin/gabconfig -c -n2 -t {stable_s * 1000}\n"


def messages(physics: Physics, runs: Sequence[Run], evidence: Sequence[Evidence], *, fine: bool) -> str:
    """The system log: whole seconds as syslogd writes them, or `fine`: milliseconds as rsyslog can write them."""
    return "".join(
        f"{_fine(instant) if fine else _coarse(instant)} {SURVIVOR} kernel: {text}\n"
        for run, wanted in zip(runs, evidence, strict=True)
        for instant, text in (*_silence(physics, run, wanted), *_membership(run))
    )


def _coarse(instant: int) -> str:
    at = wall(instant)
    return f"{at:%b} {at.day:2d} {at:%H:%M:%S}"


def _fine(instant: int) -> str:
    return f"{wall(instant):%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "+00:00"


def _silence(physics: Physics, run: Run, wanted: Evidence) -> Iterator[Timed]:
    link = "link 0 (qfe0) node 0"
    if wanted.trouble and physics.peerinact_s > TROUBLE_S:
        yield run.silent_at(TROUBLE_S), f"LLT INFO V-14-1-10205 {link} in trouble"
    for seconds in range(FIRST_SILENCE_S, physics.peerinact_s) if wanted.series else ():
        outage = run.last_heard // 10_000 % 100_000_000
        yield run.silent_at(seconds), f"LLT INFO V-14-1-10032 {link} inactive {seconds} sec ({outage})"
    if wanted.expired:
        yield run.silent_at(physics.peerinact_s), f"LLT INFO V-14-1-10509 {link} expired"


def _membership(run: Run) -> Iterator[Timed]:
    gab, back = run.at("gab"), run.at("db2udb") + 240 * SECOND
    generation = 0x79C000 + run.fault_at // SECOND % 0x10000
    for number, port in enumerate("ah"):
        yield gab + number * 1200, f"GAB INFO V-15-1-20036 Port {port} gen {generation + number:x} membership ;1"
    yield back - 6 * SECOND, "LLT INFO V-14-1-10024 link 0 (qfe0) node 0 active"
    for number, port in enumerate("ah"):
        yield back + number * 1200, f"GAB INFO V-15-1-20036 Port {port} gen {generation + 9 + number:x} membership 01"


def engine(runs: Iterable[Run]) -> str:
    """engine_A.log, in whole seconds always."""
    return "".join(
        f"{wall(instant):%Y/%m/%d %H:%M:%S} VCS {text}\n"
        for run in runs
        for instant, text in sorted((*_takes_over(run), *_goes_back(run)), key=lambda line: line[0])
    )


def _takes_over(run: Run) -> Iterator[Timed]:
    of = f"(Owner: unknown, Group: {GROUP})"
    gab, ready = run.at("gab"), max(run.at("fs"), run.at("ip"))
    yield gab + 2_000, "INFO V-16-1-10077 Received new cluster membership"
    yield gab + 3_000, f"ERROR V-16-1-10322 System {LOST} (Node '0') changed state from RUNNING to FAULTED"
    starts = {"shark_ip": gab + 4_000, "db2shark": gab + 4_000, "datashark": run.at("vm"), "absolut_udb": ready}
    for resource, start in starts.items():
        yield start, f"NOTICE V-16-1-10301 Initiating Online of Resource {resource} {of} on System {SURVIVOR}"
    ends = {"shark_ip": "ip", "db2shark": "vm", "datashark": "fs", "absolut_udb": "db2udb"}
    for resource, milestone in ends.items():
        yield run.at(milestone), f"INFO V-16-1-10298 Resource {resource} {of} is online on {SURVIVOR} (VCS initiated)"
    yield run.at("db2udb"), f"NOTICE V-16-1-10447 Group {GROUP} is online on system {SURVIVOR}"


def _goes_back(run: Run) -> Iterator[Timed]:
    back = run.at("db2udb") + 240 * SECOND
    states = ("FAULTED", "INITING", "CURRENT_DISCOVER_WAIT", "REMOTE_BUILD", "RUNNING")
    yield back + 2_000, "INFO V-16-1-10077 Received new cluster membership"
    for number, state in enumerate(states[1:]):
        change = f"from {states[number]} to {state}"
        yield back + (number + 1) * SECOND, f"NOTICE V-16-1-10322 System {LOST} (Node '0') changed state {change}"
    switch = back + 900 * SECOND
    command = f"hagrp -switch {GROUP} {LOST}  localclus  from localhost"
    yield switch, f"INFO V-16-1-50135 User root fired command: {command}"
    yield switch, f"NOTICE V-16-1-10208 Initiating switch of group {GROUP} from system {SURVIVOR} to system {LOST}"
    yield switch + 20 * SECOND, f"NOTICE V-16-1-10446 Group {GROUP} is offline on system {SURVIVOR}"
    yield switch + 60 * SECOND, f"NOTICE V-16-1-10447 Group {GROUP} is online on system {LOST}"


def db2diag(runs: Iterable[Run]) -> str:
    """db2diag.log, in microseconds always."""
    return "".join(
        f"{wall(run.at(step)):%Y-%m-%d-%H.%M.%S.%f}   Instance:svtdbm   Node:000\n"
        "PID:7022(db2agent (ABSOLUT))   TID:1   Appid:*LOCAL.svtdbm.030806133134\n"
        f"{function}{database}\n\n{text}\n\n"
        for run in runs
        for step, function, database, text in (
            ("detect", "base sys utilities  sqledint Probe:30", "", "Crash Recovery is needed."),
            (
                "complete",
                "recovery manager  sqlpresr Probe:3170",
                "   Database:ABSOLUT",
                "Crash recovery completed. Next LSN is 00000000101C1B0E",
            ),
        )
    )
