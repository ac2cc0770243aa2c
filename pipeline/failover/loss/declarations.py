"""Which lines declare a node lost: a function a layer, each a question."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from pipeline.failover.evidence import ClusterLine, host_key
from pipeline.failover.leaders.leaders import LeaderChange
from pipeline.failover.leaders.unreplaced_leaders import UnreplacedLeader
from pipeline.failover.loss.unit_lines import UnitLines, ring_ids
from pipeline.failover.rules import rules
from pipeline.failover.timeline import Timeline, Timelines
from pipeline.failover.windows import (
    CLOCKS_DIFFER,
    FENCE_LOGGED,
    JUST_STARTED,
    LINKS_EXPIRE,
    NO_OTHER_SIGN,
    RING_REPEATED,
    SAID_GOODBYE,
    TOKEN_OF_OTHERS,
    TOKEN_TO_RING,
)

LAYER_OF: Mapping[str, str] = rules("losses")["layer_of"]
PORTS: Mapping[str, str] = rules("losses")["ports"]
IDS = re.compile(r"[0-9]+( [0-9]+)*")
BY_LINE = attrgetter("at", "line.file_id", "line.line_no", "line.part")


Line = ClusterLine | LeaderChange | UnreplacedLeader


class Declaration(NamedTuple):
    """A line that declares a node lost: by its id, its name (else empty), or both. `missed_at`: since when a leader was
    missed.
    """

    line: Line
    layer: str
    lost_id: int | None = None
    lost_node: str = ""
    port: str | None = None
    is_decisive: bool = True
    is_planned: bool = False
    is_leader_change: bool = False
    missed_at: datetime | None = None

    @property
    def at(self) -> datetime:
        """When the line was written."""
        return self.line.at

    @property
    def node_key(self) -> str | None:
        """The host that wrote the line, in small letters."""
        return None if self.line.node is None else self.line.node.lower()

    @property
    def lost_key(self) -> str:
        """The lost node, in small letters."""
        return self.lost_node.lower()


def declarations(lines: UnitLines, known_ids: Sequence[int]) -> list[Declaration]:
    """Every line of a unit that declares a node lost, by any layer."""
    return [
        *left_gab(lines, known_ids),
        *lost_all_links(lines),
        *faulted_systems(lines),
        *dead_peers(lines),
        *left_ring(lines),
    ]


def _layer(line: ClusterLine) -> str:
    return LAYER_OF[line.kind] if line.stack is None else line.stack


def left_gab(lines: UnitLines, known_ids: Sequence[int]) -> Iterator[Declaration]:
    """Nodes that a GAB membership lacks and the one before it on that port and host had.

    The first membership of a log counts against the nodes known otherwise, unless the layer was just starting.
    """
    memberships = [each for each in lines.of("membership") if each.members is not None]
    hosts_with_port = {host_key(each) for each in memberships if each.port == PORTS["decisive"]}
    previous: dict[tuple[str, str | None], Sequence[int]] = {}
    for line in memberships:
        host, members = host_key(line), line.members or []
        had = previous.get((host, line.port))
        previous[host, line.port] = members
        if had is None:
            has_started = lines.boots.of(host).has(line.at - JUST_STARTED, line.at)
            had = known_ids if members and not has_started else ()
        is_decisive = line.port == PORTS["decisive"] or (line.port == PORTS["stand_in"] and host not in hosts_with_port)
        for gone in had:
            if gone not in members:
                yield Declaration(line, _layer(line), gone, port=line.port, is_decisive=is_decisive)


def lost_all_links(lines: UnitLines) -> Iterator[Declaration]:
    """Nodes that the last of the LLT links to expires: one of several that expires is no loss."""
    links: dict[tuple[str, int], set[int]] = defaultdict(set)
    for line in lines.of("trouble", "inactive", "expired", "active"):
        if line.node_id is not None and line.link is not None:
            links[host_key(line), line.node_id].add(line.link)
    expiries = [each for each in lines.of("expired") if each.node_id is not None]
    near = Timelines(expiries, attrgetter("node_key", "node_id"))
    for line in expiries:
        together = near.of((line.node_key, line.node_id)).between(line.at - LINKS_EXPIRE, line.at)
        expired = {each.link for each in together if each.link is not None}
        if len(expired) >= len(links[host_key(line), line.node_id or 0]):
            yield Declaration(line, _layer(line), line.node_id)


def faulted_systems(lines: UnitLines) -> Iterator[Declaration]:
    """Systems that HAD declares faulted, or down though it has not just started."""
    for line in lines.of("system_state", "down_state"):
        if line.system_key == line.node_key:
            continue
        if line.kind == "system_state":
            is_lost = (line.previous_state or "").upper() == "RUNNING" and (line.state or "").upper() == "FAULTED"
        else:
            is_lost = not lines.boots.of(host_key(line)).has(line.at - JUST_STARTED, line.at)
        if is_lost:
            yield Declaration(line, _layer(line), line.node_id, line.system or "")


def dead_peers(lines: UnitLines) -> Iterator[Declaration]:
    """Peers that a cluster manager declares dead or gone, and those that say good-bye."""
    starts = Timelines(lines.of("cluster_started"), attrgetter("file_id", "node_key"))
    announced = [each for each in lines.of("shutdown_notice") if each.node_key not in {None, each.system_key}]
    goodbyes = Timelines(announced, attrgetter("system_key"))
    for line in lines.of("peer_dead", "member_lost", "shutdown_notice"):
        if line.system_key == line.node_key or line.previous_state not in {None, "member"}:
            continue
        if line.kind == "peer_dead":
            start = starts.of((line.file_id, line.node_key)).latest(line.at - JUST_STARTED, line.at)
            # a node that starts alone finds its peer dead
            if start is not None and not lines.lives.of((line.file_id, line.system_key)).has(start.at, line.at):
                continue
        if line.kind != "shutdown_notice" and _follows_from_goodbye(line, goodbyes, lines):
            continue
        yield Declaration(
            line, _layer(line), line.node_id, line.system or "", is_planned=line.kind == "shutdown_notice"
        )


def _follows_from_goodbye(line: ClusterLine, goodbyes: Timelines[ClusterLine], lines: UnitLines) -> bool:
    """Whether the peer had said good-bye, and neither came back nor was fenced since."""
    goodbye = goodbyes.of(line.system_key).latest(line.at - SAID_GOODBYE, line.at)
    return (
        goodbye is not None
        and not lines.fencings.of(line.system_key).has(goodbye.at, line.at + FENCE_LOGGED)
        and not lines.is_back(line.system_key, goodbye.at, line.at)
    )


def left_ring(lines: UnitLines) -> Iterator[Declaration]:
    """Members that left a ring, in order unless a token was lost or they left without a word."""
    unannounced = Timeline(lines.of("leave_missed"))
    previous_at: dict[str, datetime] = {}
    for line in lines.of("membership"):
        if line.stack is None:
            continue
        before = previous_at.get(host_key(line))
        previous_at[host_key(line)] = line.at
        if IDS.fullmatch(line.previous_state or "") is None:
            continue
        left = ring_ids(line.previous_state)
        is_unannounced = any(
            not set(left).isdisjoint(ring_ids(each.previous_state))
            for each in unannounced.between(line.at - RING_REPEATED, line.at + RING_REPEATED)
        )
        is_orderly = not is_unannounced and not _lost_token(line, before, lines.tokens)
        for lost_id in left:
            yield Declaration(line, _layer(line), lost_id, is_planned=is_orderly)


def _lost_token(ring: ClusterLine, previous_at: datetime | None, tokens: Timeline[ClusterLine]) -> bool:
    """Whether the host lost the token since its ring before, or another one just now.

    Who loses the token says so; a host that another one asks to look for members does not.
    """
    own_since = ring.at - TOKEN_TO_RING if previous_at is None else max(previous_at, ring.at - TOKEN_TO_RING)
    return any(
        each.at >= (own_since if host_key(each) == host_key(ring) else ring.at - TOKEN_OF_OTHERS)
        for each in tokens.between(ring.at - TOKEN_TO_RING, ring.at + CLOCKS_DIFFER)
    )


def fenced_alone(lines: UnitLines, declared: Timeline[Declaration]) -> Iterator[Declaration]:
    """Nodes fenced after a lost token, where no line declares a node lost: logs that begin late show no membership."""
    for line in lines.of("fence_done"):
        if (
            line.state != "failed"
            and None not in {line.system_key, line.node_key}
            and line.system_key != line.node_key
            and lines.tokens.has(line.at - TOKEN_TO_RING, line.at)
            and not declared.has(line.at - NO_OTHER_SIGN, line.at + NO_OTHER_SIGN)
        ):
            yield Declaration(line, _layer(line), line.node_id, line.system or "")


def lost_leaders(
    lines: UnitLines, changes: Iterable[LeaderChange], declared: Timeline[Declaration]
) -> Iterator[Declaration]:
    """What nodes that elect a leader say of the one that was lost, and the line by which another one leads."""
    missed = Timeline(lines.of("leader_suspect", "leader_down", "upstream_lost"))
    for change in changes:
        if declared.has(change.at - NO_OTHER_SIGN, change.at + NO_OTHER_SIGN):
            continue
        said = [
            each
            for each in missed.between(change.loss_at, change.at)
            if each.system_key in {None, change.former_key}
            and each.node_key != change.former_key
            and _place(each) != _place(change)
        ]
        evidence: list[Line] = [*said, change]
        for line in evidence:
            yield Declaration(
                line,
                change.stack,
                lost_node=change.former,
                is_planned=change.is_planned,
                is_leader_change=True,
                missed_at=change.loss_at,
            )


_place = attrgetter("file_id", "line_no", "part")
