"""Which host an id in the lines of a cluster layer stands for."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, NamedTuple

from pipeline.failover.evidence import ClusterLine
from pipeline.failover.loss.unit_lines import ring_ids
from pipeline.failover.rules import rules
from pipeline.failover.step import CONFIGURATION, grouped, step

RING: str = rules("losses")["ids"]
LINKS: str = rules("losses")["ids_by_name"]

PRINTED, LISTED, ALONE, STAYED, MADE_OF_ADDRESS = 1, 2, 10, 11, 12
"""Ranks of candidates, by where they are known from; the distance of a file that lists one is added."""

PAIR = 2

IPV4 = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3}){3}")

WITHOUT_HIGHEST_BIT = 0x7FFFFFFF


class ClusterNode(NamedTuple):
    """One row per configuration, series of ids and id: the host it stands for. LLT counts nodes from 0; corosync's
    ids are any 32 bits. LLT: read from HAD lines that print both (`System alder (Node '0')`), else from llthosts.
    CVMNodeId numbers are another series. Corosync: from lines that print both (`Node alder state is now lost |
    nodeid=2`), else from the nodelist of corosync.conf and the nodes of the cluster information base; else the
    host is alone in its ring, or is not the one of two that it says has left; else the id is made of the address
    that the host binds to; else it is the only id and the only host that is left over.
    """

    configuration: str
    series: Annotated[str, "llt or corosync"]
    node_id: Annotated[int, "id in the series"]
    node: Annotated[str, "host, short name as printed"]


class NodeLine(NamedTuple):
    """What lines say of the hosts and ids of a ring."""

    configuration: str
    kind: str
    node: str | None
    node_key: str | None
    node_id: int | None
    address: str | None
    left_ids: str | None
    member_ids: str | None
    member_count: float | None
    line_count: int


class NodeSetting(NamedTuple):
    """A node that a file of settings lists with its id."""

    configuration: str
    series: str
    node_id: int | None
    node: str | None
    address: str | None
    host_of_address: str | None
    distance: int


class Candidate(NamedTuple):
    """A host that an id may stand for: the least rank counts, then most lines."""

    series: str
    node_id: int
    node: str
    rank: int


class RingLines:
    """What lines say of the hosts and ids of a ring."""

    def __init__(self, lines: Iterable[NodeLine]) -> None:
        self._by_kind = {kind: found for (kind,), found in grouped(lines, "kind").items()}
        self._rings = self._of("membership", "members", "leave_missed")
        self._ids = sorted({i for each in self._rings for i in ring_ids(each.left_ids) + ring_ids(each.member_ids)})
        self.hosts_of_addresses = self._hosts_of_addresses()

    def _of(self, *kinds: str) -> list[NodeLine]:
        return [each for kind in kinds for each in self._by_kind.get(kind, ())]

    def _hosts_of_addresses(self) -> Mapping[str | None, str]:
        """Hosts by the address that their own ring binds to, where it is one host's."""
        bound = grouped((each for each in self._of("bound") if each.node and each.address), "address")
        names = {address: {each.node for each in found} for (address,), found in bound.items()}
        return {address: min(found) for address, found in names.items() if len({each.lower() for each in found}) == 1}

    def printed(self) -> Iterator[tuple[Candidate, int]]:
        """A line has both: `Node alder state is now lost | nodeid=2`."""
        for each in self._of("named"):
            if each.node and each.node_id is not None:
                yield Candidate(RING, each.node_id, each.node, PRINTED), each.line_count

    def alone(self) -> Iterator[tuple[Candidate, int]]:
        """The host is alone in its ring."""
        for each in self._of("members"):
            ids = ring_ids(each.member_ids)
            if each.member_count == 1 and len(ids) == 1 and each.node:
                yield Candidate(RING, ids[0], each.node, ALONE), each.line_count

    def stayed(self) -> Iterator[tuple[Candidate, int]]:
        """Of the two ids of a ring the host is not the one that it says has left."""
        if len(self._ids) != PAIR:
            return
        first, second = self._ids
        for each in self._of("membership", "leave_missed"):
            if each.node and each.left_ids in {str(first), str(second)}:
                node_id = second if each.left_ids == str(first) else first
                yield Candidate(RING, node_id, each.node, STAYED), each.line_count

    def made_of_addresses(self) -> Iterator[tuple[Candidate, int]]:
        """The id is made of the address that the host binds to, as totemip.c and totemconfig.c do it.

        In the order of the network or of the machine, perhaps without its highest bit.
        """
        for address, node in self.hosts_of_addresses.items():
            octets = [int(each) for each in (address or "").split(".") if each.isdecimal()]
            if IPV4.fullmatch(address or "") and max(octets) <= 0xFF:
                for number in (int.from_bytes(bytes(octets), "big"), int.from_bytes(bytes(octets), "little")):
                    for node_id in {number, number & WITHOUT_HIGHEST_BIT}.intersection(self._ids):
                        yield Candidate(RING, node_id, node, MADE_OF_ADDRESS), 1

    def left_over(self, known: Mapping[int, str]) -> Iterator[tuple[int, str]]:
        """The only id and the only host without a partner, unless the host says that the id left, which is another."""
        hosts: dict[str | None, str] = {}
        for each in self._of("host"):
            hosts[each.node_key] = min(each.node or "", hosts.get(each.node_key) or each.node or "")
        known_hosts = {node.lower() for node in known.values()}
        ids = [each for each in self._ids if each not in known]
        others = [(key, node) for key, node in hosts.items() if key not in known_hosts]
        if len(ids) == len(others) == 1 and len(hosts) == len(self._ids):
            (node_id,), ((node_key, node),) = ids, others
            if not any(each.node_key == node_key and node_id in ring_ids(each.left_ids) for each in self._rings):
                yield node_id, node


@step(by=CONFIGURATION, is_stored=False)
def cluster_node(
    cluster_line: Sequence[ClusterLine], node_line: Sequence[NodeLine], node_setting: Sequence[NodeSetting]
) -> Iterator[ClusterNode]:
    """The host of each id of a configuration: its best candidate, else the only one left over."""
    lines = RingLines(node_line)
    known: dict[tuple[str, int], str] = {}
    line_counts: Counter[Candidate] = Counter()
    for candidate, line_count in _candidates(cluster_line, lines, node_setting):
        line_counts[candidate] += line_count
    for each, _ in sorted(line_counts.items(), key=lambda item: (item[0].rank, -item[1], item[0].node)):
        known.setdefault((each.series, each.node_id), each.node)
    for node_id, node in lines.left_over({i: node for (series, i), node in known.items() if series == RING}):
        known[RING, node_id] = node
    configuration = next(each.configuration for rows in (cluster_line, node_line, node_setting) for each in rows[:1])
    for (series, node_id), node in sorted(known.items()):
        yield ClusterNode(configuration, series, node_id, node)


def _candidates(
    cluster_line: Sequence[ClusterLine], lines: RingLines, settings: Sequence[NodeSetting]
) -> Iterator[tuple[Candidate, int]]:
    """Candidates with the number of lines that show them."""
    for line in cluster_line:
        # System alder (Node '0')
        if line.stack is None and line.system is not None and line.node_id is not None:
            yield Candidate(LINKS, line.node_id, line.system, PRINTED), 1
    listed = {
        Candidate(each.series, each.node_id, node, LISTED + each.distance)
        for each in settings
        if (node := each.node or lines.hosts_of_addresses.get(each.address) or each.host_of_address)
        and each.node_id is not None
    }
    yield from ((each, 1) for each in listed)
    yield from lines.printed()
    yield from lines.alone()
    yield from lines.stayed()
    yield from lines.made_of_addresses()
