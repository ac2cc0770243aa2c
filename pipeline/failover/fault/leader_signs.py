"""Lines that bound when an elected leader was lost: its last one, and the first by which others missed it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.fault.leader_timers import detections, lease_of, stated_timers
from pipeline.failover.incident.incidents import Incident
from pipeline.failover.leaders.leader_lines import (
    BY_PART,
    CONFIGURED,
    SAID_AGAIN,
    SIGNS_OF_LIFE,
    LeaderLine,
    LeaderLines,
    rules_of,
)
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.leaders.unreplaced_leaders import UnreplacedLeader
from pipeline.failover.rules import rules
from pipeline.failover.stamps import duration_us, microseconds
from pipeline.failover.step import CONFIGURATION, Int32, grouped, passed_on, step
from pipeline.failover.timeline import Timelines
from pipeline.failover.timer.timer_settings import SpecifiedTimer
from pipeline.failover.windows import CHECK_FAILS, CLOCKS_AGREE, LOGGED_AGAIN, LOOKS_LATE, MISSED_AGAIN

# --- losses of leaders -----------------------------------------------------------------------------------------------


class LostLeader(NamedTuple):
    """One row per incident and change of the leader that showed it, or loss of a leader that nobody replaced. UTC."""

    configuration: str
    unit_run: str | None
    run: str
    stack: Annotated[str, "whose leader it was"]
    former_key: Annotated[str, "node that led, in small letters"]
    loss_at: Annotated[datetime, "first line by which it was missed"]
    membership_at: Annotated[datetime, "when the surviving node missed it"]
    is_planned: Annotated[bool, "the incident is planned; never where nobody replaced the leader"]
    is_replaced: Annotated[bool, "another node leads afterwards"]
    file_id: Annotated[Int32 | None, "file of the incident's first evidence"]


@step(of="incident")
def lost_leader(
    incident: Sequence[Incident],
    leader_change: Sequence[LeaderChange],
    unreplaced_leader: Sequence[UnreplacedLeader],
) -> Iterator[LostLeader]:
    """Incidents of a unit that are losses of an elected leader."""
    shown = grouped(leader_change, "former_key")
    unreplaced = grouped(unreplaced_leader, "former_key")
    for each in incident:
        changes = [line for line in shown.get((each.lost_key,), ()) if line.loss_at <= each.loss_at <= line.at]
        missed = [line for line in unreplaced.get((each.lost_key,), ()) if line.loss_at == each.loss_at]
        found = {(line.stack, line.loss_at, True) for line in changes}
        found |= {(line.stack, line.loss_at, False) for line in missed}
        for stack, loss_at, is_replaced in sorted(found):
            yield passed_on(
                LostLeader,
                each,
                stack=stack,
                former_key=each.lost_key,
                loss_at=loss_at,
                is_planned=each.is_planned and is_replaced,
                is_replaced=is_replaced,
            )


# --- signs -----------------------------------------------------------------------------------------------------------


class LeaderSign(NamedTuple):
    """One row per loss of an elected leader and line that bounds when it happened. Times in microseconds of the
    epoch, UTC. The last line of the leader's own program (of Patroni the last renewal of its lock) says that it
    lived, and the last line of another node that says so; a leader whose program goes on writing was cut off, so
    its own lines say nothing. The first line of each kind by which a node missed it bounds the loss too: the
    timers of the stack had run out by then (stated by a file or a log, else the release's default). Where a log
    begins is no bound. The other end is the first line by which anybody missed it, or earlier where timers that are
    stated have to run out before. Nothing compares the clocks of such nodes: they are taken to agree within half a
    second.
    """

    configuration: str
    run: str
    at_us: Annotated[int, "the line"]
    low_us: Annotated[int | None, "the fault came no earlier; null: the line does not say"]
    high_us: Annotated[int, "it came no later"]
    is_assumed: Annotated[bool, "rests on a timer that neither a file nor a line shows"]
    node: str | None
    file_id: Int32
    line_no: Int32


class LastLine(NamedTuple):
    """The last line of a program on the host of a lost leader before that was missed."""

    configuration: str
    run: str
    stack: str
    loss_at: datetime
    node: str
    process: str | None
    at: datetime
    is_cut_off: bool
    file_id: Int32
    line_no: Int32


class LogSpan(NamedTuple):
    """Who wrote a log, since when, and how fine its stamps are."""

    configuration: str | None
    file_id: Int32
    node: str | None
    format: str
    first_at: datetime | None
    resolution_s: float


SignLine = LeaderLine | LastLine
FOLLOWS = ("leader", "election")
"""Kinds of lines that follow from the loss of a leader without naming it."""


@dataclass(frozen=True, slots=True)
class UnitSigns:
    """Lines of a unit about leaders, those of one instant with the last line of the first file at the end.

    `programs`: lines of the program that leads, by stack and node. `naming`: signs of life by stack and whom they name.
    `unnamed`: by stack, lines of nodes that follow a leader without saying which. `renewals`: by node, of its lock.
    """

    lines: LeaderLines
    programs: Mapping[tuple[str, str | None], Sequence[LeaderLine]]
    naming: Timelines[LeaderLine]
    unnamed: Timelines[LeaderLine]
    renewals: Timelines[LeaderLine]


@step(by=CONFIGURATION, of="lost_leader", is_stored=False)
def leader_sign(
    lost_leader: Sequence[LostLeader],
    leader_line: Sequence[LeaderLine],
    last_leader_line: Sequence[LastLine],
    log_span: Sequence[LogSpan],
    specified_timer: Sequence[SpecifiedTimer],
) -> Iterator[LeaderSign]:
    """The lines that bound each loss of a leader, run by run."""
    spans = {each.file_id: each for each in log_span}
    units = grouped(leader_line, "unit_run")
    last_lines = grouped(last_leader_line, "run")
    timers = grouped(specified_timer, "unit_run")
    lost = [each for each in lost_leader if not each.is_planned]
    for (unit_run,), of_unit in grouped(lost, "unit_run").items():
        unit = _unit_signs(units[unit_run,])
        stated = stated_timers(timers.get((unit_run,), ()))
        for (run,), losses in grouped(of_unit, "run").items():
            yield from _bounds(losses, unit, last_lines.get((run,), ()), spans, stated)


def _unit_signs(lines: Sequence[LeaderLine]) -> UnitSigns:
    """The lines of a unit, put in order."""
    known = LeaderLines(lines)
    return UnitSigns(
        known,
        grouped((each for each in lines if _is_of_program(each)), "stack", "node_key"),
        Timelines(
            filter(_says_that_it_lives, known.of(*SIGNS_OF_LIFE)),
            lambda each: (each.stack, each.peer_key or each.node_key),
            _in_time,
        ),
        Timelines((each for each in known.of("following") if each.peer_key is None), attrgetter("stack"), _in_time),
        Timelines(filter(_is_renewal, lines), attrgetter("node_key"), _in_time),
    )


def _in_time(line: SignLine) -> tuple[datetime, int, int]:
    return line.at, -line.file_id, line.line_no


def _is_of_program(line: LeaderLine) -> bool:
    """Whether a line is by the program that leads, and not by one that watches it from the same host."""
    if line.kind == "leader_alive":
        return line.peer_key == line.node_key and not rules_of(line.stack).is_watched_on_its_host
    if line.kind == "leader":
        return line.peer_key is None
    return line.kind in {"leader_ready", "node_named", "upstream_lost", "following"}


def _says_that_it_lives(line: LeaderLine) -> bool:
    """Whether a sign of life is one: a monitor that starts names the leader of its configuration, dead or alive."""
    return line.action != CONFIGURED


def _is_renewal(line: LeaderLine) -> bool:
    """Whether a node took its lock or renewed it."""
    return line.kind == "leader" or (line.kind == "leader_alive" and line.action == "renew")


def _bounds(
    losses: Sequence[LostLeader],
    unit: UnitSigns,
    last_lines: Sequence[LastLine],
    spans: Mapping[int, LogSpan],
    stated: Mapping[str, float],
) -> Iterator[LeaderSign]:
    """The line that leaves least time before the loss was seen: one by which the leader lived, or was missed."""
    loss = losses[0]
    span = spans.get(loss.file_id) if loss.file_id is not None else None
    if span is None:  # study.toml alone records the fault
        return
    own = (line for each in losses for line in _own_signs(each, unit, last_lines, spans))
    signs = [_lived(loss, span, line, timedelta()) for line in own]
    missed_us = [microseconds(loss.loss_at) + duration_us(span.resolution_s)]
    for each in losses:
        lease = lease_of(each.stack)
        older = timedelta(seconds=lease.longest(stated).seconds) if lease else timedelta()
        is_assumed = lease is not None and lease.longest(stated).is_assumed
        signs += [_lived(loss, span, line, older, is_assumed=is_assumed) for line in _others_signs(each, unit)]
        for line in _symptoms(each, unit.lines):
            detection = detections()[line.stack, line.kind]
            longest, shortest_s = detection.longest(stated), detection.shortest_s(stated)
            older = timedelta(seconds=longest.seconds) + LOOKS_LATE
            if not _may_be_said_again(line, spans[line.file_id]):
                signs.append(_lived(loss, span, line, older, is_assumed=longest.is_assumed))
            missed_at = line.at + CLOCKS_AGREE - timedelta(seconds=shortest_s)
            missed_us.append(microseconds(missed_at) + duration_us(spans[line.file_id].resolution_s))
    last = max(signs, key=lambda each: each.low_us or 0, default=_sign(loss, span, None, None, is_assumed=False))
    yield last._replace(high_us=min(missed_us))


def _may_be_said_again(line: LeaderLine, span: LogSpan) -> bool:
    """Whether a log begins so shortly before a line that is printed again and again that it may not be the first."""
    return line.action == SAID_AGAIN and span.first_at is not None and line.at - span.first_at < LOGGED_AGAIN


def _lived(
    loss: LostLeader, span: LogSpan, line: SignLine, older: timedelta, *, is_assumed: bool = False
) -> LeaderSign:
    """A line that says that the leader lived so long before it."""
    return _sign(loss, span, line, line.at - older - CLOCKS_AGREE, is_assumed=is_assumed)


def _sign(
    loss: LostLeader, span: LogSpan, line: SignLine | None, low_at: datetime | None, *, is_assumed: bool
) -> LeaderSign:
    """A line by which the leader lived, or None: the log that missed it first."""
    return LeaderSign(
        loss.configuration,
        loss.run,
        microseconds(line.at if line else loss.loss_at),
        low_us=None if low_at is None else microseconds(low_at),
        high_us=microseconds(loss.loss_at) + duration_us(span.resolution_s),
        is_assumed=is_assumed,
        node=line.node if line else span.node,
        file_id=line.file_id if line else span.file_id,
        line_no=line.line_no if line else 1,
    )


def _own_signs(
    loss: LostLeader, unit: UnitSigns, last_lines: Sequence[LastLine], spans: Mapping[int, LogSpan]
) -> Iterator[SignLine]:
    """The last lines of the leader's own program unless that went on: then it was cut off; or renewals of its lock."""
    processes: dict[tuple[int, str | None], set[str | None]] = defaultdict(set)
    for each in unit.programs.get((loss.stack, loss.former_key), ()):
        processes[each.file_id, each.node].add(each.process)

    def is_own(line: SignLine) -> bool:
        of_log = processes.get((line.file_id, line.node), ())
        return line.process in of_log or (bool(of_log) and spans[line.file_id].format in rules("leaders")["own_logs"])

    if lease_of(loss.stack) is None:
        own = [e for e in last_lines if (e.stack, e.loss_at) == (loss.stack, loss.loss_at) and is_own(e)]
        if not any(each.is_cut_off for each in own):
            yield from own
    else:
        earlier = unit.renewals.of(loss.former_key).back_from(loss.loss_at)
        yield from islice((each for each in earlier if each.at <= loss.membership_at and is_own(each)), 1)


def _others_signs(loss: LostLeader, unit: UnitSigns) -> Iterator[LeaderLine]:
    """The last lines before a loss by which the leader lives."""
    naming = unit.naming.of((loss.stack, loss.former_key)).back_from(loss.loss_at)
    unnamed = unit.unnamed.of(loss.stack).back_from(loss.loss_at)
    yield from islice(naming, 1)
    yield from islice((each for each in unnamed if each.node_key != loss.former_key), 1)


def _symptoms(loss: LostLeader, lines: LeaderLines) -> Iterator[LeaderLine]:
    """The first line of each kind by which the leader is missed, of kinds that come by timers."""
    found: dict[tuple[str, str], LeaderLine] = {}
    kinds = {kind for _, kind in detections()}
    until = loss.loss_at + MISSED_AGAIN
    led = (each.at for each in lines.between(loss.loss_at, until, "leader") if each.stack == loss.stack)
    replaced_at = min(led, default=until)
    for line in sorted(lines.between(loss.loss_at, until, *kinds), key=BY_PART):
        if (line.stack, line.kind) in detections() and _is_about(line, loss, replaced_at):
            found.setdefault((line.stack, line.kind), line)
    for line in found.values():
        if not (rules_of(line.stack).advertises and _has_failed_check(loss, lines)):
            yield line


def _is_about(line: LeaderLine, loss: LostLeader, replaced_at: datetime) -> bool:
    """Whether a line of another node misses the leader, or follows from its loss; one that names nobody may miss the
    next leader once there is one.
    """
    if line.node_key == loss.former_key:
        return False
    if line.kind in FOLLOWS:
        return line.stack == loss.stack
    return line.peer_key == loss.former_key or (line.peer_key is None and line.at <= replaced_at)


def _has_failed_check(loss: LostLeader, lines: LeaderLines) -> bool:
    """Whether something else than silence made a backup take over."""
    checks = lines.between(
        loss.loss_at - CHECK_FAILS, loss.loss_at, "leader_outranked", "resource_failed", "vrrp_fault"
    )
    return any(each.stack == loss.stack for each in checks)
