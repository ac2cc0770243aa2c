"""Names in study.toml that the folder has to know: globs of files, folders of nodes, configurations and runs.

Before a log is read, only names of files are known. So a configuration is missing here when no path can give it its
name, and a run when its configuration has runs by their folders and none of that name. What this leaves open, the
store shows later by the same names.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.discovery.globs import matches
from pipeline.discovery.path_parts import parts
from pipeline.study.manifest import Declared
from pipeline.study.manifest_mistakes import Document, Mistake
from pipeline.study.places.assignment import assign
from pipeline.study.places.path_reading import FileHosts
from pipeline.study.prose import configurations_asked
from pipeline.study.toml_lines import Place
from pipeline.suggestions import hint, listed, nearest

RECORDED = re.compile(r"\D*([0-9]{1,9})")
FOUND = re.compile(r"\D*([0-9]{1,9})\D*")
"""The single number of a run in study.toml, and in the name of its folder: as macro `same_run` compares them."""
MOST_PATHS = 2000
"""Paths that a glob without a file is compared with, for a hint."""


@dataclass(frozen=True)
class Names:
    """All configurations, and the runs of each, by name."""

    runs: Mapping[str, Collection[str]]

    def runs_of(self, configuration: str) -> Collection[str]:
        """The runs of a configuration."""
        return self.runs.get(configuration, ())

    def like(self, configuration: str) -> str:
        """The end of a message about a configuration that is not there."""
        return hint(configuration, self.runs)

    def lacks(self, configuration: str) -> bool:
        """Whether there is no such configuration."""
        return configuration not in self.runs

    def lacks_run(self, configuration: str, run: str) -> bool:
        """Whether a configuration whose runs have names has none of this one."""
        known = self.runs_of(configuration)
        return bool(known) and not any(is_same_run(run, each) for each in known)


@dataclass(frozen=True)
class NamesOfPaths(Names):
    """What paths alone can give names to. A folder of a node may still be part of the name of a configuration."""

    paths: Sequence[str] = ()
    others: Collection[str] = ()

    @cached_property
    def _text(self) -> str:
        return "\n".join(self.paths)

    @cached_property
    def _numbers(self) -> frozenset[int]:
        return frozenset(int(each) for each in re.findall(r"[0-9]{1,9}", self._text))

    def runs_of(self, configuration: str) -> Collection[str]:
        """The runs of a configuration and of those whose names begin with it and `/`."""
        parts_of = (runs for name, runs in self.runs.items() if f"{name}/".startswith(f"{configuration}/"))
        return sorted({run for runs in parts_of for run in runs})

    def like(self, configuration: str) -> str:
        """The end of a message about a configuration that is not there."""
        names = {name.rsplit("/", depth)[0] for name in self.runs for depth in range(name.count("/") + 1)}
        return nearest(configuration, sorted(names)) or listed(self.runs)

    def lacks(self, configuration: str) -> bool:
        """Whether no path can give a configuration this name."""
        if configuration in self.runs or configuration in self.others:
            return False
        return not all(part in self._text for part in configuration.split("/"))

    def lacks_run(self, configuration: str, run: str) -> bool:
        """Whether a configuration whose runs are folders has none of this name, and no path has its number."""
        number = RECORDED.fullmatch(run)
        is_in_path = run in self._text if number is None else int(number[1]) in self._numbers
        return not is_in_path and super().lacks_run(configuration, run)


def is_same_run(recorded: str, found: str) -> bool:
    """Whether the run of study.toml ("3", "run03") is that of a folder ("run03"): the same text or number."""
    one, other = RECORDED.fullmatch(recorded), FOUND.fullmatch(found)
    return recorded == found or (one is not None and other is not None and int(one[1]) == int(other[1]))


def names_of_paths(declared: Declared, paths: Sequence[str]) -> NamesOfPaths:
    """The configurations and runs that the names of files show, hosts being unknown."""
    manifest = declared.manifest
    files = [FileHosts(path, None, (), frozenset()) for path in paths]
    runs: dict[str, set[str]] = {}
    for place in assign(manifest.name, files, manifest).values():
        runs.setdefault(place.configuration, set()).update([] if place.run is None else [place.run])
    given = {each.configuration.strip("/") for each in manifest.files if each.configuration}
    return NamesOfPaths(runs, paths=paths, others=given | {manifest.name})


def wrong_globs(declared: Declared, paths: Sequence[str]) -> Iterator[Mistake]:
    """The globs that fit no file, and those of folders that fit none."""
    if (document := declared.document) is None:
        return
    manifest, placed = declared.manifest, declared.usable.placed
    globs: list[tuple[Place, str]] = [((*at, "match"), each.match) for at, each in placed("files", manifest.files)]
    globs += [((*at, "match"), each.match) for at, each in placed("format", manifest.formats)]
    for place, glob in globs:
        if glob and not any(matches(path, glob) for path in paths):
            known = paths if "/" in glob else list({path.rpartition("/")[2]: None for path in paths})
            yield document.wrong(place, f"{glob!r} fits no file of the study{nearest(glob, known[:MOST_PATHS])}")
    if any(node.folders for node in manifest.nodes.values()):
        yield from _wrong_folders(declared, document, paths)


def _wrong_folders(declared: Declared, document: Document, paths: Sequence[str]) -> Iterator[Mistake]:
    folders: dict[str, None] = {}
    for path in paths:
        names = [each.name for each in parts(path)[0]]
        folders |= dict.fromkeys("/".join(names[:depth]) for depth in range(1, len(names) + 1))
    for name, node in declared.manifest.nodes.items():
        for glob in node.folders:
            if not any(matches(folder, glob.rstrip("/")) for folder in folders):
                known = list(folders if "/" in glob else {each.rpartition("/")[2]: None for each in folders})
                hint = nearest(glob, known[:MOST_PATHS])
                yield document.wrong(("node", name, "folders"), f"{glob!r} fits no folder of the study{hint}")


def wrong_places(declared: Declared, names: Names) -> Iterator[Mistake]:
    """The configurations and runs that there are none of."""
    if (document := declared.document) is None:
        return
    for place, configuration in _configurations(declared):
        if names.lacks(configuration):
            yield document.wrong(place, f"no configuration {configuration!r} in the study{names.like(configuration)}")
    manifest, placed = declared.manifest, declared.usable.placed
    runs = [(at, each.configuration, each.run) for at, each in placed("run", manifest.runs)]
    runs += [(at, each.configuration, each.run) for at, each in placed("event", manifest.events)]
    for place, of, run in runs:
        configuration = (of or "").strip("/")
        if run is not None and configuration and names.lacks_run(configuration, run):
            known = listed(names.runs_of(configuration))
            yield document.wrong((*place, "run"), f"no run {run!r} of configuration {configuration!r}{known}")


def _configurations(declared: Declared) -> Iterator[tuple[Place, str]]:
    """Every configuration that study.toml names, with its place."""
    for place, name in _named(declared):
        if name:
            yield place, name


def _named(declared: Declared) -> Iterator[tuple[Place, str | None]]:
    manifest, placed = declared.manifest, declared.usable.placed
    yield ("study", "reference"), manifest.study.reference
    for name, configuration in manifest.configurations.items():
        yield ("configuration", name), name
        yield ("configuration", name, "reference"), configuration.reference
    yield from (((*at, "configuration"), each.configuration) for at, each in placed("run", manifest.runs))
    yield from (((*at, "configuration"), each.configuration) for at, each in placed("event", manifest.events))
    for at, claim in placed("claim", manifest.claims):
        yield (*at, "configuration"), claim.configuration
        yield (*at, "reference"), claim.reference
        yield from (((*at, "published"), name) for name in claim.published or ())
    for key, own in (("table", manifest.publication_tables), ("figure", manifest.publication_figures)):
        for at, each in placed(key, own):
            yield from (((*at, "configurations"), name) for name in each.configurations)
            options = each.all_options()
            yield (*at, "options"), normalised if isinstance(normalised := options.get("normalised"), str) else None
            yield from (((*at, "options"), str(name)) for name in options.get("scale_with", ()))
    if manifest.study.abstract:
        yield from ((("study", "abstract"), name) for name in configurations_asked(manifest.study.abstract))
    for at, section in placed("section", manifest.sections):
        yield from (((*at, "body"), name) for name in configurations_asked(section.body))
