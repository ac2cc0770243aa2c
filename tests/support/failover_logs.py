"""Writes the logs of a failover whose every stamp is known: the loss of sun-ha3, as its survivor sun-ha4 logs it.

Times are seconds after the crash, on the wall clock of the survivor. With the timers written beside the runs, and no
fault time in study.toml, the inferred one is 0.25 s late: `in trouble` at 2 s, whole seconds, timer 2 s and heartbeat
0.5 s give the interval from -1 to 1.5 s.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from bench.coverage import logs
from pipeline.ingest.ingest import IngestResult, ingest
from pipeline.store import store

ROOT = Path(__file__).parents[2]
CRASH = datetime(2003, 7, 28, 10, 27, 4)  # noqa: DTZ001  a wall clock
NOW = datetime(2004, 6, 1)  # noqa: DTZ001  naive UTC
LATE_S = 0.25  # the inferred fault is so much later than the true one
CENTRED_S = 0.5  # stamps are cut to whole seconds, and steps are placed in the middle
STEPS = {
    "trouble": 2.0,
    "llt": 3.0,
    "gab": 5.0,
    "ip": 8.0,
    "vm": 10.0,
    "fs": 18.0,
    "detect": 34.0,
    "complete": 40.0,
    "db2udb": 52.0,
}
MILESTONES = {name: seconds for name, seconds in STEPS.items() if name != "trouble"}
INFERRED = {name: seconds + CENTRED_S - LATE_S for name, seconds in MILESTONES.items()}
"""The milestones where the fault is inferred."""

GROUP = "db2_shark"
MAIN_CF = logs.MAIN_CF.replace("shark_test (\n", "shark_test (\n\tUserNames = { admin = simulated }\n")
LLTTAB = """\
set-node /etc/nodename
set-cluster 2
link qfe0 /dev/qfe:0 - ether - -
set-timer heartbeat:50
set-timer peertrouble:200
set-timer peerinact:300
"""
GABTAB = "/sbin/gabconfig -c -n2 -t 2000\n"

Row = Mapping[str, Any]  # columns have values of many types


@dataclass(frozen=True, slots=True)
class Failover:
    """One crash. `clock` turns seconds after it into what the survivor's clock shows."""

    crash: datetime = CRASH
    steps: Mapping[str, float] = field(default_factory=lambda: STEPS)
    lost: str = "sun-ha3"
    survivor: str = "sun-ha4"
    lost_id: int = 0
    survivor_id: int = 1
    shown: Callable[[datetime], datetime] = lambda moment: moment
    zone: str = ""

    def at(self, step: str | float) -> datetime:
        """What the clock shows at a step, or this many seconds after the crash."""
        seconds = self.steps[step] if isinstance(step, str) else step
        return self.shown(self.crash + timedelta(seconds=seconds))

    def engine(self, steps: Iterable[str] = ("gab", "ip", "vm", "fs", "db2udb")) -> list[str]:
        """Lines of engine_A.log."""
        wanted = set(steps)
        node, group = self.survivor, f"(Owner: unknown, Group: {GROUP})"
        lost = f"System {self.lost} (Node '{self.lost_id}')"
        entries = [
            ("gab", "INFO V-16-1-10077 Received new cluster membership"),
            ("gab", f"ERROR V-16-1-10079 {lost} is in Down State - Membership: 0x{1 << self.survivor_id:x}"),
            ("gab", f"ERROR V-16-1-10322 {lost} changed state from RUNNING to FAULTED"),
            ("gab", f"NOTICE V-16-1-10301 Initiating Online of Resource shark_ip {group} on System {node}"),
            ("gab", f"NOTICE V-16-1-10301 Initiating Online of Resource db2shark {group} on System {node}"),
            ("ip", f"INFO V-16-1-10298 Resource shark_ip {group} is online on {node} (VCS initiated)"),
            ("vm", f"INFO V-16-1-10298 Resource db2shark {group} is online on {node} (VCS initiated)"),
            ("vm", f"NOTICE V-16-1-10301 Initiating Online of Resource datashark {group} on System {node}"),
            ("fs", f"INFO V-16-1-10298 Resource datashark {group} is online on {node} (VCS initiated)"),
            ("fs", f"NOTICE V-16-1-10301 Initiating Online of Resource absolut_udb {group} on System {node}"),
            ("db2udb", f"INFO V-16-1-10298 Resource absolut_udb {group} is online on {node} (VCS initiated)"),
            ("db2udb", f"NOTICE V-16-1-10447 Group {GROUP} is online on system {node}"),
        ]
        return [self.engine_line(self.at(step), text) for step, text in entries if step in wanted]

    @staticmethod
    def engine_line(at: datetime, text: str) -> str:
        """A line of engine_A.log: severity, message id and text."""
        return f"{at:%Y/%m/%d %H:%M:%S} VCS {text}"

    def messages(self) -> list[str]:
        """Lines of syslog, which print no year."""
        members = f"{self.survivor_id}" if self.survivor_id < 10 else f"{' ' * 9};{self.survivor_id % 10}"
        members = f";{members}" if self.survivor_id == 1 else members
        return [
            self.syslog_line(-200, f"sshd[41]: Accepted publickey for root on {self.survivor}"),
            *(self.syslog_line(at, f"kernel: LLT INFO {text}") for at, text in self.llt()),
            *(
                self.syslog_line("gab", f"kernel: GAB INFO V-15-1-20036 Port {port} gen {gen} membership {members}")
                for port, gen in (("a", "79c052"), ("h", "79c055"))
            ),
            self.syslog_line(300, "sshd[42]: Accepted publickey for root"),
        ]

    def llt(self) -> list[tuple[str | float, str]]:
        """What LLT says of the lost node, each with its step or second."""
        link = f"link 0 (qfe0) node {self.lost_id}"
        return [("trouble", f"V-14-1-10205 {link} in trouble"), ("llt", f"V-14-1-10509 {link} expired")]

    def syslog_line(self, step: str | float, text: str, host: str | None = None) -> str:
        """A line of syslog."""
        at = self.at(step)
        return f"{at:%b} {at.day:2d} {at:%H:%M:%S} {host or self.survivor} {text}"

    def db2diag(self, steps: Iterable[str] = ("detect", "complete")) -> list[str]:
        """Lines of db2diag.log."""
        wanted = set(steps)
        if self.zone:
            return self._zoned_db2diag(wanted)
        records = [
            ("fs", "", "base sys utilities", "DB2StartMain", 911, "DB2START processing was successful."),
            ("detect", "", "base sys utilities", "sqledint", 30, "Crash Recovery is needed."),
            ("complete", "ABSOLUT", "recovery manager", "sqlpresr", 3170, "Crash recovery completed. Next LSN is 01C1"),
        ]
        return [
            line
            for step, database, component, function, probe, text in records
            if step in wanted
            for line in (
                f"{self.at(step):%Y-%m-%d-%H.%M.%S.%f}   Instance:svtdbm   Node:000",
                "PID:7022(db2agent (ABSOLUT))   TID:1   Appid:*LOCAL.svtdbm.030806133134",
                f"{component}  {function} Probe:{probe} {f'  Database:{database}' if database else ''}",
                "",
                text,
                "",
            )
        ]

    def _zoned_db2diag(self, wanted: set[str]) -> list[str]:
        """As V8.2 and later write it, with minutes east of UTC in the stamp."""
        records = [
            ("detect", "base sys utilities, sqledint, probe:30", "Crash Recovery is needed."),
            ("complete", "recovery manager, sqlpresr, probe:3170", "Crash recovery completed. Next LSN is 01C1"),
        ]
        return [
            line
            for number, (step, function, text) in enumerate(records, 1)
            if step in wanted
            for line in (
                f"{self.at(step):%Y-%m-%d-%H.%M.%S.%f}{self.zone} I{number}000A300        LEVEL: Warning",
                "PID     : 7022                 TID  : 1           PROC : db2agent (ABSOLUT)",
                "INSTANCE: svtdbm               NODE : 000         DB   : ABSOLUT",
                f"FUNCTION: DB2 UDB, {function}",
                f"MESSAGE : {text}",
                "",
            )
        ]

    def crashed(self) -> dict[str, list[str]]:
        """The logs of the node that crashed: it starts again four minutes later."""
        group = f"(Owner: unknown, Group: {GROUP})"
        return {
            "engine_A.log": [
                self.engine_line(self.at(-60), "INFO V-16-1-53504 VCS Engine Alive message!!"),
                self.engine_line(self.at(240), "INFO V-16-1-10196 Cluster logger started"),
                self.engine_line(self.at(243), "INFO V-16-1-10077 Received new cluster membership"),
                self.engine_line(
                    self.at(247),
                    f"INFO V-16-1-10304 Resource db2shark {group} is offline on {self.lost} (First probe)",
                ),
            ],
            "messages": [
                self.syslog_line(-90, "sshd[40]: Accepted publickey for root", self.lost),
                self.syslog_line(230, "kernel: LLT INFO V-14-1-10009 LLT Protocol available", self.lost),
                self.syslog_line(231, "kernel: GAB INFO V-15-1-20021 GAB available", self.lost),
                self.syslog_line(243, "kernel: GAB INFO V-15-1-20036 Port a gen 79c140 membership 01", self.lost),
            ],
        }

    def survivors(self) -> dict[str, list[str]]:
        """The logs of the survivor by file name."""
        return {"engine_A.log": self.engine(), "messages": self.messages(), "db2diag.log": self.db2diag()}


@dataclass(frozen=True, slots=True)
class Silence:
    """How LLT saw the lost node fall silent: timers in seconds, times after the crash, which lines are logged."""

    peerinact_s: int = 16
    stable_s: int = 5
    heard_s: float = -0.2  # the last heartbeat
    tick_s: float = 0.4  # from there to the next of LLT's looks, one a second
    is_early: bool = False  # the count is one ahead: 15 s for 16
    shows: frozenset[str] = frozenset({"inactive", "expired"})

    def look_s(self, silent_s: int) -> float:
        """When LLT finds this many whole seconds of silence."""
        return self.heard_s + silent_s + self.tick_s

    @property
    def expired_s(self) -> float:
        """When the link expires."""
        return self.look_s(self.peerinact_s - self.is_early)

    def steps(self) -> dict[str, float]:
        """The steps of a failover with these timers."""
        gab_s = self.expired_s + self.stable_s
        later = {"ip": 3, "vm": 5, "fs": 13, "detect": 29, "complete": 35, "db2udb": 47}
        return {"gab": gab_s, **{step: gab_s + seconds for step, seconds in later.items()}}


@dataclass(frozen=True, slots=True)
class SilentFailover(Failover):
    """A crash whose lines of LLT follow from a silence; its steps are those of the silence."""

    silence: Silence = field(default_factory=Silence)

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", self.silence.steps())

    def llt(self) -> list[tuple[str | float, str]]:
        """What LLT says of the silence."""
        silence, link = self.silence, f"link 0 (qfe0) node {self.lost_id}"
        looks = range(min(8, silence.peerinact_s - 1), silence.peerinact_s)
        lines: list[tuple[str, float, str]] = [
            ("trouble", silence.look_s(2), f"V-14-1-10205 {link} in trouble"),
            *(("inactive", silence.look_s(n), f"V-14-1-10032 {link} inactive {n} sec (4711)") for n in looks),
            ("expired", silence.expired_s, f"V-14-1-10509 {link} expired"),
        ]
        return [(at, text) for kind, at, text in lines if kind in silence.shows]


# --- folders ---------------------------------------------------------------------------------------------------------


def text_of(lines: Iterable[str]) -> str:
    """Lines as a file holds them."""
    return "".join(f"{line}\n" for line in lines)


def write(path: Path, content: str | bytes | Iterable[str]) -> Path:
    """Write a file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else text_of(content), encoding="utf-8", newline="")
    return path


def write_logs(folder: Path, logs: Mapping[str, str | bytes | Iterable[str]]) -> None:
    """Write the logs of one node."""
    for name, content in logs.items():
        write(folder / name, content)


def write_timers(folder: Path, main_cf: str = MAIN_CF) -> None:
    """Write what is above the runs of a configuration: types of resources, timers."""
    write_logs(folder, {"main.cf": main_cf, "llttab": LLTTAB, "gabtab": GABTAB})


def write_run(folder: Path, failover: Failover | None = None) -> None:
    """Write a whole run: both nodes."""
    crash = failover or Failover()
    write_logs(folder / crash.survivor, crash.survivors())
    write_logs(folder / crash.lost, crash.crashed())


def one_failover(study: Path) -> Path:
    """Write a study of one run."""
    write_timers(study / "default")
    write_run(study / "default" / "run01")
    return study


def slower(extra_s: float, **others: Any) -> Failover:
    """A failover whose every step after the membership change is so much later."""
    steps = {name: seconds + (extra_s if seconds > 5 else 0) for name, seconds in STEPS.items()}
    return Failover(steps=steps, **others)


# --- results ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Store:
    """A store and what a test asks of it."""

    db: Path
    result: IngestResult

    def rows(self, query: str, *parameters: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with store.opened(self.db) as con:
            return con.execute(query, list(parameters)).fetchall()

    def one(self, query: str, *parameters: object) -> tuple[Any, ...]:
        """The only row of a query."""
        found = self.rows(query, *parameters)
        assert len(found) == 1, found
        return found[0]

    def files(self) -> dict[str, Row]:
        """`source_file` by path."""
        with store.opened(self.db) as con:
            frame = store.frame(con, "select * from main.source_file")
            return {row["path"]: row for row in frame.iter_rows(named=True)}

    def milestones(self, configuration: str, run: str = "run01") -> dict[str, float]:
        """Seconds after the fault by milestone."""
        query = "select milestone, elapsed_s from milestone where configuration = ? and run = ?"
        return dict(self.rows(query, configuration, run))

    def run(self, configuration: str, run: str = "run01") -> Row:
        """A row of `run`."""
        return self._row("run", configuration, "run", run)

    def stats(self, configuration: str, milestone: str = "complete") -> Row:
        """A row of `milestone_stats`."""
        return self._row("milestone_stats", configuration, "milestone", milestone)

    def _row(self, relation: str, configuration: str, column: str, value: str) -> Row:
        with store.opened(self.db) as con:
            frame = store.frame(con, f"select * from main.{relation}")
        found = frame.filter((pl.col("configuration") == configuration) & (pl.col(column) == value))
        assert found.height == 1, frame.select("configuration", column)
        return found.row(0, named=True)

    def flags(self, configuration: str, run: str = "run01") -> set[str]:
        """The flags of a run."""
        return {flag for flag in str(self.run(configuration, run)["flags"]).split(", ") if flag}


DAY_OF_LINE = re.compile(r"(?m)\b(\d{4})([/-])(\d\d)\2(\d\d)(?=[ T-]\d\d)|^([A-Z][a-z]{2} [ \d]\d)(?= \d\d:)")


def on_days(study: Path, *, kept: Collection[str] = ()) -> Path:
    """Move each run to a day of its own, as the same lines of the same time would be one run; give the study.

    `kept`: configurations that stay where they are.
    """
    runs = sorted(each for each in study.rglob("run*") if each.is_dir() and each.parent.name not in kept)
    for days, folder in enumerate(runs, 1):
        for file in sorted(each for each in folder.rglob("*") if each.is_file()):
            text = file.read_bytes().decode("latin-1")
            file.write_bytes(DAY_OF_LINE.sub(partial(_later_day, days=days), text).encode("latin-1"))
    return study


def _later_day(found: re.Match[str], days: int) -> str:
    year, mark, month, day, printed = found.groups()
    if printed:
        later = datetime.strptime(f"{CRASH.year} {printed}", "%Y %b %d") + timedelta(days=days)  # noqa: DTZ007  a day
        return f"{later:%b} {later.day:2d}"
    later = datetime(int(year), int(month), int(day)) + timedelta(days=days)  # noqa: DTZ001  a day
    return f"{later:%Y}{mark}{later:%m}{mark}{later:%d}"


def ingested(study: Path, **options: Any) -> Store:
    """Ingest a study into a store beside it and hold what holds for any input."""
    db = study.with_name(f"{study.name}-store.duckdb")
    found = Store(db, ingest(study, db, now=NOW, **options))
    assert_whole(found)
    return found


VIOLATIONS = {
    "lines are accounted for": (
        "select path from source_file where lines is distinct from "
        "parsed_lines + continuation_lines + ignored_lines + blank_lines + rejected_lines"
    ),
    "every rejected line is kept": (
        "select path from source_file left join rejected_line using (file_id) "
        "group by path, rejected_lines having count(rejected_line.line_no) is distinct from rejected_lines"
    ),
    "what is not read has a reason": "select path from source_file where status <> 'parsed' and reason is null",
    "no milestone before the fault": (
        "select milestone.* from milestone inner join run using (configuration, run) "
        'where milestone."at" + to_seconds(milestone.resolution_s) < run.fault_at_low'
    ),
    "a fault lies in its interval and is no later than its first symptom": (
        "select run.* from run inner join incident using (configuration, run) "
        "where fault_at not between fault_at_low and fault_at_high "
        "or not is_planned and fault_source <> 'manifest' and fault_at > greatest(loss_at, fault_at_low)"
    ),
    "a fault after which nothing was done has a dip": (
        "select * from measurement_dip where event = 'fault' and outage_s >= 2 * resolution_s and dip_s is null"
    ),
    "no negative phase": "select * from phase where duration_s < 0",
    "a run in use has no reason against it": "select * from run where used <> (excluded_reason is null)",
    "every run occurs once": "select configuration, run from run group by all having count(*) > 1",
    "every milestone occurs once": (
        "select configuration, run, milestone from milestone group by all having count(*) > 1"
    ),
    "interval, p value and verdict say the same": (
        "with compared as (select *, ratio_ci95_low > 1 or ratio_ci95_high < 1 as excludes_one from mean_comparison "
        "where configuration <> reference and ratio_ci95_low is not null) "
        "select * from compared where case "
        "when verdict similar to '(no difference shown|inconclusive:|equal within).*' "
        "then excludes_one and p_holm < 0.05 or verdict like '%after correction%' and p_value >= 0.05 "
        "or verdict like 'no difference shown;%' and excludes_one "
        "else not excludes_one or p_holm >= 0.05 or p_value > p_holm end"
    ),
}


def assert_whole(found: Store) -> None:
    """What holds for any input no matter what."""
    for rule, query in VIOLATIONS.items():
        broken = found.rows(query)
        assert not broken, f"{rule}: {broken[:3]}"
    leftovers = [each.name for each in found.db.parent.glob("*.tmp-*")]
    assert not leftovers, leftovers


def haledger(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a person does; warnings are errors."""
    return prepared(*arguments, cwd=cwd, environment=environment)


def prepared(
    *arguments: str,
    cwd: Path,
    prepare: Callable[[], None] | None = None,
    prefix: Sequence[str] = (),
    environment: Mapping[str, str] = {},
) -> subprocess.CompletedProcess[str]:
    """The same in a process that was prepared, behind the words of another command."""
    return subprocess.run(
        [*prefix, sys.executable, "-m", "haledger", *arguments],
        cwd=cwd,
        env=environment_of(**environment),
        preexec_fn=prepare,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def environment_of(**others: str) -> dict[str, str]:
    """An environment with nothing of the person who runs the tests."""
    # no byte code: a process that is killed or out of space would leave half of it in the checkout
    usual = {"PATH": "", "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error", "PYTHONDONTWRITEBYTECODE": "1"}
    return usual | others
