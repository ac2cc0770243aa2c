"""What happens in a failover: when each step of a run completes, and why then.

A node dies at the instant zero of its run. Its last heartbeat was heard up to half a second before. LLT looks once a
second, at a phase of its own, and counts whole seconds of silence since that heartbeat; GAB waits until the membership
has been stable; from then on the cluster server and the database do their work, some of it in parallel.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

from samples.simulate.scenarios import SECOND, Scenario

T = TypeVar("T")

HEARTBEAT = SECOND // 2
EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  wall clocks without a zone, as the logs have them


@dataclass(frozen=True, slots=True)
class Run:
    """One failover. Instants are microseconds of the survivor's wall clock since 1970."""

    number: int
    lost: int  # LLT node id of the node that dies
    fault_at: int
    heartbeat_gap: int  # from the last heartbeat heard to the fault
    tick: int  # phase of link 0's one-second timer after the last heartbeat
    link_lag: int  # link 1 is looked at this much later
    skew: int  # the lost node's clock minus the survivor's
    elapsed: dict[str, int]  # milestone: true instant of its line, after the fault

    @property
    def survivor(self) -> int:
        """LLT node id of the node that takes over."""
        return 1 - self.lost

    def at(self, milestone: str) -> int:
        """Instant of a milestone on the survivor's clock."""
        return self.fault_at + self.elapsed[milestone]

    @property
    def last_heard(self) -> int:
        """Instant of the last heartbeat that arrived."""
        return self.fault_at - self.heartbeat_gap

    def silent_line_at(self, seconds: int, link: int) -> int:
        """Instant at which LLT says that a link has been silent for so many seconds."""
        return self.last_heard + seconds * SECOND + self.tick + link * self.link_lag


def wall(instant: int) -> datetime:
    """Wall clock of an instant."""
    return EPOCH + timedelta(microseconds=instant)


def instant_of(text: str) -> int:
    """Instant of a wall clock written YYYY-MM-DD HH:MM."""
    return (datetime.fromisoformat(text) - EPOCH) // timedelta(microseconds=1)


def pick(random: Random, choices: Sequence[T]) -> T:
    """One of the choices, by one integer draw."""
    return choices[random.randrange(len(choices))]


def shuffled(random: Random, items: Sequence[T]) -> list[T]:
    """The items in a random order, by integer draws."""
    rest = list(items)
    return [rest.pop(random.randrange(len(rest))) for _ in range(len(rest))]


def _centred(random: Random, count: int, half: int) -> list[int]:
    """Deviations of up to `half` to either side whose mean is zero."""
    draws = [random.randrange(-half, half + 1) for _ in range(count)]
    mean = sum(draws) // count
    return [draw - mean for draw in draws]


def _following(random: Random, after: list[int], mean: int, half: int) -> list[int]:
    """Instants that follow others at a duration of small spread, and whose mean is `mean`."""
    duration = mean - sum(after) // len(after)
    return [a + duration + d for a, d in zip(after, _centred(random, len(after), half), strict=True)]


def _target(scenario: Scenario, milestone: str) -> int:
    """Mean true instant: the published mean itself, but for a step that the paper also bounds."""
    shift = 0
    if scenario.preset and milestone == "cvm_cfs":
        shift -= 130_000  # the paper calls this step shorter than two seconds, its table shows 5 and 7
    return scenario.targets_s[milestone] * SECOND + shift


def _detection(
    scenario: Scenario, random: Random, gaps: list[int], ticks: list[int], lags: list[int]
) -> list[list[int]]:
    silent_s = scenario.targets_s["llt"]
    llt = [silent_s * SECOND + tick + lag - gap for gap, tick, lag in zip(gaps, ticks, lags, strict=True)]
    wait = (scenario.targets_s["gab"] - silent_s) * SECOND
    return [llt, [each + wait + d for each, d in zip(llt, _centred(random, len(llt), 80_000), strict=True)]]


def _storage(scenario: Scenario, random: Random, gab: list[int]) -> dict[str, list[int]]:
    if scenario.clustered:
        step = (scenario.targets_s["cvm_cfs"] - scenario.targets_s["gab"]) * SECOND
        half = step // 25 + 150_000
        return {"cvm_cfs": _following(random, gab, _target(scenario, "cvm_cfs"), half)}
    step = (scenario.targets_s["vm"] - scenario.targets_s["gab"]) * SECOND
    vm = _following(random, gab, _target(scenario, "vm"), step // 15 + 150_000)
    step = (scenario.targets_s["fs"] - scenario.targets_s["vm"]) * SECOND
    return {"vm": vm, "fs": _following(random, vm, _target(scenario, "fs"), step // 70 + 300_000)}


def _steps(scenario: Scenario, random: Random, llt: list[int], gab: list[int]) -> dict[str, list[int]]:
    steps = {"llt": llt, "gab": gab} | _storage(scenario, random, gab)
    steps["ip"] = _following(random, gab, _target(scenario, "ip"), 350_000)
    storage = steps["cvm_cfs"] if scenario.clustered else steps["fs"]
    ready = [max(pair) for pair in zip(storage, steps["ip"], strict=True)]
    steps["detect"] = _following(
        random, ready, _target(scenario, "detect"), 400_000 if scenario.prestarted else 1_100_000
    )
    replay = (scenario.targets_s["complete"] - scenario.targets_s["detect"]) * SECOND
    steps["complete"] = _following(random, steps["detect"], _target(scenario, "complete"), replay // 12)
    steps["db2udb"] = _following(random, steps["complete"], _target(scenario, "db2udb"), scenario.lag_half_us)
    return steps


def draw(scenario: Scenario, random: Random, faults: list[int], lost: list[int]) -> list[Run]:
    """Runs of a scenario at about the given instants, with their random spread."""
    count = len(faults)
    gaps = [random.randrange(HEARTBEAT) for _ in range(count)]
    ticks = [random.randrange(*scenario.tick_us) for _ in range(count)]
    lags = [random.randrange(5_000, 90_000) for _ in range(count)]
    phases = [random.randrange(SECOND) for _ in range(count)]
    skews = [random.randrange(300_000, 1_500_000) * pick(random, (-1, 1)) for _ in range(count)]
    llt, gab = _detection(scenario, random, gaps, ticks, lags)
    steps = _steps(scenario, random, llt, gab)
    return [
        Run(
            number=i + 1,
            lost=lost[i],
            fault_at=faults[i] // SECOND * SECOND + phases[i],
            heartbeat_gap=gaps[i],
            tick=ticks[i],
            link_lag=lags[i],
            skew=skews[i],
            elapsed={milestone: values[i] for milestone, values in steps.items()},
        )
        for i in range(count)
    ]
