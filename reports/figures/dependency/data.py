"""What needs what in a cluster: resources within service groups, and service groups among each other."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.store.row import Row

if TYPE_CHECKING:
    from reports.study.view import Configuration, StudyView

MAIN_CF = ("main.cluster_group", "main.cluster_resource", "main.cluster_dependency")
COPIES = {"clone": "clone", "ms": "promotable clone", "master": "promotable clone"}
OF_ONE_RESOURCE = "resource"
NO_OPERANDS = frozenset({"meta", "params", "op"})


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource, or a service group as a whole, with its type. `place`: the line that declares it, if one does."""

    name: str
    kind: str
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Need:
    """The parent needs the child; of groups `mode` says how, as in `online local firm`."""

    parent: str
    child: str
    mode: str = ""


@dataclass(frozen=True, slots=True)
class ServiceGroup:
    """A service group. `kind` is printed: `failover group`; `systems` may be empty."""

    name: str
    kind: str
    systems: str
    resources: tuple[Resource, ...]
    needs: tuple[Need, ...]
    place: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Cluster:
    """Configurations that share a layout, and that layout: groups in the order of their file, and what these need."""

    configurations: "tuple[Configuration, ...]"
    groups: tuple[ServiceGroup, ...]
    needs: tuple[Need, ...]
    is_pacemaker: bool = False


def clusters(study: "StudyView") -> list[Cluster]:
    """The distinct layouts of a study, from main.cf or, where there is none, from the configuration of Pacemaker."""
    has_main_cf = all(map(study.store.has, MAIN_CF))
    groups, resources, dependencies = (
        study.rows(name) if has_main_cf else [] for name in ("groups", "group_resources", "dependencies")
    )
    statements = study.rows("crm_statements")
    shared: dict[tuple[tuple[ServiceGroup, ...], tuple[Need, ...], bool], list[Configuration]] = {}
    for configuration in study.configurations:
        key = configuration.configuration
        layout = _veritas(_of(key, groups), _of(key, resources), _of(key, dependencies))
        is_pacemaker = not layout[0]
        if is_pacemaker:
            layout = _pacemaker(_of(key, statements))
        if layout[0]:
            shared.setdefault((*layout, is_pacemaker), []).append(configuration)
    return [Cluster(tuple(members), *found) for found, members in shared.items()]


def _of(configuration: str, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["configuration"] == configuration]


def _veritas(
    groups: Sequence[Row], resources: Sequence[Row], dependencies: Sequence[Row]
) -> tuple[tuple[ServiceGroup, ...], tuple[Need, ...]]:
    declared = {row["group"]: row for row in groups}
    found = []
    for name in dict.fromkeys([*declared, *(row["group"] for row in resources)]):
        own = [row for row in dependencies if row["dependency_kind"] == "resource" and row["group"] == name]
        members = [row for row in resources if row["group"] == name]
        types = {row["resource"]: row["resource_type"] or "" for row in members}
        places = {row["resource"]: row["place"] or "" for row in members}
        named = dict.fromkeys([*types, *(row[end] for row in own for end in ("parent", "child"))])
        found.append(
            ServiceGroup(
                name,
                "parallel group" if declared.get(name, {}).get("is_parallel") else "failover group",
                _systems(declared.get(name, {}).get("systems")),
                tuple(Resource(each, types.get(each, ""), places.get(each, "")) for each in named),
                tuple(dict.fromkeys(Need(row["parent"], row["child"]) for row in own)),
                declared.get(name, {}).get("place") or "",
            )
        )
    between = [row for row in dependencies if row["dependency_kind"] == "group" and row["parent"]]
    return tuple(found), tuple(dict.fromkeys(Need(row["parent"], row["child"], row["mode"] or "") for row in between))


def _systems(printed: str | None) -> str:
    """The names of `{ sun-ha3 = 0, sun-ha4 = 1 }`."""
    parts = (printed or "").strip("{} \t").split(",")
    return ", ".join(name for part in parts if (name := part.partition("=")[0].strip()))


def _pacemaker(statements: Sequence[Row]) -> tuple[tuple[ServiceGroup, ...], tuple[Need, ...]]:
    """Groups, clones and single resources of `crm configure show`. A member of a group needs the one before it."""
    agents = {row["name"]: _agent(str(row["value"])) for row in statements if row["description"] == "primitive"}
    places = {str(row["name"]).rpartition(" ")[2]: row["place"] or "" for row in statements}
    rows = [(row["description"], str(row["name"]).partition(" ")[2], _operands(row["value"])) for row in statements]
    groups = {name: words for kind, name, words in rows if kind == "group"}
    copies = {words[0]: (name, COPIES[kind]) for kind, name, words in rows if kind in COPIES and words}
    held = {member for members in groups.values() for member in members}
    singles = {name: [name] for name in agents if name not in held}
    found = []
    aliases: dict[str, str] = {}
    for inner, members in {**groups, **singles}.items():
        name, kind = copies.get(inner, (inner, "group" if inner in groups else OF_ONE_RESOURCE))
        aliases |= dict.fromkeys((inner, *members), name)
        shown = tuple(Resource(member, agents.get(member, ""), places.get(member, "")) for member in members)
        chain = tuple(Need(later, earlier) for earlier, later in pairwise(members))
        found.append(ServiceGroup(name, kind, "", shown, chain, places.get(inner, "")))
    names = {group.name for group in found}
    modes: dict[tuple[str, str], dict[str, None]] = {}
    for kind, _, words in rows:
        for parent, child, mode in _constraint(kind, words):
            ends = aliases.get(parent, parent), aliases.get(child, child)
            if names.issuperset(ends) and ends[0] != ends[1]:
                modes.setdefault(ends, {})[mode] = None
    return tuple(found), tuple(Need(*ends, " and ".join(words)) for ends, words in modes.items())


def _agent(printed: str) -> str:
    """The last part of `ocf:heartbeat:IPaddr2`; a fencing agent as printed, for its class says what it is."""
    return printed if printed.startswith("stonith:") else printed.rpartition(":")[2]


def _operands(value: str | None) -> list[str]:
    """The words of a statement up to its options."""
    found = []
    for word in (value or "").split():
        if word in NO_OPERANDS:
            break
        found.append(word)
    return found


def _constraint(kind: str | None, words: Sequence[str]) -> list[tuple[str, str, str]]:
    """Who needs whom by a colocation (`inf: with-this on-this`) or an order (`Mandatory: first then`)."""
    if kind not in {"colocation", "order"}:
        return []
    names = [word.partition(":")[0] for word in words if not word.endswith(":") and "=" not in word]
    if not names or any(word in "[]()" for word in names):
        return []
    if kind == "colocation":
        return [(names[0], names[1], "on the same node")] if len(names) == 2 and not _is_against(words) else []
    return [(later, earlier, "after") for earlier, later in pairwise(names)]


def _is_against(words: Sequence[str]) -> bool:
    """Whether a colocation keeps its resources apart."""
    return any(word.startswith("-") and word.endswith(":") for word in words)
