"""Why runs of a configuration were slow or failed: the question asked of a store, and its answer for people."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.ask.why import slow_runs
from pipeline.ask.why.slow_runs import Place, Step, Timed, Told, Why
from pipeline.severity import grade_of
from reports import numbers
from reports.answers.lines import GRADE_STYLES, Line, Span, listed, shortened
from reports.study.named import configuration_named, run_named
from reports.study.slow_runs import messages, runs_of
from reports.study.store import opened
from reports.study.view import StudyView
from reports.words import counted


def why(store: Path, configuration: str, run: str | None = None) -> Why:
    """What sets the slow or failed runs of a configuration apart, or the one run that is named, by name or number.

    Raises UsageError for names that nothing has, and where there is nothing to compare with.
    """
    with opened(store) as connection:
        study = StudyView(connection)
        key = configuration_named(study, configuration)
        named = None if run is None else run_named(study, key, run)
        return slow_runs.why(key, runs_of(study, key), messages(study), named)


def lines(found: Why, width: int, most: int) -> Iterator[Line]:
    """The answer for a terminal, with the first `most` of each list."""
    yield (Span(f"{found.configuration}: {_asked(found)}", "title"),)
    yield (Span(f"  the others: {_times(found.others)}", "quiet"),)
    if found.steps:
        yield from _head("Where the time went")
        for step in found.steps[:most]:
            yield from _step(step, width)
    is_one = len(found.slow) == 1
    yield from _head(f"What only {'this run says' if is_one else 'these runs say'}", len(found.only), most)
    for number, told in enumerate(found.only[:most], 1):
        yield from _told(told, f"{number:>4}. ", width, len(found.slow))
    if not found.only:
        yield (Span("  nothing"),)
    if found.more_often:
        yield from _head("What the others say less often", len(found.more_often), most)
        for told in found.more_often[:most]:
            elsewhere = f"{told.count} times, at most {told.most_elsewhere} in another: "
            yield from _told(told, f"  {elsewhere}", width, len(found.slow))
    if found.missing:
        these = "this run does not" if is_one else "these runs do not"
        yield from _head(f"What all others say and {these}", len(found.missing), most)
        for place in found.missing[:most]:
            yield from _place(place, "      ", width)


def _asked(found: Why) -> str:
    """`run05 failed; run07 took 71.9 s`, and why these were chosen."""
    told = "; ".join(_fate(each) for each in found.slow)
    if found.chosen == "slowest":
        return f"no run failed or was slow; {told}, longest of {len(found.others) + 1}"
    return told


def _fate(run: Timed) -> str:
    if run.time_s is None:
        return f"{run.run}: {run.outcome.replace('_', ' ')}"
    return f"{run.run} took {numbers.fixed(run.time_s, 1)} s"


def _times(runs: Sequence[Timed]) -> str:
    times = sorted(each.time_s for each in runs if each.time_s is not None)
    return f"{counted(len(runs), 'run')}, {_span(times[0], times[-1])} s"


def _span(low: float, high: float) -> str:
    """`2.1 to 3.4`, or one of them where both print alike."""
    first, last = numbers.fixed(low, 1), numbers.fixed(high, 1)
    return first if first == last else f"{first} to {last}"


def _head(text: str, count: int = 0, most: int = 0) -> Iterator[Line]:
    yield ()
    yield (Span(text + (f" (first {most} of {count:,})" if count > most else ""), "title"),)


def _step(step: Step, width: int) -> Iterator[Line]:
    told = f"{numbers.fixed(step.seconds, 1)} s" if step.seconds is not None else "no end"
    usual = f"{_span(*step.others_s)} s in the other runs"
    yield (Span(f"  {step.run}: "), Span(told, "bad"), Span(f" between these two; {usual}"))
    yield from _place(step.begin, "      ", width)
    if step.end is not None:
        yield from _place(step.end, "      ", width)


def _told(told: Told, label: str, width: int, slow: int) -> Iterator[Line]:
    runs = "" if slow == 1 else f"{listed([each.run for each in told.places])}  "
    yield from _place(told.places[0], f"{label}{runs}", width)


def _place(place: Place, label: str, width: int) -> Iterator[Line]:
    who = " ".join(each for each in (place.node, place.source, place.severity) if each)
    head = f"{label}{place.at_s:+.1f} s  {f'{who}  ' if who else ''}"
    text = shortened(" ".join(place.text.split()), max(40, width - len(head)))
    yield (Span(head, "quiet"), Span(text, GRADE_STYLES[grade_of(place.severity)]))
    if place.path:
        yield (Span(f"        {place.path}:{place.line_no}", "quiet"),)
