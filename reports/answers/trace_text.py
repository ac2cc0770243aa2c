"""A trace written for people: what was asked, each run with its lines, the files with their hashes, the SQL."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from math import fsum, isclose
from typing import Final

from pipeline.ask.trace.lines import SourceText
from pipeline.ask.trace.parts import Line, Run
from pipeline.ask.trace.source import key_of
from pipeline.ask.trace.trace import Trace
from reports import numbers
from reports.answers.lines import Line as Shown
from reports.answers.lines import Span, Style, counted

LISTED_RUNS: Final = 200
ABOUT_TIME: Final = ("fault", "timer")
"""Roles of lines that tell t = 0; they are shown below what they tell."""

HOW: Final = ("stack", "fault_source", "file_id", "line_no")
"""Columns of a key that say how a row came about; the lines below it show that better."""

STATES: Final[dict[str, tuple[str, Style]]] = {
    "as read": ("unchanged since it was read", "good"),
    "changed": ("CHANGED since it was read: its lines may be others now", "bad"),
    "not found": (
        "not found: --study says where the logs are now",
        "doubtful",
    ),
}


def lines(trace: Trace, *, is_full: bool = False) -> Iterator[Shown]:
    """The trace, line by line. `is_full`: also the lines that merely agree with those that decide."""
    yield _line(trace.asked, "title")
    yield from _values(trace)
    asked = [each for each in trace.values.values() if isinstance(each, float)]
    yield from _summary(trace.runs, asked, trace.printed or "")
    explained: set[str] = set()
    for run in trace.runs[:LISTED_RUNS]:
        yield ()
        yield from _run(run, trace, explained, is_full=is_full)
    if len(trace.runs) > LISTED_RUNS:
        yield _line(f"and {len(trace.runs) - LISTED_RUNS:,} more (--json has all)")
    yield from _files(list(trace.sources.values()))
    for name, sql in trace.statements.items():
        yield ()
        yield _line(f"SQL of {name}", "title")
        yield from (_line(f"  {text}") for text in sql.splitlines())


def _values(trace: Trace) -> Iterator[Shown]:
    if trace.printed is not None:
        yield _line(f"  printed     {trace.printed}")
    for name, value in trace.values.items():
        yield _line(f"  unrounded   {name} = {_plain(value)}")
    counts = Counter((each.relation, each.column) for each in trace.origins)
    for (relation, column), count in counts.items():
        row = next(each.row for each in trace.origins if each.relation == relation)
        names = [name for name in key_of(tuple(row)) if name not in HOW and row[name] is not None]
        named = ", ".join(f"{name} = {_plain(row[name])}" for name in names)
        where = named if count == 1 else counted(count, "row")
        yield _line(f"  relation    {relation}{f'.{column}' if column else ''}{': ' if where else ''}{_cut(where)}")
    for note in trace.notes:
        yield _line(f"  {note}", "doubtful")
    if not trace.runs and trace.origins:
        yield _line(
            "  No line could be found behind it: the relation is not computed from lines that a relation names.", "bad"
        )


def _summary(runs: Sequence[Run], numbers_asked: Sequence[float], printed: str) -> Iterator[Shown]:
    """The values that the number is made of, each configuration for itself, with their mean again; what these give."""
    configurations = dict.fromkeys(run.configuration for run in runs)
    means: dict[str | None, float] = {}
    for configuration in configurations:
        own = [run for run in runs if run.configuration == configuration and run.run is not None]
        values = [run.value for run in own if run.is_used and isinstance(run.value, float)]
        aside = [run for run in own if not run.is_used or run.value is None]
        if not values or len(own) < 2:
            continue
        yield ()
        mean = means[configuration] = fsum(values) / len(values)
        is_asked = len(configurations) > 1 or _is_among(mean, numbers_asked)
        said = f"mean of the values below {mean!r}{'' if is_asked else ', which is not the number itself'}"
        if not is_asked and (modes := _modes(values, printed)):
            said = f"in two modes: {' and '.join(modes)}"
        yield _line(f"{configuration}: {counted(len(values), 'run')}, {said}")
        for run in own:
            value = numbers.DASH if run.value is None else repr(run.value)
            said = "" if run.is_used else "  set aside"
            why = f": {run.reason}" if run.reason else ""
            yield _line(f"  {run.run or '':12}  {value:>22}{said}{why}", "doubtful" if run in aside else "")
    if len(means) > 1 and numbers_asked:
        yield ()
        yield _line(_computed(means, numbers_asked))


def _modes(values: Sequence[float], printed: str) -> list[str]:
    """The two numbers of a cell whose runs lie in two modes: means of the lower and of the higher values."""
    shown = sorted(printed.split(" | "))
    decimals = len(shown[0].partition(".")[2])
    ordered = sorted(values)
    for at in range(1, len(ordered)):
        parts = [ordered[:at], ordered[at:]]
        means = [fsum(each) / len(each) for each in parts]
        if sorted(numbers.fixed(each, decimals) for each in means) == shown:
            return [f"{counted(len(each), 'run')} with mean {mean!r}" for each, mean in zip(parts, means, strict=True)]
    return []


def _is_among(value: float, numbers_asked: Sequence[float]) -> bool:
    return any(isclose(value, each, rel_tol=1e-9) for each in numbers_asked)


def _computed(means: Mapping[str | None, float], numbers_asked: Sequence[float]) -> str:
    """How one of some numbers follows from means of configurations, or that none does."""
    for one, other in [(None, None), *permutations(means, 2)]:
        for text, value in _combined(means, one, other):
            if _is_among(value, numbers_asked):
                return f"The number is {text}."
    return "The number does not follow from these means alone: the SQL says how it is computed."


def _combined(means: Mapping[str | None, float], one: str | None, other: str | None) -> Iterator[tuple[str, float]]:
    if one is None or other is None:
        yield from ((f"the mean of {name}", mean) for name, mean in means.items())
        return
    yield f"the mean of {one} less that of {other}", means[one] - means[other]
    if means[other]:
        ratio = means[one] / means[other]
        yield f"the mean of {one} divided by that of {other}", ratio
        yield f"100 % less the mean of {one} in percent of that of {other}", 100 - 100 * ratio


def _run(run: Run, trace: Trace, explained: set[str], *, is_full: bool) -> Iterator[Shown]:
    name = " / ".join(each for each in (run.configuration, run.run) if each) or "the study"
    value = "" if run.value is None else f" = {run.value!r}"
    said = "" if run.is_used else " (set aside)"
    why = f": {run.reason}" if run.reason else ""
    yield _line(f"{name}{value}{said}{why}", "title")
    about_time = [line for line in run.lines if line.role.startswith(ABOUT_TIME)]
    for line in run.lines:
        if line not in about_time:
            yield from _evidence(line, trace)
    for each in run.inference:
        how = "as above" if each.how in explained and each.found else each.how
        explained.add(each.how)
        yield _line(f"  {each.what}: {each.found}{f' ({how})' if each.found else how}", "doubtful")
    shown = [line for line in about_time if line.is_decisive or is_full]
    for line in shown:
        yield from _evidence(line, trace)
    if agreeing := len(about_time) - len(shown):
        more = (
            "1 more line agrees (--all shows it)"
            if agreeing == 1
            else f"{agreeing} more lines agree (--all shows them)"
        )
        yield _line(f"  {more}", "quiet")


def _evidence(line: Line, trace: Trace) -> Iterator[Shown]:
    source = trace.sources.get(line.file_id)
    path = source.path if source else f"file {line.file_id}"
    place = path if line.line_no is None else f"{path}:{line.line_no}"
    said = "; ".join(each for each in (line.how, line.note) if each)
    yield (
        Span(f"  {_one_line(line.role)}", "good"),
        Span(f"  {_one_line(place)}"),
        Span(f"  {_one_line(said)}", "quiet"),
    )
    if source is None or line.line_no is None:
        return
    near = source.near(line.line_no)
    kept = source.kept.get(line.line_no)
    if kept is not None and kept not in source.lines.get(line.line_no, ""):
        yield _line(f"    the store keeps of it: {kept}", "doubtful")
    elif not near:
        why = "the file is not here" if source.state == "not found" else "the file no longer has this line"
        yield _line(f"    (no text: {why}, and the store does not keep it)", "bad")
    width = max((len(str(number)) for number in near), default=1)
    own = range(line.line_no, line.line_no + len(source.record(line.line_no)))
    for number in near:
        mark = ">" if number == line.line_no else "|" if number in own else " "
        yield _line(f"    {mark} {number:>{width}}  {source.lines[number]}", "" if number in own else "quiet")


def _files(sources: Sequence[SourceText]) -> Iterator[Shown]:
    if not sources:
        return
    yield ()
    yield _line("Files", "title")
    for source in sorted(sources, key=lambda each: each.path):
        words, style = STATES[source.state]
        yield (Span(f"  {_one_line(source.path)}  SHA-256 {source.sha256 or 'unknown'}  "), Span(words, style))


def _line(text: str, style: Style = "") -> Shown:
    return (Span(_one_line(text), style),)


def _one_line(text: str) -> str:
    return text.replace("\n", "⏎").replace("\r", "⏎").expandtabs(4)


def _plain(value: object) -> str:
    return "null" if value is None else repr(value) if isinstance(value, float) else str(value)


def _cut(text: str) -> str:
    return text if len(text) <= 160 else f"{text[:159]}…"
