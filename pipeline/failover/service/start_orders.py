"""What resources wait for before they are started: `requires` of main.cf, groups and orders of Pacemaker."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Annotated, NamedTuple

from pipeline.failover.service.resource_types import DeclaredResource
from pipeline.failover.step import CONFIGURATION, step

CONTAINERS = frozenset({"group", "clone", "ms", "master", "bundle"})

UNORDERED = re.compile(r"\bordered=(false|no|off|0)\b", re.IGNORECASE)
"""A group of Pacemaker whose members do not wait for each other."""

AT_ONE_TIME = re.compile(r"\((.*?)\)")
"""Resources of an order that do not wait for each other."""

NO_ORDER = frozenset({"serialize"})
"""Kinds of order that only forbid two operations at once."""

ENDS = frozenset({"stop", "demote"})
"""Actions in an order of stops."""


class StartOrderLine(NamedTuple):
    """A line of a configuration that orders the starts of resources."""

    configuration: str
    kind: str
    name: str
    value: str


class ResourceOrder(NamedTuple):
    """One row per configuration, resource and resource that it waits for, by main.cf or the CIB."""

    configuration: str
    resource: Annotated[str, "resource that waits"]
    waits_for: Annotated[str, "resource that is started before it"]


@step(by=CONFIGURATION, of="start_order_line", is_stored=False)
def resource_order(
    start_order_line: Sequence[StartOrderLine], declared_resource: Sequence[DeclaredResource]
) -> Iterator[ResourceOrder]:
    """Who waits for whom."""
    members = _members(start_order_line, declared_resource)
    pairs: dict[tuple[str, str], None] = {}
    for line in start_order_line:
        for later, earlier in _ordered(line):
            for resource in members.get(later, [later]):
                pairs |= {(resource, first): None for first in members.get(earlier, [earlier]) if first != resource}
    for resource, first in pairs:
        yield ResourceOrder(start_order_line[0].configuration, resource, first)


def _members(lines: Iterable[StartOrderLine], declared: Iterable[DeclaredResource]) -> Mapping[str, Sequence[str]]:
    """The resources in each service group and container."""
    found: dict[str, list[str]] = defaultdict(list)
    for each in declared:
        if each.group is not None and each.resource not in found[each.group]:
            found[each.group].append(each.resource)
    containers = {each.name: _words(each.value) for each in lines if each.kind in CONTAINERS}
    for name in containers:
        found[name] = list(_contained(name, containers))
    return found


def _contained(name: str, containers: Mapping[str, Sequence[str]], around: tuple[str, ...] = ()) -> Iterator[str]:
    for each in containers[name]:
        if each not in containers:
            yield each
        elif each not in around:
            yield from _contained(each, containers, (*around, name))


def _ordered(line: StartOrderLine) -> Iterator[tuple[str, str]]:
    """Pairs of names of a line: the later one and the earlier one."""
    if line.kind in {"requires", "requires_group"}:
        yield line.name, line.value
    elif line.kind == "group" and not UNORDERED.search(line.value):
        words = _words(line.value)
        yield from ((later, earlier) for earlier, later in pairwise(words))
    elif line.kind == "order":
        yield from _order_of(line.value)


def _order_of(value: str) -> Iterator[tuple[str, str]]:
    """The pairs of `Mandatory: a:promote b:start`; those in parentheses start at one time."""
    kind, _, operands = value.partition(": ")
    if kind.lower() in NO_ORDER or any(f":{action}" in operands for action in ENDS):
        return
    spaced = AT_ONE_TIME.sub(lambda found: found[1].replace(" ", "&"), operands)
    sets = [[each.partition(":")[0] for each in word.split("&") if each] for word in _words(spaced)]
    for earlier, later in pairwise(sets):
        yield from ((after, before) for after in later for before in earlier)


def _words(value: str) -> list[str]:
    """The names in a value, without what is set for them."""
    names = re.split(r"\b(?:meta|params)\b", value)[0].replace("[", " ").replace("]", " ").split()
    return [each for each in names if "=" not in each]
