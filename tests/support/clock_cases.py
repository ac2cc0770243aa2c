"""Failovers during which the survivor's clock is set, drifts, or a log bears another zone; each beside one without.

A case is a pair of configurations: the same failover with an untouched clock, and with the change. What haledger says
of the two must be the same, or it must warn.
"""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from tests.support.failover_logs import CRASH, STEPS, Failover, Store, write_logs, write_timers

AMOUNT_LINES = (
    "ntpd[412]: time reset {:+.6f} s",
    "ntpdate[412]: step time server 10.0.0.1 offset {:+.6f} sec",
    "chronyd[412]: System clock was stepped by {:.6f} seconds",
)
OTHER_LINES = (
    "systemd[1]: Time has been changed",
    "systemd-resolved[722]: Clock change detected. Flushing caches.",
    "systemd-timesyncd[406]: Initial clock synchronization to Mon 2003-07-28 10:27:30.000000 UTC.",
)
BOOTED = timedelta(days=41, seconds=1234.567)
SAME_S = 1.7
"""Two durations that differ by no more are the same: the stamps are whole seconds."""


@dataclass(frozen=True, slots=True)
class Case:
    """What happens to the survivor's clock. `at_s`: seconds after the crash; `chatty`: a daemon writes every second.

    `day`: how many days later it happens: the same lines of the same time would be one run.
    """

    seed: int
    step_s: float = 0.0
    at_s: float = 30.0
    line: str | None = None
    has_uptime: bool = False
    is_chatty: bool = False
    drift: float = 0.0
    db2diag_s: float = 0.0
    engine_s: float = 0.0
    day: int = 0

    def logs(self) -> dict[str, list[str]]:
        """The survivor's logs by file name."""
        rng = random.Random(self.seed)  # noqa: S311  a simulation
        steps = dict(STEPS)
        late = 0.0
        for name in ("ip", "vm", "fs", "detect", "complete", "db2udb"):
            late += rng.uniform(0, 3)
            steps[name] += late
        failover = Failover(crash=CRASH + timedelta(days=self.day, microseconds=rng.randrange(1_000_000)), steps=steps)
        failover = replace(failover, shown=self._clock(failover.crash, failover.crash))
        logs = failover.survivors()
        logs["messages"] = self._messages(failover, rng)
        for name, ahead in (("db2diag.log", self.db2diag_s), ("engine_A.log", self.engine_s)):
            if ahead:
                shown = self._clock(failover.crash, failover.crash, ahead)
                logs[name] = replace(failover, shown=shown).survivors()[name]
        return logs

    def _clock(self, crash: datetime, start: datetime, ahead_s: float = 0.0) -> Callable[[datetime], datetime]:
        set_at = crash + timedelta(seconds=self.at_s)

        def shown(moment: datetime) -> datetime:
            drifted = moment + (moment - start) * self.drift
            return drifted + timedelta(seconds=ahead_s + (self.step_s if moment >= set_at else 0))

        return shown

    def _messages(self, failover: Failover, rng: random.Random) -> list[str]:
        """Lines of syslog in the order in which they were written."""
        members = ";1"
        reported: list[tuple[float, str]] = [
            (-200, f"sshd[41]: Accepted publickey for root on {failover.survivor}"),
            *(
                (failover.steps[step], f"kernel: LLT INFO V-14-1-{number} link 0 (qfe0) node 0 {state}")
                for step, number, state in (("trouble", 10205, "in trouble"), ("llt", 10509, "expired"))
            ),
            *(
                (
                    failover.steps["gab"] + 0.001 * n,
                    f"kernel: GAB INFO V-15-1-20036 Port {port} gen {gen} membership {members}",
                )
                for n, (port, gen) in enumerate((("a", "79c052"), ("h", "79c055")))
            ),
            (300, "sshd[42]: Accepted publickey for root"),
        ]
        if self.line:
            reported.append((self.at_s, self.line.format(self.step_s)))
        if self.has_uptime:
            reported += [(at, f"kernel: qfe0: link status {n}") for n, at in enumerate(_times(rng, 3, 12))]
        if self.is_chatty:
            reported += [
                (at, f"snmpd[77]: Connection from UDP: [10.0.0.9]:{n}") for n, at in enumerate(_times(rng, 0.5, 1.5))
            ]
        lines = []
        for at, text in sorted(reported, key=lambda pair: pair[0]):
            shown = text
            if self.has_uptime and text.startswith("kernel: "):
                uptime = (BOOTED + timedelta(seconds=at)).total_seconds()
                shown = text.replace("kernel: ", f"kernel: [{uptime:.6f}] ", 1)
            lines.append(failover.syslog_line(at, shown))
        return lines


def _times(rng: random.Random, least: float, most: float) -> list[float]:
    times = [-150.0]
    while times[-1] < 280:
        times.append(times[-1] + rng.uniform(least, most))
    return times


KINDS = ("amount", "db2diag", "uptime", "line", "amount", "both", "chatty", "drift", "uptime", "engine")


def step_cases(number: int, seed: int = 1) -> dict[str, Case]:
    """Cases by name: steps with an amount, a line or uptime, among chatty lines; drift; logs of another zone."""
    rng = random.Random(seed)  # noqa: S311  a simulation
    cases: dict[str, Case] = {}
    for each in range(number):
        size = 1.5 * (3600 / 1.5) ** rng.random()
        step_s = round(size if rng.random() < 0.6 else -size, 6)
        at_s = round(rng.uniform(2.2, 55), 3)
        kind = KINDS[each % len(KINDS)]
        case = Case(seed * 1000 + each, step_s, at_s)
        if kind in {"amount", "both"}:
            case = replace(case, line=rng.choice(AMOUNT_LINES), has_uptime=kind == "both", is_chatty=rng.random() < 0.5)
        elif kind == "line":
            case = replace(case, line=rng.choice(OTHER_LINES))
        elif kind == "uptime":
            case = replace(case, has_uptime=True, is_chatty=rng.random() < 0.5)
        elif kind == "chatty":
            case = replace(case, step_s=-abs(step_s), is_chatty=True)
        elif kind == "drift":
            case = replace(case, step_s=0.0, drift=rng.choice((-0.01, 0.01)))
        else:
            shift_s = 1800.0 * rng.choice([each for each in range(-12, 13) if each])
            is_engine = kind == "engine"
            case = replace(case, step_s=0.0, engine_s=shift_s * is_engine, db2diag_s=shift_s * (not is_engine))
        cases[f"{kind}-{each}"] = case
    return cases


def untouched(case: Case) -> Case:
    """The same failover on the next day, where nobody touches the clock, with the same lines otherwise."""
    return Case(case.seed, 0.0, case.at_s, None, case.has_uptime, case.is_chatty, day=1)


def write_cases(study: Path, cases: Mapping[str, Case]) -> None:
    """Write a study with two configurations for each case."""
    for name, case in cases.items():
        for suffix, each in (("", case), (" untouched", untouched(case))):
            write_timers(study / f"{name}{suffix}")
            write_logs(study / f"{name}{suffix}" / "run01" / "sun-ha4", each.logs())


@dataclass(frozen=True, slots=True)
class Verdict:
    """What haledger made of a case: `right`, `warned`, `wrong`."""

    word: str
    text: str
    is_used: bool
    worst_s: float


def verdicts(found: Store, cases: Mapping[str, Case]) -> dict[str, Verdict]:
    """Compare each case with its untouched twin."""
    milestones: dict[str, dict[str, float]] = {}
    for configuration, milestone, elapsed_s in found.rows("select configuration, milestone, elapsed_s from milestone"):
        milestones.setdefault(configuration, {})[milestone] = elapsed_s
    used = dict(found.rows("select configuration, used from run"))
    warnings: dict[str, list[str]] = {}
    for configuration, text in found.rows(
        "select configuration, text from finding where severity = 'warning' and kind in ('clock_step', 'clock_doubt')"
    ):
        warnings.setdefault(configuration, []).append(text)
    reported = {}
    for name in cases:
        own, twin = milestones.get(name, {}), milestones[f"{name} untouched"]
        differences = [abs(own[each] - twin[each]) if each in own else float("inf") for each in twin]
        worst = max(differences)
        is_used = bool(used.get(name, False))
        if worst <= SAME_S and is_used:
            word = "right"
        elif not is_used or warnings.get(name):
            word = "warned"
        else:
            word = "wrong"
        reported[name] = Verdict(word, f"{own} against {twin}: {warnings.get(name)}", is_used, worst)
    return reported
