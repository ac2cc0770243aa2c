"""Folders that are nodes: by what is in them, and by the words people use for machines of a cluster.

Content decides first: sibling folders whose logs are each of one host, no two of the same, are the nodes of a cluster,
no matter what the folders are called. A word (primary, node A, DB01) makes a node of a folder wherever it lies, unless
content says otherwise: several hosts wrote into it, one host into several such folders, or it holds runs as
configurations beside it do. Folders whose logs share no time are machines of different tests and stay configurations.
The result does not depend on the order of the files.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from pipeline.study.places.node_words import (
    CLIENT_FOLDER,
    LETTERED,
    NODE_ADDRESS,
    NODE_WORDS,
    OF_MACHINE,
    SYSTEM_FOLDERS,
)
from pipeline.study.places.run_names import is_number, is_run

AT_ONCE = timedelta(hours=1)
"""Logs with a longer gap between them are not of one test; the logs of a machine that crashed end before the others."""

MOST_COMPARED = 50
"""This many siblings are compared with each other."""

MIN_AGREEING = 2
"""This many logs of one host overrule the name of another host that their folder has."""

Prefix = tuple[str, ...]
"""The names of a folder and of those around it."""
Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file as folders are classified by it. `hosts`: nodes that may have written it, none where it names nobody.

    `folders` are the names of those it is in. `span`: first and last time as printed.
    """

    folders: Prefix
    name: str
    format: str | None
    hosts: tuple[frozenset[str], ...]
    span: Span | None = None
    is_of_client: bool = False


@dataclass(frozen=True, slots=True)
class NodeFolder:
    """A folder that is a node, and the sentence that says so of its group."""

    node: str
    why: str


@dataclass(slots=True)
class Folder:
    """A folder with all that is below it. `host` is the only one that wrote its logs."""

    prefix: Prefix
    files: list[LogFile] = field(default_factory=list)
    children: set[Prefix] = field(default_factory=set)
    direct_files: int = 0
    _hosts: tuple[frozenset[str] | None] | None = None

    @property
    def name(self) -> str:
        """Its own name."""
        return self.prefix[-1]

    def hosts(self) -> frozenset[str] | None:
        """The hosts of which each may have written all of its logs; None where none of the logs names its writer.

        To be asked once all files are in it.
        """
        if self._hosts is None:
            self._hosts = (self._common_hosts(),)
        return self._hosts[0]

    def _common_hosts(self) -> frozenset[str] | None:
        dated = [each for each in self.files if each.span is not None]
        writers = [each.hosts for each in dated or self.files if each.hosts]
        if not writers:
            return None
        common = frozenset.intersection(*(frozenset[str]().union(*each) for each in writers))
        return common if any(len(each) == 1 for each in writers) else frozenset()

    def host(self) -> str | None:
        """The only host that wrote into its logs."""
        found = self.hosts()
        return next(iter(found)) if found is not None and len(found) == 1 else None

    def is_called_after(self, other: str | None) -> bool:
        """Whether it has the name of another host than its logs, of which too few name their writer to overrule it."""
        named = sum(bool(each.hosts) for each in self.files)
        return other is not None and other != self.host() and named < MIN_AGREEING

    def is_mixed(self) -> bool:
        """Whether several hosts wrote into its logs."""
        return self.hosts() == frozenset()

    def is_of_clients(self) -> bool:
        """Whether it holds nothing but what clients of the service wrote."""
        known = [each for each in self.files if each.format is not None]
        return bool(known) and all(each.is_of_client for each in known)

    def has_runs(self) -> bool:
        """Whether runs are directly in it."""
        return any(is_run(each[-1]) or is_number(each[-1]) for each in self.children)

    def holds_runs_of_several_hosts(self) -> bool:
        """Whether it holds runs as a configuration does: each with logs of the servers."""
        return self.has_runs() and self.is_mixed()

    def spans(self) -> dict[tuple[str | None, Prefix], Span]:
        """First and last time of each format in each run below."""
        found: dict[tuple[str | None, Prefix], Span] = {}
        for each in self.files:
            if each.span is None:
                continue
            runs = tuple(part for part in each.folders[len(self.prefix) :] if is_run(part) or is_number(part))
            first, last = found.get((each.format, runs), each.span)
            found[each.format, runs] = (min(first, each.span[0]), max(last, each.span[1]))
        return found


def node_folders(
    files: Iterable[LogFile],
    host_named: Callable[[str], str | None],
    is_set_apart: Callable[[Prefix], bool],
) -> dict[Prefix, NodeFolder]:
    """The folders that are nodes.

    `host_named`: the host that a folder is called after, or None. `is_set_apart`: folders that study.toml calls a
    configuration.
    """
    tree = _tree(files)
    groups = [
        Siblings(tree, parent, [tree[each] for each in sorted(tree[parent].children)], host_named, is_set_apart)
        for parent in sorted(tree)
        if tree[parent].children
    ]
    reasons: dict[Prefix, dict[Prefix, str]] = {each.parent: dict(each.by_content_or_words()) for each in groups}
    known = {prefix[-1].lower() for found in reasons.values() for prefix in found}
    for each in groups:
        reasons[each.parent] |= each.by_name_elsewhere(known, reasons[each.parent])
    nodes = _nodes(tree, reasons, host_named)
    return _with_sentences(reasons, nodes)


def tests_of_clients(files: Collection[LogFile]) -> frozenset[Prefix]:
    """The folders with the name of a client that are configurations after all: `load` beside `no load`.

    They hold runs of several servers, as another folder beside them does that has no such name.
    """
    if not any(CLIENT_FOLDER.fullmatch(name) for each in files for name in each.folders):
        return frozenset()
    tree = _tree(files)
    tests = [each for prefix, each in tree.items() if prefix and each.holds_runs_of_several_hosts()]
    others = {each.prefix[:-1] for each in tests if not CLIENT_FOLDER.fullmatch(each.name)}
    return frozenset(each.prefix for each in tests if CLIENT_FOLDER.fullmatch(each.name) and each.prefix[:-1] in others)


def _tree(files: Iterable[LogFile]) -> dict[Prefix, Folder]:
    tree: dict[Prefix, Folder] = {(): Folder(())}
    for each in files:
        folder = tree[()]
        folder.files.append(each)
        for depth in range(1, len(each.folders) + 1):
            prefix = each.folders[:depth]
            inner = tree.get(prefix)
            if inner is None:
                inner = tree[prefix] = Folder(prefix)
                folder.children.add(prefix)
            folder = inner
            folder.files.append(each)
        folder.direct_files += 1
    return tree


@dataclass
class Siblings:
    """The folders in one folder, and which of them are nodes."""

    tree: Mapping[Prefix, Folder]
    parent: Prefix
    children: Sequence[Folder]
    host_named: Callable[[str], str | None]
    is_set_apart: Callable[[Prefix], bool]

    @cached_property
    def candidates(self) -> list[Folder]:
        """Those that may be nodes."""
        return [
            each
            for each in self.children
            if not (
                is_run(each.name)
                or is_number(each.name)
                or CLIENT_FOLDER.fullmatch(each.name)
                or each.name.lower() in SYSTEM_FOLDERS
                or each.is_mixed()
                or each.is_of_clients()
                or each.is_called_after(self.host_named(each.name))
                or self.is_set_apart(each.prefix)
            )
        ]

    @cached_property
    def is_in_run(self) -> bool:
        """Whether a folder around them is a run."""
        last = self.parent[-1] if self.parent else ""
        return is_number(last) or any(is_run(each) for each in self.parent if not self.host_named(each))

    def by_content_or_words(self) -> Iterator[tuple[Prefix, str]]:
        """The nodes that their content or their names show, each with the reason."""
        candidates = self.candidates
        hosted = {each.prefix: host for each in candidates if (host := each.host()) is not None}
        counts = Counter(hosted.values())
        own = [each for each in candidates if counts[hosted.get(each.prefix, "")] == 1]
        worded = [each for each in candidates if self._is_called_a_node(each)]
        if counts and max(counts.values()) > 1:  # before and after, of one host
            worded = [] if any(counts[hosted.get(each.prefix, "")] > 1 for each in worded) else worded
            own = [each for each in own if each in worded]
        reason = self._reason_of_content(own)
        if reason is not None:
            yield from ((each.prefix, reason) for each in own)
            yield from self._without_hosts(candidates, own, hosted, worded, is_in_run=self.is_in_run)
        elif len(worded) > 1 and (self.is_in_run or self._are_numbered(worded)):
            yield from ((each.prefix, "by their names, machines of a cluster") for each in worded)
        elif self.is_in_run and (beside := self._beside_named(candidates, hosted)):
            yield from ((each.prefix, "they are beside nodes") for each in beside)
        elif self.is_in_run and len(candidates) > 1 and self._share_a_run(candidates, hosted, worded):
            yield from ((each.prefix, "they hold the files of one run, each a machine's") for each in candidates)
        elif self.is_in_run and not hosted and self._write_at_once(candidates):
            yield from ((each.prefix, "they hold logs of one time, in one run") for each in candidates)
        elif self.is_in_run and len(candidates) == 1 and not self.host_named(candidates[0].name):
            yield from self._alone_in_run(candidates[0], is_hosted=bool(hosted), is_worded=bool(worded))
        elif self.tree[self.parent].has_runs():
            yield from self._beside_runs(candidates, hosted, worded)
        else:
            yield from self._by_words_alone(candidates, worded, is_hosted=bool(hosted))

    def _by_words_alone(
        self, candidates: Sequence[Folder], worded: Sequence[Folder], *, is_hosted: bool
    ) -> Iterator[tuple[Prefix, str]]:
        """The nodes that nothing but their names show."""
        if any(self.host_named(each.name) for each in self.children):
            yield from ((each.prefix, "by its name a machine, beside nodes") for each in worded)
        elif (named := [each for each in worded if not self._is_lone_word(each, worded)]) and self._are_numbered(named):
            yield from ((each.prefix, "by its name a machine") for each in named if not self._is_one_of_tests(each))
        elif not is_hosted:
            yield from self._of_one_word(candidates)

    @staticmethod
    def _is_lone_word(folder: Folder, worded: Sequence[Folder]) -> bool:
        """Whether a letter makes a machine of a word, and no other folder beside it is lettered as this one is."""
        machines = [match["machine"].lower() for each in worded if (match := LETTERED.fullmatch(each.name))]
        own = LETTERED.fullmatch(folder.name)
        return own is not None and machines.count(own["machine"].lower()) == 1

    def _is_one_of_tests(self, worded: Folder) -> bool:
        """Whether a folder holds runs as others beside it do, which no word calls machines: a configuration too."""
        return worded.has_runs() and any(
            each.has_runs() and each in self.candidates and not self._is_called_a_node(each) for each in self.children
        )

    def _of_one_word(self, candidates: Sequence[Folder]) -> Iterator[tuple[Prefix, str]]:
        """Folders such as `Server alt` and `Server neu` with logs of one time, at which only one thing is tested."""
        by_word: dict[str, list[Folder]] = defaultdict(list)
        for each in candidates:
            if match := OF_MACHINE.fullmatch(each.name):
                by_word[match["machine"].lower()].append(each)
        for alike in by_word.values():
            if len(alike) > 1 and self._share_formats(alike) and self._write_at_once(alike):
                yield from ((each.prefix, "by their names machines, with logs of one time") for each in alike)

    @staticmethod
    def _share_formats(folders: Sequence[Folder]) -> bool:
        """Whether all of them hold dated logs of a common format, in the same runs."""
        return bool(set.intersection(*(set(each.spans()) for each in folders[:MOST_COMPARED])))

    @staticmethod
    def _is_called_a_node(folder: Folder) -> bool:
        """Whether a folder has the name of a machine, by a word or an address."""
        if NODE_ADDRESS.fullmatch(folder.name):
            return folder.name.count(".") == 3 and not folder.has_runs()
        return NODE_WORDS.fullmatch(folder.name) is not None

    def _reason_of_content(self, own: Sequence[Folder]) -> str | None:
        """Why folders, each of its own host, are the nodes of one cluster."""
        if len(own) < 2:
            return None
        of_one = "the logs of each are of one host of its own"
        if self.is_in_run:
            return f"{of_one}, in one run"
        if all(self._is_called_a_node(each) for each in own):
            return f"{of_one}, and their names are those of machines"
        if any(each.is_mixed() for each in self.children) or not _are_at_once(own):
            return None
        names = [frozenset(each.name for each in folder.files) for folder in own[:MOST_COMPARED]]
        if any(
            len(one & other) * 2 >= max(len(one), len(other)) for one in names for other in names if one is not other
        ):
            return f"{of_one}, with files of the same names"
        return None

    @staticmethod
    def _without_hosts(
        candidates: Sequence[Folder],
        own: Sequence[Folder],
        hosted: Collection[Prefix],
        worded: Sequence[Folder],
        *,
        is_in_run: bool,
    ) -> Iterator[tuple[Prefix, str]]:
        """Siblings of nodes that name no host: in a run, of the same files, or called as machines are."""
        names = {each.name for folder in own for each in folder.files}
        for each in candidates:
            is_alike = is_in_run or each in worded or names.issuperset(file.name for file in each.files)
            if each.prefix not in hosted and is_alike:
                yield each.prefix, "they are beside nodes"

    def _beside_named(self, candidates: Sequence[Folder], hosted: Collection[Prefix]) -> list[Folder]:
        """Folders of a run with the same files as those that are called after hosts, where no log names its writer."""
        named = {each.prefix for each in self.children if self.host_named(each.name)}
        names = {each.name for folder in self.children if folder.prefix in named for each in folder.files}
        return [
            each
            for each in candidates
            if each.prefix not in named
            and each.prefix not in hosted
            and names.issuperset(file.name for file in each.files)
        ]

    @staticmethod
    def _share_a_run(candidates: Sequence[Folder], hosted: Mapping[Prefix, str], worded: Sequence[Folder]) -> bool:
        """Whether folders of a run, of which only one names its host, are machines: by a word, or by other files."""
        if len(hosted) != 1:
            return False
        names = [file.name for folder in candidates for file in folder.files]
        return bool(worded) or len(names) == len(set(names))

    @staticmethod
    def _write_at_once(candidates: Sequence[Folder]) -> bool:
        """Whether each folder of a run holds a log of the same format and time: a run is of one configuration."""
        spans = [each.spans() for each in candidates[:MOST_COMPARED]]
        return len(spans) > 1 and all(
            any(one[key][0] < other[key][1] and other[key][0] < one[key][1] for key in one.keys() & other.keys())
            for index, one in enumerate(spans)
            for other in spans[index + 1 :]
        )

    @staticmethod
    def _are_numbered(worded: Sequence[Folder]) -> bool:
        """Whether n1, n2, n3 count machines: n10, n100 may be amounts of something."""
        short = [re.fullmatch(r"n[ ._#-]?([0-9]+)", each.name, re.IGNORECASE | re.ASCII) for each in worded]
        numbers = sorted(int(each[1]) for each in short if each)
        is_lone = len(numbers) == 1 and numbers[0] < 10
        return not numbers or is_lone or (numbers[0] <= 1 and numbers[-1] - numbers[0] < 2 * len(numbers))

    def _alone_in_run(self, only: Folder, *, is_hosted: bool, is_worded: bool) -> Iterator[tuple[Prefix, str]]:
        """The only folder of a run beside its other files: a configuration would hold all of the run."""
        has_more = self.tree[self.parent].direct_files > 0 or len(self.children) > 1
        if is_hosted and (has_more or is_worded):
            yield only.prefix, "all its logs are of one host, in a run"
        elif is_worded:
            yield only.prefix, "by its name a machine, in a run"

    def _beside_runs(
        self, candidates: Sequence[Folder], hosted: Mapping[Prefix, str], worded: Sequence[Folder]
    ) -> Iterator[tuple[Prefix, str]]:
        """Folders beside runs that hold what applies to all runs of a node: they have neither runs nor dated lines."""
        in_runs = {host for each in self.children if is_run(each.name) for host in (each.hosts() or ())}
        in_runs |= {
            host
            for each in self.tree[self.parent].files
            if len(each.folders) > len(self.parent) and is_run(each.folders[len(self.parent)])
            for hosts in each.hosts
            for host in hosts
        }
        for each in candidates:
            if each in worded:
                yield each.prefix, "by its name a machine, beside runs"
                continue
            if any(is_run(part) for file in each.files for part in file.folders[len(each.prefix) :]):
                continue
            is_undated = all(file.span is None for file in each.files)
            if is_undated and hosted.get(each.prefix) in in_runs:
                yield each.prefix, "its files are of a host of the runs beside it"

    def by_name_elsewhere(self, known: Collection[str], found: Collection[Prefix]) -> dict[Prefix, str]:
        """Further folders with the name of a node: in another run, or beside the runs."""
        if not (self.is_in_run or self.tree[self.parent].has_runs()):
            return {}
        return {
            each.prefix: "a folder of that name is a node elsewhere"
            for each in self.candidates
            if each.prefix not in found and each.name.lower() in known
        }


def _are_at_once(folders: Sequence[Folder]) -> bool:
    """Whether some of the logs are of one time, or no times are known."""
    spans = [each.spans() for each in folders[:MOST_COMPARED]]
    verdicts = [
        _is_at_once(one[key], other[key])
        for index, one in enumerate(spans)
        for other in spans[index + 1 :]
        for key in one.keys() & other.keys()
    ]
    return 2 * sum(verdicts) >= len(verdicts)


def _is_at_once(one: Span, other: Span) -> bool:
    try:
        return one[0] <= other[1] + AT_ONCE and other[0] <= one[1] + AT_ONCE
    except OverflowError:  # the last hour of the year 9999
        return True


def _nodes(
    tree: Mapping[Prefix, Folder],
    reasons: Mapping[Prefix, Mapping[Prefix, str]],
    host_named: Callable[[str], str | None],
) -> dict[Prefix, str]:
    """The node of each folder: the host of its logs, the host it is called after, else its own name."""
    hosts: dict[str, set[str]] = defaultdict(set)
    accepted = [prefix for found in reasons.values() for prefix in found]
    for prefix in accepted:
        host = tree[prefix].host()
        if host is not None:
            hosts[prefix[-1].lower()].add(host)

    def node(prefix: Prefix) -> str:
        own, alike = tree[prefix].host(), hosts[prefix[-1].lower()]
        return own or host_named(prefix[-1]) or (next(iter(alike)) if len(alike) == 1 else prefix[-1])

    return {prefix: node(prefix) for prefix in accepted}


def _with_sentences(
    reasons: Mapping[Prefix, Mapping[Prefix, str]], nodes: Mapping[Prefix, str]
) -> dict[Prefix, NodeFolder]:
    """Each node with the sentence about its group; groups alike share one."""
    groups: dict[tuple[tuple[tuple[str, str], ...], str], list[Prefix]] = defaultdict(list)
    for found in reasons.values():
        for reason in dict.fromkeys(found.values()):
            members = sorted(prefix for prefix in found if found[prefix] == reason)
            groups[tuple((each[-1], nodes[each]) for each in members), reason] += members
    return {
        prefix: NodeFolder(nodes[prefix], sentence)
        for (members, reason), prefixes in groups.items()
        for sentence in [_sentence(members, reason, prefixes)]
        for prefix in prefixes
    }


def _sentence(members: Sequence[tuple[str, str]], reason: str, prefixes: Sequence[Prefix]) -> str:
    """Such as: primary and standby (in run01 and 9 other folders) are taken as nodes node1 and node2 because ..."""
    parents = sorted({"/".join(each[:-1]) for each in prefixes})
    others = f" and {len(parents) - 1} other folder{'s' * (len(parents) > 2)}" if len(parents) > 1 else ""
    where = f" (in {parents[0] or 'the study'}{others})"
    names, nodes = [name for name, _ in members], [node for _, node in members]
    is_or_are = "is taken as node" if len(members) == 1 else "are taken as nodes"
    hosts = "" if names == nodes else f" {_listed(nodes)}"
    return f"{_listed(names)}{where} {is_or_are}{hosts} because {reason}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
