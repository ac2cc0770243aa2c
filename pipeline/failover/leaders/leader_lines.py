"""Lines that can tell who leads, and what stacks mean by them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from pipeline.failover.rules import rules
from pipeline.failover.step import Int16, Int32
from pipeline.failover.timeline import Timeline, Timelines

# --- what stacks say -------------------------------------------------------------------------------------------------

COUNTS_BEFORE = ("server", "address", "coordination")
"""Where several stacks of a unit have a leader, only those of the first of these count that one of them leads."""


@dataclass(frozen=True, slots=True)
class LeaderRules:
    """What a stack's lines about leaders mean: see rules/leaders.toml."""

    leads: str = "server"
    accusations: Sequence[str] = ()
    """Kinds of lines by which its nodes say of every leader that fails that it does; a change without is ordered."""
    carried_out: Sequence[str] = ()
    """Kinds of lines by the node that carries a change out, where others need not have missed the leader."""
    gives_up: str = ""
    """What a line means by which a node gives its role up: `role handed over` in order, `lock lost` in a failure."""
    failures_of: Sequence[str] = ()
    """Stacks that tell of failures of its leaders; empty: itself."""
    has_no_leader: bool = False
    """Every member serves, as long as the group has a quorum."""
    forms_slowly: bool = False
    """A group goes on without a member that it expels only when that cannot write any more."""
    names_databases: bool = False
    """Another node names the database that has become primary, not its host."""
    misses_unnamed: bool = False
    """Who misses the leader may not name it: it is the one that was named last."""
    misses_leaders_only: bool = False
    """Nodes that are missed are leaders, though nobody has said so before."""
    misses_any_member: bool = False
    """Nodes that are missed are members of any kind, leaders only where somebody has said so before."""
    tells_of_return: bool = False
    """Who misses the leader says so once, and says when it is back: it is missed until then."""
    speaks_for_all: bool = False
    """A node that says that another one is gone says so for the cluster."""
    is_told_by_followers: bool = False
    """Followers say again and again whom they follow: another one than before has taken over."""
    advertises: bool = False
    """A backup takes over as it hears no advertisement of the holder."""
    is_told_by_observers: bool = False
    """A program that serves nobody itself says it, from any host."""
    is_watched_on_its_host: bool = False
    """Another program on the leader's host says that it lives."""

    @property
    def rank(self) -> int:
        """Where it counts among the stacks of a unit."""
        return COUNTS_BEFORE.index(self.leads)


@cache
def rules_of(stack: str | None) -> LeaderRules:
    """The rules of a stack; None, of one that is not known."""
    return LeaderRules(**rules("leaders")["stacks"].get(stack, {}))


# --- lines -----------------------------------------------------------------------------------------------------------


class LeaderLine(NamedTuple):
    """A line that can tell who leads, misses a leader or ends its lead. `former`: whom it says that it replaces."""

    configuration: str
    unit_run: str | None
    node: str
    node_key: str
    stack: str
    kind: str
    object: str | None
    action: str | None
    peer: str | None
    peer_key: str | None
    former: str | None
    former_key: str | None
    process: str | None
    at: datetime
    file_id: Int32
    line_no: Int32
    part: Int16
    is_peer_writer: bool
    is_writer_known: bool
    log_begins_at: datetime | None


BY_PART = attrgetter("at", "file_id", "line_no", "part")
SIGNS_OF_LIFE = ("leader", "leader_alive", "leader_ready", "following")
"""Kinds of lines by which a leader lives."""

SAID_AGAIN = "repeat"
"""The action of a message that a program prints again and again while a leader is missing."""

CONFIGURED = "configured"
"""The action of a message that names the leader of a configuration, dead or alive."""

ANY_MEMBER = "member"
"""The action of a message that misses a member of any role: an election shows that it led."""

BY_ITS_LINE = attrgetter("line.at", "line.file_id", "line.line_no", "line.part")


class LeaderLines:
    """The lines of a unit by kind, in the order of time."""

    def __init__(self, lines: Iterable[LeaderLine]) -> None:
        lines = list(lines)
        self._begins: dict[tuple[str, str], datetime] = {}
        for line in lines:
            key = line.stack, line.node_key
            self._begins[key] = min(line.at, self._begins.get(key, line.at))
        self._by_kind = Timelines(lines, attrgetter("kind"), BY_PART)
        self._following = Timelines(self.of("following"), attrgetter("node_key"), BY_PART)

    def of(self, *kinds: str) -> Iterator[LeaderLine]:
        """The lines of some kinds, kind by kind."""
        return chain.from_iterable(self._by_kind.of(kind).rows for kind in kinds)

    def between(self, start: datetime, end: datetime, *kinds: str) -> Iterator[LeaderLine]:
        """Those from `start` to `end`, both inclusive."""
        return chain.from_iterable(self._by_kind.of(kind).between(start, end) for kind in kinds)

    def begins_at(self, line: LeaderLine) -> datetime:
        """When the first line of its node and stack was written."""
        return self._begins[line.stack, line.node_key]

    def following(self, node_key: str | None) -> Timeline[LeaderLine]:
        """Lines by which a node says that it follows a leader."""
        return self._following.of(node_key)

    def follows_again(self, line: LeaderLine, end: datetime) -> bool:
        """Whether the writer of a line says after it that it follows a leader of the same stack."""
        after = self.following(line.node_key).between(line.at, end)
        return any(each.stack == line.stack and BY_PART(each) > BY_PART(line) for each in after)
