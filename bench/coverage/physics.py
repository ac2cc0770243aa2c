"""What happens in a simulated failover, by true time, and what it comes to on average.

A node dies at a random fraction of a second. The survivor heard its last heartbeat up to half a second before. LLT
looks once a second, at a phase of its own, and counts whole seconds of silence since that heartbeat; GAB reports the
membership after the stable timeout; from then on disk group, file systems, address and database do their work. The
duration of each step of that work is random around the mean of the configuration; detection is driven by timers.

Instants and durations are whole microseconds; no clock and no stamp has a part in them.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from random import Random

SECOND = 1_000_000
HEARTBEAT = SECOND // 2
TROUBLE_S = 2  # LLT's peertrouble
FIRST_SILENCE_S = 8  # the first `inactive` line mentions this many seconds
GAB_LAG = 60_000  # GAB's line comes up to so much later than the stable timeout
FIRST_DAY = 1_059_350_400 * SECOND  # 2003-07-28 00:00 UTC
BETWEEN_RUNS = 7200 * SECOND

MILESTONES = ("llt", "gab", "vm", "fs", "ip", "detect", "complete", "db2udb")
PHASES: Mapping[str, tuple[tuple[str, ...], str]] = {  # a phase begins with the latest of its first milestones
    "detection": ((), "gab"),
    "disk_group_import": (("gab",), "vm"),
    "fs_check_mount": (("vm",), "fs"),
    "virtual_ip": (("gab",), "ip"),
    "database_restart": (("fs", "ip"), "detect"),
    "crash_recovery": (("detect",), "complete"),
}


class Spread(StrEnum):
    """How the durations of a step vary from run to run."""

    NORMAL_2 = "normal 2 %"
    NORMAL_6 = "normal 6 %"
    LOGNORMAL_30 = "lognormal 30 %"

    def drawn(self, random: Random, mean: int) -> int:
        """The duration of a step in one run."""
        if self is Spread.LOGNORMAL_30:
            variance = math.log1p(0.30**2)
            return round(random.lognormvariate(math.log(mean) - variance / 2, math.sqrt(variance)))
        return round(random.gauss(mean, mean * (0.02 if self is Spread.NORMAL_2 else 0.06)))


class Tick(StrEnum):
    """When LLT's one-second timer looks."""

    RANDOM = "random"  # at another fraction of the second in each run: a node boots between runs
    FIXED = "fixed"  # at one fraction of the wall clock's second in all runs of a configuration
    EARLY = "early"  # soon after the time of a heartbeat: what LLT's lines allow is then off to one side in every run

    LATE = "late"  # long after that time: to the other side in every run

    @property
    def looks(self) -> tuple[int, int]:
        """How long after the last heartbeat, modulo a second, it looks at least and at most: evenly spread."""
        return {Tick.EARLY: (0, 400_000), Tick.LATE: (600_000, SECOND)}.get(self, (0, SECOND))


@dataclass(frozen=True, slots=True)
class Run:
    """One failover: instants since 1970."""

    fault_at: int
    last_heard: int
    tick: int  # LLT's first look after the last heartbeat
    elapsed: Mapping[str, int]  # of each milestone, since the fault

    def silent_at(self, seconds: int) -> int:
        """When LLT finds that the node has been silent for this many whole seconds."""
        return self.tick + seconds * SECOND

    def at(self, milestone: str) -> int:
        """When a milestone was reached."""
        return self.fault_at + self.elapsed[milestone]

    def duration(self, phase: str) -> int:
        """How long a phase took."""
        starts, end = PHASES[phase]
        return self.elapsed[end] - max((self.elapsed[start] for start in starts), default=0)


@dataclass(frozen=True)
class Physics:
    """What the runs of a configuration have in common. `steps`: mean durations by the milestone they end with."""

    peerinact_s: int
    stable_s: int
    expiry_is_logged: bool  # else the last `inactive` line ends the LLT step
    steps: Mapping[str, int]
    spread: Spread
    tick: Tick = Tick.RANDOM

    def runs(self, random: Random, count: int) -> list[Run]:
        """The given number of failovers, two hours or more apart."""
        phase = random.randrange(SECOND)
        runs = []
        for number in range(count):
            fault_at = FIRST_DAY + number * BETWEEN_RUNS + random.randrange(1_800_000) * 1000  # whole milliseconds
            last_heard = fault_at - random.randrange(HEARTBEAT)
            look = (phase - last_heard) % SECOND if self.tick is Tick.FIXED else random.randrange(*self.tick.looks)
            runs.append(self.run(random, fault_at, last_heard, last_heard + look))
        return runs

    def run(self, random: Random, fault_at: int, last_heard: int, tick: int) -> Run:
        """A failover whose steps are drawn."""
        step = {name: self.spread.drawn(random, mean) for name, mean in self.steps.items()}
        expired = tick - fault_at + self.peerinact_s * SECOND
        gab = expired + self.stable_s * SECOND + random.randrange(GAB_LAG + 1)
        vm = gab + step["vm"]
        fs = vm + step["fs"]
        ip = gab + step["ip"]
        detect = max(fs, ip) + step["detect"]
        complete = detect + step["complete"]
        elapsed = {
            "llt": expired if self.expiry_is_logged else expired - SECOND,
            "gab": gab,
            "vm": vm,
            "fs": fs,
            "ip": ip,
            "detect": detect,
            "complete": complete,
            "db2udb": complete + step["db2udb"],
        }
        return Run(fault_at, last_heard, tick, elapsed)

    @cached_property
    def means(self) -> Mapping[str, float]:
        """The population mean of every milestone, seconds.

        On average the last heartbeat is heard a quarter of a second before the fault, and LLT looks half a second (an
        early tick: a fifth, a late one: four fifths) after a whole second of silence. Only the wait of the database for
        the address is drawn: it is next to nothing.
        """
        step = {name: mean / SECOND for name, mean in self.steps.items()}
        expired = self.peerinact_s + (sum(self.tick.looks) - HEARTBEAT) / SECOND / 2
        gab = expired + self.stable_s + GAB_LAG / SECOND / 2
        fs = gab + step["vm"] + step["fs"]
        detect = fs + self._wait_for_address_s() + step["detect"]
        complete = detect + step["complete"]
        return {
            "llt": expired if self.expiry_is_logged else expired - 1,
            "gab": gab,
            "vm": gab + step["vm"],
            "fs": fs,
            "ip": gab + step["ip"],
            "detect": detect,
            "complete": complete,
            "db2udb": complete + step["db2udb"],
        }

    @property
    def phase_means(self) -> Mapping[str, float]:
        """The population mean of every phase's duration, seconds."""
        means = self.means
        found = {phase: means[end] - (means[starts[0]] if starts else 0.0) for phase, (starts, end) in PHASES.items()}
        return found | {"database_restart": self.steps["detect"] / SECOND}

    def _wait_for_address_s(self, draws: int = 2000) -> float:
        random = Random(13)  # noqa: S311  simulated jitter
        if self.spread is not Spread.LOGNORMAL_30 and self.steps["ip"] * 1.5 < self.steps["vm"] + self.steps["fs"]:
            return 0.0
        waits = (
            max(
                0,
                self.spread.drawn(random, self.steps["ip"])
                - self.spread.drawn(random, self.steps["vm"])
                - self.spread.drawn(random, self.steps["fs"]),
            )
            for _ in range(draws)
        )
        return sum(waits) / draws / SECOND


# IBM and VERITAS, "Accelerating Failover Times in IBM DB2 UDB database environments" (2004), table 3.7: default timers
# and tuned ones. Seconds of the steps that end with these milestones, from the differences of the printed means.
DEFAULT_STEPS = {"vm": 5.0, "fs": 7.0, "ip": 2.0, "detect": 18.0, "complete": 12.0, "db2udb": 48.0}
TUNED_STEPS = {"vm": 5.0, "fs": 8.0, "ip": 3.0, "detect": 16.0, "complete": 6.0, "db2udb": 12.0}


def drawn_physics(random: Random, spread: Spread, tick: Tick = Tick.RANDOM) -> Physics:
    """A configuration: the paper's default or tuned timers, and steps of 0.7 to 1.6 times the paper's durations."""
    is_default = random.random() < 0.5
    steps = DEFAULT_STEPS if is_default else TUNED_STEPS
    return Physics(
        peerinact_s=16 if is_default else 3,
        stable_s=5 if is_default else 2,
        expiry_is_logged=not is_default or random.random() < 0.5,
        steps={name: round(mean * SECOND * random.uniform(0.7, 1.6)) for name, mean in steps.items()},
        spread=spread,
        tick=tick,
    )
