"""Configuration, run and node of every file: from its path, its content and the manifest.

Host names are matched first, then the run; the remaining folders are the configuration (contract 2). What the manifest
states wins. The result does not depend on the order of the files.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pipeline.hosts import is_name, short_name
from pipeline.manifest import Manifest
from pipeline.manifest_entries import FileOverride
from pipeline.name_parts import name_parts
from pipeline.path_parts import Folder, distinct_archives, parts
from pipeline.run_names import Origin, is_number, is_run, number_of, run_of_path

SYSTEM_FOLDERS = frozenset(
    "adm db2dump etc home log logs opt sqllib syslog tmp usr var vrtsvcs".split()  # noqa: SIM905  a list of words
)
"""Folders of an operating system that a copied tree carries along: no configuration when below the run or the node."""


CLIENT_FOLDER = re.compile(
    r"(?:client|probe|load(?:[ _-]?gen(?:erator)?)?|driver)s?[ _-]?\d{0,3}", re.IGNORECASE | re.ASCII
)
"""A folder of a machine that only uses the service: its files often name no host."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What assignment has to know of a file. `own_hosts`: writers of its lines, most frequent first."""

    path: str
    format: str | None
    own_hosts: tuple[str, ...]
    named_hosts: frozenset[str]


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


def assign(study_name: str, files: Sequence[FileFacts], manifest: Manifest) -> dict[str, Place]:
    """The place of every file by its path."""
    hosts = Hosts.of(files, manifest)
    in_order = sorted(files, key=lambda each: each.path)
    readings = [_reading(each, hosts, manifest, study_name) for each in in_order]
    distinct = distinct_archives([(each.path, each.configuration, each.run, each.node) for each in readings])
    if distinct:
        readings = [_reading(each, hosts, manifest, study_name, distinct) for each in in_order]
    readings = _one_text_per_run(readings)
    readings = _inherited_nodes(readings)
    scopes = {each.folders[:depth] for each in readings if each.run for depth in range(len(each.folders) + 1)}
    return {each.path: _place(each, scopes) for each in readings}


@dataclass(frozen=True, slots=True)
class Hosts:
    """The host names seen anywhere in the study, by lower-case short and full name, in one spelling each."""

    names: Mapping[str, str]

    @classmethod
    def of(cls, files: Sequence[FileFacts], manifest: Manifest) -> "Hosts":
        """Collect the hosts of logs and manifest; the manifest's spelling wins, then the lower-case one."""
        stated = {each.node for each in manifest.nodes} | {each.node for each in manifest.files if each.node}
        seen = {host.strip() for each in files for host in (*each.own_hosts, *each.named_hosts)}
        groups: dict[str, set[str]] = defaultdict(set)
        for host in stated | {host for host in seen if is_name(host)}:
            groups[short_name(host)].add(host)
        names: dict[str, str] = {}
        for short, group in groups.items():
            domains = {host.lower() for host in group if short_name(host) != host.lower()}
            if len(domains) > 1:  # two hosts of one name at two sites stay apart
                names |= {
                    host.lower(): _spelling([each for each in group if each.lower() == host.lower()], stated)
                    for host in group
                }
                continue
            spelling = _spelling([each if each in stated else each[: len(short)] for each in group], stated)
            names |= {host.lower(): spelling for host in group} | {short: spelling}
        return cls(names)

    def of_line(self, host: str) -> str | None:
        """The node of a name that a log line states."""
        name = host.strip().lower()
        return self.names.get(name) or self.names.get(short_name(name))

    def of_part(self, part: str) -> str | None:
        """The node that a part of a path names, or None. A bare number is never taken for a host."""
        name = part.lower()
        if name.isdigit():
            return None
        # sun.old is not the host sun, sun.example.com is
        return self.names.get(name) or (self.names.get(short_name(name)) if name.count(".") > 1 else None)


@dataclass(frozen=True, slots=True)
class Reading:
    """What path, content and manifest say about one file, before its neighbours are asked.

    `folders` are the parts of the configuration: none where it is the study's name. `run_origin` is what named the run,
    `run_word` the word before its number.
    """

    path: str
    folders: tuple[str, ...]
    configuration: str
    run: str | None
    run_no: int | None
    run_word: str | None
    run_origin: Origin | None
    node: str | None
    sources: dict[str, str] = field(default_factory=dict)


def _reading(
    facts: FileFacts, hosts: Hosts, manifest: Manifest, study_name: str, distinct: Collection[str] = ()
) -> Reading:
    """`distinct`: archives whose names are configurations."""
    found, name = parts(facts.path)
    folders = [each.name for each in found]
    archives = [index for index, each in enumerate(found) if each.archive is not None or each.is_top]
    override = manifest.file_override(facts.path)
    declared = {each.configuration for each in manifest.configurations}

    def is_configuration(index: int) -> bool:
        return folders[index] in declared or "/".join(folders[: index + 1]) in declared

    free = [index for index in range(len(folders)) if not is_configuration(index)]
    names = [name, *(folders[index] for index in reversed(archives))]
    node, node_at, node_source = _node_of_path(folders, free, names, facts, hosts)
    if node_at is None and (client_at := _client_folder(folders, free, facts)) is not None:
        node_at = client_at
        if node is None:
            node, node_source = folders[client_at], f"folder {folders[client_at]}, of a client"
    free = [index for index in free if index != node_at]
    # A bare number counts directly above the file, its node's folder or its archive
    above = {len(folders) - 1} | {index - 1 for index in (node_at, *archives) if index is not None}
    run = run_of_path(found, free, name, above)
    used = {index for index in (node_at, run.at) if index is not None}

    def is_part(index: int, folder: Folder) -> bool:
        """Whether a folder is one of the configuration."""
        if folder.archive is not None and not is_configuration(index):
            return index not in used and folder.archive in distinct
        is_below = bool(used) and index > max(used)
        return index not in used and not (is_below and (folder.is_top or folder.name.lower() in SYSTEM_FOLDERS))

    rest = [each.name for index, each in enumerate(found) if is_part(index, each)]
    is_declared = any(is_configuration(index) for index in range(len(folders)))
    sources = {
        "configuration": _folders_in_words(rest, is_declared=is_declared),
        "node": node_source,
        "run": run.source,
    }
    reading = Reading(
        path=facts.path,
        folders=tuple(rest),
        configuration="/".join(rest) or study_name,
        run=run.text,
        run_no=run.number,
        run_word=run.word,
        run_origin=run.origin,
        node=node,
        sources=sources,
    )
    return _overridden(reading, override, hosts, study_name)


def _overridden(reading: Reading, override: FileOverride, hosts: Hosts, study_name: str) -> Reading:
    """What study.toml states for the very file."""
    sources = reading.sources
    stated_by = f'study.toml, [[files]] match = "{override.match}"'
    if override.configuration is not None:
        stated = override.configuration.strip("/")
        stated_folders = tuple(stated.split("/")) if stated and stated != study_name else ()
        reading = replace(reading, configuration=stated or study_name, folders=stated_folders)
        sources["configuration"] = stated_by
    if override.run is not None:
        number = number_of(override.run)
        reading = replace(reading, run=override.run, run_no=number, run_word=None, run_origin="study.toml")
        sources["run"] = stated_by
    if override.node is not None:
        reading = replace(reading, node=hosts.of_line(override.node) or override.node)
        sources["node"] = stated_by
    return reading


def _folders_in_words(folders: Sequence[str], *, is_declared: bool) -> str:
    if not folders:
        return "the study's name, as no folder is left for it"
    named = f"folder{'s' * (len(folders) > 1)} {'/'.join(folders)}"
    return f"{named}, a configuration in study.toml" if is_declared else named


def _node_of_path(
    folders: Sequence[str], free: Sequence[int], names: Sequence[str], facts: FileFacts, hosts: Hosts
) -> tuple[str | None, int | None, str]:
    """The node, the index of the folder that names it, and where the node was found.

    `names` are the file's own name and those of the archives that it is in.
    """
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
    return None, None, "neither its path nor the head of a line says whose it is"


def _client_folder(folders: Sequence[str], free: Sequence[int], facts: FileFacts) -> int | None:
    """The index of a folder that bears the name of a client: within a run, or around the log of a probe."""

    def is_within_run(index: int) -> bool:
        above = folders[:index]
        return bool(above) and (is_number(above[-1]) or any(map(is_run, above)))

    named = [index for index in reversed(free) if index > 0 and CLIENT_FOLDER.fullmatch(folders[index])]
    return next((index for index in named if is_within_run(index) or facts.format == "client_probe"), None)


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
            told = f"{reading.sources['node']}; {len(around)} nodes have logs in the same {where}"
            return replace(reading, sources=reading.sources | {"node": told})
        told = f"the only node with logs in the same {where}; it names none itself"
        return replace(reading, node=next(iter(around)), sources=reading.sources | {"node": told})

    return [inherited(each) for each in readings]


def _one_text_per_run(readings: Sequence[Reading]) -> list[Reading]:
    """Give a run that a file name or the manifest states the text of the only folder of the same word and number.

    `nearsync_run3.txt` beside `run03/` is run03. Two folders are two runs, whatever their names.
    """
    texts: dict[tuple[str, int], set[tuple[str, str]]] = defaultdict(set)
    for each in readings:
        if each.run is not None and each.run_no is not None and each.run_origin == "folder":
            texts[each.configuration, each.run_no].add((each.run, each.run_word or ""))

    def settled(reading: Reading) -> Reading:
        if reading.run is None or reading.run_no is None or reading.run_origin == "folder":
            return reading
        same = texts.get((reading.configuration, reading.run_no), set())
        if any(text == reading.run for text, _ in same):
            return reading
        is_stated = reading.run_origin == "study.toml"
        is_stated_number = is_stated and reading.run.isdigit()
        alike = [text for text, word in same if is_stated_number or (not is_stated and word == reading.run_word)]
        if len(alike) != 1:
            return reading
        told = reading.sources | {"run": f"{reading.sources['run']}; written as the folder {alike[0]}"}
        return replace(reading, run=alike[0], sources=told)

    return [settled(each) for each in readings]


def _place(reading: Reading, scopes: Collection[tuple[str, ...]]) -> Place:
    sources = dict(reading.sources)
    if reading.run is None and reading.folders in scopes:
        scope = "/".join(reading.folders)
        sources["run"] = f"above the runs: applies to all runs {f'of {scope}' if scope else 'of the study'}"
        sources["scope"] = scope
    elif reading.run is None:
        sources["run"] = f"{sources['run']}: split into incidents by time"
    return Place(reading.configuration, reading.run, reading.run_no, reading.node, sources)


def _spelling(candidates: Iterable[str], stated: Collection[str]) -> str:
    return min(candidates, key=lambda each: (each not in stated, each != each.lower(), each))
