"""Configuration, run and node of every file: from its path, its content and the manifest.

Host names are matched first, then the run; the remaining folders are the configuration (contract 2). What the manifest
states wins. The result does not depend on the order of the files.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pipeline.discovery.bundles import bundles
from pipeline.discovery.path_parts import distinct_archives, folders_of, parts, split
from pipeline.study.manifest import Manifest
from pipeline.study.places.copied_folders import KnownFile, copied_folders
from pipeline.study.places.folders_of_nodes import folders_of_nodes
from pipeline.study.places.hosts import is_name
from pipeline.study.places.known_hosts import Hosts
from pipeline.study.places.name_marks import NamedFile, nodes_by_marks
from pipeline.study.places.neighbours import inherited_nodes, one_text_per_run
from pipeline.study.places.node_folders import LogFile, NodeFolder, Prefix, node_folders, tests_of_clients
from pipeline.study.places.node_words import CLIENT_FOLDER, NODE_WORDS
from pipeline.study.places.path_reading import (
    FileHosts,
    Known,
    Layout,
    Reading,
    is_client_format,
    is_declared,
    is_log_of_service,
    read_path,
)
from pipeline.study.places.run_names import is_run, kind_of_run, run_and_rest


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file belongs.

    `run` is None for a file above the runs (it applies to all runs below its folder) and in a folder group without run
    components (split into incidents later). `sources` says in words what `configuration`, `run` and `node` were read
    from, or why there is none. `sources["scope"]` is set for a file above the runs only: it applies to the
    configuration of that name and to those whose name begins with it and `/`; empty: to all of the study.
    """

    configuration: str
    run: str | None
    run_no: int | None
    node: str | None
    sources: Mapping[str, str]


class NamesHosts(Protocol):
    """A file, of which the hosts are known that wrote its lines, and those that the lines mention."""

    @property
    def own_hosts(self) -> Collection[str]:
        """Hosts that wrote lines."""

    @property
    def named_hosts(self) -> Collection[str]:
        """Hosts that lines mention."""


def hosts_in(files: Iterable[NamesHosts]) -> Iterator[str]:
    """All hosts that logs name: those that write them, and those that their lines mention."""
    return (host for each in files for host in (*each.own_hosts, *each.named_hosts))


def assign(study_name: str, files: Sequence[FileHosts], manifest: Manifest) -> dict[str, Place]:
    """The place of every file by its path."""
    hosts = Hosts.of(hosts_in(files), manifest)
    in_order = sorted(files, key=lambda each: each.path)
    copies = copied_folders([_known_file(each) for each in in_order])
    layout = Layout(copies, _folders_of_two(in_order, hosts, manifest))
    logs = _log_files(in_order, hosts, manifest, layout)
    nodes = _node_folders(logs, hosts, manifest)
    tests = tests_of_clients(logs)
    marks = nodes_by_marks([_named_file(each, hosts) for each in in_order])
    tops = _bundles(in_order, layout)
    kinds = _kinds_of_runs(in_order, layout)
    known = Known(study_name, manifest, hosts, nodes, layout, kinds, marks, tops, tests)
    readings = [read_path(each, known) for each in in_order]
    distinct = distinct_archives([(each.path, each.configuration, each.run, each.node) for each in readings])
    if distinct:
        readings = [read_path(each, known, distinct) for each in in_order]
    plain = folders_of_nodes(each.placed for each in readings if each.placed is not None)
    if plain:
        readings = [read_path(each, known, distinct, plain) for each in in_order]
    readings = one_text_per_run(readings)
    readings = inherited_nodes(readings)
    scopes = {each.folders[:depth] for each in readings if each.run for depth in range(len(each.folders) + 1)}
    return {each.path: _place(each, scopes) for each in readings}


def _folders_of_two(files: Sequence[FileHosts], hosts: Hosts, manifest: Manifest) -> dict[str, tuple[str, str]]:
    """The names of folders that are a run and a node, as `Test 1 - Client`, with both."""
    around = (folders_of(folder) for folder in {split(each.path)[0] for each in files})
    prefixes = {
        names[: depth + 1]
        for names in (tuple(each.name for each in folders) for folders in around)
        for depth in range(len(names))
    }
    found = {}
    for prefix in prefixes:
        two = run_and_rest(prefix[-1])
        if two is None or hosts.of_part(prefix[-1]):
            continue
        is_node = NODE_WORDS.fullmatch(two[1]) or CLIENT_FOLDER.fullmatch(two[1]) or hosts.of_part(two[1])
        if is_node and not is_declared(prefix, manifest) and manifest.node_of_folder("/".join(prefix)) is None:
            found[prefix[-1]] = two
    return found


def _named_file(facts: FileHosts, hosts: Hosts) -> NamedFile:
    folder, _, name = facts.path.rpartition("/")
    writers = {node for host in facts.own_hosts if is_name(host) and (node := hosts.of_line(host))}
    format_ = facts.format if facts.format is not None and is_log_of_service(facts.format) else None
    return NamedFile(folder, name, next(iter(writers)) if len(writers) == 1 else None, format_, facts.span)


def _known_file(facts: FileHosts) -> KnownFile:
    found, name = parts(facts.path)
    writers = frozenset(facts.own_hosts)
    return KnownFile(tuple(each.name for each in found), name, facts.format, writers, facts.span, facts.sha256)


def _bundles(files: Sequence[FileHosts], layout: Layout) -> frozenset[Prefix]:
    read = (layout.parts(each.path) for each in files)
    return bundles((around.names, name) for around, name in read)


def _kinds_of_runs(files: Sequence[FileHosts], layout: Layout) -> frozenset[Prefix]:
    """The folders in which runs of several kinds are."""
    kinds: dict[Prefix, set[str]] = defaultdict(set)
    for folders in dict.fromkeys(layout.parts(each.path)[0].names for each in files):
        for index, folder in enumerate(folders):
            if is_run(folder):
                kinds[folders[:index]].add(kind_of_run(folder).lower())
    return frozenset(folder for folder, found in kinds.items() if len(found) > 1)


def _log_files(files: Sequence[FileHosts], hosts: Hosts, manifest: Manifest, layout: Layout) -> list[LogFile]:
    """The files as folders are classified by them."""
    logs = []
    for each in files:
        around, name = layout.parts(each.path)
        override = manifest.file_override(each.path)
        writers = [override.node] if override.node is not None else [host for host in each.own_hosts if is_name(host)]
        logs.append(
            LogFile(
                folders=around.names,
                name=name,
                format=each.format,
                hosts=tuple(filter(None, map(hosts.candidates, writers))),
                span=each.span,
                is_of_client=is_client_format(each.format),
            )
        )
    return logs


def _node_folders(logs: Sequence[LogFile], hosts: Hosts, manifest: Manifest) -> dict[Prefix, NodeFolder]:
    """Folders that are nodes by their content or by a word, and those that study.toml declares."""
    declared: dict[Prefix, NodeFolder] = {}
    for each in logs if manifest.nodes else ():
        for depth in range(1, len(each.folders) + 1):
            folder = "/".join(each.folders[:depth])
            if (node := manifest.node_of_folder(folder)) is not None:
                why = f'{folder} is taken as node {node} because study.toml declares it in [node."{node}"]'
                declared[each.folders[:depth]] = NodeFolder(node, why)

    def is_set_apart(prefix: Prefix) -> bool:
        return prefix in declared or is_declared(prefix, manifest)

    return node_folders(logs, hosts.of_part, is_set_apart) | declared


def _place(reading: Reading, scopes: Collection[tuple[str, ...]]) -> Place:
    sources = dict(reading.sources)
    if reading.run is None and reading.folders in scopes:
        scope = "/".join(reading.folders)
        sources["run"] = f"above the runs: applies to all runs {f'of {scope}' if scope else 'of the study'}"
        sources["scope"] = scope
    elif reading.run is None:
        sources["run"] = f"{sources['run']}: split into incidents by time"
    return Place(reading.configuration, reading.run, reading.run_no, reading.node, sources)
