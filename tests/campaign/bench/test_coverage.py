"""The measurement of coverage knows the truth of what it generates, and counts right."""

import json
import math
from pathlib import Path
from statistics import fmean, stdev

import pytest

from bench.coverage.__main__ import main
from bench.coverage.cells import Cell, Fault, Section, Size, Stamps, cells, configurations, takeovers
from bench.coverage.physics import (
    FIRST_DAY,
    MILESTONES,
    PHASES,
    SECOND,
    Physics,
    Run,
    Spread,
    Tick,
    drawn_physics,
)
from bench.coverage.scores import coverage
from bench.coverage.studies import Configuration, Item, published, random_of

HOUR = 3600 * SECOND
STEPS = {"vm": 5.0, "fs": 8.0, "ip": 3.0, "detect": 16.0, "complete": 6.0, "db2udb": 12.0}
TUNED = Physics(
    peerinact_s=3,
    stable_s=2,
    expiry_is_logged=True,
    steps={name: round(seconds * SECOND) for name, seconds in STEPS.items()},
    spread=Spread.NORMAL_2,
)


def hand_made(number: int, later_s: float = 0.0) -> Run:
    """Dies at .700 of a second, last heard .2 s before, looked at .3 s after that heartbeat: LLT expires at 3.1 s."""
    fault_at = FIRST_DAY + 10 * HOUR + number * 2 * HOUR + 700_000
    seconds = {
        "llt": 3.1,
        "gab": 5.12,
        "vm": 10.4,
        "fs": 18.4,
        "ip": 8.2,
        "detect": 34.4,
        "complete": 40.4,
        "db2udb": 52,
    }
    elapsed = {name: round((at + (later_s if name == "db2udb" else 0)) * SECOND) for name, at in seconds.items()}
    return Run(fault_at, fault_at - 200_000, fault_at + 100_000, elapsed)


def item(
    low_s: float | None, high_s: float | None, population_s: float | None = 10.0, configuration: str = "a"
) -> Item:
    return Item(configuration, "milestone", "gab", 10, 10.5, low_s, high_s, population_s, true_mean_s=11.0, ideal_s=0.5)


@pytest.mark.parametrize("tick", Tick)
@pytest.mark.parametrize("spread", Spread)
def test_many_runs_come_to_the_population_mean(spread: Spread, tick: Tick) -> None:
    physics = drawn_physics(random_of("many", spread), spread, tick)
    runs = physics.runs(random_of("runs", tick), 3000)
    for name in MILESTONES:
        times_s = [run.elapsed[name] / SECOND for run in runs]
        deviation_s = math.sqrt(fmean((each - physics.means[name]) ** 2 for each in times_s))
        assert abs(fmean(times_s) - physics.means[name]) < 4 * deviation_s / math.sqrt(len(runs))
    for phase in PHASES:
        durations_s = [run.duration(phase) / SECOND for run in runs]
        assert fmean(durations_s) == pytest.approx(physics.phase_means[phase], rel=0.03)


def test_a_tiny_study_through_the_product() -> None:
    runs = [hand_made(0), hand_made(1, later_s=0.5), hand_made(2, later_s=1.0)]
    study = [
        Configuration("coarse", TUNED, runs, fine=False, is_fault_known=True),
        Configuration("fine", TUNED, runs, fine=True, is_fault_known=False, reference="coarse"),
    ]
    found = published(study)
    assert not found.unused
    items = {(each.configuration, each.item): each for each in found.items}
    assert len(items) == 2 * (len(MILESTONES) + len(PHASES))
    assert {each.runs for each in found.items} == {3}
    last = items["coarse", "db2udb"]
    assert last.true_mean_s == pytest.approx(52.5)
    assert last.ideal_s == pytest.approx(4.302653 * 0.5 / math.sqrt(3))  # Student's t of two degrees of freedom
    assert last.population_s == pytest.approx(5.28 + 47)
    assert items["coarse", "gab"].true_mean_s == pytest.approx(5.12)
    assert items["fine", "database_restart"].true_mean_s == pytest.approx(16)  # from fs, the later one
    for each in found.items:  # whatever the budget: stamps are at most a second off, the fault is inferred to 1.5 s
        assert each.mean_s == pytest.approx(each.true_mean_s, abs=2)
    known = [each for each in found.faults if each.configuration == "coarse"]
    assert {(each.low_s, each.high_s, each.source) for each in known} == {(0.0, 0.0, "manifest")}
    inferred = [each for each in found.faults if each.configuration == "fine"]
    assert [each.holds for each in inferred] == [True] * 3
    assert {each.subject for each in found.comparisons} == {"milestone", "phase"}


STACKS = [each for each in cells() if each.section is Section.STACKS]


@pytest.mark.parametrize("cell", STACKS, ids=[each.name for each in STACKS])
def test_take_overs_of_other_stacks_through_the_product(cell: Cell) -> None:
    (many,) = takeovers(cell, Size(runs=3000), 0, 1)
    for _, _, mean_s, times_s in many.truths():
        assert fmean(times_s) == pytest.approx(mean_s, abs=4 * max(stdev(times_s), 0.01) / math.sqrt(3000))
    found = published(takeovers(cell, Size(runs=3), 0, 1))
    assert not found.unused
    assert [(each.holds, each.source is not None) for each in found.faults] == [(True, True)] * 3
    assert {each.runs for each in found.items} == {3}
    assert all(each.holds(each.true_mean_s) for each in found.items)


def test_coverage_counts_what_is_not_published_as_missed() -> None:
    share = coverage([item(9.0, 11.0), item(10.5, 11.5, configuration="b"), item(None, None, configuration="b")])
    assert share.population == pytest.approx(1 / 3)
    assert share.same_runs == pytest.approx(2 / 3)
    assert share.ideal == 0  # 11.0 +- 0.5 against 10.0
    assert (share.count, share.missing, share.improper) == (3, 1, 0)
    assert share.width == pytest.approx((2 + 1) / 2)
    assert share.error == pytest.approx(math.sqrt(0.5) / math.sqrt(2))  # shares of 1 and 0
    assert share.bias_s == pytest.approx(-0.5)


def test_cells_are_logged_otherwise_but_of_the_same_physics() -> None:
    size = Size(configurations=2, runs=3)
    found = {
        (fault, stamps): configurations(Cell(Section.CELLS, stamps, fault, Spread.NORMAL_6), size, 0, 2)
        for fault in Fault
        for stamps in Stamps
    }
    assert len({tuple(tuple(run.elapsed.items()) for run in each[0].runs) for each in found.values()}) == 1
    assert [each.fine for each in found[Fault.KNOWN, Stamps.MIXED]] == [False, True]
    first = "".join(text for _, text in found[Fault.INFERRED, Stamps.SECONDS][0].files())
    assert first == "".join(text for _, text in found[Fault.KNOWN, Stamps.SECONDS][0].files())


def test_the_same_seed_gives_the_same_logs() -> None:
    cell = Cell(Section.CELLS, Stamps.SECONDS, Fault.INFERRED, Spread.NORMAL_6)
    one, same, other = (
        [list(each.files()) for each in configurations(cell, Size(configurations=2, runs=3, seed=seed), 0, 2)]
        for seed in (7, 7, 8)
    )
    assert one == same
    assert one != other


def test_the_command_writes_what_it_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "coverage.json"
    size = ["--configurations", "2", "--runs", "3", "--processes", "1", "--section", "cells"]
    assert main([*size, "--only", "known, stamps 1 s, normal 6 %", "--detail", "--output", str(output)]) == 0
    assert "fault known, stamps 1 s, normal 6 %: milestones" in capsys.readouterr().out
    rows = json.loads(output.read_text())["rows"]
    assert {row["item"] for row in rows} == {"", *MILESTONES, *PHASES}
    assert rows[0]["values"]["count"] == 2 * len(MILESTONES)
