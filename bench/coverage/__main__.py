"""Measures how often the published intervals hold the truth: `python -m bench.coverage`; see docs/coverage.md."""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from bench.coverage.cells import Cell, Section, Size, cells, tasks, worked
from bench.coverage.physics import Tick
from bench.coverage.rows import Row, rows, sample_rows
from bench.coverage.samples import samples
from bench.coverage.studies import Published
from bench.coverage.tables import text


def main(arguments: list[str] | None = None) -> int:
    """Generate the studies, have them read, print the tables; 1 if `--check` finds a value outside its limits."""
    options = _options().parse_args(arguments)
    size = Size(options.configurations, options.runs, options.seed, Tick(options.tick))
    sections = [Section(name) for name in options.section or Section]
    wanted = [each for each in cells() if each.section in sections and options.only in f"{each.section}: {each.name}"]
    found = list(_measured(wanted, size, options.processes))
    if Section.SAMPLES in sections:
        found += [row for sample in samples() for row in sample_rows(sample)]
    print("\n".join(text(found, size, detail=options.detail)).lstrip())
    if options.output:
        write(options.output, found, size)
    outside = [each for each in found if (each.is_doubtful if options.strict else each.is_outside)]
    print(f"\n{len(outside)} of {sum(bool(each.verdicts) for each in found)} lines with a limit lie outside it")
    return 1 if outside and (options.check or options.strict) else 0


def _measured(wanted: Sequence[Cell], size: Size, processes: int) -> Iterator[Row]:
    parts: dict[Cell, list[Published]] = defaultdict(list)
    work = tasks(wanted, size)
    for number, (task, part) in enumerate(worked(work, processes), 1):
        parts[task.cell].append(part)
        if number % 10 == 0:
            print(f"{number} of {len(work)} studies", file=sys.stderr, flush=True)
    for cell in wanted:
        whole = _joined(parts.pop(cell))
        for unused in whole.unused:
            print(f"not used: {cell.name}: {unused}", file=sys.stderr)
        yield from rows(cell, whole)


def _joined(parts: Sequence[Published]) -> Published:
    return Published(
        items=[each for part in parts for each in part.items],
        faults=[each for part in parts for each in part.faults],
        comparisons=[each for part in parts for each in part.comparisons],
        unused=[each for part in parts for each in part.unused],
    )


def write(path: Path, found: Sequence[Row], size: Size) -> None:
    """Write all rows as JSON."""
    content = {"size": asdict(size), "rows": [asdict(each) for each in found]}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.coverage", description=__doc__)
    parser.add_argument("--configurations", type=int, default=200, help="configurations a cell (default: 200)")
    parser.add_argument("--runs", type=int, default=10, help="runs of a configuration (default: 10)")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same logs (default: 1)")
    parser.add_argument("--section", action="append", choices=list(Section), help="what to measure; default: all")
    parser.add_argument("--only", default="", metavar="TEXT", help="only cells whose name has this in it")
    parser.add_argument("--tick", choices=list(Tick), default=Tick.RANDOM, help="phase of LLT's timer, see docs")
    parser.add_argument("--processes", type=int, default=2, help="studies that are read at a time (default: 2)")
    parser.add_argument("--detail", action="store_true", help="also each milestone, phase and timer")
    parser.add_argument("--output", type=Path, metavar="FILE", help="all numbers as JSON")
    parser.add_argument("--check", action="store_true", help="exit 1 if a value is outside its limits beyond chance")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a value is outside its limits at all")
    return parser


if __name__ == "__main__":
    sys.exit(main())
