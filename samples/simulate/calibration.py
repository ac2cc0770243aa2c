"""Chooses, for each scenario, the first seed whose runs show the published means in both readings of the fault time."""

from random import Random

from samples.simulate.physics import HEARTBEAT, Run, draw
from samples.simulate.scenarios import SECOND, Scenario

MEAN_TOLERANCE = 350_000  # of a mean from its whole second, so that rounding never hangs by a thread
STAMP_SPREAD = 410_000  # standard deviation that two whole-second stamps add to a difference


class NoSeedError(Exception):
    """No seed in the range tried shows the scenario's means; its numbers contradict each other."""


def read(scenario: Scenario, run: Run, milestone: str) -> int:
    """A milestone as a reader of its log places it: in the middle of the second that the stamp is cut to."""
    instant = run.at(milestone)
    return instant if milestone in scenario.fine else instant // SECOND * SECOND + SECOND // 2


def inferred_fault(scenario: Scenario, run: Run) -> int:
    """Fault time as a reader of the logs gets it from the `inactive N sec` lines: the middle of what they allow."""
    lows, highs = [], []
    for seconds in silent_seconds(scenario):
        for link in (0, 1):
            instant = run.silent_line_at(seconds, link)
            is_fine = "llt" in scenario.fine
            stamp = instant if is_fine else instant // SECOND * SECOND
            lows.append(stamp - (seconds + 1) * SECOND)
            highs.append(stamp - seconds * SECOND + (0 if is_fine else SECOND))
    return (max(lows) + min(highs) + HEARTBEAT) // 2


def silent_seconds(scenario: Scenario) -> range:
    """The N of the `inactive N sec` lines: from half the time-out to its last whole second."""
    return range((scenario.peerinact_s + 1) // 2, scenario.peerinact_s)


def _is_spread_fine(values: list[int], target_us: int) -> bool:
    count = len(values)
    mean = sum(values) // count
    variance = sum((value - mean) ** 2 for value in values) // (count - 1)
    return variance < STAMP_SPREAD**2 + (target_us * 9 // 100) ** 2


def _squares(values: list[int]) -> int:
    mean = sum(values) // len(values)
    return sum((value - mean) ** 2 for value in values)


def _shows(scenario: Scenario, runs: list[Run], zeros: list[int]) -> bool:
    seen = {
        milestone: [read(scenario, run, milestone) - zero for run, zero in zip(runs, zeros, strict=True)]
        for milestone in scenario.targets_s
    }
    for milestone, values in seen.items():
        target = scenario.targets_s[milestone] * SECOND
        if abs(sum(values) // len(values) - target) > MEAN_TOLERANCE or not _is_spread_fine(values, target):
            return False
    widest = max(_squares(values) for milestone, values in seen.items() if milestone != "db2udb")
    return _squares(seen["db2udb"]) * 2 > widest * 3 and all(_steps_show(scenario, seen))


def _steps_show(scenario: Scenario, seen: dict[str, list[int]]) -> list[bool]:
    """Whether the durations between milestones average to the whole seconds that the table's columns differ by."""
    pairs = [("gab", "vm"), ("vm", "fs"), ("detect", "complete"), ("gab", "cvm_cfs")]
    found = []
    for start, end in pairs:
        if start in seen and end in seen:
            target = (scenario.targets_s[end] - scenario.targets_s[start]) * SECOND
            mean = (sum(seen[end]) - sum(seen[start])) // len(seen[end])
            found.append(abs(mean - target) <= MEAN_TOLERANCE)
            if scenario.preset and end == "cvm_cfs":
                found.append(mean < 2 * SECOND - 50_000)
    return found


def calibrated(scenario: Scenario, first_seed: int, faults: list[int], lost: list[int]) -> list[Run]:
    """Runs of the first seed that shows the scenario's means both by the true and by the inferred fault."""
    for seed in range(first_seed, first_seed + 20_000):
        runs = draw(scenario, Random(seed), faults, lost)
        true = [run.fault_at for run in runs]
        inferred = [inferred_fault(scenario, run) for run in runs]
        if _shows(scenario, runs, true) and _shows(scenario, runs, inferred):
            return runs
    raise NoSeedError(scenario.name)
