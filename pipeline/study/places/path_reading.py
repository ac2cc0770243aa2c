"""What path, content and manifest say about one file: its configuration, run and node."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from parsers.format import formats
from pipeline.discovery.path_parts import Folder, folders_of, split
from pipeline.study.manifest import Manifest
from pipeline.study.manifest_entries import FileOverride
from pipeline.study.places.copied_folders import CopiedFolder, original_place
from pipeline.study.places.folders_of_nodes import PlacedFile
from pipeline.study.places.hosts import is_name
from pipeline.study.places.known_hosts import Hosts
from pipeline.study.places.name_parts import name_parts
from pipeline.study.places.node_folders import NodeFolder, Prefix, Span
from pipeline.study.places.node_words import BUNDLE_FOLDER, CLIENT_FOLDER, MUST_GATHER_FOLDER, SYSTEM_FOLDERS
from pipeline.study.places.run_names import Origin, kind_of_run, number_of, run_of_path


@dataclass(frozen=True, slots=True)
class FileHosts:
    """What assignment has to know of a file. `own_hosts`: writers of its lines, most frequent first.

    `span`: first and last time as printed, None without any.
    """

    path: str
    format: str | None
    own_hosts: tuple[str, ...]
    named_hosts: frozenset[str]
    span: Span | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a study before its files are placed: names of hosts, and folders that are nodes.

    `kinds`: folders whose runs are of several kinds, as Failover Test 1 and Switchover Test 1 are. `marks`: nodes of
    files by marks in their names. `bundles`: folders that a collector wrote; none below is a configuration. `tests`:
    folders with the name of a client that hold runs of servers beside others that do, as `load` and `no load`.
    """

    study_name: str
    manifest: Manifest
    hosts: Hosts
    node_folders: Mapping[Prefix, NodeFolder]
    layout: "Layout"
    kinds: Collection[Prefix]
    marks: Mapping[tuple[str, str], tuple[str, str]]
    bundles: Collection[Prefix]
    tests: Collection[Prefix] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """How folders differ from what they are on disk: copies, and names that hold a run and a node."""

    copies: Mapping[Prefix, CopiedFolder]
    of_two: Mapping[str, tuple[str, str]]
    _known: dict[str, "Around"] = field(default_factory=dict)

    def parts(self, path: str) -> tuple["Around", str]:
        """The folders around a file, and its own name. Found once for all files of a folder."""
        folder, name = split(path)
        around = self._known.get(folder)
        if around is None:
            around = self._known[folder] = self._around(folder)
        return around, name

    def _around(self, folder: str) -> "Around":
        found = folders_of(folder)
        kept, why = original_place(tuple(each.name for each in found), self.copies)
        folders: list[Folder] = []
        for index, own in kept:
            run, node = self.of_two.get(own, (own, None))
            folders.append(found[index] if found[index].name == run else replace(found[index], name=run))
            if node is not None:
                folders.append(Folder(node))
        archives = tuple(index for index, each in enumerate(folders) if each.archive is not None or each.is_top)
        return Around(tuple(folders), tuple(each.name for each in folders), archives, why)


@dataclass(frozen=True, slots=True)
class Around:
    """The folders around a file, those of a copy as its original's, and their names.

    `archives`: the indexes of those that are archives, or at the top of one. `why_copy`: why they are a copy.
    """

    folders: tuple[Folder, ...]
    names: Prefix
    archives: tuple[int, ...]
    why_copy: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """What path, content and manifest say about one file, before its neighbours are asked.

    `folders` are the parts of the configuration: none where it is the study's name. `run_origin` is what named the run,
    `run_word` the word before its number. `placed`: its folders by what they are; None where no folder is run or node.
    `writers`: the nodes that wrote its lines. `is_of_client`: a machine wrote it that only uses the service.
    """

    path: str
    folders: tuple[str, ...]
    configuration: str
    run: str | None
    run_no: int | None
    run_word: str | None
    run_origin: Origin | None
    node: str | None
    placed: PlacedFile | None = None
    writers: tuple[str, ...] = ()
    is_of_client: bool = False
    sources: dict[str, str] = field(default_factory=dict)


def read_path(
    facts: FileHosts, known: Known, distinct: Collection[str] = (), plain: Collection[Prefix] = ()
) -> Reading:
    """Read the place of one file.

    `distinct`: archives whose names are configurations; `plain`: folders of nodes with none below.
    """
    hosts, manifest, study_name = known.hosts, known.manifest, known.study_name
    around, name = known.layout.parts(facts.path)
    found, folders, archives = around.folders, around.names, around.archives
    override = manifest.file_override(facts.path)

    indexes = range(len(folders))
    declared_at = {
        index for index in indexes if manifest.configurations and is_declared(folders[: index + 1], manifest)
    }
    free = [index for index in indexes if index not in declared_at]
    nodes = {at: own for at in free if (own := known.node_folders.get(folders[: at + 1]))}
    clients = _client_folders(folders, free, known.tests)
    node, node_at, node_source = _node(free, nodes, clients, facts, known)
    free = [index for index in free if index != node_at and index not in nodes and index not in clients]
    # A bare number counts directly above the file, its node's folder or its archive
    above = {len(folders) - 1} | {index - 1 for index in (node_at, *archives) if index is not None}
    run = run_of_path(found, free, name, above)
    used = {index for index in (node_at, run.at, *nodes, *clients) if index is not None}

    top = next((at for at in indexes if folders[:at] in known.bundles), len(folders)) if known.bundles else len(folders)
    used |= set(range(_outermost(folders, top), len(folders))) - declared_at
    rest = _configuration_folders(found, used, run.at, declared_at, distinct)
    placed = _placed(found, name, run.at, node_at, [index for index in rest if index not in declared_at])
    if placed is not None and placed.node_folder in plain:
        rest = {index: each for index, each in rest.items() if index < max(used) or index in declared_at}
    if run.at is not None and run.at not in archives and (kind := _kind(folders[: run.at + 1], known.kinds)):
        rest[run.at] = kind
    left = [rest[index] for index in sorted(rest)]
    sources = {
        "configuration": _folders_in_words(left, is_declared=bool(declared_at)),
        "node": node_source,
        "run": run.source,
    }
    if nodes:
        sources["folders"] = nodes[max(nodes)].why
    if around.why_copy is not None:
        sources["copy"] = around.why_copy
    reading = Reading(
        path=facts.path,
        folders=tuple(left),
        configuration="/".join(left) or study_name,
        run=run.text,
        run_no=run.number,
        run_word=run.word,
        run_origin=run.origin,
        node=node,
        placed=placed if facts.format is not None else None,
        writers=_writers(facts, hosts),
        is_of_client=bool(clients) or is_client_format(facts.format),
        sources=sources,
    )
    return _overridden(reading, override, hosts, study_name)


def _outermost(folders: Sequence[str], top: int) -> int:
    """The folder from which on none is a configuration, of a bundle that begins in `folders[:top]`."""
    if not 0 < top < len(folders):
        return top
    if top > 1 and MUST_GATHER_FOLDER.match(folders[top - 2]):  # around that of an image
        return top - 2
    return top - (BUNDLE_FOLDER.match(folders[top - 1]) is not None)


def _configuration_folders(
    found: Sequence[Folder],
    used: Collection[int],
    run_at: int | None,
    declared_at: Collection[int],
    distinct: Collection[str],
) -> dict[int, str]:
    """The folders of the configuration by their index: what is left besides run and node (`used`)."""

    def is_part(index: int, folder: Folder) -> bool:
        if index in used:
            return False
        if folder.archive is not None and index not in declared_at:
            return folder.archive in distinct
        if run_at is not None and index > run_at and BUNDLE_FOLDER.match(folder.name):
            return False
        below = [each.name.lower() for each in found[max(used, default=index) + 1 : index + 1]]
        return not below or not (folder.is_top or any(each in SYSTEM_FOLDERS for each in below))

    return {index: folder.name for index, folder in enumerate(found) if is_part(index, folder)}


def _placed(
    found: Sequence[Folder], name: str, run_at: int | None, node_at: int | None, free: Sequence[int]
) -> PlacedFile | None:
    """A file's folders by what they are. `free`: the indexes of those that are neither run nor node."""
    if run_at is None and node_at is None:
        return None
    last = max(index for index in (run_at, node_at) if index is not None)
    folders = [each.name for each in found]
    around = folders[: last if run_at is None else run_at + 1]
    below = [index for index in free if index > last]
    return PlacedFile(
        around=tuple(around),
        is_in_run=run_at is not None,
        node_folder=None if node_at is None else tuple(folders[: last + 1]),
        below=tuple(folders[index] for index in below),
        name=name,
        is_in_archive=bool(below) and any(each.archive is not None for each in found[last + 1 : below[0] + 1]),
    )


def _kind(run: Sequence[str], kinds: Collection[Prefix]) -> str:
    """Of which kind a run is where its folder holds runs of several."""
    return kind_of_run(run[-1]) if tuple(run[:-1]) in kinds else ""


def _overridden(reading: Reading, override: FileOverride, hosts: Hosts, study_name: str) -> Reading:
    """What study.toml declares for the very file."""
    sources = reading.sources
    given_by = f'study.toml, [[files]] match = "{override.match}"'
    if override.configuration is not None:
        given = override.configuration.strip("/")
        given_folders = tuple(given.split("/")) if given and given != study_name else ()
        reading = replace(reading, configuration=given or study_name, folders=given_folders)
        sources["configuration"] = given_by
    if override.run is not None:
        number = number_of(override.run)
        reading = replace(reading, run=override.run, run_no=number, run_word=None, run_origin="study.toml")
        sources["run"] = given_by
    if override.node is not None:
        reading = replace(reading, node=hosts.of_line(override.node) or override.node, writers=())
        sources["node"] = given_by
    return reading


def _folders_in_words(folders: Sequence[str], *, is_declared: bool) -> str:
    if not folders:
        return "the study's name, as no folder is left for it"
    named = f"folder{'s' * (len(folders) > 1)} {'/'.join(folders)}"
    return f"{named}, a configuration in study.toml" if is_declared else named


def _node(
    free: Sequence[int], nodes: Mapping[int, NodeFolder], clients: Sequence[int], facts: FileHosts, known: Known
) -> tuple[str | None, int | None, str]:
    """As `_node_of_path`, where the folders at these indexes are known to be of nodes and of clients."""
    folders = known.layout.parts(facts.path)[0].names
    node, at, source = _node_of_path(free, facts, known)
    if nodes and (at is None or max(nodes) >= at):
        at = max(nodes)
        node, source = _node_of_folder(folders[at], nodes[at].node, node, source)
    if at is None and clients:
        at = clients[-1]
        if node is None:
            node, source = folders[at], f"folder {folders[at]}, of a client"
    return node, at, source


def _node_of_path(free: Sequence[int], facts: FileHosts, known: Known) -> tuple[str | None, int | None, str]:
    """The node, the index of the folder that names it, one of `free`, and where the node was found."""
    hosts = known.hosts
    around, name = known.layout.parts(facts.path)
    folders = around.names
    names = [name, *(folders[index] for index in reversed(around.archives))]
    writers = _writers(facts, hosts)
    at = next((index for index in reversed(free) if hosts.of_part(folders[index])), None)
    by_folder = None if at is None else hosts.of_part(folders[at])
    by_name: dict[str, str] = {}  # what names each node
    for name in names:
        for node in filter(None, map(hosts.of_part, name_parts(name))):
            by_name.setdefault(node, name)
    chosen_name = next((node for node in by_name if node in writers), next(iter(by_name), None))
    if at is not None and by_folder is not None:
        if chosen_name in writers and by_folder not in writers:
            return chosen_name, at, f"file name {by_name[chosen_name]}, as its lines say, against folder {folders[at]}"
        differs = f", although its lines are by {writers[0]}" if writers and by_folder not in writers else ""
        return by_folder, at, f"folder {folders[at]}{differs}"
    if chosen_name is not None:
        differs = f", although its lines are by {writers[0]}" if writers and chosen_name not in writers else ""
        return chosen_name, None, f"file name {by_name[chosen_name]}{differs}"
    if writers:
        many = f"most of its lines: {len(writers)} hosts write into it, and each line is its writer's"
        return writers[0], None, "its lines, all of one host" if len(writers) == 1 else many
    folder, _, name = facts.path.rpartition("/")
    if (folder, name) in known.marks:
        marked, mark = known.marks[folder, name]
        why = f"{mark} is in the names of logs of {marked}"
        if mark == marked.casefold():
            why = f"{mark} distinguishes it from logs beside it, of the same time"
        return marked, None, f"file name {name}: {why}"
    return None, None, "neither its path nor the head of a line says whose it is"


def _writers(facts: FileHosts, hosts: Hosts) -> tuple[str, ...]:
    """The nodes that wrote lines of a file, most frequent first."""
    return tuple(dict.fromkeys(node for host in facts.own_hosts if is_name(host) and (node := hosts.of_line(host))))


def _node_of_folder(folder: str, node: str, by_path: str | None, source: str) -> tuple[str, str]:
    """The node of a file in a folder that is one, and where it was found."""
    if by_path is not None and (source.startswith("folder") if by_path == node else folder == node):
        return by_path, source  # a host that the file names comes before a mere word
    return node, f"folder {folder}" if folder == node else f"folder {folder}, whose logs are of {node}"


def is_client_format(name: str | None) -> bool:
    """Whether files of a format are written by a user of the service; none that study.toml declares is."""
    known = formats().get(name or "")
    return known is not None and known.is_of_client


def is_log_of_service(name: str) -> bool:
    """Whether files of a format say what happened on a machine of the service, as those that study.toml declares."""
    known = formats().get(name)
    return known is None or (known.role == "log" and not known.is_of_client)


def _client_folders(folders: Sequence[str], free: Sequence[int], tests: Collection[Prefix]) -> list[int]:
    """The indexes of folders that have the name of a client, wherever they lie. `tests`: those that are configurations.

    The deepest is the last.
    """
    named = (index for index in free if CLIENT_FOLDER.fullmatch(folders[index]))
    return [index for index in named if tuple(folders[: index + 1]) not in tests]


def is_declared(prefix: Sequence[str], manifest: Manifest) -> bool:
    """Whether study.toml calls a folder a configuration."""
    known = manifest.configurations
    return bool(known) and (prefix[-1] in known or "/".join(prefix) in known)
