"""The measurements as tables for a terminal, and as rows for a file."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from bench.coverage.cells import Cell, Fault, Section, Size
from bench.coverage.samples import Sample
from bench.coverage.scores import (
    AT_LEAST_AS_PROMISED,
    COVERAGE,
    FALSE_DIFFERENCES,
    FAULT_COVERAGE,
    WIDTH,
    Limit,
    by_item,
    coverage,
    false_share,
    fault_coverage,
    subjects,
)
from bench.coverage.studies import Comparison, FaultInterval, Item, Published

HELD = {"failover-2004": 64, "pacemaker-postgresql": 44}  # cells that are to hold their truth; of 67 and 44
FIVE_SECOND_TOKEN = ("baseline", "close-checkpoints")
FIVE_SECOND_TOKEN_WIDTH = Limit(high=0.3)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table. `verdicts`: of each value that has a limit."""

    section: str
    name: str
    subject: str
    item: str
    values: Mapping[str, float | int | str | None]
    verdicts: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_outside(self) -> bool:
        """Say whether a value lies outside its limits by more than chance."""
        return any(verdict in ("low", "high") for verdict in self.verdicts.values())

    @property
    def is_doubtful(self) -> bool:
        """Say whether a value lies outside its limits at all."""
        return any(verdict != "ok" for verdict in self.verdicts.values())


def rows(cell: Cell, found: Published) -> list[Row]:
    """What a cell comes to."""
    build = {Section.CELLS: _coverage_rows, Section.PAIRS: _pair_rows, Section.TIMERS: _timer_rows}
    return list(build[cell.section](cell, found))


def _coverage_rows(cell: Cell, found: Published) -> Iterator[Row]:
    for subject, items in subjects(found.items):
        yield _coverage_row(cell, subject, "", items, AT_LEAST_AS_PROMISED if subject == "phase" else COVERAGE)
        for item, chosen in by_item(items).items():
            yield _coverage_row(cell, subject, item, chosen, None)
    if cell.fault is Fault.INFERRED:
        yield _fault_row(cell, "", found.faults)


def _coverage_row(cell: Cell, subject: str, item: str, items: Sequence[Item], limit: Limit | None) -> Row:
    share = coverage(items)
    verdicts = {}
    if limit is not None and share.population is not None:
        verdicts["population"] = limit.verdict(share.population, share.error)
        if subject == "milestone":
            verdicts["width"] = WIDTH[cell.fault].verdict(share.width)
    return Row(cell.section, cell.name, subject, item, asdict(share), verdicts)


def _fault_row(cell: Cell, item: str, faults: Sequence[FaultInterval], limit: Limit | None = FAULT_COVERAGE) -> Row:
    share = fault_coverage(faults)
    error = math.sqrt(max(share.share * (1 - share.share), 1 / share.count) / share.count)
    verdicts = {"share": limit.verdict(share.share, error)} if limit else {}
    return Row(cell.section, cell.name, "fault", item, asdict(share), verdicts)


def _pair_rows(cell: Cell, found: Published) -> Iterator[Row]:
    for subject in ("milestone", "phase"):
        chosen = [each for each in found.comparisons if each.subject == subject]
        yield _false_row(cell, subject, "", chosen, FALSE_DIFFERENCES)
        for item in dict.fromkeys(each.item for each in chosen):
            yield _false_row(cell, subject, item, [each for each in chosen if each.item == item], None)


def _false_row(cell: Cell, subject: str, item: str, chosen: Sequence[Comparison], limit: Limit | None) -> Row:
    share = false_share(chosen)
    values = {"count": len(chosen), "false": share}
    # a comparison that is not published claims nothing, but then there is nothing to measure
    verdict = (
        "low" if not chosen else limit.verdict(share, math.sqrt(share * (1 - share) / len(chosen))) if limit else ""
    )
    return Row(cell.section, cell.name, subject, item, values, {"false": verdict} if limit else {})


def _timer_rows(cell: Cell, found: Published) -> Iterator[Row]:
    yield _fault_row(cell, "", found.faults)
    timers = {each.configuration: each.configuration.rsplit("-", 1)[1] for each in found.faults}
    for timer in sorted(set(timers.values()), key=lambda name: int(name.removesuffix("s"))):
        chosen = [each for each in found.faults if timers[each.configuration] == timer]
        yield _fault_row(cell, f"peerinact {timer}", chosen, None)


def sample_rows(sample: Sample) -> Iterator[Row]:
    """What a sample comes to."""
    share = coverage(sample.items)
    held = sum(each.holds(each.true_mean_s) for each in sample.items)
    verdict = Limit(HELD[sample.name]).verdict(held)
    yield Row("samples", sample.name, "milestone", "", {"held": held, **asdict(share)}, {"held": verdict})
    for each in sample.items:
        if not each.holds(each.true_mean_s):
            values = {"mean": each.mean_s, "low": each.low_s, "high": each.high_s, "true mean": each.true_mean_s}
            yield Row("samples", sample.name, "missed", f"{each.configuration} {each.item}", values)
    faults = fault_coverage(sample.faults)
    all_hold = Limit(1.0).verdict(faults.share)
    yield Row("samples", sample.name, "fault", "", asdict(faults), {"share": all_hold})
    if chosen := [each for each in sample.faults if each.configuration in FIVE_SECOND_TOKEN]:
        narrow = fault_coverage(chosen)
        verdict = FIVE_SECOND_TOKEN_WIDTH.verdict(narrow.width_s)
        yield Row("samples", sample.name, "fault", "5 s token", asdict(narrow), {"width_s": verdict})


# --- for a terminal --------------------------------------------------------------------------------------------------


def text(found: Sequence[Row], size: Size, *, detail: bool) -> Iterator[str]:
    """All tables."""
    shown = [each for each in found if detail or not each.item or each.section == "samples"]
    titles = {
        Section.CELLS: f"Coverage of the published 95 % intervals: {size.configurations} configurations of {size.runs} runs a cell",
        Section.PAIRS: "Same physics, other stamps: differences claimed between messages in seconds and in milliseconds",
        Section.TIMERS: "No llttab, peerinact 4 to 32 s: fault intervals that hold the fault, runs",
        Section.SAMPLES: "Samples whose truth is known: cells that hold the mean of the true times of the same runs",
    }
    lines = {
        Section.CELLS: _cell_lines,
        Section.PAIRS: _pair_lines,
        Section.TIMERS: _fault_lines,
        Section.SAMPLES: _sample_lines,
    }
    for section, title in titles.items():
        if chosen := [each for each in shown if each.section == section]:
            yield ""
            yield title
            yield from lines[section](chosen)


def _cell_lines(found: Sequence[Row]) -> Iterator[str]:
    yield f"{'':60}{'count':>7}{'missing':>8}{'population':>11}{'+-':>6}{'same runs':>10}{'width':>7}{'mean':>6}{'bias s':>8}  verdict"
    for each in found:
        if each.subject == "fault":
            continue
        v = each.values
        yield (
            f"{_name(each):60}{v['count']:7}{v['missing']:8}{_share(v['population']):>11}{_share(v['error']):>6.5}"
            f"{_share(v['same_runs']):>10}{_two(v['width']):>7}{_two(v['mean_width']):>6}{_signed(v['bias_s']):>8}  {_verdict(each)}"
        )
    yield ""
    yield "Fault intervals of the same runs"
    yield from _fault_lines([each for each in found if each.subject == "fault"])


def _pair_lines(found: Sequence[Row]) -> Iterator[str]:
    yield f"{'':60}{'count':>7}{'false':>8}  verdict"
    for each in found:
        yield f"{_name(each):60}{each.values['count']:7}{_share(each.values['false']):>8}  {_verdict(each)}"


def _fault_lines(found: Sequence[Row]) -> Iterator[str]:
    yield f"{'':60}{'runs':>7}{'missing':>8}{'hold':>8}{'width s':>9}{'widest s':>9}  verdict"
    for each in found:
        v = each.values
        yield (
            f"{_name(each):60}{v['count']:7}{v['missing']:8}{_share(v['share']):>8}{_two(v['width_s']):>9}"
            f"{_two(v['widest_s']):>9}  {_verdict(each)}"
        )


def _sample_lines(found: Sequence[Row]) -> Iterator[str]:
    for each in found:
        v = each.values
        if each.subject == "milestone":
            yield (
                f"{each.name}: {v['held']} of {v['count']} cells hold it, to be {HELD[each.name]} or more; half width "
                f"{_two(v['width'])} of the ideal (median)  {_verdict(each)}"
            )
        elif each.subject == "missed":
            yield (
                f"    {each.item}: {_three(v['mean'])} [{_three(v['low'])}, {_three(v['high'])}], true {_three(v['true mean'])}"
            )
        else:
            yield (
                f"  fault intervals{f', {each.item}' if each.item else ''}: {_share(v['share'])} of {v['count']} runs hold "
                f"the fault, median width {_three(v['width_s'])} s  {_verdict(each)}"
            )


def _name(each: Row) -> str:
    return f"    {each.subject} {each.item}" if each.item else f"{each.name}: {each.subject}s"


def _verdict(each: Row) -> str:
    return ", ".join(
        verdict if verdict == "ok" else f"{value} {verdict}" for value, verdict in each.verdicts.items()
    ).replace("ok, ok", "ok")


def _number(value: object, form: str) -> str:
    return format(value, form) if isinstance(value, int | float) and not math.isnan(value) else "-"


def _share(value: object) -> str:
    return _number(value, ".3f")


def _two(value: object) -> str:
    return _number(value, ".2f")


def _three(value: object) -> str:
    return _number(value, ".3f")


def _signed(value: object) -> str:
    return _number(value, "+.3f")
