"""Faults that a test injected: when each began, what it was done to, and what ended it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Annotated, NamedTuple

from pipeline.failover.rules import rules
from pipeline.failover.stamps import end_of
from pipeline.failover.step import RUN, Int16, Int32, grouped, nulls_last, step
from pipeline.failover.windows import INJECTED_TOGETHER

# --- faults that tools log -------------------------------------------------------------------------------------------


class LoggedFault(NamedTuple):
    """One row per fault that the log of Chaos Mesh, Litmus or toxiproxy shows, with its beginning and its end. Times
    in UTC. A stamp means the time from its own to the next possible one: a line in whole seconds is up to a
    second late. What is injected into one object within 2 s is one fault. An end that names no object ends all
    faults of the tool. Several toxics on one proxy end with the last that is taken away.
    """

    configuration: str
    run: str
    tool: Annotated[str, "chaos_mesh, litmus, toxiproxy"]
    kind: Annotated[
        str,
        "what was done, as the tool calls it: PodChaos pod-kill, container-kill, toxic, closed, ...",
    ]
    target: Annotated[str | None, "what it was done to; null where the log does not tell"]
    asked_at: Annotated[datetime, "it began no earlier"]
    done_at: Annotated[datetime | None, "it began no later; null where no line says that it was done"]
    end_asked_at: Annotated[
        datetime | None,
        "it ended no earlier; null where nothing ended it, or the tool says so only afterwards",
    ]
    end_done_at: Annotated[datetime | None, "it ended no later"]
    file_id: Annotated[Int32, "file of the line that shows it first"]
    line_no: Int32


class InjectionLine(NamedTuple):
    """A line by which a tool that injects faults says what it does."""

    configuration: str
    run: str
    stack: str
    kind: str
    object: str | None
    action: str | None
    at: datetime
    resolution_s: float
    file_id: Int32
    line_no: Int32
    part: Int16


def _is_begin(line: InjectionLine) -> bool:
    """Whether a fault begins with a line, or with one of the next."""
    return line.kind in {"fault_asked", "fault_injected"}


@dataclass(slots=True)
class Fault:
    """Lines that begin one fault, and the later ones of its tool that may speak of it."""

    begins: list[InjectionLine]
    later: list[InjectionLine]


@step(by=RUN, is_stored=False)
def logged_fault(injection_line: Sequence[InjectionLine]) -> Iterator[LoggedFault]:
    """The faults of a run, tool by tool."""
    lines = sorted(injection_line, key=lambda each: (each.at, each.file_id, each.line_no, each.part))
    for own in grouped(lines, "stack").values():
        for fault in _faults(_without_faults_that_stay(own)):
            yield _logged(fault)


def _without_faults_that_stay(lines: Sequence[InjectionLine]) -> Iterator[InjectionLine]:
    """Lines of a tool without the ends of faults that lie on each other, while others of their object stay."""
    stacked: dict[str | None, int] = {}
    for line in lines:
        if line.object is None and not _is_begin(line):
            stacked.clear()
        is_stacked = line.action in rules("injected_faults")["stacked"]
        if is_stacked:
            stacked[line.object] = stacked.get(line.object, 0) + (1 if _is_begin(line) else -1)
        if _is_begin(line) or not is_stacked or stacked[line.object] <= 0:
            yield line


def _faults(lines: Iterable[InjectionLine]) -> list[Fault]:
    """The lines of a tool, fault by fault; one ends where the next of its object begins."""
    faults: list[Fault] = []
    open_faults: dict[str | None, Fault] = {}
    before: dict[str | None, InjectionLine] = {}
    previous: InjectionLine | None = None
    for line in lines:
        fault = open_faults.get(line.object)
        if _is_begin(line) and _begins_another(line, before.get(line.object), previous):
            fault = open_faults[line.object] = Fault([], [])
            faults.append(fault)
        if _is_begin(line) and fault is not None:
            fault.begins.append(line)
            fault.later.clear()
        for each in open_faults.values():
            if each is not fault or not _is_begin(line):
                each.later.append(line)
        before[line.object] = previous = line
    return faults


def _begins_another(line: InjectionLine, before: InjectionLine | None, previous: InjectionLine | None) -> bool:
    """Whether a line begins another fault than `before`, the last one about its object; `previous`: about any."""
    if line.kind == "fault_injected" and line.object is None and previous is not None and _is_begin(previous):
        return False
    if before is None or not _is_begin(before):
        return True
    if line.kind == "fault_injected" and before.kind == "fault_asked":
        return False
    return line.at > before.at + INJECTED_TOGETHER


def _logged(fault: Fault) -> LoggedFault:
    """A fault as its lines tell it."""
    first = fault.begins[0]
    later = [each for each in fault.later if None in {each.object, first.object} or each.object == first.object]
    ends = [each for each in later if not _is_begin(each)]
    ended = [each for each in ends if each.kind == "fault_ended"]
    over = [each for each in ends if each.kind == "fault_over"]
    actions = [each.action for each in fault.begins if each.action is not None]
    return LoggedFault(
        first.configuration,
        first.run,
        tool=first.stack,
        kind=max(set(actions) - set(rules("injected_faults")["vague"]), default=max(actions, default=first.stack)),
        target=first.object,
        asked_at=first.at,
        done_at=_first_until(fault.begins, "fault_injected") or _first_until(later, "fault_injected"),
        end_asked_at=ends[0].at if ends and ends[0].kind == "fault_ended" else None,
        end_done_at=_first_until(over, "fault_over") or _first_until(ended, "fault_ended"),
        file_id=first.file_id,
        line_no=first.line_no,
    )


def _first_until(lines: Iterable[InjectionLine], kind: str) -> datetime | None:
    """The earliest time by which a line of a kind was written."""
    return min((end_of(each.at, each.resolution_s) for each in lines if each.kind == kind), default=None)


# --- faults of a nemesis, and all faults of a run --------------------------------------------------------------------


class InjectedFault(NamedTuple):
    """One row per run and fault that a test injected, with its beginning and its end. Times in UTC. Those of Chaos
    Mesh, Litmus and toxiproxy are as in `logged_fault`. The nemesis of Jepsen says twice what it does: when
    asked, and when done. The fault began between the two, and no line says when. What heals a fault of a kind is
    known by its name: `stop-X` and `heal-X` end `start-X`, `start` and `restart` end `kill`, `resume` ends
    `pause`, `reset-clock` ends faults of clocks, `stop` and `heal` end any other. A fault that nothing heals has
    no end. Checks and what prepares a test are no faults.
    """

    configuration: str
    run: str
    fault_no: Annotated[Int32, "number within the run, in the order of time, from 1"]
    kind: Annotated[str, "what was done, as the test calls it: kill, start-partition, ..."]
    target: Annotated[str | None, "what it was done to, as printed when it was asked"]
    result: Annotated[str | None, "what came of it, as printed when it was done; null where no line says that"]
    asked_at: Annotated[datetime, "it began no earlier"]
    done_at: Annotated[datetime | None, "it began no later; null where no line says that it was done"]
    end_asked_at: Annotated[datetime | None, "it ended no earlier; null where nothing ended it"]
    end_done_at: Annotated[datetime | None, "it ended no later"]
    file_id: Annotated[Int32, "file of the line on which it was asked"]
    line_no: Int32


class NemesisOperation(NamedTuple):
    """A line by which the nemesis of a test says what it does, or what came of it."""

    configuration: str
    run: str
    f: str | None
    value: str | None
    at: datetime
    file_id: Int32
    line_no: Int32


class Action(NamedTuple):
    """What a nemesis did: when asked, and when done."""

    f: str
    asked: NemesisOperation
    done: NemesisOperation | None

    @property
    def done_at(self) -> datetime:
        """When it was done, or asked where no line says that."""
        return (self.done or self.asked).at


# start-partition, heal-partition
OF_KIND = re.compile(r"(?P<verb>start|stop|heal|end)-(?P<kind>.+)", re.DOTALL)
NO_FAULT = re.compile(r"(?:check|setup|teardown|log|nop|noop|info)\b")


@step(by=RUN)
def injected_fault(
    nemesis_operation: Sequence[NemesisOperation], logged_fault: Sequence[LoggedFault]
) -> Iterator[InjectedFault]:
    """The faults of a run, numbered by time."""
    faults = list(_healed(list(_actions(nemesis_operation))))
    for each in logged_fault:
        known = each._asdict()
        del known["tool"]
        faults.append(InjectedFault(**known, fault_no=0, result=None))
    faults.sort(key=lambda each: (each.asked_at, each.file_id, each.line_no, nulls_last([each.target])))
    for fault_no, fault in enumerate(faults, 1):
        yield fault._replace(fault_no=fault_no)


def _actions(operations: Iterable[NemesisOperation]) -> Iterator[Action]:
    """Every second line of a series is what came of the one before."""
    lines = sorted(operations, key=lambda each: (each.at, each.file_id, each.line_no))
    for f, group in groupby(lines, lambda each: each.f):
        series = list(group)
        for place in range(0, len(series), 2):
            if f is not None:
                yield Action(f, series[place], series[place + 1] if place + 1 < len(series) else None)


def _healed(actions: Sequence[Action]) -> Iterator[InjectedFault]:
    """Faults with the first action after each that ends one of its kind."""
    names = {each.f for each in actions}
    kinds = [(each, *_kind_of(each.f, names)) for each in actions if not NO_FAULT.match(each.f)]
    ends = [(each, kind) for each, kind, is_end in kinds if is_end]
    for each, kind, is_end in kinds:
        if is_end:
            continue
        later = (end for end, ended in ends if end.asked.at >= each.done_at and _ends(ended, kind))
        healing = next(later, None)
        yield InjectedFault(
            each.asked.configuration,
            each.asked.run,
            fault_no=0,
            kind=each.f,
            target=_printed(each.asked),
            result=_printed(each.done),
            asked_at=each.asked.at,
            done_at=each.done and each.done.at,
            end_asked_at=healing and healing.asked.at,
            end_done_at=healing and healing.done_at,
            file_id=each.asked.file_id,
            line_no=each.asked.line_no,
        )


def _kind_of(f: str, names: set[str]) -> tuple[str | None, bool]:
    """The kind of fault of an operation, and whether it ends that. `names`: those of all operations of the test."""
    for kind, known in rules("injected_faults")["kinds"].items():
        if f in known["begins"]:
            return kind, False
        if f in known["ends"] or (f in known.get("ends_if_begun", ()) and not names.isdisjoint(known["begins"])):
            return kind, True
    if f in rules("injected_faults")["end_others"]:
        return None, True
    found = OF_KIND.fullmatch(f)
    return (found["kind"], found["verb"] != "start") if found else (None, False)


def _ends(ended: str | None, kind: str | None) -> bool:
    """Whether what ends faults of a kind, or of None others, ends one of another kind."""
    return ended == kind or (ended is None and kind not in rules("injected_faults")["kinds"])


def _printed(operation: NemesisOperation | None) -> str | None:
    """What a line states, without the word for nothing."""
    return None if operation is None or operation.value == "nil" else operation.value
