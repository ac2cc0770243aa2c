"""Alike resources as one box, so that 86 file systems do not make 86 boxes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from reports.figures.dependency.data import Need, Resource

FOLD_FROM = 4
MOST_BOXES = 24
"""A drawing with more boxes is folded further."""

STEPS = 12
"""How far neighbours of neighbours are looked at."""

Classes = dict[str, tuple[object, ...]]
Neighbours = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Folded:
    """Boxes, each with its resources of one type, by the name of the first; and what needs what among the boxes."""

    boxes: dict[str, tuple[Resource, ...]]
    edges: tuple[tuple[str, str], ...]


def folded(resources: Sequence[Resource], needs: Sequence[Need]) -> Folded:
    """Fold resources of one type with the same parents and children; in a large group also those that stand alike.

    To stand alike is to need the same types and to be needed by the same types, as 86 mounts over a volume each; where
    that is not enough, one type makes one box.
    """
    for classes in (_by_neighbours, _by_place, _by_type):
        found = _with_classes(resources, needs, classes)
        if len(found.boxes) <= MOST_BOXES:
            break
    return found


def _with_classes(
    resources: Sequence[Resource],
    needs: Sequence[Need],
    classes: Callable[[Sequence[Resource], Sequence[Need]], Classes],
) -> Folded:
    found = classes(resources, needs)
    members: dict[tuple[object, ...], list[Resource]] = {}
    for resource in resources:
        members.setdefault(found[resource.name], []).append(resource)
    boxes: dict[str, tuple[Resource, ...]] = {}
    for resource in resources:
        alike = members[found[resource.name]]
        if len(alike) < FOLD_FROM:
            boxes[resource.name] = (resource,)
        elif resource is alike[0]:
            boxes[resource.name] = tuple(alike)
    box_of = {member.name: name for name, each in boxes.items() for member in each}
    edges = dict.fromkeys((box_of[need.parent], box_of[need.child]) for need in needs)
    return Folded(boxes, tuple(edge for edge in edges if edge[0] != edge[1]))


def _by_neighbours(resources: Sequence[Resource], needs: Sequence[Need]) -> Classes:
    parents, children = _around(resources, needs)
    return {each.name: (each.kind, frozenset(parents[each.name]), frozenset(children[each.name])) for each in resources}


def _by_place(resources: Sequence[Resource], needs: Sequence[Need]) -> Classes:
    """Classes whose members have neighbours of the same classes, as far as a few steps reach."""
    parents, children = _around(resources, needs)
    numbers = _numbered({each.name: (each.kind,) for each in resources})
    for _ in range(STEPS):
        finer = {
            name: (
                number,
                frozenset(numbers[parent] for parent in parents[name]),
                frozenset(numbers[child] for child in children[name]),
            )
            for name, number in numbers.items()
        }
        numbers = _numbered(finer)
    return {name: (number,) for name, number in numbers.items()}


def _by_type(resources: Sequence[Resource], _needs: Sequence[Need]) -> Classes:
    return {each.name: (each.kind,) for each in resources}


def _numbered(classes: Mapping[str, tuple[object, ...]]) -> dict[str, int]:
    numbers = {each: place for place, each in enumerate(dict.fromkeys(classes.values()))}
    return {name: numbers[each] for name, each in classes.items()}


def _around(resources: Sequence[Resource], needs: Sequence[Need]) -> tuple[Neighbours, Neighbours]:
    """Parents and children of each resource."""
    parents: Neighbours = {each.name: [] for each in resources}
    children: Neighbours = {each.name: [] for each in resources}
    for need in needs:
        parents[need.child].append(need.parent)
        children[need.parent].append(need.child)
    return parents, children
