"""Logs with lines lost, doubled, moved, damaged and mixed: never an exception, never a negative time."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from bench.growth.seeds import seeds
from bench.mutants import trial
from bench.mutants.trial import faults
from parsers.format import Parsed, formats
from tests.support.failover_logs import (
    INFERRED,
    LLTTAB,
    MAIN_CF,
    Failover,
    ingested,
    write,
    write_timers,
)

NAMES = ("engine_A.log", "messages", "db2diag.log")
BATCH = 20  # mutants per ingest, each a configuration of its own
OTHERS = (
    "[2003-07-28 10:27:10] Heartbeat: info: node sun-ha3 is dead",
    '{"time": "2003-07-28T10:27:05Z", "msg": "{"}',
    "extended device statistics",
    "TAG_B 2003/07/28 10:27:01 VCS:10322:System sun-ha4 (Node '1') changed state from RUNNING to FAULTED",
    "2003/07/28 10:27:02 VCS ERROR V-16-1-10322 System  (Node '') changed state from  to FAULTED",
    "Jul 28 10:27:03 sun-ha4 kernel: GAB INFO V-15-1-20036 Port a gen 1 membership ",
    "Jul 28 10:27:03 sun-ha4 kernel: LLT INFO V-14-1-10032 link 0 (qfe0) node 0 inactive 99999999999 sec (1)",
    "Jul 28 10:27:04 sun-ha4 kernel: LLT INFO V-14-1-10032 link 0 (qfe0) node 0 inactive 900 sec (7)",
    "Jul 28 10:27:05 sun-ha4 kernel: GAB INFO V-15-1-20036 Port a gen ffff membership 0123456789;;;;;1",
    "Jul 28 10:27:05 sun-ha4 last message repeated 4294967296 times",
    "Jul 28 10:27:06 sun-ha4 haledger fault",
    "2003-07-28-10.27.04.000001   Instance:   Node:",
    "2003-07-28-10.27.99.512344   Instance:svtdbm   Node:000",
    "",
    " \t ",
    "\x00\x1b[2J\u202e",
    "=" * 5000,
)

Lines = list[bytes]
Mutation = tuple[str, int, int, int]


def swapped(lines: Lines, at: int, other: int, _: int) -> None:
    lines[at], lines[other] = lines[other], lines[at]


def deleted(lines: Lines, at: int, _: int, count: int) -> None:
    del lines[at : at + 1 + count % 4]


def doubled(lines: Lines, at: int, other: int, _: int) -> None:
    lines.insert(other, lines[at])


def flipped(lines: Lines, at: int, other: int, bit: int) -> None:
    damaged = bytearray(lines[at])
    if damaged:
        damaged[other % len(damaged)] ^= 1 << bit % 8
    lines[at] = bytes(damaged)


def shortened(lines: Lines, at: int, other: int, _: int) -> None:
    lines[at] = lines[at][: other % (len(lines[at]) + 1)]


def spliced(lines: Lines, at: int, _: int, which: int) -> None:
    lines.insert(at, OTHERS[which % len(OTHERS)].encode())


def moved(lines: Lines, at: int, other: int, _: int) -> None:
    lines.insert(other, lines.pop(at))


MUTATIONS: dict[str, Callable[[Lines, int, int, int], None]] = {
    each.__name__: each for each in (swapped, deleted, doubled, flipped, shortened, spliced, moved)
}


def mutant(mutations: list[tuple[str, Mutation]]) -> dict[str, bytes]:
    """The survivor's logs after mutations of named files."""
    logs = {name: [line.encode() for line in lines] for name, lines in Failover().survivors().items()}
    for name, (kind, at, other, extra) in mutations:
        lines = logs[name]
        if lines:
            MUTATIONS[kind](lines, at % len(lines), other % len(lines), extra)
    return {name: b"".join(line + b"\n" for line in lines) for name, lines in logs.items()}


POSITIONS = st.integers(0, 10_000)
MUTANTS = st.lists(
    st.tuples(
        st.sampled_from(NAMES), st.tuples(st.sampled_from(sorted(MUTATIONS)), POSITIONS, POSITIONS, st.integers(0, 63))
    ),
    min_size=1,
    max_size=6,
)


@pytest.mark.slow
@seed(20261121)
@settings(
    max_examples=8,
    deadline=None,
    database=None,
    phases=[Phase.generate],  # a smaller batch of ingests is no easier to read, and takes minutes to find
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.lists(MUTANTS, min_size=BATCH, max_size=BATCH))
def test_any_damage_is_accounted_for(
    tmp_path_factory: pytest.TempPathFactory, mutants: list[list[tuple[str, Mutation]]]
) -> None:
    folder = tmp_path_factory.mktemp("mutants")
    study = folder / "mutants"
    write_timers(study)
    for number, mutations in enumerate(mutants):
        for name, content in mutant(mutations).items():
            write(study / f"c{number:02d}" / "run01" / "sun-ha4" / name, content)
    found = ingested(study)  # raises where an identity does not hold
    assert found.one("select count(*) from source_file where path like 'c%'") == (3 * len(mutants),)
    assert found.rows('select * from milestone where "at" is null or elapsed_s is null or isnan(elapsed_s)') == []
    shutil.rmtree(folder)


def test_some_foreign_lines_between_the_own_change_no_milestone(tmp_path: Path) -> None:
    """A kind of foreign line a configuration, after every third line; where they prevail, the file is unrecognised."""
    study = tmp_path / "foreign"
    write_timers(study)
    harmless = {number: OTHERS[number] for number in (0, 1, 2, 13, 14, 15, 16)}
    for number, other in harmless.items():
        for name, lines in Failover().survivors().items():
            is_kept = name == "db2diag.log"  # its records are paragraphs, which any text belongs to
            mixed = [part for at, line in enumerate(lines) for part in ((line, other) if at % 3 == 2 else (line,))]
            write(study / f"c{number:02d}" / "run01" / "sun-ha4" / name, lines if is_kept else mixed)
    found = ingested(study)
    for number, other in harmless.items():
        assert found.milestones(f"c{number:02d}") == pytest.approx(INFERRED, abs=1e-9), other


def test_a_log_drowned_in_foreign_lines_is_listed_and_reported(tmp_path: Path) -> None:
    study = tmp_path / "drowned"
    logs = Failover().survivors()
    write(study / "run01" / "sun-ha4" / "engine_A.log", logs["engine_A.log"])
    write(study / "run01" / "sun-ha4" / "messages", [part for line in logs["messages"] for part in (line, *OTHERS[:3])])
    found = ingested(study)
    file = found.files()["run01/sun-ha4/messages"]
    assert (file["status"], file["format"]) in {("unrecognised", None), ("parsed", "dated_log")}
    kinds = [kind for (kind,) in found.rows("select kind from finding where text like '%messages%'")]
    assert "unread_file" in kinds or file["format"] == "dated_log"


@pytest.mark.parametrize("name", ["main.cf", "llttab", "gabtab"])
def test_damaged_configuration_files_never_stop_an_ingest(tmp_path: Path, name: str) -> None:
    study = tmp_path / "damaged"
    whole = {"main.cf": MAIN_CF, "llttab": LLTTAB, "gabtab": "/sbin/gabconfig -c -n2 -t 2000\n"}
    for number, share in enumerate((0.0, 0.1, 0.35, 0.6, 0.95)):
        folder = study / f"c{number}"
        for other, content in whole.items():
            write(folder / other, content[: int(len(content) * share)] if other == name else content)
        for log, lines in Failover().survivors().items():
            write(folder / "run01" / "sun-ha4" / log, lines)
    found = ingested(study)
    for number in range(5):
        milestones = found.milestones(f"c{number}")
        assert milestones["complete"] - milestones["detect"] == pytest.approx(6)


COUNT = 1_000


@pytest.mark.slow
def test_damaged_files_end_nothing() -> None:
    assert [f"{each.format}: {each.what}" for each in faults(seeds(6), COUNT, 2026)] == []


def test_a_parser_that_raises_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def brittle(lines: object) -> Parsed:
        raise ValueError(lines)

    monkeypatch.setitem(formats(), "gabtab", replace(formats()["gabtab"], parse=brittle))
    found = list(faults({"gabtab": [b"/sbin/gabconfig -c -n2\n"]}, trial.AT_A_TIME, 1))
    assert len(found) >= trial.AT_A_TIME // 2
    assert "ValueError" in found[0].what
