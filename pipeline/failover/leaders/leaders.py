"""Leaders of stacks whose nodes elect one: who took over from whom, and whether somebody ordered it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import RecordedFault
from pipeline.failover.fault_sources import COMMAND, NOTICE
from pipeline.failover.leaders.leader_lines import BY_PART, CONFIGURED, LeaderLine, LeaderLines, rules_of
from pipeline.failover.leaders.successions import BY_ITS_LINE, MISSED, UNNAMED, Succession, expulsions, successions
from pipeline.failover.step import Int16, Int32, passed_on, step
from pipeline.failover.timeline import Timeline, Timelines
from pipeline.failover.windows import (
    ACCUSED_BEFORE,
    FAILED_BEFORE,
    FAILED_LATE,
    FOLLOWED,
    LOGGED_LATE,
    LOSS_OF_A_FAULT,
    MISSED_AGAIN,
    MISSED_BEFORE,
    ORDERED_BEFORE,
    OUTRANKED_LATE,
    STOPPED_BEFORE,
)

# --- changes ---------------------------------------------------------------------------------------------------------


class LeaderChange(NamedTuple):
    """One row per change of a leader: another node than the one that led before has become leader of its group. Times
    in UTC. Of stacks whose nodes elect a leader and log no membership. Who led before is whom the line itself
    names, else whom the new leader said last that it follows or misses, else the leader by the newest
    statement; where none says so, whom nodes missed before, or the `former leader` without a name, from which a
    backup that had not just started takes an address. Servers that
    started together replace nobody, and a new group ends all knowledge. Several lines say the same change: the
    first counts. A leader that takes its own role back is no change. An address that moves between nodes
    (keepalived, vip-manager) counts only where no server of the unit has a leader, a coordinator (etcd, Consul,
    ZooKeeper) only where nothing else has one.
    """

    configuration: str
    unit_run: str | None
    stack: Annotated[str, "whose leader it is"]
    group: Annotated[str, "scope, monitored name or replica set; empty where lines name none"]
    leader: Annotated[str, "node that has become leader"]
    leader_key: Annotated[str, "the same in small letters"]
    former: Annotated[str, "node that led before"]
    former_key: Annotated[str, "the same in small letters"]
    at: Annotated[datetime, "first line that names the new leader"]
    loss_at: Annotated[
        datetime,
        "first of the lines about the lost leader, no two of them over a minute apart; where there is none, "
        "when the new one became leader",
    ]
    is_planned: Annotated[
        bool,
        "somebody ordered it, or the former leader was stopped in order, or no server of a stack that says so "
        "missed it, as far as the logs would show that",
    ]
    is_undecided: Annotated[
        bool,
        "no line says whether the former leader was stopped or had failed: it said that it goes, or logs are missing; "
        "or a log begins as its node takes an address, which nobody may have had",
    ]
    ordered_by: Annotated[
        str | None, "of a planned one: take-over command, or shutdown notice where the former leader was stopped"
    ]
    ordered_at: Annotated[
        datetime | None, "the line by which it was ordered; else the first one about a planned change"
    ]
    order_file_id: Annotated[Int32 | None, "file of that line"]
    order_line_no: Annotated[Int32 | None, "that line"]
    node: Annotated[str | None, "host that wrote the line at `at`"]
    node_key: str | None
    file_id: Int32
    line_no: Int32
    part: Int16


@step(of="leader_line")
def leader_change(leader_line: Sequence[LeaderLine], recorded_fault: Sequence[RecordedFault]) -> Iterator[LeaderChange]:
    """Who took over from whom in a unit, when the former leader was first missed, and whether it was in order."""
    found: list[LeaderChange] = []
    following: dict[tuple[str, str], LeaderChange] = {}
    for change in reversed(list(_changes(sorted(leader_line, key=BY_PART), recorded_fault))):
        if not _took_what_was_free(change, following.get((change.stack, change.group))):
            following[change.stack, change.group] = change
            found.append(change)
    yield from reversed(found)


def _took_what_was_free(change: LeaderChange, following: LeaderChange | None) -> bool:
    """Whether a node had only just started, and its log begins after that: it is the one that is lost next."""
    is_lost_next = following is not None and not following.is_planned and following.former_key == change.leader_key
    return is_lost_next and change.former == UNNAMED and rules_of(change.stack).advertises


def _changes(lines: Sequence[LeaderLine], recorded_fault: Sequence[RecordedFault]) -> Iterator[LeaderChange]:
    unit = LeaderLines(lines)
    changes = sorted([*successions(lines, recorded_fault), *expulsions(unit)], key=BY_ITS_LINE)
    wanted = _wanted(changes, unit)
    led = Timelines(changes, attrgetter("leader_key"), BY_ITS_LINE)
    for change in changes:
        took_lead = led.of(change.former_key).last_until(change.at)
        missed_at = _missed_at(change, unit, took_lead and took_lead.at)
        orders = [
            *wanted[change],
            *_handovers(change, unit),
            *_outrankings(change, unit, "leader_outranked"),
            *_stops(change, missed_at, unit),
        ]
        is_unaccused = _is_unaccused(change, missed_at, unit)
        by_silence = change.line if is_unaccused and _would_be_accused(change, unit) else None
        order = min(orders, key=BY_PART, default=by_silence)
        named = _named_later(change, unit)
        resigned = _outrankings(change, unit, "leader_resigned", "vrrp_backup")
        may_have_left = any(resigned) or _has_somebody_left(change, missed_at, unit)
        may_have_started = change.takes_at_begin_of_log and not any(
            each.fault_at <= change.at <= each.fault_at + LOSS_OF_A_FAULT for each in recorded_fault
        )
        yield passed_on(
            LeaderChange,
            change,
            configuration=change.line.configuration,
            unit_run=change.line.unit_run,
            stack=change.line.stack,
            former=named.peer if named else change.former,
            former_key=named.peer_key if named else change.former_key,
            loss_at=missed_at,
            is_planned=order is not None,
            is_undecided=order is None and (is_unaccused or may_have_left or (not named and may_have_started)),
            ordered_by=order and (NOTICE if order.kind in STOPS else COMMAND),
            ordered_at=order and order.at,
            order_file_id=order and order.file_id,
            order_line_no=order and order.line_no,
            node=change.line.node,
            node_key=change.line.node_key,
            file_id=change.line.file_id,
            line_no=change.line.line_no,
            part=change.line.part,
        )


def _named_later(change: Succession, unit: LeaderLines) -> LeaderLine | None:
    """The line that names a former leader whom no line before named."""
    if change.former_key != UNNAMED:
        return None
    later = unit.between(change.at, change.at + FOLLOWED, "leader_replaced")
    return next((each for each in later if each.stack == change.line.stack and each.peer_key), None)


def _missed_at(change: Succession, unit: LeaderLines, took_lead_at: datetime | None) -> datetime:
    """When the former leader was missed: the first of a chain of lines before the change, close to each other."""
    missed_at = change.at
    # what was said of the leader before it took the lead is another matter
    known = [each for each in (change.held_since, took_lead_at) if each is not None]
    for line in sorted(_symptoms(change, unit), key=BY_PART, reverse=True):
        is_apart = missed_at - line.at > MISSED_AGAIN and not _is_still_missed(change, line, missed_at, unit)
        if is_apart or any(line.at <= each for each in known):
            break
        missed_at = line.at
    return missed_at


def _is_still_missed(change: Succession, line: LeaderLine, until: datetime, unit: LeaderLines) -> bool:
    """Whether who missed the former leader would have said that it is back."""
    signs = unit.between(line.at, until, "leader_alive", "following")
    return rules_of(line.stack).tells_of_return and not any(
        each.stack == line.stack and each.action != CONFIGURED and each.peer_key in {None, change.former_key}
        for each in signs
    )


def _symptoms(change: Succession, unit: LeaderLines) -> Iterator[LeaderLine]:
    """Lines before a change by which others miss the former leader, or by which the holder of an address fails."""
    start = change.at - MISSED_BEFORE
    missed = [
        line
        for line in unit.between(start, change.at, *MISSED)
        if line.peer_key in {None, change.former_key} and line.node_key != change.former_key
    ]
    if rules_of(change.line.stack).leads == "address":
        missed += _failures(change, unit, start, change.at)
    for line in missed:
        found = unit.following(line.node_key).last_before(change.at)
        if found is None or BY_PART(found) <= BY_PART(line):
            yield line


def _failures(change: Succession, unit: LeaderLines, start: datetime, end: datetime) -> Iterator[LeaderLine]:
    """Lines by which the former leader fails."""
    stacks = rules_of(change.line.stack).failures_of or (change.line.stack,)
    for line in unit.between(start, end, "resource_failed", "vrrp_fault"):
        if _is_of_former(line, change) and line.stack in stacks:
            yield line


def _is_of_former(line: LeaderLine, change: Succession) -> bool:
    """Whether the former leader wrote a line; where nobody names it, another node than the new one."""
    is_unnamed = change.former_key == UNNAMED
    return line.node_key != change.leader_key if is_unnamed else line.node_key == change.former_key


# --- planned changes -------------------------------------------------------------------------------------------------


STOPS = ("db_shutdown", "shutdown_notice", "program_stopped", "member_gone")
"""Kinds of lines by which a node leaves in order."""


def _wanted(changes: Sequence[Succession], unit: LeaderLines) -> Mapping[Succession, Sequence[LeaderLine]]:
    """The orders for each change: one belongs to the next change."""
    found: dict[Succession, list[LeaderLine]] = defaultdict(list)
    in_time = Timeline(changes, BY_ITS_LINE)
    for order in unit.of("leader_wanted"):
        for change in in_time.between(order.at - LOGGED_LATE, order.at + ORDERED_BEFORE):
            if order.object is None or change.group in {"", order.object}:
                found[change].append(order)
                break
    return found


def _is_unaccused(change: Succession, missed_at: datetime, unit: LeaderLines) -> bool:
    """No server missed the former leader, in a stack whose servers say so of each that fails."""
    accusations = rules_of(change.line.stack).accusations
    return bool(accusations) and not any(
        line.stack == change.line.stack and line.peer_key in {None, change.former_key}
        for line in unit.between(missed_at, change.at, *accusations)
    )


def _would_be_accused(change: Succession, unit: LeaderLines) -> bool:
    """The log of who names or carries out the change begins before the former leader would have been missed."""
    kinds = rules_of(change.line.stack).carried_out
    done = unit.between(change.earliest(ORDERED_BEFORE), change.at, *kinds) if kinds else [change.line]
    logs = (unit.begins_at(line) for line in done if line.stack == change.line.stack)
    return any(begins_at <= change.at - ACCUSED_BEFORE for begins_at in logs)


def _handovers(change: Succession, unit: LeaderLines) -> Iterator[LeaderLine]:
    """Lines by which the former leader hands its role over, where nothing had failed there."""
    if rules_of(change.line.stack).gives_up != "role handed over":
        return
    for line in unit.between(change.earliest(ORDERED_BEFORE), change.at + LOGGED_LATE, "give_up"):
        is_own = line.stack == change.line.stack and line.node_key == change.former_key
        if is_own and not any(_failures(change, unit, line.at - FAILED_BEFORE, line.at + FAILED_LATE)):
            yield line


def _outrankings(change: Succession, unit: LeaderLines, *kinds: str) -> Iterator[LeaderLine]:
    """Lines of some kinds by which the holder of an address goes, which had not failed by any line."""
    if not any(_failures(change, unit, change.earliest(FAILED_BEFORE), change.at + FAILED_LATE)):
        for line in unit.between(change.at - LOGGED_LATE, change.at + OUTRANKED_LATE, *kinds):
            is_its = _is_of_former(line, change) or line.kind != "vrrp_backup"
            if line.stack == change.line.stack and is_its:
                yield line


def _stops(change: Succession, missed_at: datetime, unit: LeaderLines) -> Iterator[LeaderLine]:
    """Lines by which the former leader was stopped in order, and not by itself as it had lost its lock."""
    for line in stops_of(change.former_key, unit, missed_at - STOPPED_BEFORE, change.at):
        # what was stopped and started led again
        if line.at >= (change.held_since or line.at) and not _has_lost_lock(line, change.former_key, unit):
            yield line


def _has_somebody_left(change: Succession, missed_at: datetime, unit: LeaderLines) -> bool:
    """Whether a node of the group left in order, where no line says who led it."""
    stopped = unit.between(missed_at - STOPPED_BEFORE, change.at, "program_stopped")
    return change.former_key == UNNAMED and any(
        each.stack == change.line.stack and (each.peer_key or each.node_key) != change.leader_key for each in stopped
    )


def stops_of(node_key: str, unit: LeaderLines, start: datetime, end: datetime) -> Iterator[LeaderLine]:
    """Lines by which a node is stopped in order."""
    for line in unit.between(start, end, "db_shutdown", "shutdown_notice", "program_stopped"):
        stopped = (line.peer_key if line.kind == "program_stopped" else None) or line.node_key
        # a server may be known by its host's address and its port
        if stopped in {node_key, node_key.rpartition(":")[0]} and line.action != "immediate":
            yield line


def _has_lost_lock(stop: LeaderLine, node_key: str, unit: LeaderLines) -> bool:
    return any(
        line.node_key == node_key and rules_of(line.stack).gives_up == "lock lost"
        for line in unit.between(stop.at - FAILED_BEFORE, stop.at + LOGGED_LATE, "give_up")
    )
