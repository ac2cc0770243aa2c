"""Which runs of a configuration were slow or failed, where their time went, and which messages only they have.

A pure function of runs and of their messages, as `messages.sql` counts them; a message is a text with its numbers
masked. Times are seconds after the fault of the run.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import Any, Final

from pipeline.errors import UsageError
from pipeline.severity import grade_of

Row = Mapping[str, Any]
Key = tuple[str, str, str]
"""Of a message: source, process, text with its numbers masked."""

ENDED: Final = frozenset({"recovered", "recovered_by_hand"})
FAILED: Final = frozenset({"failed", "aborted"})
NO_FAILOVER: Final = frozenset({"planned"})

MAD_TO_DEVIATION: Final = 1.4826
"""Of a normal distribution: standard deviation over median absolute deviation."""

DEVIATIONS: Final = 3
LEAST_EXCESS: Final = 0.1
"""A slow run takes three deviations and a tenth longer than the median of all."""

STEADY_SHARE: Final = 0.25
LEAST_STEADY_S: Final = 1.0
"""A message marks a step if, in the other runs, its time spreads by less than this share of what is to be explained."""

ODD_SHARE: Final = 0.2
"""It may be absent from this share of them, or come at another time."""

MORE_OFTEN: Final = 2
"""A message that a run logs this many times more often than any other run is shown too."""

GRADE_WEIGHTS: Final = {"grave": 2, "warning": 1, "": 0}
TROUBLE: Final = (
    *("abort", "cannot", "delay", "denied", "dirty", "error", "expire", "fail", "fault", "fsck", "hang", "hung"),
    *("invalid", "lost", "refused", "reject", "repair", "reset", "restart", "retr", "slow", "stall", "stuck"),
    *("timed out", "timeout", "unable", "unavailable", "unexpected", "unreachable", "wait"),
)
"""Parts of words that a program uses for what holds it up."""

FAULT: Final = "the fault"
BACK: Final = "the service is back"

DUMP: Final = ("+", "-", "<", "{", "|")
"""How a line begins that shows a state or a difference and says nothing."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A run with its outcome; `time_s`: to recovery, None of one that did not recover."""

    run: str
    outcome: str
    time_s: float | None


@dataclass(frozen=True, slots=True)
class Place:
    """The first line of a message in a run."""

    run: str
    at_s: float
    node: str | None
    source: str
    severity: str | None
    text: str
    path: str
    line_no: int


@dataclass(frozen=True, slots=True)
class Step:
    """Where the time of a run went: between two lines that every other run has too. `end`: None where it never came.

    `others_s`: the shortest and longest time between the same two lines in the other runs.
    """

    run: str
    begin: Place
    end: Place | None
    seconds: float | None
    others_s: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Told:
    """A message that the slow runs have: its first line in each of them.

    `count`: lines in these runs on the way to recovery; `most_elsewhere`: of the other run that has most of it there.
    `is_in_step`: said in the step that the time went to.
    """

    places: tuple[Place, ...]
    count: int
    most_elsewhere: int
    is_in_step: bool


@dataclass(frozen=True, slots=True)
class Why:
    """What sets the slow or failed runs of a configuration apart from its others."""

    configuration: str
    slow: tuple[Timed, ...]
    others: tuple[Timed, ...]
    chosen: str
    steps: tuple[Step, ...]
    only: tuple[Told, ...]
    more_often: tuple[Told, ...]
    missing: tuple[Place, ...]


@dataclass(slots=True)
class _Message:
    """A message: what each run of the configuration has of it, and whether any other configuration has it."""

    rows: dict[str, Row] = field(default_factory=dict)
    is_elsewhere: bool = False

    def on_way(self, run: str) -> int:
        return self.rows[run]["on_way"] if run in self.rows else 0

    def place(self, run: str) -> Place:
        row = self.rows[run]
        names = ("node", "source", "severity", "text", "path", "line_no")
        return Place(run, row["first_s"], *(row[each] for each in names))


@dataclass(frozen=True, slots=True)
class _Mark:
    """A moment that runs share: of a message, or the fault or the recovery (`told` is then their name)."""

    usual_s: float
    times: Mapping[str, float]
    told: _Message | str

    def has(self, run: str) -> bool:
        return self.told == FAULT or run in self.times

    def at_s(self, run: str) -> float:
        return self.times.get(run, 0.0)

    def place(self, run: str) -> Place:
        if isinstance(self.told, str):
            return Place(run, self.at_s(run), None, "", None, self.told, "", 0)
        return self.told.place(run)


_BEGIN: Final = _Mark(0.0, {}, FAULT)


def why(configuration: str, runs: Sequence[Timed], messages: Iterable[Row], run: str | None = None) -> Why:
    """Set the slow or failed runs of a configuration, or the `run` that is named, against the others.

    Raises UsageError where there is nothing to set them against.
    """
    runs = [each for each in runs if each.outcome not in NO_FAILOVER or each.run == run]
    slow, chosen = _chosen(runs, run)
    names = {each.run for each in slow}
    others = recovered_besides(runs, slow)
    if not slow or not others:
        raise UsageError(f"{configuration}: no run that recovered is left to compare with; it takes two runs")
    told = _by_message(configuration, messages)
    steps = [step for each in slow if (step := _step(each, others, told)) is not None]
    only, more = _told(told, slow, others, {each.run: each for each in steps})
    missing = [
        each.place(others[0].run)
        for each in told
        if all(each.on_way(other.run) for other in others) and not any(each.on_way(name) for name in names)
    ]
    return Why(configuration, tuple(slow), tuple(others), chosen, tuple(steps), only, more, tuple(missing))


def _chosen(runs: Sequence[Timed], run: str | None) -> tuple[list[Timed], str]:
    """The runs in question, and in words how they were found: named, failed, slow, or just the slowest."""
    if run is not None:
        return [each for each in runs if each.run == run], "named"
    found = slow_or_failed(runs)
    if found:
        kinds = {each.outcome in FAILED for each in found}
        return found, "slow or failed" if len(kinds) == 2 else "failed" if True in kinds else "slow"
    timed = _timed(runs)
    slowest = max(timed, key=timed.__getitem__, default=None)
    return [each for each in runs if each.run == slowest], "slowest"


def slow_or_failed(runs: Sequence[Timed]) -> list[Timed]:
    """The runs that failed, or took three deviations and a tenth longer than the median of those that recovered."""
    slow = _slow(_timed(runs))
    return [each for each in runs if each.outcome in FAILED or each.run in slow]


def recovered_besides(runs: Sequence[Timed], slow: Sequence[Timed]) -> list[Timed]:
    """The other runs that recovered: what slow or failed ones are set against."""
    return [each for each in runs if each not in slow and each.outcome in ENDED and each.time_s is not None]


def _timed(runs: Sequence[Timed]) -> dict[str, float]:
    return {each.run: each.time_s for each in runs if each.time_s is not None and each.outcome in ENDED}


def _slow(timed: Mapping[str, float]) -> set[str]:
    if len(timed) < 3:
        return set()
    middle = median(timed.values())
    deviation = MAD_TO_DEVIATION * median(abs(each - middle) for each in timed.values())
    limit = middle + max(DEVIATIONS * deviation, LEAST_EXCESS * middle)
    return {run for run, time in timed.items() if time > limit}


def _by_message(configuration: str, rows: Iterable[Row]) -> list[_Message]:
    """The messages of a configuration in the order in which they are first said after a fault."""
    found: dict[Key, _Message] = {}
    elsewhere: set[Key] = set()
    for row in rows:
        key = row["source"], row["process"], row["template"]
        if row["configuration"] == configuration and row["run"] is not None:
            found.setdefault(key, _Message()).rows[row["run"]] = row
        else:
            elsewhere.add(key)
    for key in elsewhere & found.keys():
        found[key].is_elsewhere = True
    return list(found.values())


def _step(slow: Timed, others: Sequence[Timed], told: Sequence[_Message]) -> Step | None:
    """The step that took longest beyond what it takes in the other runs, between messages that come steadily there."""
    usual = median(each.time_s or 0.0 for each in others)
    excess = usual if slow.time_s is None else slow.time_s - usual
    marks = [_BEGIN, *_marks(others, told, max(STEADY_SHARE * excess, LEAST_STEADY_S))]
    if slow.time_s is not None:
        marks.append(_Mark(usual, {each.run: each.time_s for each in (*others, slow) if each.time_s is not None}, BACK))
    reached = sorted((mark for mark in marks if mark.has(slow.run)), key=lambda mark: mark.at_s(slow.run))
    if slow.time_s is None:
        begin = max(reached, key=lambda mark: mark.usual_s)
        after = [mark for mark in marks if mark.usual_s > begin.usual_s]
        if after:
            return Step(slow.run, begin.place(slow.run), None, None, _range(begin, after[0], others))
    late = []
    for begin, end in pairwise(reached):
        seconds, others_s = end.at_s(slow.run) - begin.at_s(slow.run), _range(begin, end, others)
        more = seconds - (end.usual_s - begin.usual_s)
        if seconds > others_s[1] and more > STEADY_SHARE * excess:
            step = Step(slow.run, begin.place(slow.run), end.place(slow.run), seconds, others_s)
            late.append((more, step))
    return max(late, key=lambda each: each[0])[1] if late else None


def _marks(others: Sequence[Timed], told: Sequence[_Message], steady: float) -> list[_Mark]:
    """Messages that nearly all other runs have at nearly the same time, in its order."""
    found = []
    for each in told:
        times = sorted(each.rows[other.run]["first_s"] for other in others if each.on_way(other.run))
        odd = int(ODD_SHARE * len(others))
        if len(times) < max(len(others) - odd, 1):
            continue
        inner = times[odd // 2 : len(times) - odd // 2]
        if inner[-1] - inner[0] <= steady:
            found.append(
                _Mark(median(times), {run: row["first_s"] for run, row in each.rows.items() if row["on_way"]}, each)
            )
    return sorted(found, key=lambda mark: mark.usual_s)


def _range(begin: _Mark, end: _Mark, others: Sequence[Timed]) -> tuple[float, float]:
    found = [end.at_s(each.run) - begin.at_s(each.run) for each in others if begin.has(each.run) and end.has(each.run)]
    return min(found), max(found)


def _told(
    told: Sequence[_Message], slow: Sequence[Timed], others: Sequence[Timed], steps: Mapping[str, Step]
) -> tuple[tuple[Told, ...], tuple[Told, ...]]:
    """Messages that no other run has at all, and those that others have by far less often; the most telling first."""
    only: list[tuple[float, float, Told]] = []
    more: list[tuple[float, float, Told]] = []
    names = [each.run for each in others]
    for each in told:
        runs = [run.run for run in slow if each.on_way(run.run)]
        if not runs:
            continue
        places = tuple(each.place(run) for run in runs)
        is_in_step = any(_is_in(place, steps.get(place.run)) for place in places)
        count, most = sum(map(each.on_way, runs)), max(map(each.on_way, names))
        found = Told(places, count, most, is_in_step)
        ranked = (-_weight(found, each, len(slow)), min(place.at_s for place in places), found)
        if not any(name in each.rows for name in names):
            only.append(ranked)
        elif any(each.on_way(run) > MORE_OFTEN * max(most, 1) for run in runs) and not any(
            each.rows[run]["before"] for run in runs
        ):
            more.append(ranked)
    return _first_told(only), _first_told(more)


def _first_told(ranked: list[tuple[float, float, Told]]) -> tuple[Told, ...]:
    return tuple(found for _, _, found in sorted(ranked, key=lambda each: each[:2]))


def _is_in(place: Place, step: Step | None) -> bool:
    return step is not None and step.begin.at_s <= place.at_s and (step.end is None or place.at_s <= step.end.at_s)


def _weight(found: Told, message: _Message, slow: int) -> float:
    """How telling a message is: said where the time went, grave, in words of trouble, nowhere else, not before."""
    text = found.places[0].text.lower()
    return (
        4 * found.is_in_step
        + GRADE_WEIGHTS[grade_of(found.places[0].severity)]
        + 2 * any(each in text for each in TROUBLE)
        + 2 * (not message.is_elsewhere)
        - 4 * any(message.rows[place.run]["before"] > 0 for place in found.places)
        - 2 * text.startswith(DUMP)
        + len(found.places) / slow
    )
