"""The studies that are generated: what is combined, how many configurations there are, which process has which."""

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product

from bench.coverage.logs import NO_EVIDENCE, Evidence
from bench.coverage.physics import Spread, Tick, drawn_physics
from bench.coverage.stacks import STEPS_S, Takeovers
from bench.coverage.studies import Configuration, Published, published, random_of

CHUNK = 50  # configurations a study: what is at work at a time stays small
PEERINACT_S = (4, 8, 12, 16, 20, 24, 28, 32)


class Stamps(StrEnum):
    """Resolution of the messages; the engine log has whole seconds, db2diag.log microseconds, always."""

    SECONDS = "1 s"
    MILLISECONDS = "1 ms"
    MIXED = "mixed"  # every other configuration


class Fault(StrEnum):
    """Where the fault time comes from."""

    KNOWN = "known"  # fault_at of study.toml, to the millisecond
    INFERRED = "inferred"  # lines of LLT, with llttab and gabtab


class Section(StrEnum):
    """What is measured."""

    CELLS = "cells"  # coverage and width
    PAIRS = "pairs"  # same physics, other stamps
    TIMERS = "timers"  # no llttab
    STACKS = "stacks"  # stacks without LLT
    SAMPLES = "samples"  # the samples whose truth is known


@dataclass(frozen=True, slots=True)
class Size:
    """How much is generated."""

    configurations: int = 200
    runs: int = 10
    seed: int = 1
    tick: Tick = Tick.RANDOM


@dataclass(frozen=True, slots=True)
class Cell:
    """One combination. `evidence` names the lines of LLT that are left where no llttab says its timers."""

    section: Section
    stamps: Stamps
    fault: Fault
    spread: Spread
    evidence: str = ""
    stack: str = ""
    tick: Tick = Tick.RANDOM

    @property
    def name(self) -> str:
        """The combination in words."""
        if self.section is Section.TIMERS:
            return f"{self.evidence}, stamps {self.stamps}"
        if self.section is Section.STACKS:
            return f"{self.stack}, {self.tick}, {self.spread}"
        return f"fault {self.fault}, stamps {self.stamps}, {self.spread}"


EXPIRED_ONLY = Evidence(trouble=False, series=False)
EVIDENCE: Mapping[str, tuple[Evidence, Evidence]] = {  # in the first run, and in all others
    "all lines of LLT": (Evidence(), Evidence()),
    "`expired` only": (EXPIRED_ONLY, EXPIRED_ONLY),
    "all lines in run 1, then `expired`": (Evidence(), EXPIRED_ONLY),
    "no line of LLT": (NO_EVIDENCE, NO_EVIDENCE),
}


def cells() -> Iterator[Cell]:
    """Every combination, in the order of the tables."""
    for fault in Fault:
        for stamps in Stamps:
            for spread in Spread:
                yield Cell(Section.CELLS, stamps, fault, spread)
    for fault in Fault:
        for spread in Spread:
            yield Cell(Section.PAIRS, Stamps.MIXED, fault, spread)
    for evidence in EVIDENCE:
        for stamps in (Stamps.SECONDS, Stamps.MILLISECONDS):
            yield Cell(Section.TIMERS, stamps, Fault.INFERRED, Spread.NORMAL_6, evidence)
    for stack, tick in product(STEPS_S, (Tick.RANDOM, Tick.EARLY, Tick.LATE)):
        yield Cell(Section.STACKS, Stamps.MIXED, Fault.INFERRED, Spread.NORMAL_6, stack=stack, tick=tick)


def configurations(cell: Cell, size: Size, first: int, count: int) -> list[Configuration]:
    """Some of the configurations of a cell of VCS, the same no matter what the others are."""
    build = {Section.CELLS: _single, Section.PAIRS: _pair, Section.TIMERS: _without_timers}[cell.section]
    return [each for number in range(first, first + count) for each in build(cell, size, number)]


def takeovers(cell: Cell, size: Size, first: int, count: int) -> list[Takeovers]:
    """Some of the configurations of a cell of another stack."""
    return [
        Takeovers(f"c{number:04d}", cell.stack, cell.tick, cell.spread, size.runs, size.seed)
        for number in range(first, first + count)
    ]


def _single(cell: Cell, size: Size, number: int) -> list[Configuration]:
    # a cell's physics are those of the other stamps and fault times too: what differs is only how it is logged
    random = random_of(size.seed, cell.spread, number)
    physics = drawn_physics(random, cell.spread, size.tick)
    runs = physics.runs(random, size.runs)
    fine = cell.stamps is Stamps.MILLISECONDS or (cell.stamps is Stamps.MIXED and number % 2 == 1)
    return [Configuration(f"c{number:04d}", physics, runs, fine, cell.fault is Fault.KNOWN)]


def _pair(cell: Cell, size: Size, number: int) -> list[Configuration]:
    coarse = replace(_single(cell, size, number)[0], name=f"c{number:04d}-s", fine=False)
    return [coarse, replace(coarse, name=f"c{number:04d}-ms", fine=True, reference=coarse.name)]


def _without_timers(cell: Cell, size: Size, number: int) -> list[Configuration]:
    random = random_of(size.seed, "timers", cell.spread, number)
    drawn = drawn_physics(random, cell.spread, size.tick)
    physics = replace(drawn, peerinact_s=PEERINACT_S[number % len(PEERINACT_S)], expiry_is_logged=True)
    name = f"c{number:04d}-{physics.peerinact_s}s"
    fine = cell.stamps is Stamps.MILLISECONDS
    first, others = EVIDENCE[cell.evidence]
    return [
        Configuration(
            name=name,
            physics=physics,
            runs=physics.runs(random, size.runs),
            fine=fine,
            is_fault_known=False,
            has_llttab=False,
            evidence=[first] + [others] * (size.runs - 1),
        )
    ]


@dataclass(frozen=True, slots=True)
class Task:
    """A study to generate."""

    cell: Cell
    size: Size
    first: int
    count: int

    def done(self) -> Published:
        """What the product publishes of it."""
        drawn = takeovers if self.cell.section is Section.STACKS else configurations
        return published(drawn(self.cell, self.size, self.first, self.count))


def tasks(wanted: Sequence[Cell], size: Size) -> list[Task]:
    """The studies of the cells."""
    counts = {Section.CELLS: size.configurations, Section.PAIRS: size.configurations // 2}
    return [
        Task(cell, size, first, min(CHUNK, count - first))
        for cell in wanted
        for count in [counts.get(cell.section, max(1, size.configurations // 2))]
        for first in range(0, count, CHUNK)
    ]


def _done(task: Task) -> Published:
    return task.done()


def worked(wanted: Sequence[Task], processes: int) -> Iterator[tuple[Task, Published]]:
    """Every study with what is published of it, in their order."""
    if processes <= 1:
        yield from ((task, task.done()) for task in wanted)
        return
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield from zip(wanted, pool.map(_done, wanted), strict=True)
