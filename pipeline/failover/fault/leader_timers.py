"""How long after a leader is lost a line misses it, by the timers of its stack."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from pipeline.failover.rules import rules
from pipeline.failover.timer.timer_settings import SpecifiedTimer


@dataclass(frozen=True, slots=True)
class Detection:
    """When a line misses a leader: its timers, each with how many times it runs out, and how late the program looks.

    `sooner`: timers by which it may come sooner; None where it may come at once.
    """

    timers: Mapping[str, int]
    looks_s: float = 0.0
    sooner: Mapping[str, int] | None = None

    def longest(self, stated: Mapping[str, float]) -> "Longest":
        """How long it takes at most. `stated`: timers by configuration files and logs, seconds."""
        return Longest(_sum_s(self.timers, stated) + self.looks_s, is_assumed=not _are_known(self.timers, stated))

    def shortest_s(self, stated: Mapping[str, float]) -> float:
        """How long it takes at least: nothing where a timer that has to run out is not known."""
        sooner = self.timers if self.sooner is None else self.sooner
        times = {each: self.timers.get(each, 0) - sooner.get(each, 0) for each in {**self.timers, **sooner}}
        must_run_out = (timer for timer, count in times.items() if count > 0)
        return max(0.0, _sum_s(times, stated)) if _are_known(must_run_out, stated) else 0.0


@dataclass(frozen=True, slots=True)
class Longest:
    """The longest time in which a loss is noticed. `is_assumed`: by the release's default."""

    seconds: float
    is_assumed: bool


def _sum_s(times: Mapping[str, int], stated: Mapping[str, float]) -> float:
    known = {**rules("timers")["leader_timers"], **rules("timers")["fixed"], **stated}
    return sum((count * known[timer] for timer, count in times.items()), 0.0)


def _are_known(timers: Iterable[str], stated: Mapping[str, float]) -> bool:
    return all(each in stated or each in rules("timers")["fixed"] for each in timers)


@cache
def detections() -> Mapping[tuple[str, str], Detection]:
    """By stack and kind of line."""
    return {
        (rule["stack"], kind): Detection(rule["timers"], rule.get("looks_s", 0.0), rule.get("sooner"))
        for rule in rules("timers")["detection"]
        for kind in rule["kinds"]
    }


@cache
def lease_of(stack: str) -> Detection | None:
    """How long after its last renewal others may see the lock of a leader; None of a stack without a lock."""
    timers = rules("timers")["lease"].get(stack)
    return None if timers is None else Detection(timers)


def stated_timers(specified: Iterable[SpecifiedTimer]) -> Mapping[str, float]:
    """Timers by the configuration files and logs of a unit, seconds."""
    return {each.timer: each.seconds for each in specified}
