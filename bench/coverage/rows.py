"""What each cell and sample comes to, against its limits."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from bench.coverage.cells import Cell, Fault, Section
from bench.coverage.samples import Sample
from bench.coverage.scores import (
    AT_LEAST_AS_PROMISED,
    COVERAGE,
    FALSE_DIFFERENCES,
    FAULT_COVERAGE,
    NONE,
    SOME,
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
    build = {Section.PAIRS: _pair_rows, Section.TIMERS: _timer_rows}
    return list(build.get(cell.section, _coverage_rows)(cell, found))


def _coverage_rows(cell: Cell, found: Published) -> Iterator[Row]:
    for subject, items in subjects(found.items):
        is_exact = subject == "milestone" and cell.fault is not Fault.INFERRED
        yield _coverage_row(cell, subject, "", items, COVERAGE if is_exact else AT_LEAST_AS_PROMISED)
        for item, chosen in by_item(items).items():
            yield _coverage_row(cell, subject, item, chosen, None)
    if cell.fault is Fault.INFERRED:
        yield _fault_row(cell, "", found.faults)


def _coverage_row(cell: Cell, subject: str, item: str, items: Sequence[Item], limit: Limit | None) -> Row:
    share = coverage(items)
    verdicts = {}
    if limit is not None and share.population is not None:
        verdicts["population"] = limit.verdict(share.population, share.error)
        verdicts["improper"] = NONE.verdict(share.improper)
        if subject == "milestone":
            verdicts["width"] = WIDTH.verdict(share.width)
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
    verdicts = {}
    if limit is not None:
        verdicts["count"] = SOME.verdict(len(chosen))
        if chosen:
            verdicts["false"] = limit.verdict(share, math.sqrt(share * (1 - share) / len(chosen)))
    return Row(cell.section, cell.name, subject, item, {"count": len(chosen), "false": share}, verdicts)


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
