"""Figures of what needs what: the resources of service groups, and the groups among each other."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pipeline.errors import UsageError
from reports.figures.catalogue import figure, kind
from reports.figures.dependency.data import Cluster, ServiceGroup, clusters
from reports.figures.dependency.fold import folded
from reports.figures.dependency.graph import Graph, group_graph, groups_graph, printed
from reports.figures.dependency.graphs import Graphs
from reports.figures.model import Figure
from reports.figures.request import Request
from reports.naming import Naming
from reports.study.view import StudyView
from reports.typeset.text import enumerated

RESOURCE_NAMES = ("configuration", "group", "resource", "resource_type", "requires")
GROUP_NAMES = ("configuration", "group", "kind", "systems", "resources", "requires", "dependency")
ASKED, UNASKED = "environment", "cluster"
"""Topics: the chapter in which a figure is that study.toml asks for, and the appendix of the others."""

MOST_UNASKED = 4
MOST_NAMED = 8
"""Configurations that a caption names; of more it names one less and counts the rest."""

SOURCE = "Source: relations cluster_group, cluster_resource and cluster_dependency."
CRM_SOURCE = "Source: relation parameter, scope crm."
READING = "A line leads from above down to what is needed, so that a group starts from the bottom up."
RING = "Dashed lines close a ring: they lead upwards to what is needed."
STACK = "Stacks: resources of one type that stand alike; the figure's data lists every one."


@kind
def dependencies(request: Request) -> Figure | None:
    """What the resources of each service group need. Option `groups`: only these, in this order."""
    wanted = request.texts("groups")
    found = _shown(request)
    known = dict.fromkeys(group.name for cluster in found for group in cluster.groups)
    if found and (unknown := [name for name in wanted if name not in known]):
        raise UsageError(f"{request.owner}: no service group {unknown[0]!r}; known: {', '.join(known)}")
    chosen = [
        replace(
            cluster,
            groups=tuple(group for name in wanted for group in cluster.groups if group.name == name) or cluster.groups,
        )
        for cluster in found
        if not wanted or any(group.name in wanted for group in cluster.groups)
    ]
    return _resources(chosen, request.naming, ASKED)


@kind
def group_dependencies(request: Request) -> Figure | None:
    """What service groups need of each other."""
    return _groups(_shown(request), request.naming, ASKED)


@figure(topic="cluster", after="fault-time-error")
def dependency_figures(study: StudyView, own: Sequence[Figure]) -> list[Figure]:
    """The first few layouts of a study, where it draws none itself."""
    if any(figure.topic == ASKED for figure in own):
        return []
    found = clusters(study)
    several = [cluster for each in found if (cluster := _with_graphs(each)).groups]
    drawings = []
    for place, cluster in enumerate(several[:MOST_UNASKED], 1):
        name = "dependencies" if len(several) == 1 else f"dependencies-{place}"
        drawings.append(_resources([cluster], Naming(name), UNASKED))
    between: dict[object, list[Cluster]] = {}
    for cluster in found:
        if cluster.needs:
            between.setdefault((cluster.needs, tuple((each.name, each.kind) for each in cluster.groups)), []).append(
                cluster
            )
    for place, alike in enumerate(list(between.values())[:MOST_UNASKED], 1):
        name = "group-dependencies" if len(between) == 1 else f"group-dependencies-{place}"
        shared = replace(alike[0], configurations=tuple(each for cluster in alike for each in cluster.configurations))
        drawings.append(_groups([shared], Naming(name), UNASKED))
    return [figure for figure in drawings if figure is not None]


def drawn_groups(figures: Iterable[Figure]) -> dict[tuple[str, str], str]:
    """The figure that shows the resources of a configuration's service group."""
    found: dict[tuple[str, str], str] = {}
    for each in figures:
        if each.names == RESOURCE_NAMES:
            for row in each.rows:
                found.setdefault((str(row[0]), str(row[1])), each.name)
    return found


def _with_graphs(cluster: Cluster) -> Cluster:
    """A layout of Pacemaker without the resources that stand outside of groups; one of VCS with a graph, whole."""
    several = tuple(group for group in cluster.groups if len(group.resources) > 1)
    return replace(cluster, groups=several if cluster.is_pacemaker or not several else cluster.groups)


def _shown(request: Request) -> list[Cluster]:
    """The layouts of the configurations asked for, each with those of them that share it."""
    members = [each.configuration for each in request.members]
    found = []
    for cluster in clusters(request.study):
        own = tuple(each for each in cluster.configurations if each.configuration in members)
        if own:
            found.append(replace(cluster, configurations=own))
    return sorted(found, key=lambda cluster: members.index(cluster.configurations[0].configuration))


def _resources(found: Sequence[Cluster], naming: Naming, topic: str) -> Figure | None:
    graphs, shown = [], []
    for cluster in found:
        place = _listed([cluster]) if len(found) > 1 else ""
        for group in cluster.groups:
            graph = group_graph(group, place)
            if graph is not None:
                graphs.append(graph)
                shown.append((cluster, group))
    if not graphs:
        return None
    used = [cluster for cluster in found if any(cluster is each for each, _ in shown)]
    names = dict.fromkeys(group.name for _, group in shown)
    which = "the service groups" if len(names) > 1 else f"service group {next(iter(names))}"
    return Figure(
        name=naming.name,
        caption=naming.caption or f"What the resources of {which} need ({_listed(used)})",
        description="; ".join(_description(group) for _, group in shown),
        scene=Graphs(tuple(graphs), has_frames=True),
        names=RESOURCE_NAMES,
        rows=tuple(row for cluster, group in shown for row in _resource_rows(cluster, group)),
        notes=(READING, *([STACK] if any(graph.has_stack for graph in graphs) else []), *_rings(graphs)),
        source=_source(used),
        label=naming.label,
        configurations=_keys(used),
        topic=topic,
    )


def _groups(found: Sequence[Cluster], naming: Naming, topic: str) -> Figure | None:
    graphs, shown = [], []
    for cluster in found:
        graph = groups_graph(cluster, _listed([cluster]) if len(found) > 1 else "")
        if graph is not None:
            graphs.append(graph)
            shown.append(cluster)
    if not graphs:
        return None
    return Figure(
        name=naming.name,
        caption=naming.caption or f"What service groups need of each other ({_listed(shown)})",
        description="; ".join(
            f"{need.parent} needs {need.child}" + (f" ({need.mode})" if need.mode else "")
            for cluster in shown
            for need in cluster.needs
        ),
        scene=Graphs(tuple(graphs), has_frames=len(graphs) > 1),
        names=GROUP_NAMES,
        rows=tuple(row for cluster in shown for row in _group_rows(cluster)),
        notes=(READING, *_rings(graphs)),
        source=_source(shown),
        label=naming.label,
        configurations=_keys(shown),
        topic=topic,
    )


def _listed(found: Sequence[Cluster]) -> str:
    labels = [each.label for cluster in found for each in cluster.configurations]
    if len(labels) <= MOST_NAMED:
        return ", ".join(labels)
    return f"{', '.join(labels[: MOST_NAMED - 1])} and {len(labels) - MOST_NAMED + 1} more"


def _keys(found: Sequence[Cluster]) -> tuple[str, ...]:
    return tuple(each.configuration for cluster in found for each in cluster.configurations)


def _source(found: Sequence[Cluster]) -> str:
    return CRM_SOURCE if all(cluster.is_pacemaker for cluster in found) else SOURCE


def _rings(graphs: Sequence[Graph]) -> list[str]:
    return [RING] if any(graph.has_ring for graph in graphs) else []


def _description(group: ServiceGroup) -> str:
    """A group in words: each box with what it needs."""
    graph = folded(group.resources, group.needs)
    needed = {child for _, child in graph.edges}
    parts = []
    for name, members in graph.boxes.items():
        children = [printed(graph.boxes[child]) for parent, child in graph.edges if parent == name]
        if children:
            parts.append(f"{printed(members)} needs {enumerated(children)}")
        elif name not in needed:
            parts.append(f"{printed(members)} stands alone")
    return f"{group.name}, {group.kind}: {', '.join(parts)}"


def _resource_rows(cluster: Cluster, group: ServiceGroup) -> list[tuple[object, ...]]:
    needed: dict[str, list[str]] = {}
    for need in group.needs:
        needed.setdefault(need.parent, []).append(need.child)
    return [
        (configuration.configuration, group.name, each.name, each.kind, child)
        for configuration in cluster.configurations
        for each in group.resources
        for child in needed.get(each.name, [None])
    ]


def _group_rows(cluster: Cluster) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for configuration in cluster.configurations:
        for group in cluster.groups:
            about = (configuration.configuration, group.name, group.kind, group.systems, len(group.resources))
            own: list[tuple[object, ...]] = [
                (need.child, need.mode) for need in cluster.needs if need.parent == group.name
            ]
            found += [(*about, *each) for each in own or [(None, None)]]
    return found
