"""Who leads a group by the newest statement, and who took over from whom."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from pipeline.failover.evidence import BOOTS, RecordedFault
from pipeline.failover.leaders.leader_lines import BY_PART, LeaderLine, LeaderLines, rules_of
from pipeline.failover.step import grouped
from pipeline.failover.timeline import Timeline, Timelines
from pipeline.failover.windows import (
    DATABASE_SHOWS,
    FORGOTTEN_TOGETHER,
    FORMS_SLOWLY,
    GROUP_FORMS,
    JUST_STARTED,
    LAGS_BEHIND,
    LOSS_OF_A_FAULT,
    MISSED_BEFORE,
    ORDERED_BEFORE,
    SAME_SECOND,
    TAKES_WHAT_IS_FREE,
)

BY_ITS_LINE = attrgetter("line.at", "line.file_id", "line.line_no", "line.part")

MISSED = ("leader_suspect", "leader_down", "leader_missing", "upstream_lost")
"""Kinds of lines by which a node misses a leader."""

STARTS = {"db_start", *BOOTS}
"""Kinds of lines by which a server or its host starts."""

UNNAMED = "former leader"
"""The name of a leader that nobody names."""


class Claim(NamedTuple):
    """A line that says who leads, or by which its writer misses who led."""

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
    def is_unproved(self) -> bool:
        """Whether its writer reads its own name in a lock that it has not renewed."""
        is_locked = rules_of(self.stack).gives_up == "lock lost"
        return is_locked and self.leader_key == self.writer_key and self.line.action != "renew"

    @property
    def writer_key(self) -> str:
        """The node that says so."""
        return self.line.node_key


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

    @property
    def takes_at_begin_of_log(self) -> bool:
        """Whether a backup takes an address from nobody known where its log begins: it may just have started."""
        begins_at = self.line.log_begins_at
        is_taken = self.former_key == UNNAMED and rules_of(self.line.stack).advertises
        return is_taken and begins_at is not None and self.at < begins_at + TAKES_WHAT_IS_FREE

    def earliest(self, before: timedelta) -> datetime:
        """So long before the change, or when the former leader was named where that is later."""
        start = self.line.at - before
        return max(start, self.held_since or start)


# --- claims ----------------------------------------------------------------------------------------------------------


def claims_in(lines: Sequence[LeaderLine]) -> list[Claim]:
    """Lines that say who leads, of the stacks that count; addresses and coordinators do where nothing else leads."""
    hosts, unknown = _hosts_of_databases(lines), _names_of_unknown(lines)
    writers: dict[tuple[str, datetime], tuple[str, str]] = {}
    found = []
    for line in lines:
        if _says_who_leads(line):
            name, key = line.peer or line.node, line.peer_key or line.node_key
            name, key = hosts.get((line.stack, key), (name, key))
            name, key = unknown.get(line.file_id, (name, key)) if line.peer is None else (name, key)
            if line.kind == "leader" and line.peer is None:
                # a node may write what it says into several logs
                first_said = writers.setdefault((line.stack, line.at), (name, key))
                name, key = (name, key) if line.is_writer_known else first_said
            found.append(Claim(line.stack, line.kind, line.object or "", name, key, line))
    first = min((rules_of(each.stack).rank for each in found if each.kind == "leader"), default=None)
    return [each for each in found if first is None or rules_of(each.stack).rank <= first]


def _says_who_leads(line: LeaderLine) -> bool:
    if line.kind == "leader_suspect":
        return line.peer is not None and rules_of(line.stack).misses_leaders_only
    # who says that an unnamed one is lost is not it
    return line.kind in {"leader", "leader_alive"} or (line.kind == "leader_down" and line.peer is not None)


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
        if own is None or line.is_peer_writer:
            continue
        if line.peer_key != own.node_key and line.at - own.at < DATABASE_SHOWS:
            hosts.setdefault((line.stack, line.peer_key), (own.node, own.node_key))
    return hosts


def _names_of_unknown(lines: Sequence[LeaderLine]) -> dict[int, tuple[str, str]]:
    """Names of hosts that nobody knows, by file: one that takes the lead says at the same time who has taken it."""
    names = {}
    for led in grouped((each for each in lines if each.kind == "leader"), "file_id").values():
        for pair in pairwise(led):
            for line, other in (pair, pair[::-1]):
                is_at_once = abs(other.at - line.at) <= SAME_SECOND
                if not line.is_writer_known and line.peer is None and is_at_once and other.peer and other.peer_key:
                    names[line.file_id] = (other.peer, other.peer_key)
    return names


# --- who leads -------------------------------------------------------------------------------------------------------


class Held(NamedTuple):
    """The lead of a group. `since`: when its holder was first said to have it; None where it is known by its loss."""

    leader: str
    leader_key: str
    since: datetime | None


Leader = tuple[str, str]
"""The name of a leader, and the same in small letters."""


@dataclass
class Leadership:
    """What is known of the leaders of a stack: the newest statement wins, but for one by a node that lags.

    `held`: the lead by group. `said`: the last claim of each writer, `told`: of any writer. `led`: the last line that
    named a new leader, by group. `named_at`: when a node was last said to lead.
    """

    missed: Timeline[LeaderLine]
    failed: Timeline[LeaderLine]
    starts: Timelines[LeaderLine]
    orders: Timeline[LeaderLine]
    backups: Timelines[LeaderLine]
    faults: Sequence[datetime]
    started: LeaderLine | None = None
    held: dict[str, Held] = field(default_factory=dict)
    led: dict[str, Claim] = field(default_factory=dict)
    said: dict[str, Claim] = field(default_factory=dict)
    of_others: dict[str, Claim] = field(default_factory=dict)
    replaced: dict[str, Claim] = field(default_factory=dict)
    told: list[Claim] = field(default_factory=list)
    named_at: dict[str, datetime] = field(default_factory=dict)

    def take(self, claim: Claim) -> Succession | None:
        """Learn from a claim; the change that it tells."""
        held = self.held.get(claim.group)
        former = self._former(claim, held) if claim.kind == "leader" else self._given_up(claim, held)
        if former is not None and self._have_both_started(former, claim):
            former, held = None, None
        self._learn(claim, held, is_change=former is not None)
        if former is None:
            return None
        since = held and held.since
        return Succession(claim.line, claim.group, claim.leader, claim.leader_key, *former, held_since=since)

    def _former(self, claim: Claim, held: Held | None) -> Leader | None:
        """Whom a new leader replaces: as the line itself says, else the holder by the newest statement."""
        if held is not None and held.leader_key == claim.leader_key and not self._is_replaced_anew(claim, held):
            gave_up = self.backups.of(claim.leader_key).has(held.since or claim.at, claim.at)
            return self._held_before(claim) if gave_up else None
        if claim.line.former_key == claim.writer_key and claim.leader_key in self.named_at:
            return None  # who was replaced hears of it last
        own, led = self.of_others.get(claim.leader_key), self.led.get(claim.group)
        earlier = (each for each in reversed(self.told) if each.leader_key != claim.leader_key)
        if claim.line.former is not None and claim.line.former_key is not None:
            found: Leader | None = (claim.line.former, claim.line.former_key)
        # whom the new leader said last that it follows or misses: a log may be of several clusters
        elif own is not None and (led is None or own.at > led.at):
            found = (own.leader, own.leader_key)
        elif held is not None:
            found = (held.leader, held.leader_key)
        else:
            found = next(((each.leader, each.leader_key) for each in earlier), None) or self._missed_before(claim)
        return None if found is None or found[1] == claim.leader_key else found

    def _is_replaced_anew(self, claim: Claim, held: Held) -> bool:
        """Whether a node tells a second time that the holder replaced a leader: it tells of each change once, and soon
        after others do.
        """
        before = self.replaced.get(claim.writer_key)
        is_same = before is not None and before.leader_key == claim.leader_key
        return claim.line.former is not None and is_same and claim.at > (held.since or claim.at) + LAGS_BEHIND

    def _given_up(self, claim: Claim, held: Held | None) -> Leader | None:
        """Whom a follower has stopped to follow: it follows another one now."""
        if claim.kind != "leader_alive" or not rules_of(claim.stack).is_told_by_followers:
            return None
        if held is None:
            has_started = self.starts.of(claim.writer_key).has(claim.at - JUST_STARTED, claim.at)
            return None if has_started else self._missed_before(claim)
        is_other = held.leader_key != claim.leader_key and (
            self._has_known(claim, held) or self._has_missed(claim, held)
        )
        return (held.leader, held.leader_key) if is_other else None

    def _missed_before(self, claim: Claim) -> Leader | None:
        """Whom nodes missed before, or whose loss was ordered or is in study.toml, where nobody has said who led."""
        lines = self.missed.between(claim.at - MISSED_BEFORE, claim.at)
        missed = [each for each in lines if each.peer_key != claim.leader_key and self._is_of_this_group(each)]
        own = [each for each in missed if each.node_key == claim.leader_key]
        names = Counter((each.peer, each.peer_key) for each in own or missed if each.peer and each.peer_key)
        for (name, key), _ in names.most_common(1):
            return (name, key) if name and key and not rules_of(claim.stack).misses_any_member else None
        had_none = self.started is not None and not self.named_at  # a new group has nobody to miss
        is_unnamed = not had_none and any(
            not self.starts.of(each.node_key).has(each.at - JUST_STARTED, claim.at) for each in missed
        )
        is_recorded = any(each <= claim.at <= each + LOSS_OF_A_FAULT for each in self.faults)
        is_ordered = self.orders.has(claim.at - ORDERED_BEFORE, claim.at)
        return (UNNAMED, UNNAMED) if is_unnamed or is_recorded or is_ordered else self._held_before(claim)

    def _held_before(self, claim: Claim) -> Leader | None:
        """Who must have had what a backup takes: one that failed, or somebody unknown; nobody, if it just began."""
        since, own = claim.at - TAKES_WHAT_IS_FREE, claim.writer_key
        is_free = self.starts.of(own).has(since, claim.at) or self.backups.of(own).has(since, claim.at)
        if claim.kind != "leader" or not rules_of(claim.stack).advertises or is_free:
            return None
        failed = self.failed.back_from(claim.at)
        names = ((each.node, each.node_key) for each in failed if each.at >= claim.at - MISSED_BEFORE)
        return next((each for each in names if each[1] != claim.leader_key), (UNNAMED, UNNAMED))

    def _is_of_this_group(self, line: LeaderLine) -> bool:
        """Whether a line was written since the group started."""
        started = self.started
        is_before = started is not None and line.file_id == started.file_id and line.line_no < started.line_no
        return started is None or (line.at >= started.at and not is_before)

    def _have_both_started(self, former: Leader, claim: Claim) -> bool:
        """Whether the server that led and the one that leads have just started: whoever comes up first leads.

        Somebody who orders a change has the servers started again for it.
        """
        if self.orders.has(claim.at - ORDERED_BEFORE, claim.at):
            return False
        since = max(claim.at - JUST_STARTED, self.named_at.get(former[1], claim.at))
        started = [self.starts.of(key).latest(since, claim.at) for key in (former[1], claim.leader_key)]
        began = [each.at for each in started if each is not None and each.at > since]
        return len(began) == len(started) and not any(
            each.peer_key == former[1] for each in self.missed.between(max(began), claim.at)
        )

    def _has_known(self, claim: Claim, held: Held) -> bool:
        """Whether the writer of a claim knew who leads before it said something else."""
        before = self.said.get(claim.writer_key)
        return before is not None and before.leader_key == held.leader_key

    def _has_missed(self, claim: Claim, held: Held) -> bool:
        """Whether the writer of a claim missed who leads before: its log may begin there."""
        lines = self.missed.between(claim.at - MISSED_BEFORE, claim.at)
        return any((each.node_key, each.peer_key) == (claim.writer_key, held.leader_key) for each in lines)

    def _learn(self, claim: Claim, held: Held | None, *, is_change: bool) -> None:
        is_alive = claim.kind in {"leader", "leader_alive"}
        is_late = held is not None and held.since is not None and claim.at <= held.since + LAGS_BEHIND
        is_newer = is_change or claim.kind == "leader" or held is None or self._has_known(claim, held)
        if is_newer or (claim.kind == "leader_alive" and not is_late and not claim.is_unproved):
            is_same = held is not None and held.leader_key == claim.leader_key and not is_change
            if not is_same or claim.kind == "leader":
                since = claim.at if claim.kind == "leader" or (is_alive and held is not None) else None
                self.held[claim.group] = Held(claim.leader, claim.leader_key, since)
        if claim.kind == "leader":
            self.led[claim.group] = claim
        else:
            self.told.append(claim)
            if claim.writer_key != claim.leader_key:
                self.of_others[claim.writer_key] = claim
        if claim.line.former is not None:
            self.replaced[claim.writer_key] = claim
        self.said[claim.writer_key] = claim
        self.named_at[claim.leader_key] = claim.at

    def start_anew(self, line: LeaderLine) -> None:
        """Forget all: the group is a new one."""
        for known in (self.held, self.led, self.said, self.of_others, self.replaced, self.told, self.named_at):
            known.clear()
        self.started = line


def successions(lines: Sequence[LeaderLine], faults: Iterable[RecordedFault]) -> Iterator[Succession]:
    """Leaders that are others than those before them in their group; `lines` in the order of time."""
    starts = Timelines((each for each in lines if each.kind in STARTS), attrgetter("node_key"), BY_PART)
    missed = Timelines((each for each in lines if each.kind in MISSED), attrgetter("stack"), BY_PART)
    failed = Timelines((each for each in lines if each.kind == "vrrp_fault"), attrgetter("stack"), BY_PART)
    orders = Timelines((each for each in lines if each.kind == "leader_wanted"), attrgetter("stack"), BY_PART)
    backups = Timelines((each for each in lines if each.kind == "vrrp_backup"), attrgetter("node_key"), BY_PART)
    recorded = [each.fault_at for each in faults]
    known: dict[str, Leadership] = {}

    def of(stack: str) -> Leadership:
        return known.setdefault(
            stack, Leadership(missed.of(stack), failed.of(stack), starts, orders.of(stack), backups, recorded)
        )

    events: list[Claim | LeaderLine] = [*claims_in(lines), *(each for each in lines if each.kind == "group_started")]
    for event in sorted(events, key=_place):
        if not isinstance(event, Claim):
            of(event.stack).start_anew(event)
        elif found := of(event.stack).take(event):
            yield found


def _place(event: Claim | LeaderLine) -> tuple[datetime, int, int, int]:
    line = event.line if isinstance(event, Claim) else event
    return line.at, line.file_id, line.line_no, line.part


# --- groups without a leader -----------------------------------------------------------------------------------------


def expulsions(unit: LeaderLines) -> Iterator[Succession]:
    """Members that a group without a leader forgets; who is left alone forgets the others too, but does not go on."""
    ready = Timelines(unit.of("leader_ready"), attrgetter("file_id", "stack"), BY_PART)
    forgotten: dict[tuple[str, str], datetime] = {}
    for line in unit.of("member_gone"):
        if line.peer is None or line.peer_key is None or line.node_key == line.peer_key:
            continue
        late = FORMS_SLOWLY if rules_of(line.stack).forms_slowly else GROUP_FORMS
        if not ready.of((line.file_id, line.stack)).has(line.at - GROUP_FORMS, line.at + late):
            continue
        before = forgotten.get((line.stack, line.peer_key))
        forgotten[line.stack, line.peer_key] = line.at
        if before is None or line.at - before > FORGOTTEN_TOGETHER:
            yield Succession(line, "", line.node, line.node_key, line.peer, line.peer_key, before)
