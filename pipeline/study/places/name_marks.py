"""Marks in the names of files that stand for nodes: `corosync A.log` of elm beside `corosync B.log` of oak.

What distinguishes the names of logs whose hosts are known says whose the others are: `postgresql A.log` is of elm too.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SEPARATORS = re.compile(r"[ ._@+=,()\[\]-]+")
MOST_PARTS = 24


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file: its folder, its name, and the only host that wrote it, None where it names none or several."""

    folder: str
    name: str
    host: str | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of a file name in its place: `around` is the folder and what is before and after it."""

    around: tuple[str, str, str]
    text: str


def nodes_by_marks(files: Iterable[NamedFile]) -> dict[tuple[str, str], tuple[str, str]]:
    """Node and mark of each file, by folder and name, that names no host itself but has a mark of one."""
    marks = {(each.folder, each.name): (each.host, list(_marks(each))) for each in files}
    beside: dict[tuple[str, str, str], dict[str, str | None]] = defaultdict(dict)
    for host, found in marks.values():
        for mark in found:
            beside[mark.around][mark.text] = host
    meanings: dict[str, set[str]] = defaultdict(set)
    for hosts in beside.values():
        known = {text: host for text, host in hosts.items() if host is not None}
        if len(known) > 1 and len(set(known.values())) == len(known):
            for text, host in known.items():
                meanings[text].add(host)
    nodes = {text: next(iter(hosts)) for text, hosts in meanings.items() if len(hosts) == 1}
    decided = {}
    for file, (host, found) in marks.items():
        if host is not None:
            continue
        of_nodes = {each for each in found if each.text in nodes}
        distinct = {each for each in of_nodes if len(nodes.keys() & beside[each.around].keys()) > 1}
        longer = {each for each in of_nodes if len(each.text) > 1}  # engine_A.log is no mark of A
        texts = {each.text for each in distinct or longer}
        if len(texts) == 1:
            text = texts.pop()
            decided[file] = (nodes[text], text)
    return decided


def _marks(file: NamedFile) -> Iterator[Mark]:
    """The parts of a name in their places; numbers are none, as they count runs and rotations."""
    at = 0
    for number, separator in enumerate([*SEPARATORS.finditer(file.name), None]):
        end = len(file.name) if separator is None else separator.start()
        part = file.name[at:end].casefold()
        if part and not part.isdecimal() and number < MOST_PARTS:
            yield Mark((file.folder, file.name[:at], file.name[end:]), part)
        at = end if separator is None else separator.end()
