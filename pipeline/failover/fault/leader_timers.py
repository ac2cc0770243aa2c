"""How long after a leader is lost a line misses it, by the timers of its stack."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from pipeline.failover.rules import rules
from pipeline.failover.timer.timer_settings import SpecifiedTimer


@dataclass(frozen=True, slots=True)
class Detection:
    """When a line misses a leader: its timers, each with how many times it runs out, and how late the program looks."""

    timers: Mapping[str, int]
    looks_s: float = 0.0

    def longest(self, stated: Mapping[str, float]) -> "Longest":
        """How long it takes at most. `stated`: timers by configuration files, seconds."""
        fixed, default = rules("timers")["fixed"], rules("timers")["leader_timers"]
        known = fixed | stated
        seconds = sum(times * known.get(timer, default.get(timer)) for timer, times in self.timers.items())
        return Longest(seconds + self.looks_s, is_assumed=not known.keys() >= self.timers.keys())


@dataclass(frozen=True, slots=True)
class Longest:
    """The longest time in which a loss is noticed. `is_assumed`: by the release's default."""

    seconds: float
    is_assumed: bool


@cache
def detections() -> Mapping[tuple[str, str], Detection]:
    """By stack and kind of line."""
    return {
        (rule["stack"], kind): Detection(rule["timers"], rule.get("looks_s", 0.0))
        for rule in rules("timers")["detection"]
        for kind in rule["kinds"]
    }


@cache
def lease_of(stack: str) -> Detection | None:
    """How long after its last renewal others may see the lock of a leader; None of a stack without a lock."""
    timers = rules("timers")["lease"].get(stack)
    return None if timers is None else Detection(timers)


def stated_timers(specified: Iterable[SpecifiedTimer]) -> Mapping[str, float]:
    """Timers by the configuration files of a unit, seconds."""
    return {each.timer: each.seconds for each in specified}
