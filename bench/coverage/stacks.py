"""Failovers of stacks without LLT: corosync's token, Heartbeat's dead time, the answers that a sentinel waits for.

A node gives a sign of life at equal intervals. It dies at a phase of one of them, and is missed a timeout after its
last sign. From then on each step takes a random time around its mean.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

from bench.coverage.logs import Timed, wall
from bench.coverage.physics import BETWEEN_RUNS, FIRST_DAY, SECOND, Spread, Tick

PHASES = {Tick.EARLY: (0.0, 0.4), Tick.LATE: (0.6, 1.0)}
"""Which part of the interval between two signs of life has passed at the fault: early or late in all runs."""

CONTROLD = "pacemaker-controld[2921]:  notice:"
TOTEM = "corosync[2908]:   [TOTEM ]"
FILES = {
    "corosync": {
        "corosync.conf": "totem {\n  version: 2\n  token: 5000\n}\nnodelist {\n"
        "  node {\n    name: alder\n    nodeid: 1\n    ring0_addr: 10.0.0.1\n  }\n"
        "  node {\n    name: birch\n    nodeid: 2\n    ring0_addr: 10.0.0.2\n  }\n}\n"
    },
    "heartbeat": {"ha.cf": "keepalive 2\ndeadtime 10\nnode alder\nnode birch\n"},
    "sentinel": {
        "sentinel.conf": "sentinel monitor mymaster 10.0.0.1 6379 2\nsentinel down-after-milliseconds mymaster 5000\n"
    },
}
INTERVALS_S = {"corosync": 0.942, "heartbeat": 2.0, "sentinel": 1.0}
"""Between two signs of life: the hold of an idle ring, the keepalive, the ping."""

STEPS_S: Mapping[str, Mapping[str, float]] = {
    "corosync": {"token": 5.0, "dead": 6.0, "ip": 0.9, "started": 14.0},
    "heartbeat": {"dead": 10.0, "ip": 3.0, "started": 9.0},
    "sentinel": {"suspected": 5.0, "dead": 1.0, "elected": 2.0},
}
"""Mean durations of the steps by the milestone that ends them; the first ones are timers."""

TIMERS = {"corosync": ("token", "dead"), "heartbeat": ("dead",), "sentinel": ("suspected",)}


@dataclass(frozen=True)
class Takeovers:
    """A configuration of a stack: so many runs, the same for the same seed."""

    name: str
    stack: str
    tick: Tick
    spread: Spread
    runs: int
    seed: int

    @property
    def _random(self) -> Random:
        return Random(f"{self.seed}/{self.stack}/{self.tick}/{self.name}")  # noqa: S311  simulated jitter

    @cached_property
    def scale(self) -> float:
        """How much longer than the mean ones its steps take."""
        return self._random.uniform(0.7, 1.6)

    @cached_property
    def faults(self) -> Sequence[int]:
        """When each run's fault was."""
        random = self._random
        return [FIRST_DAY + number * BETWEEN_RUNS + random.randrange(3600 * SECOND) for number in range(self.runs)]

    @cached_property
    def elapsed(self) -> Sequence[Mapping[str, int]]:
        """When each step of each run was done, since its fault."""
        random, found = self._random, []
        for _ in range(self.runs):
            at = -random.uniform(*PHASES.get(self.tick, (0.0, 1.0))) * INTERVALS_S[self.stack] * SECOND
            times = {}
            for step, mean_s in STEPS_S[self.stack].items():
                is_timer = step in TIMERS[self.stack]
                mean = round(mean_s * SECOND * (1 if is_timer else self.scale))
                at += mean if is_timer else self.spread.drawn(random, mean)
                times[step] = round(at)
            found.append(times)
        return found

    def files(self) -> Iterator[tuple[str, str]]:
        """The files by path within the study: the survivor's log of each run."""
        for name, text in FILES[self.stack].items():
            yield f"{self.name}/{name}", text
        path, lines, stamp = WRITERS[self.stack]
        for number, (fault_at, elapsed) in enumerate(zip(self.faults, self.elapsed, strict=True), 1):
            said = sorted(lines({step: fault_at + each for step, each in elapsed.items()}))
            text = "".join(f"{stamp(at)} {each}\n" for at, each in said)
            yield f"{self.name}/run{number:02d}/{path}", text

    def truths(self) -> Iterator[tuple[str, str, float, list[float]]]:
        """Milestones, each with its population mean and its true times, seconds."""
        for step, mean_s in self.means.items():
            yield "milestone", step, mean_s, [each[step] / SECOND for each in self.elapsed]

    @cached_property
    def means(self) -> Mapping[str, float]:
        """The population mean of every milestone."""
        at = -sum(PHASES.get(self.tick, (0.0, 1.0))) / 2 * INTERVALS_S[self.stack]
        found = {}
        for step, mean_s in STEPS_S[self.stack].items():
            at += mean_s if step in TIMERS[self.stack] else mean_s * self.scale
            found[step] = at
        return found

    def manifest(self) -> Iterator[str]:
        """Nothing: the fault is inferred."""
        yield from ()


def _corosync(at: Mapping[str, int]) -> Iterator[Timed]:
    before, begun = at["token"] - 60 * SECOND, at["dead"] + SECOND // 10
    yield before, f"{TOTEM} A new membership (10.0.0.1:8) was formed. Members joined: 1 2"
    for number, node in enumerate(("alder", "birch"), 1):
        yield before, f"{CONTROLD} Node {node} state is now member | nodeid={number} previous=unknown"
    waited = "token timed out (5000ms), waiting 6000ms for consensus."
    yield at["token"], f"{TOTEM} A processor failed, forming new configuration: {waited}"
    yield at["dead"], f"{TOTEM} A new membership (10.0.0.2:12) was formed. Members left: 1"
    yield at["dead"], f"{CONTROLD} Node alder state is now lost | nodeid=1 previous=member"
    for resource, start, end in (("vip", begun, at["ip"]), ("mysql", at["ip"] + 1, at["started"])):
        yield start, f"{CONTROLD} Requesting local execution of start operation for {resource} on birch"
        yield end, f"{CONTROLD} Result of start operation for {resource} on birch: 0 (ok)"


def _heartbeat(at: Mapping[str, int]) -> Iterator[Timed]:
    yield at["dead"] - 60 * SECOND, "info: Status update for node alder: status active"
    yield at["dead"], "WARN: node alder: is dead"
    yield at["dead"], "info: Link alder:eth0 dead."
    yield at["dead"] + 1, "info: Resources being acquired from alder."
    yield at["dead"] + 2, "info: Running /etc/ha.d/resource.d/IPaddr 10.0.0.9 start"
    yield at["ip"], "info: Running /etc/init.d/mysqld  start"
    yield at["started"], "info: mach_down takeover complete."


def _sentinel(at: Mapping[str, int]) -> Iterator[Timed]:
    master = "mymaster 10.0.0.1 6379"
    yield at["suspected"] - 60 * SECOND, f"+monitor master {master} quorum 2"
    yield at["suspected"], f"+sdown master {master}"
    yield at["dead"], f"+odown master {master} #quorum 2/2"
    yield at["elected"], f"+switch-master {master} 10.0.0.2 6379"


WRITERS: Mapping[str, tuple[str, Callable[[Mapping[str, int]], Iterator[Timed]], Callable[[int], str]]] = {
    "corosync": ("messages", _corosync, lambda at: f"{wall(at):%Y-%m-%dT%H:%M:%S.%f}+00:00 birch"),
    "heartbeat": ("ha-log", _heartbeat, lambda at: f"heartbeat: {wall(at):%Y/%m/%d_%H:%M:%S}"),
    "sentinel": ("sentinel.log", _sentinel, lambda at: f"{f'24497:X {wall(at):%d %b %Y %H:%M:%S.%f}'[:-3]} #"),
}
"""The survivor's log of each stack, its lines, and how they are stamped."""
