"""The lines of a unit, as the questions about its losses look for them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from pipeline.failover.evidence import ClusterLine, by_kind, host_key
from pipeline.failover.timeline import Timeline, Timelines

INSTANT = timedelta.resolution

ID_DIGITS = 18
"""A number of more digits is no id of a ring: they have 32 bits."""


class Return(NamedTuple):
    """A time at which a node is in its cluster, or starts."""

    node_key: str | None
    at: datetime


class UnitLines:
    """The lines of a unit, by kind and in the order of time."""

    def __init__(self, lines: Iterable[ClusterLine], ring_names: Mapping[int, str]) -> None:
        self._by_kind = by_kind(lines)
        self._ring_names = ring_names
        self._in_time: dict[tuple[str, ...], Sequence[ClusterLine]] = {}

    def of(self, *kinds: str) -> Sequence[ClusterLine]:
        """The lines of some kinds."""
        if kinds not in self._in_time:
            self._in_time[kinds] = Timeline(each for kind in kinds for each in self._by_kind.get(kind, ())).rows
        return self._in_time[kinds]

    @cached_property
    def boots(self) -> Timelines[ClusterLine]:
        """Starts of cluster layers, by host."""
        return Timelines(self.of("boot"), host_key)

    @cached_property
    def fencings(self) -> Timelines[ClusterLine]:
        """Lines of fencing, by the node that is fenced."""
        return Timelines(self.of("fence_start", "fence_done"), attrgetter("system_key"))

    @cached_property
    def lives(self) -> Timelines[ClusterLine]:
        """Lines that show a peer alive, by file and peer."""
        found = self.of("link_up", "member_joined", "status_up")
        return Timelines((each for each in found if each.system_key is not None), attrgetter("file_id", "system_key"))

    @cached_property
    def tokens(self) -> Timeline[ClusterLine]:
        """Losses of the token."""
        return Timeline(self.of("token_lost"))

    @cached_property
    def _returns(self) -> Timelines[Return]:
        found = [Return(each.system_key, each.at) for each in self.of("member_joined", "status_up")]
        found += [Return(each.node_key, each.at) for each in self.of("cluster_started", "boot")]
        for ring in self.of("membership"):
            names = (self._ring_names.get(i) for i in ring_ids(ring.state)) if ring.stack is not None else ()
            found += [Return(name.lower(), ring.at) for name in names if name is not None]
        return Timelines(found, attrgetter("node_key"), order=attrgetter("at"))

    def is_back(self, node_key: str | None, start: datetime, end: datetime) -> bool:
        """Whether a node returns between two times, neither of them inclusive."""
        return self._returns.of(node_key).has(start + INSTANT, end - INSTANT)


def ring_ids(text: str | None) -> list[int]:
    """The ids that a line of a ring's members prints: `1 3`."""
    return [int(each) for each in (text or "").split(" ") if each.isdecimal() and len(each) <= ID_DIGITS]
