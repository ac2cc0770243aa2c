"""A comparison of two configurations, written for people: lines for a terminal, or Markdown."""

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Final

from pipeline.ask.compare.compare import Compared, Comparison, OneSided, Pair, ParameterChange
from pipeline.ask.compare.runs import RunsToAdd
from pipeline.study.data_origin import MADE, SHORT
from reports import data_origin, numbers
from reports.metrics import UNITS_IN_NAMES, name_of
from reports.runs_to_add import needed_words
from reports.typeset import escape

TITLES: Final = {
    "milestone": "Milestones, seconds after t = 0",
    "phase": "Phases, duration in seconds",
    "measurement": "Measurements",
    "disk": "Disks",
}
OF_METRICS: Final = ("measurement", "disk")
HEADS: Final = ("A: mean ± s (n)", "B: mean ± s (n)", "A - B", "A / B", "95 % interval", "p", "p (Holm)")
LISTED_SCOPES: Final = 40
"""This many parameters that differ are listed on a terminal; JSON has all."""

BROAD_SCOPE: Final = "main.cf"  # attributes of every resource: hundreds differ where the number of file systems does

NOTES: Final = (
    (
        "Mean ± sample standard deviation over n runs. Ratio of the means with its 95 % interval (log-delta, Welch). "
        "p of Welch's t test, raw and adjusted after Holm for all comparisons of its group in this table."
    ),
    (
        "Runs to add: to the configuration that has fewer, if means and spreads stay as they are. To show a "
        "difference: found by four of five such studies (Guenther 1981). To show equality: until the interval lies "
        "inside the margin."
    ),
)


def lines(comparison: Comparison, width: int) -> Iterator[str]:
    """The comparison for a terminal: a block of columns for each kind of thing, what it means below each row."""
    yield from _sides(comparison)
    for subject, group in groupby(comparison.pairs, key=lambda pair: pair.subject):
        yield ""
        yield from _block(TITLES[subject], list(group), comparison)
    if not comparison.pairs:
        yield ""
        yield "Nothing was measured in both."
    yield from (*_one_sided(comparison), *_parameter_lines(comparison))
    if comparison.pairs:
        yield ""
        for note in (*NOTES, *_origin_notes(comparison)):
            yield from textwrap.wrap(note, width)


def markdown(comparison: Comparison) -> str:
    """The comparison as Markdown tables."""
    parts = [*(escape.markdown(text) + "  " for text in _sides(comparison))]
    for subject, group in groupby(comparison.pairs, key=lambda pair: pair.subject):
        heads = (TITLES[subject], *HEADS, "Verdict", "Runs to add")
        mark = mark_of(comparison)
        body = [
            (title(pair), *_cells(pair, mark), pair.verdict + mark, runs_needed(pair, comparison.margin_pct))
            for pair in group
        ]
        parts += ["", _markdown_table(heads, body, numeric=len(HEADS))]
    parts += [f"\n{escape.markdown(text)}" for text in _one_sided(comparison) if text]
    listed = [each for each in comparison.parameters if each.scope != BROAD_SCOPE]
    if listed:
        parts += [
            "",
            _markdown_table(("Scope", "Parameter", "A", "B"), [_parameter_cells(each) for each in listed], numeric=0),
        ]
    parts += [
        f"\n{escape.markdown(text)}"
        for text in (_left_out(comparison.parameters), *NOTES, *_origin_notes(comparison))
        if text
    ]
    return "\n".join(parts) + "\n"


def title(pair: Pair) -> str:
    """What was measured, as a table names it."""
    if pair.subject not in OF_METRICS:
        return pair.title
    parts = [name_of(pair.item), pair.label, f"{pair.clients} clients" if pair.clients else None]
    named = ", ".join(each for each in parts if each)
    return (
        named
        if pair.subject == "disk" or pair.unit in UNITS_IN_NAMES or pair.unit is None
        else f"{named} ({pair.unit})"
    )


def runs_needed(pair: Pair, margin_pct: float | None) -> str:
    """How many more runs would make the matter clear, in words; empty where it is clear."""
    return needed_words(asdict(pair), RunsToAdd(pair.more_runs_to_show, pair.more_runs_to_equal), margin_pct)


def _sides(comparison: Comparison) -> Iterator[str]:
    yield f"A  {_side(comparison.a)}"
    yield f"B  {_side(comparison.b)} (reference)"
    if comparison.margin_pct is None:
        yield "To test for equality, set --margin PERCENT, or margin_pct in study.toml."
    else:
        yield f"Equality means a whole 95 % interval within {comparison.margin_pct:g} % of B."


def _side(side: Compared) -> str:
    label = f" ({side.label})" if side.label not in (side.name, "") else ""
    aside = f", {set_aside(side.set_aside)}" if side.set_aside else ""
    origin = f"; {SHORT[side.origin.origin or '']}" if side.origin.is_built_in else ""
    return f"{side.name}{label}: {side.used_runs} runs{aside}{origin}"


def set_aside(runs: Sequence[str]) -> str:
    """Runs that do not count, in words."""
    return f"{len(runs)} set aside: {'; '.join(runs)}"


def mark_of(comparison: Comparison) -> str:
    """The sign beside p values, intervals and verdicts of data that a program made."""
    origins = [each.origin.origin for each in (comparison.a, comparison.b) if each.origin.is_built_in]
    return data_origin.MARKS[min(map(str, origins), key=MADE.index)] if origins else ""


def _origin_notes(comparison: Comparison) -> Iterator[str]:
    """What the sign means, and the notes of the data that a program made."""
    if mark := mark_of(comparison):
        made = {each.origin.sentence: None for each in (comparison.a, comparison.b) if each.origin.is_built_in}
        yield f"{data_origin.meaning(mark)} {' '.join(made)}"


def _block(heading: str, pairs: Sequence[Pair], comparison: Comparison) -> Iterator[str]:
    margin_pct, mark = comparison.margin_pct, mark_of(comparison)
    rows = [(title(pair), *_cells(pair, mark)) for pair in pairs]
    sizes = [max(map(len, column)) for column in zip(("", *HEADS), *rows, strict=True)]
    yield heading
    yield "  " + _aligned(("", *HEADS), sizes)
    for pair, row in zip(pairs, rows, strict=True):
        yield "  " + _aligned(row, sizes)
        wanted = runs_needed(pair, margin_pct)
        yield f"      {pair.verdict}{mark}" + (f". Runs to add: {wanted}" if wanted else "")


def _aligned(cells: Sequence[str], sizes: Sequence[int]) -> str:
    first, *others = zip(cells, sizes, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(size) for cell, size in others)]).rstrip()


def _cells(pair: Pair, mark: str) -> tuple[str, ...]:
    is_metric = pair.subject in OF_METRICS
    difference = numbers.compact(pair.difference) if is_metric else numbers.fixed(pair.difference, 1)
    sign = "+" if pair.difference > 0 and difference.strip("0.") else ""
    return (
        _mean(pair.mean, pair.stddev, pair.runs, is_metric=is_metric),
        _mean(pair.reference_mean, pair.reference_stddev, pair.reference_runs, is_metric=is_metric),
        f"{sign}{difference}",
        numbers.ratio(pair.ratio),
        *(
            text if text == numbers.DASH else text + mark
            for text in (
                numbers.ratio_interval(pair.ratio, pair.ratio_ci95_low, pair.ratio_ci95_high),
                numbers.p_value(pair.p_value),
                numbers.p_value(pair.p_holm),
            )
        ),
    )


def _mean(mean: float, stddev: float | None, runs: int, *, is_metric: bool) -> str:
    if is_metric:
        return f"{numbers.compact_and_spread(mean, stddev)} ({runs})"
    spread = "" if stddev is None else f" {numbers.PLUS_MINUS} {numbers.fixed(stddev, 1)}"
    return f"{numbers.fixed(mean, 1)}{spread} ({runs})"


def _one_sided(comparison: Comparison) -> Iterator[str]:
    def named(each: OneSided) -> str:
        return name_of(each.item) if each.subject in OF_METRICS else each.item

    for side in ("a", "b"):
        only = [f"{each.subject} {named(each)}" for each in comparison.one_sided if each.side == side]
        if only:
            yield ""
            yield f"Only {side.upper()} has: {', '.join(only)}"


def _parameter_lines(comparison: Comparison) -> Iterator[str]:
    listed = [each for each in comparison.parameters if each.scope != BROAD_SCOPE]
    if listed:
        shown = [_parameter_cells(each) for each in listed[:LISTED_SCOPES]]
        heads = ("", "", "A", "B")
        sizes = [max(map(len, column)) for column in zip(heads, *shown, strict=True)]
        yield ""
        yield "Parameters that differ"
        for cells in (heads, *shown):
            yield ("  " + "  ".join(cell.ljust(size) for cell, size in zip(cells, sizes, strict=True))).rstrip()
        if len(listed) > LISTED_SCOPES:
            yield f"  and {len(listed) - LISTED_SCOPES} more (--json has all)"
    elif not comparison.parameters:
        yield ""
        yield "No parameter differs, as far as files of both state any."
    if left_out := _left_out(comparison.parameters):
        yield ""
        yield left_out


def _left_out(parameters: Sequence[ParameterChange]) -> str:
    count = sum(each.scope == BROAD_SCOPE for each in parameters)
    return f"{count} attributes of {BROAD_SCOPE} differ too (--json has them)." if count else ""


def _parameter_cells(change: ParameterChange) -> tuple[str, str, str, str]:
    return change.scope, change.name, _declared(change.value), _declared(change.reference_value)


def _declared(value: str | None) -> str:
    return numbers.DASH if value is None else value


def _markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, numeric: int) -> str:
    rules = ["---:" if 0 < place <= numeric else "---" for place in range(len(heads))]
    cells = [list(map(escape.markdown, heads)), rules, *(list(map(escape.markdown, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)
