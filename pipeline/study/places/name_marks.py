"""Marks in the names of files that stand for nodes: `corosync A.log` of elm beside `corosync B.log` of oak.

What distinguishes the names of logs whose hosts are known says whose the others are: `postgresql A.log` is of elm too.
Where logs of one format and time name no host, a word with a number that distinguishes them is the node: `node1.err`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pipeline.study.places.node_folders import Span
from pipeline.study.places.run_names import is_run

SEPARATORS = re.compile(r"[ ._@+=,()\[\]-]+")
NUMBERED = re.compile(r"([a-z][a-z_]*)[0-9]+")
MOST_PARTS = 24


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file: its folder, its name, and the only host that wrote it, None where it names none or several.

    `log_format`: of a log that a machine of the service wrote; `span`: first and last time as printed.
    """

    folder: str
    name: str
    host: str | None
    log_format: str | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of a file name in its place: `around` is the folder and what is before and after it."""

    around: tuple[str, str, str]
    text: str


def nodes_by_marks(files: Iterable[NamedFile]) -> dict[tuple[str, str], tuple[str, str]]:
    """Node and mark of each file, by folder and name, that names no host itself but has a mark of one."""
    marks = {(each.folder, each.name): (each, list(_marks(each))) for each in files}
    beside: dict[tuple[str, str, str], dict[str, NamedFile]] = defaultdict(dict)
    for file, found in marks.values():
        for mark in found:
            beside[mark.around][mark.text] = file
    meanings: dict[str, set[str]] = defaultdict(set)
    for named in beside.values():
        known = {text: each.host for text, each in named.items() if each.host is not None}
        if not known and _are_nodes(named):
            known = {text: text for text in named}
        if len(known) > 1 and len(set(known.values())) == len(known):
            for text, host in known.items():
                meanings[text].add(host)
    nodes = {text: next(iter(hosts)) for text, hosts in meanings.items() if len(hosts) == 1}
    decided = {}
    for place, (file, found) in marks.items():
        if file.host is not None:
            continue
        of_nodes = {each for each in found if each.text in nodes}
        distinct = {each for each in of_nodes if len(nodes.keys() & beside[each.around].keys()) > 1}
        longer = {each for each in of_nodes if len(each.text) > 1}  # engine_A.log is no mark of A
        texts = {each.text for each in distinct or longer}
        if len(texts) == 1:
            text = texts.pop()
            decided[place] = (nodes[text], text)
    return decided


def _are_nodes(files: Mapping[str, NamedFile]) -> bool:
    """Whether files, by what distinguishes their names, are logs of machines with numbers, of one format and time."""
    words = {found[1] if (found := NUMBERED.fullmatch(text)) and not is_run(text) else None for text in files}
    kinds = {each.log_format for each in files.values()}
    spans = [each.span for each in files.values() if each.span is not None]
    return (
        len(files) > 1
        and len(words) == len(kinds) == 1
        and None not in words | kinds
        and len(spans) == len(files)
        and max(first for first, _ in spans) < min(last for _, last in spans)
    )


def _marks(file: NamedFile) -> Iterator[Mark]:
    """The parts of a name in their places; numbers are none, as they count runs and rotations."""
    at = 0
    for number, separator in enumerate([*SEPARATORS.finditer(file.name), None]):
        end = len(file.name) if separator is None else separator.start()
        part = file.name[at:end].casefold()
        if part and not part.isdecimal() and number < MOST_PARTS:
            yield Mark((file.folder, file.name[:at], file.name[end:]), part)
        at = end if separator is None else separator.end()
