"""Which node a line declares lost, by its id, its name, or what lines beside it say."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from pipeline.failover.loss.declarations import BY_LINE, Declaration
from pipeline.failover.loss.node_ids import LINKS, RING, ClusterNode
from pipeline.failover.rules import rules
from pipeline.failover.timeline import Timeline
from pipeline.failover.windows import ID_NAMED, LOST_EACH_OTHER

LAYERS: Mapping[str, Mapping[str, Any]] = rules("losses")["layers"]


class DeclaredSystem(NamedTuple):
    """A system of a configuration's cluster."""

    configuration: str
    system: str


class NodeNames:
    """The ids and names of a configuration's nodes."""

    def __init__(self, nodes: Iterable[ClusterNode], systems: Iterable[DeclaredSystem]) -> None:
        self._names = {(each.series, each.node_id): each.node for each in nodes}
        self.of_ring = {node_id: node for (series, node_id), node in self._names.items() if series == RING}
        self._ids: dict[str, list[int | None]] = defaultdict(list)
        for (series, node_id), node in self._names.items():
            if series == LINKS:
                self._ids[node.lower()].append(node_id)
        self._only_others = _only_others({each.system for each in systems})

    def identified(self, declared: Declaration) -> Iterator[Declaration]:
        """A declaration with id and name of the node, as far as known: once for each id that a name has."""
        series = LAYERS.get(declared.layer, {}).get("ids", RING)
        by_id = None if declared.lost_id is None else self._names.get((series, declared.lost_id))
        lost_node = declared.lost_node or by_id or self._only_others.get(declared.node_key, "")
        by_name = self._ids.get(declared.lost_key) if declared.lost_id is None else None
        for lost_id in by_name or [declared.lost_id]:
            yield declared._replace(lost_id=lost_id, lost_node=lost_node)


def _only_others(systems: Collection[str]) -> dict[str | None, str]:
    """In a cluster of two the lost node is the one that does not write."""
    others = {each.lower(): [other for other in systems if other.lower() != each.lower()] for each in systems}
    return {system: found[0] for system, found in others.items() if len(found) == 1}


def named_losses(declared: Iterable[Declaration], names: NodeNames) -> list[Declaration]:
    """Declarations with the name of the node; without those whose node is not known, or is the writer."""
    identified = [found for each in declared for found in names.identified(each)]
    near = Timeline(identified, BY_LINE)
    named = (each._replace(lost_node=each.lost_node or _name_beside(each, near)) for each in identified)
    return [each for each in named if each.lost_node and each.lost_key != each.node_key]


def _name_beside(unnamed: Declaration, lines: Timeline[Declaration]) -> str:
    """The name of an id that has none: as its host gives it, the host that says the same of this one, as others do."""
    minute = lines.between(unnamed.at - ID_NAMED, unnamed.at + ID_NAMED)
    named = [each for each in minute if each.lost_node]
    if by_host := [each.lost_node for each in named if each.node_key == unnamed.node_key]:
        return min(by_host)
    around = lines.between(unnamed.at - LOST_EACH_OTHER, unnamed.at + LOST_EACH_OTHER)
    sides = [each.line.node or "" for each in around if _declares_back(each, unnamed)]
    if len({each.lower() for each in sides}) == 1:
        return min(sides)
    # nobody declares itself lost
    if by_others := [each.lost_node for each in named if each.lost_key != unnamed.node_key]:
        return min(by_others)
    return "" if unnamed.lost_id is None else f"node {unnamed.lost_id}"


def _declares_back(other: Declaration, unnamed: Declaration) -> bool:
    """Whether another host declares the writer lost, or an id without a name that is not the same."""
    if other.node_key is None or unnamed.node_key is None or other.node_key == unnamed.node_key:
        return False
    if other.lost_node:
        return other.lost_key == unnamed.node_key
    return None not in {other.lost_id, unnamed.lost_id} and other.lost_id != unnamed.lost_id
