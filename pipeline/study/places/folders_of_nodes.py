"""Folders within the folder of a node: which of them are configurations, and which are only where a person put files.

`run01/node1/tuned` and `run01/node1/default` with the same files are two configurations. `A/logs.zip!/Evidence` beside
other logs of A is none: its logs are of the same run as those beside it. Nor is what only one of two nodes has.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from pipeline.study.places.node_folders import Prefix


@dataclass(frozen=True, slots=True)
class PlacedFile:
    """A file with the folders around it by what they are.

    `around`: the path of its run, else of what holds the folder of its node; `is_in_run` which of both. `node_folder`
    is a path, None where none is of a node. `below`: the folders between node and file that may be a configuration;
    `is_in_archive`: they are in an archive of that node.
    """

    around: Prefix
    is_in_run: bool
    node_folder: Prefix | None
    below: Prefix
    name: str
    is_in_archive: bool


def folders_of_nodes(files: Iterable[PlacedFile]) -> frozenset[Prefix]:
    """The folders of nodes below which no folder is a configuration."""
    groups: dict[tuple[Prefix, bool], dict[Prefix | None, list[PlacedFile]]] = defaultdict(lambda: defaultdict(list))
    for each in files:
        groups[each.around, each.is_in_run][each.node_folder].append(each)
    return frozenset(
        folder
        for (_, is_in_run), by_node in groups.items()
        for folder in by_node
        if folder is not None and _is_plain(folder, by_node, is_in_run=is_in_run)
    )


def _is_plain(folder: Prefix, by_node: Mapping[Prefix | None, Collection[PlacedFile]], *, is_in_run: bool) -> bool:
    held = [each for each in by_node[folder] if each.below]
    if not held or _are_alike(held):
        return False
    if is_in_run:
        has_more = any(not each.below for files in by_node.values() for each in files)
        return has_more or all(each.is_in_archive for each in held)
    others = {each.below for other, files in by_node.items() if other not in {folder, None} for each in files}
    return bool(others) and others.isdisjoint(each.below for each in held)


def _are_alike(held: Iterable[PlacedFile]) -> bool:
    """Whether two folders of a node have files of the same name, as before and after have."""
    places: dict[str, Prefix] = {}
    return any(places.setdefault(each.name, each.below) != each.below for each in held)
