"""Configuration, run and node of every file: from its path, its content and the manifest.

Host names are matched first, then the run; the remaining folders are the configuration (contract 2). What the manifest
states wins. The result does not depend on the order of the files.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from parsers.format import formats
from pipeline.discovery.bundles import bundles
from pipeline.discovery.path_parts import Folder, distinct_archives, parts
from pipeline.study.copied_folders import CopiedFolder, KnownFile, copied_folders, original_place
from pipeline.study.folders_of_nodes import PlacedFile, folders_of_nodes
from pipeline.study.hosts import is_name, short_name
from pipeline.study.manifest import Manifest
from pipeline.study.manifest_entries import FileOverride
from pipeline.study.name_marks import NamedFile, nodes_by_marks
from pipeline.study.name_parts import name_parts
from pipeline.study.node_folders import (
    BUNDLE_FOLDER,
    CLIENT_FOLDER,
    NODE_WORDS,
    SYSTEM_FOLDERS,
    LogFile,
    NodeFolder,
    Prefix,
    Span,
    node_folders,
)
from pipeline.study.run_names import Origin, is_number, is_run, kind_of_run, number_of, run_and_rest, run_of_path


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


def assign(study_name: str, files: Sequence[FileHosts], manifest: Manifest) -> dict[str, Place]:
    """The place of every file by its path."""
    hosts = Hosts.of(files, manifest)
    in_order = sorted(files, key=lambda each: each.path)
    copies = copied_folders([_known_file(each) for each in in_order])
    layout = Layout(copies, _folders_of_two(in_order, hosts, manifest))
    node_folders = _node_folders(in_order, hosts, manifest, layout)
    marks = nodes_by_marks([_named_file(each, hosts) for each in in_order])
    tops = _bundles(in_order, layout)
    known = Known(study_name, manifest, hosts, node_folders, layout, _kinds_of_runs(in_order, layout), marks, tops)
    readings = [_reading(each, known) for each in in_order]
    distinct = distinct_archives([(each.path, each.configuration, each.run, each.node) for each in readings])
    if distinct:
        readings = [_reading(each, known, distinct) for each in in_order]
    plain = folders_of_nodes(each.placed for each in readings if each.placed is not None)
    if plain:
        readings = [_reading(each, known, distinct, plain) for each in in_order]
    readings = _one_text_per_run(readings)
    readings = _inherited_nodes(readings)
    scopes = {each.folders[:depth] for each in readings if each.run for depth in range(len(each.folders) + 1)}
    return {each.path: _place(each, scopes) for each in readings}


@dataclass(frozen=True, slots=True)
class Hosts:
    """The host names seen anywhere in the study, by lower-case short and full name, in one spelling each.

    `shared`: short names that hosts of several sites have, each with these hosts.
    """

    names: Mapping[str, str]
    shared: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, files: Sequence[FileHosts], manifest: Manifest) -> "Hosts":
        """Collect the hosts of logs and manifest; the manifest's spelling wins, then the lower-case one."""
        given = set(manifest.nodes) | {each.node for each in manifest.files if each.node}
        seen = {host.strip() for each in files for host in (*each.own_hosts, *each.named_hosts)}
        groups: dict[str, set[str]] = defaultdict(set)
        for host in given | {host for host in seen if is_name(host)}:
            groups[short_name(host)].add(host)
        names: dict[str, str] = {}
        shared: dict[str, frozenset[str]] = {}
        for short, group in groups.items():
            domains = {host.lower() for host in group if short_name(host) != host.lower()}
            if len(domains) > 1:  # two hosts of one name at two sites stay apart
                names |= {
                    host.lower(): _spelling([each for each in group if each.lower() == host.lower()], given)
                    for host in group
                }
                shared[short] = frozenset(names[domain] for domain in domains)
                continue
            spelling = _spelling([each if each in given else each[: len(short)] for each in group], given)
            names |= {host.lower(): spelling for host in group} | {short: spelling}
        return cls(names, shared)

    def of_line(self, host: str) -> str | None:
        """The node of a name that a log line states."""
        name = host.strip().lower()
        return self.names.get(name) or self.names.get(short_name(name))

    def candidates(self, host: str) -> frozenset[str]:
        """The nodes that a log line may mean by a name: several where hosts of two sites share their short name."""
        node = self.of_line(host)
        return self.shared.get(host.strip().lower()) or (frozenset() if node is None else frozenset({node}))

    def of_part(self, part: str) -> str | None:
        """The node that a part of a path names, or None. A bare number is never treated as a host."""
        name = part.lower()
        if name.isdigit():
            return None
        # sun.old is not the host sun, sun.example.com is
        return self.names.get(name) or (self.names.get(short_name(name)) if name.count(".") > 1 else None)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a study before its files are placed: names of hosts, and folders that are nodes.

    `kinds`: folders whose runs are of several kinds, as Failover Test 1 and Switchover Test 1 are. `marks`: nodes of
    files by marks in their names. `bundles`: folders that a collector wrote; none below is a configuration.
    """

    study_name: str
    manifest: Manifest
    hosts: Hosts
    node_folders: Mapping[Prefix, NodeFolder]
    layout: "Layout"
    kinds: Collection[Prefix]
    marks: Mapping[tuple[str, str], tuple[str, str]]
    bundles: Collection[Prefix]


@dataclass(frozen=True, slots=True)
class Layout:
    """How folders differ from what they are on disk: copies, and names that hold a run and a node."""

    copies: Mapping[Prefix, CopiedFolder]
    of_two: Mapping[str, tuple[str, str]]

    def parts(self, path: str) -> tuple[list[Folder], str, str | None]:
        """The folders of a path, those of a copy as its original's; the file's own name; why it is a copy."""
        found, name = parts(path)
        kept, why = original_place(tuple(each.name for each in found), self.copies)
        folders: list[Folder] = []
        for index, own in kept:
            run, node = self.of_two.get(own, (own, None))
            folders.append(found[index] if found[index].name == run else replace(found[index], name=run))
            if node is not None:
                folders.append(Folder(node))
        return folders, name, why


def _folders_of_two(files: Sequence[FileHosts], hosts: Hosts, manifest: Manifest) -> dict[str, tuple[str, str]]:
    """The names of folders that are a run and a node, as `Test 1 - Client`, with both."""
    prefixes = {
        folders[: depth + 1] for each in files for folders in [_folders_of(each)] for depth in range(len(folders))
    }
    found = {}
    for prefix in prefixes:
        two = run_and_rest(prefix[-1])
        if two is None or hosts.of_part(prefix[-1]):
            continue
        is_node = NODE_WORDS.fullmatch(two[1]) or CLIENT_FOLDER.fullmatch(two[1]) or hosts.of_part(two[1])
        if is_node and not _is_declared(prefix, manifest) and manifest.node_of_folder("/".join(prefix)) is None:
            found[prefix[-1]] = two
    return found


def _folders_of(facts: FileHosts) -> Prefix:
    return tuple(each.name for each in parts(facts.path)[0])


def _named_file(facts: FileHosts, hosts: Hosts) -> NamedFile:
    folder, _, name = facts.path.rpartition("/")
    writers = {node for host in facts.own_hosts if is_name(host) and (node := hosts.of_line(host))}
    return NamedFile(folder, name, next(iter(writers)) if len(writers) == 1 else None)


def _known_file(facts: FileHosts) -> KnownFile:
    found, name = parts(facts.path)
    writers = frozenset(facts.own_hosts)
    return KnownFile(tuple(each.name for each in found), name, facts.format, writers, facts.span, facts.sha256)


def _bundles(files: Sequence[FileHosts], layout: Layout) -> frozenset[Prefix]:
    read = (layout.parts(each.path)[:2] for each in files)
    return bundles((tuple(folder.name for folder in folders), name) for folders, name in read)


def _kinds_of_runs(files: Sequence[FileHosts], layout: Layout) -> frozenset[Prefix]:
    """The folders in which runs of several kinds are."""
    kinds: dict[Prefix, set[str]] = defaultdict(set)
    for each in files:
        folders = tuple(folder.name for folder in layout.parts(each.path)[0])
        for index, folder in enumerate(folders):
            if is_run(folder):
                kinds[folders[:index]].add(kind_of_run(folder).lower())
    return frozenset(folder for folder, found in kinds.items() if len(found) > 1)


def _node_folders(
    files: Sequence[FileHosts], hosts: Hosts, manifest: Manifest, layout: Layout
) -> dict[Prefix, NodeFolder]:
    """Folders that are nodes by their content or by a word."""
    logs = []
    declared: dict[Prefix, NodeFolder] = {}
    for each in files:
        found, name, _ = layout.parts(each.path)
        folders = tuple(folder.name for folder in found)
        override = manifest.file_override(each.path)
        writers = [override.node] if override.node is not None else [host for host in each.own_hosts if is_name(host)]
        for depth in range(1, len(folders) + 1):
            folder = "/".join(folders[:depth])
            if (node := manifest.node_of_folder(folder)) is not None:
                why = f'{folder} is taken as node {node} because study.toml declares it in [node."{node}"]'
                declared[folders[:depth]] = NodeFolder(node, why)
        logs.append(
            LogFile(
                folders=folders,
                name=name,
                format=each.format,
                hosts=tuple(filter(None, map(hosts.candidates, writers))),
                span=each.span,
                is_of_client=_is_of_client(each.format),
            )
        )

    def is_set_apart(prefix: Prefix) -> bool:
        return prefix in declared or _is_declared(prefix, manifest)

    return node_folders(logs, hosts.of_part, is_set_apart) | declared


def _is_declared(prefix: Sequence[str], manifest: Manifest) -> bool:
    """Whether study.toml calls a folder a configuration."""
    return prefix[-1] in manifest.configurations or "/".join(prefix) in manifest.configurations


@dataclass(frozen=True, slots=True)
class Reading:
    """What path, content and manifest say about one file, before its neighbours are asked.

    `folders` are the parts of the configuration: none where it is the study's name. `run_origin` is what named the run,
    `run_word` the word before its number. `placed`: its folders by what they are; None where no folder is run or node.
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
    sources: dict[str, str] = field(default_factory=dict)


def _reading(facts: FileHosts, known: Known, distinct: Collection[str] = (), plain: Collection[Prefix] = ()) -> Reading:
    """`distinct`: archives whose names are configurations; `plain`: folders of nodes with none below."""
    hosts, manifest, study_name = known.hosts, known.manifest, known.study_name
    found, name, why_copy = known.layout.parts(facts.path)
    folders = [each.name for each in found]
    archives = [index for index, each in enumerate(found) if each.archive is not None or each.is_top]
    override = manifest.file_override(facts.path)

    declared_at = {index for index in range(len(folders)) if _is_declared(folders[: index + 1], manifest)}
    free = [index for index in range(len(folders)) if index not in declared_at]
    names = [name, *(folders[index] for index in reversed(archives))]
    nodes = {at: own for at in free if (own := known.node_folders.get(tuple(folders[: at + 1])))}
    node, node_at, node_source = _node_of_path(folders, free, names, facts, known)
    if nodes and (node_at is None or max(nodes) >= node_at):
        node_at = max(nodes)
        node, node_source = _node_of_folder(folders[node_at], nodes[node_at].node, node, node_source)
    if node_at is None and (client_at := _client_folder(folders, free, facts)) is not None:
        node_at = client_at
        if node is None:
            node, node_source = folders[client_at], f"folder {folders[client_at]}, of a client"
    free = [index for index in free if index != node_at and index not in nodes]
    # A bare number counts directly above the file, its node's folder or its archive
    above = {len(folders) - 1} | {index - 1 for index in (node_at, *archives) if index is not None}
    run = run_of_path(found, free, name, above)
    used = {index for index in (node_at, run.at, *nodes) if index is not None}

    top = next((at for at in range(len(folders) + 1) if tuple(folders[:at]) in known.bundles), len(folders))
    is_named_so = 0 < top < len(folders) and BUNDLE_FOLDER.match(folders[top - 1]) is not None
    used |= set(range(top - is_named_so, len(folders))) - declared_at
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
    if why_copy is not None:
        sources["copy"] = why_copy
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
        sources=sources,
    )
    return _overridden(reading, override, hosts, study_name)


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
        reading = replace(reading, node=hosts.of_line(override.node) or override.node)
        sources["node"] = given_by
    return reading


def _folders_in_words(folders: Sequence[str], *, is_declared: bool) -> str:
    if not folders:
        return "the study's name, as no folder is left for it"
    named = f"folder{'s' * (len(folders) > 1)} {'/'.join(folders)}"
    return f"{named}, a configuration in study.toml" if is_declared else named


def _node_of_path(
    folders: Sequence[str], free: Sequence[int], names: Sequence[str], facts: FileHosts, known: Known
) -> tuple[str | None, int | None, str]:
    """The node, the index of the folder that names it, and where the node was found.

    `names` are the file's own name and those of the archives that it is in.
    """
    hosts = known.hosts
    writers = list(dict.fromkeys(node for host in facts.own_hosts if is_name(host) and (node := hosts.of_line(host))))
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
        many = f"most of its lines: {len(writers)} hosts write into it"
        return writers[0], None, "its lines, all of one host" if len(writers) == 1 else many
    folder, _, name = facts.path.rpartition("/")
    if (folder, name) in known.marks:
        marked, mark = known.marks[folder, name]
        return marked, None, f"file name {name}: {mark} is in the names of logs of {marked}"
    return None, None, "neither its path nor the head of a line says whose it is"


def _node_of_folder(folder: str, node: str, by_path: str | None, source: str) -> tuple[str, str]:
    """The node of a file in a folder that is one, and where it was found."""
    if by_path is not None and (source.startswith("folder") if by_path == node else folder == node):
        return by_path, source  # a host that the file names comes before a mere word
    return node, f"folder {folder}" if folder == node else f"folder {folder}, whose logs are of {node}"


def _is_of_client(name: str | None) -> bool:
    """Whether files of a format are written by a user of the service; none that study.toml declares is."""
    known = formats().get(name or "")
    return known is not None and known.is_of_client


def _client_folder(folders: Sequence[str], free: Sequence[int], facts: FileHosts) -> int | None:
    """The index of a folder that has the name of a client: within a run, or around the log of a probe."""

    def is_within_run(index: int) -> bool:
        above = folders[:index]
        return bool(above) and (is_number(above[-1]) or any(map(is_run, above)))

    is_of_client = _is_of_client(facts.format)
    named = [index for index in reversed(free) if index > 0 and CLIENT_FOLDER.fullmatch(folders[index])]
    return next((index for index in named if is_within_run(index) or is_of_client), None)


def _inherited_nodes(readings: Sequence[Reading]) -> list[Reading]:
    """A file that names nobody belongs to the only node whose logs lie in the same run, else in the same folder."""

    def neighbourhood(reading: Reading) -> tuple[str, ...]:
        if reading.run is None:
            return ("folder", reading.path.rpartition("/")[0])
        return ("run", reading.configuration, reading.run)

    nodes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for each in readings:
        if each.node is not None:
            nodes[neighbourhood(each)].add(each.node)

    def inherited(reading: Reading) -> Reading:
        around = nodes.get(neighbourhood(reading), set())
        if reading.node is not None or not around:
            return reading
        where = "folder" if reading.run is None else "run"
        if len(around) > 1:
            why = f"{reading.sources['node']}; {len(around)} nodes have logs in the same {where}"
            return replace(reading, sources=reading.sources | {"node": why})
        why = f"the only node with logs in the same {where}; it names none itself"
        return replace(reading, node=next(iter(around)), sources=reading.sources | {"node": why})

    return [inherited(each) for each in readings]


def _one_text_per_run(readings: Sequence[Reading]) -> list[Reading]:
    """Give a run that a file name or the manifest declares the text of the only folder of the same word and number.

    `nearsync_run3.txt` beside `run03/` is run03. Two folders are two runs, regardless of their names.
    """
    texts: dict[tuple[str, int], set[tuple[str, str]]] = defaultdict(set)
    for each in readings:
        if each.run is not None and each.run_no is not None and each.run_origin == "folder":
            texts[each.configuration, each.run_no].add((each.run, each.run_word or ""))

    def resolved(reading: Reading) -> Reading:
        if reading.run is None or reading.run_no is None or reading.run_origin == "folder":
            return reading
        same = texts.get((reading.configuration, reading.run_no), set())
        if any(text == reading.run for text, _ in same):
            return reading
        is_given = reading.run_origin == "study.toml"
        is_given_number = is_given and reading.run.isdigit()
        alike = [text for text, word in same if is_given_number or (not is_given and word == reading.run_word)]
        if len(alike) != 1:
            return reading
        why = reading.sources | {"run": f"{reading.sources['run']}; written as the folder {alike[0]}"}
        return replace(reading, run=alike[0], sources=why)

    return [resolved(each) for each in readings]


def _place(reading: Reading, scopes: Collection[tuple[str, ...]]) -> Place:
    sources = dict(reading.sources)
    if reading.run is None and reading.folders in scopes:
        scope = "/".join(reading.folders)
        sources["run"] = f"above the runs: applies to all runs {f'of {scope}' if scope else 'of the study'}"
        sources["scope"] = scope
    elif reading.run is None:
        sources["run"] = f"{sources['run']}: split into incidents by time"
    return Place(reading.configuration, reading.run, reading.run_no, reading.node, sources)


def _spelling(candidates: Iterable[str], given: Collection[str]) -> str:
    return min(candidates, key=lambda each: (each not in given, each != each.lower(), each))
