"""Explanations as lines for people: an overview of a folder, then its files; a single file in full."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline.ask.explain.decisions import Explained, Explanation
from pipeline.ask.explain.next_steps import NOTHING_FOUND
from reports.answers.explain.file import file_lines
from reports.answers.explain.folders import interpretations
from reports.answers.explain.overview import Group, Overview, likeness, overview
from reports.answers.lines import Line, Span, Style, counted, listed, shortened, table, wrapped

FEW_FILES = 4
"""This many files are shown in full without being asked to."""

MAX_RUNS_NAMED = 3
MAX_NODES = 3
LEAST_REMARK = 30
"""A remark behind a path gets at least this many columns."""


def lines(explained: Sequence[Explained], *, width: int, is_verbose: bool) -> list[Line]:
    """Tell all of it, `width` columns wide. Files are shown in full where there are few, or if `is_verbose`."""
    shown: list[Line] = []
    for each in explained:
        if shown:
            shown.append(())
        shown += _study(each, width, is_verbose=is_verbose)
    return shown


def to_json(explained: Sequence[Explained]) -> list[dict[str, object]]:
    """An object for each file, for a script: `docs/explain.md` says what its keys mean."""
    objects = []
    for part in explained:
        attention = overview(part).attention
        for each in part.files:
            texts = [item.text for item in attention if each.path in item.paths]
            objects.append({"study": part.study, **each.to_dict(), "attention": texts})
    return objects


def _study(explained: Explained, width: int, *, is_verbose: bool) -> Iterator[Line]:
    if len(explained.files) == 1:
        yield from file_lines(explained.files[0], explained, width, is_verbose=is_verbose)
        yield from _next_steps(explained, width)
        return
    explained = _logs(explained)
    files, seen = explained.files, overview(explained)
    yield from _heading(explained, seen, width)
    if not files:
        return
    if is_verbose or len(files) <= FEW_FILES:
        for each in files:
            yield ()
            yield from file_lines(each, explained, width, is_verbose=is_verbose)
    else:
        yield from _listing(files, width)
    yield ()
    yield (Span(_closing(files, seen)),)
    yield from _next_steps(explained, width)


def _logs(explained: Explained) -> Explained:
    """The same without study.toml, which is no log."""
    if explained.manifest is None:
        return explained
    files = tuple(each for each in explained.files if each.path != explained.manifest)
    return replace(explained, files=files, file_count=explained.file_count - 1)


# --- overview --------------------------------------------------------------------------------------------------------


def _heading(explained: Explained, seen: Overview, width: int) -> Iterator[Line]:
    files = explained.files
    reasons = Counter(str(each.reason) for each in files if each.status == "skipped")
    skipped = "; ".join(
        f"{count:,} {reason}" if len(reasons) > 1 else reason for reason, count in reasons.most_common()
    )
    counts = ", ".join(f"{count:,} {status}" for status, count in seen.statuses) + (f" ({skipped})" if skipped else "")
    part = "" if len(files) == explained.file_count else f" of {explained.file_count:,} in the study"
    yield (Span(explained.name or explained.study, "title"), Span(f"  {counted(len(files), 'file')}{part}"))
    if not files:
        yield (Span("  The folder holds nothing to read.", "bad"),)
        return
    yield from ((Span(f"  {text}"),) for text in wrapped(counts, width - 2))
    if explained.manifest is None:
        yield (Span("  no study.toml: all of this is read from paths and contents", "quiet"),)
    yield from _counts(explained, seen, width)
    yield from _folders(explained, width)
    yield ()
    if not seen.attention:
        if explained.has_result:
            yield (Span("Nothing needs attention.", "good"),)
        else:
            yield (Span(f"{NOTHING_FOUND}; see the last lines.", "doubtful"),)
        return
    yield (Span("What to look at", "title"),)
    for item in seen.attention:
        mark = Span("  ! " if item.is_grave else "  - ", "bad" if item.is_grave else "doubtful")
        first, *rest = wrapped(item.text, width - 4)
        yield (mark, Span(first))
        yield from ((Span(f"    {text}"),) for text in rest)


def _folders(explained: Explained, width: int) -> Iterator[Line]:
    """How folders were interpreted."""
    sentences = [] if explained.is_alone else interpretations(explained.files)
    if sentences:
        yield ()
        yield (Span("How folders were interpreted", "title"),)
    for sentence in sentences:
        first, *rest = wrapped(sentence, width - 4)
        yield (Span(f"  - {first}"),)
        yield from ((Span(f"    {text}"),) for text in rest)


def _next_steps(explained: Explained, width: int) -> Iterator[Line]:
    """What the study lacks, a sentence each."""
    if not explained.next_steps:
        return
    yield ()
    yield (Span("Next steps", "title"),)
    for text in explained.next_steps:
        first, *rest = wrapped(text, width - 4)
        yield (Span("  - ", "doubtful"), Span(first))
        yield from ((Span(f"    {more}"),) for more in rest)


def _counts(explained: Explained, seen: Overview, width: int) -> Iterator[Line]:
    """What was read of each format, and what each run holds."""
    by_format = [
        (each.format, f"{each.files:,}", f"{each.lines:,}", f"{each.rejected:,}", f"{each.rows:,}")
        for each in seen.formats
    ]
    by_run = [
        (each.configuration, _runs(each, explained), listed(each.nodes, MAX_NODES) or "-", _kinds(each))
        for each in seen.groups
    ]
    if by_format:
        yield ()
        yield from table(("format", "files", "lines", "rejected", "rows"), by_format, "<>>>>", width)
    if by_run:
        yield ()
        yield from table(("configuration", "runs", "nodes", "files in each"), by_run, "<<<<", width)


def _runs(group: Group, explained: Explained) -> str:
    if group.runs:
        few = len(group.runs) <= MAX_RUNS_NAMED
        return ", ".join(group.runs) if few else f"{group.runs[0]} to {group.runs[-1]} ({len(group.runs)})"
    if group.is_above_runs:
        return "above the runs"
    return f"{explained.incident_counts.get(group.configuration, 0)} found by time"


def _kinds(group: Group) -> str:
    return ", ".join(f"{count} {kind}" if count > 1 else kind for kind, count in group.kinds)


def _listing(files: Sequence[Explanation], width: int) -> Iterator[Line]:
    """A line for each file, by configuration; paths are never cut, as they are there to be copied."""
    groups: dict[str, list[Explanation]] = defaultdict(list)
    for each in files:
        groups[each.configuration or ""].append(each)
    for configuration in sorted(groups, key=lambda name: (not name, name)):
        group = groups[configuration]
        yield ()
        yield (Span(configuration or "not read", "title"),)
        cells = [(each.format or each.status, each.run or "", each.node or "", _lines_read(each)) for each in group]
        kind_size, run_size, node_size, count_size = (max(map(len, column)) for column in zip(*cells, strict=True))
        for each, (kind, run, node, count) in zip(group, cells, strict=True):
            style: Style = "bad" if each.status in {"unrecognised", "unreadable"} else ""
            place = "".join(f"  {cell:{size}}" for cell, size in ((run, run_size), (node, node_size)) if size)
            shown = f"  {count:>{count_size}}" if count_size else ""
            columns = 2 + kind_size + len(place) + len(shown) + 2 + len(each.path)
            yield (
                Span(f"  {kind:{kind_size}}", style),
                Span(f"{place}{shown}  {each.path}"),
                *_remarks(each, width - columns - 2),
            )


def _lines_read(each: Explanation) -> str:
    return f"{each.counts['lines']:,} line{'s' if each.counts['lines'] != 1 else ' '}" if each.format else ""


def _remarks(each: Explanation, room: int) -> Iterator[Span]:
    """What is odd about a file, in a few words."""
    if each.counts["rejected"]:
        yield Span(f"  {each.counts['rejected']:,} rejected", "doubtful")
    if each.doubts:
        yield Span("  times in doubt", "doubtful")
    if each.format is None:
        yield Span(f"  {shortened(likeness(each), max(room, LEAST_REMARK))}", "quiet")


def _closing(files: Sequence[Explanation], seen: Overview) -> str:
    asked = [each.format is not None for each in files if each.status != "skipped"]
    look = f"; {counted(len(seen.attention), 'thing')} to look at, listed above" if seen.attention else ""
    return f"{sum(asked):,} of {counted(len(asked), 'file')} recognised{look}."
