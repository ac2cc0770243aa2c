"""Leaders that were missed and that nobody replaced, as far as the logs go, and groups that lost their quorum."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from operator import attrgetter
from typing import Annotated, NamedTuple

from pipeline.failover.leaders.leader_lines import ANY_MEMBER, BY_PART, SAID_AGAIN, LeaderLine, LeaderLines, rules_of
from pipeline.failover.leaders.leaders import stops_of
from pipeline.failover.leaders.successions import MISSED, UNNAMED
from pipeline.failover.step import Int16, Int32, grouped, passed_on, step
from pipeline.failover.timeline import Timeline, Timelines
from pipeline.failover.windows import (
    ELECTION,
    FOLLOWED,
    LOG_GOES_ON,
    LOGGED_LATE,
    MISSED_AGAIN,
    MISSED_ANEW,
    ORDERED_BEFORE,
    REPLACED_BEFORE,
)


class UnreplacedLeader(NamedTuple):
    """One row per line by which other nodes missed a leader that nobody replaced. Times in UTC. Of servers that
    elect a leader: nodes say that the one that led does not answer, and that one of them wanted to lead, or that
    they agree that it is gone, or their logs end within five minutes; for an hour none leads, and the leader shows
    no sign for five minutes, as far as the logs go. Losses that somebody ordered are not here, nor addresses that
    move between nodes; a coordinator (etcd, Consul, ZooKeeper) is only where nothing else has a leader. A group
    without a leader (Galera) serves no longer where members are gone and it has lost its quorum.
    """

    configuration: str
    unit_run: str | None
    stack: Annotated[str, "whose leader it was"]
    former: Annotated[str, "node that led"]
    former_key: Annotated[str, "the same in small letters"]
    loss_at: Annotated[datetime, "first line by which another node missed it"]
    seen_at: Annotated[datetime | None, "last line before that says that it led; null where there is none"]
    is_watched: Annotated[
        bool, "a log that misses it, or last tried it, goes on for a minute: it would show another leader"
    ]
    node: Annotated[str | None, "host that wrote the line"]
    at: datetime
    file_id: Int32
    line_no: Int32
    part: Int16


class LogFile(NamedTuple):
    """A file, and when its log ends."""

    configuration: str | None
    file_id: Int32
    last_at: datetime | None


class Missed(NamedTuple):
    """A line by which a node misses the leader. `seen_at`: when that was last said to lead."""

    stack: str
    former: str
    former_key: str
    seen_at: datetime | None
    line: LeaderLine


class Loss(NamedTuple):
    """Lines by which a leader is missed, none of them long after the one before."""

    stack: str
    former_key: str
    missed: list[Missed]

    @property
    def at(self) -> datetime:
        """When the first of them was written."""
        return self.missed[0].line.at


@step(of="leader_line", is_stored=False)
def unreplaced_leader(leader_line: Sequence[LeaderLine], source_file: Sequence[LogFile]) -> Iterator[UnreplacedLeader]:
    """The losses of leaders of a unit that no node made up for, though a log goes on that would show it."""
    lines = sorted((each for each in leader_line if rules_of(each.stack).leads != "address"), key=BY_PART)
    unit = LeaderLines(lines)
    counted = _counted(lines)
    sightings = _sightings(counted, unit)
    log_ends = {each.file_id: each.last_at for each in source_file if each.last_at is not None}
    found = []
    missed = (each for each in _missed(counted, sightings) if not _is_cut_off(each.line, unit))
    for loss in _losses(missed, unit):
        if (
            _is_certain(loss, unit, log_ends)
            and not _is_replaced(loss, sightings, unit)
            and not _is_ordered(loss, unit)
        ):
            found += _rows(loss, unit, log_ends)
    yield from sorted(found, key=BY_PART)


class Sighting(NamedTuple):
    """A line that says who leads."""

    at: datetime
    stack: str
    leader: str
    leader_key: str


def _counted(lines: Sequence[LeaderLine]) -> Sequence[LeaderLine]:
    """Lines about leaders; those of coordinators only where nothing else tells of any."""
    kinds = {"leader", "leader_alive", "leader_ready", *MISSED, "election", "election_failed"}
    about = [each for each in lines if each.kind in kinds]
    first = min((rules_of(each.stack).rank for each in about), default=0)
    return [each for each in about if rules_of(each.stack).rank == first]


def _sightings(counted: Sequence[LeaderLine], unit: LeaderLines) -> Timeline[Sighting]:
    leading = [each for each in counted if each.kind in {"leader", "leader_alive", "leader_ready"}]
    named: list[tuple[LeaderLine, str | None, str | None]] = []
    named += [(each, each.peer or each.node, each.peer_key or each.node_key) for each in leading]
    named += [(each, each.peer, each.peer_key) for each in unit.of("following")]
    seen = [
        Sighting(each.at, each.stack, name, key) for each, name, key in named if name is not None and key is not None
    ]
    return Timeline(seen, order=attrgetter("at"))


def _missed(counted: Sequence[LeaderLine], sightings: Timeline[Sighting]) -> Iterator[Missed]:
    """Lines by which the leader is missed: of stacks that name any member so, those that name the one that led."""
    seen = Timelines(sightings.rows, attrgetter("stack"), attrgetter("at"))
    missed_last: dict[str, tuple[str, str]] = {}
    for line in counted:
        is_missing = line.kind in {"leader_suspect", "leader_down", "upstream_lost"}
        if not is_missing or line.peer_key == line.node_key:
            continue
        holder = seen.of(line.stack).last_before(line.at)
        if line.peer is None or line.peer_key is None:
            # a replica alone may have lost its connection
            if rules_of(line.stack).misses_unnamed and line.kind != "upstream_lost":
                unseen = missed_last.get(line.stack, (UNNAMED, UNNAMED))
                name, key = (holder.leader, holder.leader_key) if holder else unseen
                yield Missed(line.stack, name, key, holder and holder.at, line)
        elif _may_have_led(line, holder):
            missed_last[line.stack] = (line.peer, line.peer_key)
            yield Missed(line.stack, line.peer, line.peer_key, holder and holder.at, line)


def _is_cut_off(line: LeaderLine, unit: LeaderLines) -> bool:
    """Whether the node that misses a leader is in the smaller part of its group, which cannot tell who is lost; of a
    group without a leader, whether it misses several members at once.
    """

    def own(*kinds: str) -> list[LeaderLine]:
        near = unit.between(line.at - LOGGED_LATE, line.at + ELECTION, *kinds)
        return [each for each in near if (each.stack, each.node_key) == (line.stack, line.node_key)]

    is_alone = not rules_of(line.stack).has_no_leader or len({each.peer_key for each in own("leader_suspect")}) > 1
    return is_alone and bool(own("quorum_lost"))


def _may_have_led(line: LeaderLine, holder: Sighting | None) -> bool:
    """Whether the node that a line misses led: by the last line that says who does, else by what the stack misses."""
    rule = rules_of(line.stack)
    if rule.has_no_leader:
        return True
    if holder is not None:
        return holder.leader_key == line.peer_key
    is_named = line.kind in {"leader_down", "upstream_lost"} and not rule.misses_any_member
    return rule.misses_leaders_only or is_named


def _losses(missed: Iterator[Missed], unit: LeaderLines) -> Iterator[Loss]:
    """The lines about a leader, cut where it was not missed for long, or who missed it follows it again."""
    for (stack, former_key), lines in grouped(missed, "stack", "former_key").items():
        loss = Loss(stack, former_key, lines[:1])
        for before, each in pairwise(lines):
            is_anew = each.line.at - before.line.at > MISSED_ANEW
            if is_anew or unit.follows_again(before.line, each.line.at):
                yield loss
                loss = Loss(stack, former_key, [])
            loss.missed.append(each)
        yield loss


def _is_certain(loss: Loss, unit: LeaderLines, log_ends: Mapping[int, datetime]) -> bool:
    """Whether nodes agreed that the leader is gone, one of them wanted to lead, or their logs end before one could; of
    a group without a leader whether it lost its quorum.
    """
    if rules_of(loss.stack).has_no_leader:
        return any(unit.between(loss.at, loss.at + ELECTION, "quorum_lost"))
    races = unit.between(loss.at - LOGGED_LATE, loss.at + ELECTION, "election", "election_failed")
    lines = [each.line for each in loss.missed if each.line.action != ANY_MEMBER]
    ends = [log_ends[each.file_id] for each in lines if each.file_id in log_ends]
    return (
        rules_of(loss.stack).speaks_for_all
        or any(each.kind == "leader_down" for each in lines)
        or any(each.stack == loss.stack for each in races)
        or (bool(lines) and max(ends, default=loss.at) < loss.at + ELECTION)
    )


def _is_replaced(loss: Loss, sightings: Timeline[Sighting], unit: LeaderLines) -> bool:
    """Whether another node leads in the hour after, or any leader shows itself in the minutes after."""
    winners = unit.between(loss.at - REPLACED_BEFORE, loss.at + FOLLOWED, "leader", "db_promoted")
    # members that go on form their group at once
    since = loss.at - LOGGED_LATE if rules_of(loss.stack).has_no_leader else loss.at + LOGGED_LATE
    return (
        sightings.has(since, loss.at + ELECTION)
        or unit.follows_again(loss.missed[-1].line, loss.at + ELECTION)
        or any((each.peer_key or each.node_key) != loss.former_key for each in winners)
    )


def _is_ordered(loss: Loss, unit: LeaderLines) -> bool:
    """Whether somebody asked for a change, or stopped the leader."""
    start, end = loss.at - ORDERED_BEFORE, loss.at + LOGGED_LATE
    return any(unit.between(start, end, "leader_wanted")) or any(stops_of(loss.former_key, unit, start, end))


def _rows(loss: Loss, unit: LeaderLines, log_ends: Mapping[int, datetime]) -> list[UnreplacedLeader]:
    """The first lines by which the leader was missed, with those before anybody said that it led."""
    missed = [each for each in loss.missed if each.line.at < loss.at + MISSED_AGAIN]
    former = min(each.former for each in missed)
    lines = [(each.former, each.line) for each in missed]
    before = [
        *unit.between(loss.at - ORDERED_BEFORE, loss.at, "upstream_lost"),
        *(each for each in unit.between(loss.at - MISSED_AGAIN, loss.at, "leader_suspect") if each.peer is not None),
    ]
    for line in before:
        is_of_former = line.peer_key in {None, loss.former_key} and line.node_key != loss.former_key
        is_new = is_of_former and line not in {known for _, known in lines}
        if is_new and not unit.following(line.node_key).has(line.at, loss.at):
            lines.append((former, line))
    watched_since = _watched_since(loss, unit)
    is_watched = any(log_ends.get(line.file_id, loss.at) >= watched_since + LOG_GOES_ON for _, line in lines)
    first = min(line.at for _, line in lines)
    seen = [each.seen_at for each in loss.missed if each.line.at == loss.at and each.seen_at is not None]
    return [
        passed_on(
            UnreplacedLeader,
            line,
            stack=loss.stack,
            former=name,
            former_key=loss.former_key,
            loss_at=first,
            seen_at=max(seen, default=None),
            is_watched=is_watched,
        )
        for name, line in lines
    ]


def _watched_since(loss: Loss, unit: LeaderLines) -> datetime:
    """When the leader was missed; who tries it again and again and has decided nothing yet misses it since the last."""
    tries = [each.line.at for each in loss.missed if each.line.action == SAID_AGAIN]
    is_decided = any(each.line.kind == "leader_down" for each in loss.missed) or any(
        unit.between(loss.at, loss.at + ELECTION, "election", "election_failed")
    )
    return loss.at if is_decided else max(tries, default=loss.at)
