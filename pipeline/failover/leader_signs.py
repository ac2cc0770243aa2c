"""Lines that bound when an elected leader was lost: its last one, and the first by which others missed it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.incidents import Incident
from pipeline.failover.leaders import BY_PART, LeaderChange, LeaderLine, LeaderLines, rules_of
from pipeline.failover.rules import rules
from pipeline.failover.stamps import duration_us, microseconds
from pipeline.failover.step import CONFIGURATION, Int32, grouped, step
from pipeline.failover.timeline import Timelines
from pipeline.failover.unreplaced_leaders import UnreplacedLeader
from pipeline.failover.windows import ADVERTISED, CHECK_FAILS, CLOCKS_AGREE, LEASE, STAMP

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


@step()
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
            yield LostLeader(
                each.configuration,
                each.unit_run,
                each.run,
                stack,
                each.lost_key,
                loss_at,
                each.membership_at,
                is_planned=each.is_planned and is_replaced,
                is_replaced=is_replaced,
                file_id=each.file_id,
            )


# --- signs -----------------------------------------------------------------------------------------------------------


class LeaderSign(NamedTuple):
    """One row per loss of an elected leader and line that bounds when it happened. Times in microseconds of the
    epoch, UTC. The last line of the leader's own program (of Patroni the last renewal of its lock) says that it
    lived; where its logs are not there, the last line of another node that says so, else the first line of the
    log in which it was missed. The first line by which the surviving node missed it is the other end. Nothing
    compares the clocks of such nodes: they are taken to agree within half a second. What others see of Patroni's
    lock may be a lease old (of which nobody says how long it is: a minute at most is taken), and a backup of VRRP
    waits for less than four advertisements (of ten seconds at most).
    """

    configuration: str
    run: str
    at_us: Annotated[int, "the line"]
    low_us: Annotated[int, "the fault came no earlier"]
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
    file_id: Int32
    line_no: Int32


class LogSpan(NamedTuple):
    """Who wrote a log, when it begins, and how fine its stamps are."""

    configuration: str | None
    file_id: Int32
    node: str | None
    format: str
    first_at: datetime | None
    resolution_s: float


SignLine = LeaderLine | LastLine
SIGNS_OF_LIFE = ("leader", "leader_alive", "leader_ready", "following")


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


@step(by=CONFIGURATION, is_stored=False)
def leader_sign(
    lost_leader: Sequence[LostLeader],
    leader_line: Sequence[LeaderLine],
    last_leader_line: Sequence[LastLine],
    log_span: Sequence[LogSpan],
) -> Iterator[LeaderSign]:
    """The line that bounds each loss of a leader from below, run by run."""
    spans = {each.file_id: each for each in log_span}
    units = grouped(leader_line, "unit_run")
    last_lines = grouped(last_leader_line, "run")
    lost = [each for each in lost_leader if not each.is_planned]
    for (unit_run,), of_unit in grouped(lost, "unit_run").items():
        unit = _unit_signs(units[unit_run,])
        for (run,), losses in grouped(of_unit, "run").items():
            yield from _bounds(losses, unit, last_lines.get((run,), ()), spans)


def _unit_signs(lines: Sequence[LeaderLine]) -> UnitSigns:
    """The lines of a unit, put in order."""
    known = LeaderLines(lines)
    return UnitSigns(
        known,
        grouped((each for each in lines if _is_of_program(each)), "stack", "node_key"),
        Timelines(known.of(*SIGNS_OF_LIFE), lambda each: (each.stack, each.peer_key or each.node_key), _in_time),
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


def _is_renewal(line: LeaderLine) -> bool:
    """Whether a node took its lock or renewed it."""
    return line.kind == "leader" or (line.kind == "leader_alive" and line.action == "renew")


def _bounds(
    losses: Sequence[LostLeader], unit: UnitSigns, last_lines: Sequence[LastLine], spans: Mapping[int, LogSpan]
) -> Iterator[LeaderSign]:
    """The lines that bound the loss of a leader in a run: its own last one, else that of another node, else a log."""
    loss = losses[0]
    span = spans.get(loss.file_id) if loss.file_id is not None else None
    if span is None:  # study.toml alone records the fault
        return
    own = [line for each in losses for line in _own_signs(each, unit, last_lines, spans)]
    others = [(line, each) for each in losses for line in _others_signs(each, unit)]
    if own:
        line = max(own, key=_in_time)
        yield _sign(loss, span, line.at, CLOCKS_AGREE, line)
    elif others:
        line, of = max(others, key=lambda each: _in_time(each[0]))
        lease = LEASE if rules_of(of.stack).holds_lease else timedelta()
        yield _sign(loss, span, line.at, lease + CLOCKS_AGREE, line)
    elif span.first_at is not None:
        # nobody says when it lived: a log that begins after the loss does not tell of it
        yield _sign(loss, span, span.first_at, CLOCKS_AGREE, None)
    silences = [line for each in losses for line in _silences(each, unit.lines)]
    if silences:
        line = min(silences, key=BY_PART)
        yield _sign(loss, span, line.at, ADVERTISED, line)


def _sign(loss: LostLeader, span: LogSpan, at: datetime, older: timedelta, line: SignLine | None) -> LeaderSign:
    """A line by which the leader lived so long before it, or the beginning of the log that missed it."""
    return LeaderSign(
        loss.configuration,
        loss.run,
        microseconds(at),
        low_us=microseconds(at - older),
        high_us=microseconds(loss.membership_at) + duration_us(span.resolution_s),
        is_assumed=older > CLOCKS_AGREE,
        node=line.node if line else span.node,
        file_id=line.file_id if line else span.file_id,
        line_no=line.line_no if line else 1,
    )


def _own_signs(
    loss: LostLeader, unit: UnitSigns, last_lines: Sequence[LastLine], spans: Mapping[int, LogSpan]
) -> Iterator[SignLine]:
    """The last lines of the leader's own program, or renewals of its lock: one that is cut off goes on writing."""
    processes: dict[tuple[int, str | None], set[str | None]] = defaultdict(set)
    for each in unit.programs.get((loss.stack, loss.former_key), ()):
        processes[each.file_id, each.node].add(each.process)

    def is_own(line: SignLine) -> bool:
        of_log = processes.get((line.file_id, line.node), ())
        return line.process in of_log or (bool(of_log) and spans[line.file_id].format in rules("leaders")["own_logs"])

    if not rules_of(loss.stack).holds_lease:
        yield from (
            each for each in last_lines if (each.stack, each.loss_at) == (loss.stack, loss.loss_at) and is_own(each)
        )
    else:
        earlier = unit.renewals.of(loss.former_key).back_from(loss.loss_at)
        yield from islice((each for each in earlier if each.at <= loss.membership_at and is_own(each)), 1)


def _others_signs(loss: LostLeader, unit: UnitSigns) -> Iterator[LeaderLine]:
    """The last lines before a loss by which the leader lives."""
    naming = unit.naming.of((loss.stack, loss.former_key)).back_from(loss.loss_at)
    unnamed = unit.unnamed.of(loss.stack).back_from(loss.loss_at)
    yield from islice(naming, 1)
    yield from islice((each for each in unnamed if each.node_key != loss.former_key), 1)


def _silences(loss: LostLeader, lines: LeaderLines) -> Iterator[LeaderLine]:
    """Lines by which a backup heard nothing of a holder of which nothing else says that it failed."""
    checks = lines.between(
        loss.loss_at - CHECK_FAILS, loss.loss_at, "leader_outranked", "resource_failed", "vrrp_fault"
    )
    if not rules_of(loss.stack).advertises or any(each.stack == loss.stack for each in checks):
        return
    for line in lines.between(loss.loss_at - STAMP, loss.loss_at + STAMP, "election"):
        if line.stack == loss.stack and line.action is None and line.node_key != loss.former_key:
            yield line
