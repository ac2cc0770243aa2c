"""The cluster as main.cf lays it out: service groups, and their resources from the top of the dependencies down."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from reports.study.store import Row
from reports.study.view import Configuration, StudyView

FOLD_FROM = 4  # this many resources of one type under the same parents are printed as a range
DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Line:
    """A resource, or several of one type in the same place, at its depth."""

    depth: int
    names: str
    resource_type: str
    count: int


@dataclass(frozen=True, slots=True)
class Group:
    """A service group with its resources, parents first. `figure` draws them, where one does."""

    name: str
    kind: str
    systems: str
    needs: tuple[str, ...]
    lines: tuple[Line, ...]
    figure: str = ""


@dataclass(frozen=True, slots=True)
class Layout:
    """Configurations that share a layout, and its groups."""

    configurations: tuple[Configuration, ...]
    groups: tuple[Group, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """What the configurations are called."""
        return tuple(each.label for each in self.configurations)

    def is_drawn_in(self, figures: Collection[str]) -> bool:
        """Whether these figures show every group."""
        return all(group.figure in figures for group in self.groups)


def layouts(study: StudyView) -> list[Layout]:
    """The distinct layouts of the study; configurations that share one are printed once."""
    needed = ("main.cluster_group", "main.cluster_resource", "main.cluster_dependency")
    if not all(map(study.store.has, needed)):
        return []
    groups, resources, dependencies = study.rows("groups"), study.rows("group_resources"), study.rows("dependencies")
    shared: dict[tuple[Group, ...], list[Configuration]] = {}
    for configuration in study.configurations:
        own = [
            [row for row in rows if row["configuration"] == configuration.configuration]
            for rows in (groups, resources, dependencies)
        ]
        if own[1]:
            shared.setdefault(_groups(*own), []).append(configuration)
    return [Layout(tuple(members), found) for found, members in shared.items()]


def shown(study: StudyView, drawn: Mapping[tuple[str, str], str]) -> list[Layout]:
    """The layouts with the figure of each group that is drawn; `drawn` has it by configuration and group."""
    found = []
    for layout in layouts(study):
        keys = [each.configuration for each in layout.configurations]
        groups = [
            replace(group, figure=next((drawn[key, group.name] for key in keys if (key, group.name) in drawn), ""))
            for group in layout.groups
        ]
        found.append(replace(layout, groups=tuple(groups)))
    return found


def _groups(groups: list[Row], resources: list[Row], dependencies: list[Row]) -> tuple[Group, ...]:
    declared = {row["group"]: row for row in groups}
    names = list(dict.fromkeys([*declared, *(row["group"] for row in resources)]))
    found = [
        Group(
            name=name,
            kind="parallel" if declared.get(name, {}).get("is_parallel") else "failover",
            systems=(declared.get(name, {}).get("systems") or "").strip("{} \t").replace(" = ", " "),
            needs=tuple(
                f"{row['child']} ({row['mode']})" if row["mode"] else row["child"]
                for row in dependencies
                if row["dependency_kind"] == "group" and row["parent"] == name
            ),
            lines=_tree(name, resources, dependencies),
        )
        for name in names
    ]
    return tuple(_parents_first(found, dependencies))


def _parents_first(groups: list[Group], dependencies: list[Row]) -> list[Group]:
    needed = [row["child"] for row in dependencies if row["dependency_kind"] == "group"]
    return sorted(groups, key=lambda group: (group.name in needed, len(group.needs) == 0, group.name))


def _tree(group: str, resources: list[Row], dependencies: list[Row]) -> tuple[Line, ...]:
    types = {row["resource"]: row["resource_type"] or "" for row in resources if row["group"] == group}
    children: dict[str, list[str]] = {}
    parents: dict[str, set[str]] = {}
    for row in dependencies:
        if row["dependency_kind"] == "resource" and row["group"] == group:
            children.setdefault(row["parent"], []).append(row["child"])
            parents.setdefault(row["child"], set()).add(row["parent"])
    lines: list[Line] = []
    seen: set[str] = set()

    def place(names: list[str], depth: int) -> None:
        """Alike resources (one type, the same parents and children) are one line."""
        fresh = sorted(
            (name for name in dict.fromkeys(names) if name not in seen),
            key=lambda name: (types.get(name, ""), sorted(children.get(name, [])), sorted(parents.get(name, ())), name),
        )
        seen.update(fresh)
        for _, members in groupby(
            fresh, key=lambda n: (types.get(n, ""), sorted(children.get(n, [])), sorted(parents.get(n, ())))
        ):
            alike = list(members)
            folded = [alike] if len(alike) >= FOLD_FROM else [[name] for name in alike]
            for several in folded:
                lines.append(Line(depth, _named(several), types.get(several[0], ""), len(several)))
                if depth < DEEPEST:
                    place([child for name in several for child in children.get(name, [])], depth + 1)

    place([name for name in types if not parents.get(name)], 0)
    place([name for name in types if name not in seen], 0)  # only a ring of dependencies is left over
    return tuple(lines)


def _named(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
