"""A study at a glance: what was found of each format, configuration and run, and what a person should look at."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pipeline.ask.explain.decisions import Explained, Explanation
from pipeline.discovery.entry_names import MANIFEST_NAME
from reports.typeset.text import enumerated

NAMED = 3
"""This many files are named where more are meant."""

MIN_RUNS = 3
"""Of fewer runs none is the odd one out."""


@dataclass(frozen=True, slots=True)
class FormatCount:
    """What was read as one format."""

    format: str
    files: int
    lines: int
    rejected: int
    rows: int


@dataclass(frozen=True, slots=True)
class Group:
    """Runs of a configuration that hold the same kinds of files. `runs` empty: files that belong to no run by path.

    `kinds`: files of each format in one run, what no format reads by its status.
    """

    configuration: str
    runs: tuple[str, ...]
    kinds: tuple[tuple[str, int], ...]
    nodes: tuple[str, ...]
    is_above_runs: bool


@dataclass(frozen=True, slots=True)
class Attention:
    """Something to look at. `is_grave`: something was not read. `paths`: the files that it concerns."""

    is_grave: bool
    text: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    """All of it."""

    statuses: tuple[tuple[str, int], ...]
    formats: tuple[FormatCount, ...]
    groups: tuple[Group, ...]
    attention: tuple[Attention, ...]


STATUSES = ("parsed", "unrecognised", "unreadable", "skipped")


def overview(explained: Explained) -> Overview:
    """Sum up what was explained of a study."""
    statuses = Counter(each.status for each in explained.files)
    groups = _groups(explained.files)
    return Overview(
        statuses=tuple((status, statuses[status]) for status in STATUSES if statuses[status]),
        formats=tuple(_formats(explained.files)),
        groups=groups,
        attention=tuple(_attention(explained, groups)),
    )


def _formats(files: Sequence[Explanation]) -> Iterator[FormatCount]:
    by_format: dict[str, list[Explanation]] = defaultdict(list)
    for each in files:
        if each.format is not None:
            by_format[each.format].append(each)
    for name, group in sorted(by_format.items()):
        sums = {key: sum(each.counts[key] for each in group) for key in ("lines", "rejected", "rows")}
        yield FormatCount(name, len(group), **sums)


def _groups(files: Sequence[Explanation]) -> tuple[Group, ...]:
    """Runs in order of their names; neighbours alike become one group."""
    by_run: dict[tuple[str, bool, str], list[Explanation]] = defaultdict(list)
    for each in files:
        if each.configuration is not None:
            by_run[each.configuration, each.run is not None, each.run or ""].append(each)
    single = [_group(configuration, run, group) for (configuration, _, run), group in sorted(by_run.items())]
    alike = groupby(single, key=lambda each: (each.configuration, bool(each.runs), each.kinds, each.nodes))
    return tuple(_merged(list(group)) for _, group in alike)


def _group(configuration: str, run: str, files: Sequence[Explanation]) -> Group:
    kinds = Counter(each.format or each.status for each in files)
    nodes = sorted({node for each in files for node in (each.node, *each.written_by) if node is not None})
    above = all("scope" in each.sources for each in files)
    return Group(configuration, (run,) if run else (), tuple(sorted(kinds.items())), tuple(nodes), above and not run)


def _merged(groups: Sequence[Group]) -> Group:
    first = groups[0]
    runs = tuple(run for each in groups for run in each.runs)
    return Group(first.configuration, runs, first.kinds, first.nodes, first.is_above_runs)


# --- what to look at -------------------------------------------------------------------------------------------------


def _attention(explained: Explained, groups: Sequence[Group]) -> Iterator[Attention]:
    files = explained.files
    yield from _unreadable(files)
    yield from _unrecognised(files)
    yield from _skipped(files)
    yield from _rejected(files)
    yield from _incomplete(files, groups)
    yield from (_note(text.replace("`", ""), path) for path, text in explained.findings)
    yield from (_note(f"{text}.", MANIFEST_NAME) for text in explained.manifest_remarks)


def _note(text: str, *paths: str) -> Attention:
    return Attention(is_grave=False, text=text, paths=paths)


def _unreadable(files: Sequence[Explanation]) -> Iterator[Attention]:
    yield from (
        Attention(is_grave=True, text=f"{each.path} cannot be read: {each.reason}.", paths=(each.path,))
        for each in files
        if each.status == "unreadable"
    )


def _unrecognised(files: Sequence[Explanation]) -> Iterator[Attention]:
    alike: dict[str, list[str]] = defaultdict(list)
    for each in files:
        if each.status == "unrecognised":
            alike[likeness(each)].append(each.path)
    for what, paths in alike.items():
        predicate = f"is not recognised: {what}"
        if len(paths) > 1:
            predicate = f"are not recognised: {what.replace('looks like', 'look like', 1)}"
        yield Attention(is_grave=True, text=f"{_listed(paths)} {predicate}.", paths=tuple(paths))


def likeness(each: Explanation) -> str:
    """The most telling of what is known of a file that was not read."""
    hints = each.hints
    if hints.looks_like:
        return f"looks like {hints.looks_like[0].what}"
    if hints.nearest is not None:
        return (
            f"{hints.nearest.format} can read {hints.nearest.read_count} of its first {hints.nearest.line_count} lines"
        )
    if hints.encoding is not None and hints.trial is not None:
        return f'{each.reason}; with encoding = "{hints.encoding}" in study.toml it is read'
    return str(each.reason)


DULL = (
    *("empty", "a hidden", "the study's manifest", "a report that haledger wrote", "a DuckDB file"),
    *("a symbolic link", "an archive;", "notes for people", "no part of the study"),
    *("an input of the scheduler", "lines of other logs"),
)
"""Reasons to skip an entry that nobody needs to be informed of beside the list."""


def _skipped(files: Sequence[Explanation]) -> Iterator[Attention]:
    by_reason: dict[str, list[str]] = defaultdict(list)
    for each in files:
        if each.status == "skipped" and not str(each.reason).startswith(DULL):
            by_reason[likeness(each)].append(each.path)
    for reason, paths in by_reason.items():
        yield _note(f"{_listed(paths)} {'were' if len(paths) > 1 else 'was'} skipped: {reason}.", *paths)


def _rejected(files: Sequence[Explanation]) -> Iterator[Attention]:
    bad = sorted((each for each in files if each.counts["rejected"]), key=lambda each: -each.counts["rejected"])
    for each in bad[:NAMED]:
        count, lines = each.counts["rejected"], each.counts["lines"]
        first = f"; the first, line {each.rejected[0].line_no}: {each.rejected[0].reason}" if each.rejected else ""
        yield _note(f"{each.path}: {count:,} of {lines:,} lines rejected{first}.", each.path)
    if len(bad) > NAMED:
        rest = sum(each.counts["rejected"] for each in bad[NAMED:])
        text = f"{len(bad) - NAMED:,} more files have {rest:,} rejected lines together."
        yield _note(text, *(each.path for each in bad[NAMED:]))


def _incomplete(files: Sequence[Explanation], groups: Sequence[Group]) -> Iterator[Attention]:
    """Runs that lack what most runs of their configuration have."""
    for configuration, own in groupby(groups, key=lambda each: each.configuration):
        runs = [(run, dict(each.kinds)) for each in own for run in each.runs]
        usual = _usual([kinds for _, kinds in runs])
        for run, kinds in runs:
            fewer = [
                f"{kinds.get(kind, 0)} of {kind}, not {count}"
                for kind, count in usual.items()
                if kinds.get(kind, 0) < count
            ]
            if fewer:
                text = f"{run} of {configuration} has fewer files than most of its runs: {'; '.join(fewer)}."
                yield _note(
                    text, *(each.path for each in files if (each.configuration, each.run) == (configuration, run))
                )


def _usual(runs: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """How many files of each format most of the runs have."""
    if len(runs) < MIN_RUNS:
        return {}
    usual: dict[str, int] = {}
    for kind in sorted({kind for kinds in runs for kind in kinds} - set(STATUSES)):
        count, often = Counter(kinds.get(kind, 0) for kinds in runs).most_common(1)[0]
        if often > len(runs) / 2:
            usual[kind] = count
    return usual


def _listed(paths: Sequence[str]) -> str:
    if len(paths) > NAMED + 1:
        return f"{', '.join(paths[:NAMED])} and {len(paths) - NAMED:,} more files"
    return enumerated(paths)
