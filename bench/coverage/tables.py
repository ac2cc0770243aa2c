"""The measurements as tables for a terminal."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bench.coverage.cells import Section, Size
from bench.coverage.rows import HELD, Row

NAME_WIDTH = 58


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the measure it shows, and how."""

    heading: str
    measure: str
    form: str
    width: int

    def shown(self, row: Row) -> str:
        """The value of a row."""
        return f"{_number(row.values[self.measure], self.form):>{self.width}}"


COVERAGE = (
    Column("count", "count", "d", 7),
    Column("missing", "missing", "d", 9),
    Column("improper", "improper", "d", 10),
    Column("population", "population", ".3f", 12),
    Column("+-", "error", ".3f", 7),
    Column("ideal", "ideal", ".3f", 7),
    Column("same runs", "same_runs", ".3f", 11),
    Column("width", "width", ".2f", 7),
    Column("mean", "mean_width", ".2f", 6),
    Column("bias s", "bias_s", "+.3f", 8),
)
DIFFERENCES = (Column("count", "count", "d", 7), Column("false", "false", ".3f", 8))
FAULTS = (
    Column("runs", "count", "d", 7),
    Column("missing", "missing", "d", 9),
    Column("hold", "share", ".3f", 8),
    Column("width s", "width_s", ".2f", 9),
    Column("widest s", "widest_s", ".2f", 10),
)


def text(found: Sequence[Row], size: Size, *, detail: bool) -> Iterator[str]:
    """All tables; with `detail` also each milestone, phase and timer."""
    of = f"{size.configurations} configurations of {size.runs} runs a cell"
    shown = [each for each in found if detail or not each.item or each.section == Section.SAMPLES]
    cells = [each for each in shown if each.section in {Section.CELLS, Section.STACKS}]
    tables: list[tuple[str, list[Row], Callable[[Sequence[Row]], Iterator[str]]]] = [
        (
            f"Coverage of the published 95 % intervals, {of}",
            [each for each in cells if each.subject != "fault"],
            lambda rows: _lines(rows, COVERAGE),
        ),
        (
            "Intervals of the inferred fault times of the same runs",
            [each for each in cells if each.subject == "fault"],
            lambda rows: _lines(rows, FAULTS),
        ),
        (
            "Same physics, other stamps: differences that are claimed between messages in seconds and in milliseconds",
            [each for each in shown if each.section == Section.PAIRS],
            lambda rows: _lines(rows, DIFFERENCES),
        ),
        (
            "No llttab, peerinact 4 to 32 s: runs whose interval holds the fault",
            [each for each in shown if each.section == Section.TIMERS],
            lambda rows: _lines(rows, FAULTS),
        ),
        (
            "Samples whose truth is known",
            [each for each in shown if each.section == Section.SAMPLES],
            lambda rows: (_sample_line(each) for each in rows),
        ),
    ]
    for title, rows, lines in tables:
        if rows:
            yield from ("", title, *lines(rows))


def _lines(rows: Sequence[Row], columns: Sequence[Column]) -> Iterator[str]:
    yield " " * NAME_WIDTH + "".join(f"{each.heading:>{each.width}}" for each in columns) + "  verdict"
    for row in rows:
        name = f"    {row.subject} {row.item}" if row.item else f"{row.name}: {row.subject}s"
        yield f"{name:{NAME_WIDTH}}" + "".join(each.shown(row) for each in columns) + f"  {_verdict(row)}".rstrip()


def _sample_line(row: Row) -> str:
    v = row.values
    if row.subject == "milestone":
        return (
            f"{row.name}: {v['held']} of {v['count']} cells hold the mean of the true times of the same runs, to be "
            f"{HELD[row.name]} or more; median width {_number(v['width'], '.2f')}  {_verdict(row)}"
        )
    if row.subject == "missed":
        mean, low, high, truth = (_number(v[name], ".3f") for name in ("mean", "low", "high", "true mean"))
        return f"    {row.item}: {mean} [{low}, {high}], true {truth}"
    which = f" ({row.item})" if row.item else ""
    return (
        f"  fault intervals{which}: {_number(v['share'], '.3f')} of {v['count']} runs hold the fault, median width "
        f"{_number(v['width_s'], '.3f')} s  {_verdict(row)}"
    )


def _verdict(row: Row) -> str:
    outside = [f"{measure} {verdict}" for measure, verdict in row.verdicts.items() if verdict != "ok"]
    return ", ".join(outside) or ("ok" if row.verdicts else "")


def _number(value: object, form: str) -> str:
    return format(value, form) if isinstance(value, int | float) and not math.isnan(value) else "-"
