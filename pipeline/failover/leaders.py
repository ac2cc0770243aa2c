"""Leaders of stacks whose nodes elect one: who leads, who took over from whom, and whether somebody ordered it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.rules import rules
from pipeline.failover.step import Int16, Int32, step
from pipeline.failover.timeline import Timeline, Timelines
from pipeline.failover.windows import (
    DATABASE_SHOWS,
    FAILED_BEFORE,
    FAILED_LATE,
    FORGOTTEN_TOGETHER,
    GROUP_FORMS,
    LOGGED_LATE,
    MISSED_AGAIN,
    MISSED_BEFORE,
    ORDERED_BEFORE,
    OUTRANKED_LATE,
    STOPPED_BEFORE,
)

# --- what stacks say -------------------------------------------------------------------------------------------------

COUNTS_BEFORE = ("server", "address", "coordination")
"""Where several stacks of a unit have a leader, only those of the first of these count that one of them leads."""


@dataclass(frozen=True, slots=True)
class LeaderRules:
    """What a stack's lines about leaders mean: see rules/leaders.toml."""

    leads: str = "server"
    elects_server: bool = True
    accusations: Sequence[str] = ()
    """Kinds of lines by which its nodes say of every leader that fails that it does; a change without is ordered."""
    gives_up: str = ""
    """What a line means by which a node gives its role up: `role handed over` in order, `lock lost` in a failure."""
    failures_of: Sequence[str] = ()
    """Stacks that tell of failures of its leaders; empty: itself."""
    names_databases: bool = False
    """Another node names the database that has become primary, not its host."""
    misses_unnamed: bool = False
    """Who misses the leader does not name it: it is the one that was named last."""
    misses_leaders_only: bool = False
    """Nodes that are missed are leaders, though nobody has said so before."""
    advertises: bool = False
    """A backup takes over as it hears no advertisement of the holder."""
    is_watched_on_its_host: bool = False
    """Another program on the leader's host says that it lives."""

    @property
    def rank(self) -> int:
        """Where it counts among the stacks of a unit."""
        return COUNTS_BEFORE.index(self.leads)


@cache
def rules_of(stack: str) -> LeaderRules:
    """The rules of a stack."""
    return LeaderRules(**rules("leaders")["stacks"].get(stack, {}))


# --- lines -----------------------------------------------------------------------------------------------------------


class LeaderLine(NamedTuple):
    """A line that can tell who leads, misses a leader or ends its lead."""

    configuration: str
    unit_run: str | None
    node: str | None
    node_key: str | None
    stack: str
    kind: str
    object: str | None
    action: str | None
    peer: str | None
    peer_key: str | None
    process: str | None
    at: datetime
    file_id: Int32
    line_no: Int32
    part: Int16
    is_peer_writer: bool


BY_PART = attrgetter("at", "file_id", "line_no", "part")
BY_ITS_LINE = attrgetter("line.at", "line.file_id", "line.line_no", "line.part")


class LeaderLines:
    """The lines of a unit by kind, in the order of time."""

    def __init__(self, lines: Iterable[LeaderLine]) -> None:
        self._by_kind = Timelines(lines, attrgetter("kind"), BY_PART)
        self._following = Timelines(self.of("following"), attrgetter("node_key"), BY_PART)

    def of(self, *kinds: str) -> Iterator[LeaderLine]:
        """The lines of some kinds, kind by kind."""
        return chain.from_iterable(self._by_kind.of(kind).rows for kind in kinds)

    def between(self, start: datetime, end: datetime, *kinds: str) -> Iterator[LeaderLine]:
        """Those from `start` to `end`, both inclusive."""
        return chain.from_iterable(self._by_kind.of(kind).between(start, end) for kind in kinds)

    def following(self, node_key: str | None) -> Timeline[LeaderLine]:
        """Lines by which a node says that it follows a leader."""
        return self._following.of(node_key)


class Claim(NamedTuple):
    """A line that says who leads, or by `leader_down` who led."""

    stack: str
    kind: str
    group: str
    leader: str
    leader_key: str
    line: LeaderLine

    @property
    def at(self) -> datetime:
        """When it says so."""
        return self.line.at

    @property
    def writer_key(self) -> str | None:
        """The node that says so."""
        return self.line.node_key


def claims_in(lines: Sequence[LeaderLine]) -> list[Claim]:
    """Lines that say who leads, of the stacks that count; addresses and coordinators do where nothing else leads."""
    hosts = _hosts_of_databases(lines)
    found = []
    for line in lines:
        # who says that an unnamed one is lost is not it
        if line.kind in {"leader", "leader_alive"} or (line.kind == "leader_down" and line.peer is not None):
            name, key = line.peer or line.node, line.peer_key or line.node_key
            if name is not None and key is not None:
                name, key = hosts.get((line.stack, key), (name, key))
                found.append(Claim(line.stack, line.kind, line.object or "", name, key, line))
    first = min((rules_of(each.stack).rank for each in found if each.kind == "leader"), default=None)
    return [each for each in found if first is None or rules_of(each.stack).rank <= first]


def _hosts_of_databases(lines: Sequence[LeaderLine]) -> dict[tuple[str, str], tuple[str, str]]:
    """Nodes by the names of databases: one that has just become primary by the log of a node is that node's."""
    hosts: dict[tuple[str, str], tuple[str, str]] = {}
    shown: dict[str, LeaderLine] = {}
    for line in lines:
        if line.kind != "leader" or not rules_of(line.stack).names_databases:
            continue
        if line.peer_key is None:
            shown[line.stack] = line
            continue
        own = shown.get(line.stack)
        if own is None or own.node is None or own.node_key is None or line.is_peer_writer:
            continue
        if line.peer_key != own.node_key and line.at - own.at < DATABASE_SHOWS:
            hosts.setdefault((line.stack, line.peer_key), (own.node, own.node_key))
    return hosts


# --- changes ---------------------------------------------------------------------------------------------------------


class LeaderChange(NamedTuple):
    """One row per change of a leader: another node than the one that led before has become leader of its group.
    Times in UTC. Of stacks whose nodes elect a leader and log no membership. Who led before is the leader of the
    change before, else who held the lead by the last line that says so; of a node that said after that change
    whom it follows or misses, it is that one. Several lines say the same change: the first counts. A leader that
    takes its own role back is no change. An address that moves between nodes (keepalived, vip-manager) counts
    only where no server of the unit has a leader, a coordinator (etcd, Consul, ZooKeeper) only where nothing else
    has one.
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
        "missed it",
    ]
    node: Annotated[str | None, "host that wrote the line at `at`"]
    node_key: str | None
    file_id: Int32
    line_no: Int32
    part: Int16


class Succession(NamedTuple):
    """Another leader than before. `held_since`: when the former one was last said to lead or to be forgotten."""

    line: LeaderLine
    group: str
    leader: str
    leader_key: str
    former: str
    former_key: str
    held_since: datetime | None

    @property
    def at(self) -> datetime:
        """When the new leader is named."""
        return self.line.at

    def earliest(self, before: timedelta) -> datetime:
        """So long before the change, or when the former leader was named where that is later."""
        start = self.line.at - before
        return max(start, self.held_since or start)


@step()
def leader_change(leader_line: Sequence[LeaderLine]) -> Iterator[LeaderChange]:
    """Who took over from whom in a unit, when the former leader was first missed, and whether it was in order."""
    lines = sorted(leader_line, key=BY_PART)
    unit = LeaderLines(lines)
    changes = sorted([*_successions(claims_in(lines)), *_expulsions(unit)], key=BY_ITS_LINE)
    ordered = _ordered(changes, unit)
    led = Timelines(changes, attrgetter("leader_key"), BY_ITS_LINE)
    for change in changes:
        took_lead = led.of(change.former_key).last_until(change.at)
        missed_at = _missed_at(change, unit, took_lead and took_lead.at)
        yield LeaderChange(
            change.line.configuration,
            change.line.unit_run,
            change.line.stack,
            change.group,
            change.leader,
            change.leader_key,
            change.former,
            change.former_key,
            change.at,
            missed_at,
            is_planned=change in ordered or any(is_so(change, missed_at, unit) for is_so in PLANNED),
            node=change.line.node,
            node_key=change.line.node_key,
            file_id=change.line.file_id,
            line_no=change.line.line_no,
            part=change.line.part,
        )


def _successions(claims: Sequence[Claim]) -> Iterator[Succession]:
    """Leaders that are others than those before them in their group."""
    told = [each for each in claims if each.kind != "leader"]
    holders = Timelines(told, attrgetter("stack"), _holder_order)
    of_others = (each for each in told if each.writer_key not in {None, each.leader_key})
    said = Timelines(of_others, attrgetter("stack", "writer_key"), BY_ITS_LINE)
    held: dict[tuple[str, str], Claim] = {}
    for claim in claims:
        if claim.kind != "leader":
            continue
        before = held.get((claim.stack, claim.group))
        held[claim.stack, claim.group] = claim
        if before is not None and before.leader_key == claim.leader_key:
            continue
        # whom the new leader said last that it follows or misses: a log may be of several clusters
        own = said.of((claim.stack, claim.leader_key)).last_before(claim.at)
        former = own if own and (before is None or own.at > before.at) else before
        if former is None:
            earlier = holders.of(claim.stack).back_from(claim.at)
            former = next((each for each in earlier if each.leader_key != claim.leader_key), None)
        if former is not None:
            yield Succession(
                claim.line,
                claim.group,
                claim.leader,
                claim.leader_key,
                former.leader,
                former.leader_key,
                held_since=None if before is None else before.at,
            )


def _holder_order(claim: Claim) -> tuple[datetime, int, int, int]:
    """By time; of lines of one instant the last one of the first file comes last."""
    return claim.line.at, -claim.line.file_id, claim.line.line_no, claim.line.part


def _expulsions(unit: LeaderLines) -> Iterator[Succession]:
    """Members that a group without a leader forgets; who is left alone forgets the others too, but does not go on."""
    ready = Timelines(unit.of("leader_ready"), attrgetter("file_id", "stack"), BY_PART)
    forgotten: dict[tuple[str, str], datetime] = {}
    for line in unit.of("member_gone"):
        if line.node is None or line.peer is None or line.peer_key is None or line.node_key in {None, line.peer_key}:
            continue
        if not ready.of((line.file_id, line.stack)).has(line.at - GROUP_FORMS, line.at + GROUP_FORMS):
            continue
        before = forgotten.get((line.stack, line.peer_key))
        forgotten[line.stack, line.peer_key] = line.at
        if before is None or line.at - before > FORGOTTEN_TOGETHER:
            yield Succession(line, "", line.node, line.node_key or "", line.peer, line.peer_key, before)


def _missed_at(change: Succession, unit: LeaderLines, took_lead_at: datetime | None) -> datetime:
    """When the former leader was missed: the first of a chain of lines before the change, close to each other."""
    missed_at = change.at
    # what was said of the leader before it took the lead is another matter
    known = [each for each in (change.held_since, took_lead_at) if each is not None]
    for line in sorted(_symptoms(change, unit), key=BY_PART, reverse=True):
        if missed_at - line.at > MISSED_AGAIN or any(line.at <= each for each in known):
            break
        missed_at = line.at
    return missed_at


def _symptoms(change: Succession, unit: LeaderLines) -> Iterator[LeaderLine]:
    """Lines before a change by which others miss the former leader, or by which the holder of an address fails."""
    start = change.at - MISSED_BEFORE
    missed = [
        line
        for line in unit.between(start, change.at, "leader_suspect", "leader_down", "upstream_lost")
        if line.peer_key in {None, change.former_key} and line.node_key != change.former_key
    ]
    if rules_of(change.line.stack).leads == "address":
        missed += _failures(change, unit, start, change.at)
    for line in missed:
        found = unit.following(line.node_key).last_before(change.at)
        if found is None or found.at <= line.at:
            yield line


def _failures(change: Succession, unit: LeaderLines, start: datetime, end: datetime) -> Iterator[LeaderLine]:
    """Lines by which the former leader fails."""
    stacks = rules_of(change.line.stack).failures_of or (change.line.stack,)
    for line in unit.between(start, end, "resource_failed", "vrrp_fault"):
        if line.node_key == change.former_key and line.stack in stacks:
            yield line


# --- planned changes -------------------------------------------------------------------------------------------------


def _ordered(changes: Sequence[Succession], unit: LeaderLines) -> set[Succession]:
    """Changes that somebody asked for: an order belongs to the next one."""
    ordered = set()
    in_time = Timeline(changes, BY_ITS_LINE)
    for order in unit.of("leader_wanted"):
        for change in in_time.between(order.at - LOGGED_LATE, order.at + ORDERED_BEFORE):
            if order.object is None or change.group in {"", order.object}:
                ordered.add(change)
                break
    return ordered


def _is_unaccused(change: Succession, missed_at: datetime, unit: LeaderLines) -> bool:
    """No server missed the former leader, in a stack whose servers say so of each that fails."""
    accusations = rules_of(change.line.stack).accusations
    return bool(accusations) and not any(
        line.stack == change.line.stack and line.peer_key == change.former_key
        for line in unit.between(missed_at, change.at, *accusations)
    )


def _is_handed_over(change: Succession, missed_at: datetime, unit: LeaderLines) -> bool:  # noqa: ARG001  a row of a table
    """The former leader has handed its role over, and nothing had failed there."""
    return rules_of(change.line.stack).gives_up == "role handed over" and any(
        line.stack == change.line.stack
        and line.node_key == change.former_key
        and not any(_failures(change, unit, line.at - FAILED_BEFORE, line.at + FAILED_LATE))
        for line in unit.between(change.earliest(ORDERED_BEFORE), change.at + LOGGED_LATE, "give_up")
    )


def _is_outranked(change: Succession, missed_at: datetime, unit: LeaderLines) -> bool:  # noqa: ARG001  a row of a table
    """A node of a higher rank is back, and takes the address from one that works."""
    return any(
        line.stack == change.line.stack
        for line in unit.between(change.at - LOGGED_LATE, change.at + OUTRANKED_LATE, "leader_outranked")
    ) and not any(_failures(change, unit, change.earliest(FAILED_BEFORE), change.at + FAILED_LATE))


def _is_stopped(change: Succession, missed_at: datetime, unit: LeaderLines) -> bool:
    """The former leader was stopped in order, and not by itself as it had lost its lock."""
    start = missed_at - STOPPED_BEFORE
    return any(
        # what was stopped and started led again
        line.at >= (change.held_since or line.at) and not _has_lost_lock(line, change.former_key, unit)
        for line in stops_of(change.former_key, unit, start, change.at)
    )


def stops_of(node_key: str, unit: LeaderLines, start: datetime, end: datetime) -> Iterator[LeaderLine]:
    """Lines by which a node is stopped in order."""
    for line in unit.between(start, end, "db_shutdown", "shutdown_notice", "program_stopped"):
        stopped = (line.peer_key if line.kind == "program_stopped" else None) or line.node_key
        if stopped == node_key and line.action != "immediate":
            yield line


def _has_lost_lock(stop: LeaderLine, node_key: str, unit: LeaderLines) -> bool:
    return any(
        line.node_key == node_key and rules_of(line.stack).gives_up == "lock lost"
        for line in unit.between(stop.at - FAILED_BEFORE, stop.at + LOGGED_LATE, "give_up")
    )


PLANNED: tuple[Callable[[Succession, datetime, LeaderLines], bool], ...] = (
    _is_unaccused,
    _is_handed_over,
    _is_outranked,
    _is_stopped,
)
"""Why a change is in order, apart from those that somebody asked for."""
