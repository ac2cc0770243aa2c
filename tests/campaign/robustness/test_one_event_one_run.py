"""One physical event is one run, however its logs were copied, packed, linked, cumulated or cut: n is right, or said.

Three failovers of one configuration, as run folders; each study holds them in another way.
"""

import shutil
import tarfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.failover_logs import CRASH, STEPS, Failover, Store, ingested, write_logs, write_timers

SECONDS_S = (0.0, 8.0, 21.0)
"""How much longer each failover takes."""
HOUR = timedelta(hours=1)
Change = Callable[[Path], None]


def failover(number: int, at: timedelta | None = None) -> Failover:
    """One of them: on each a step takes longer."""
    steps = {name: second + (SECONDS_S[number] if second > 10 else 0) for name, second in STEPS.items()}
    return Failover(crash=CRASH + (number * 2 * HOUR if at is None else at), steps=steps)


def write_runs(configuration: Path, *, kept: range = range(3)) -> None:
    write_timers(configuration)
    for number in kept:
        write_logs(configuration / f"run0{number + 1}" / "sun-ha4", failover(number).survivors())


def lines_of(numbers: list[int]) -> dict[str, list[str]]:
    """The logs of several failovers, one after the other."""
    logs: dict[str, list[str]] = {}
    for number in numbers:
        for name, lines in failover(number).survivors().items():
            logs.setdefault(name, []).extend(lines)
    return logs


def cumulate(*folders: list[int]) -> Change:
    def change(configuration: Path) -> None:
        for number, held in enumerate(folders, start=1):
            folder = configuration / f"run0{number}"
            shutil.rmtree(folder, ignore_errors=True)
            write_logs(folder / "sun-ha4", lines_of(held))

    return change


def rotated(configuration: Path) -> None:
    """Cumulative, the older half of each log as its older generation."""
    cumulate([0], [0, 1], [0, 1, 2])(configuration)
    for file in [each for each in configuration.glob("run0[23]/*/*") if each.name in {"messages", "engine_A.log"}]:
        lines = file.read_text().splitlines(keepends=True)
        file.with_name(f"{file.name}.1").write_text("".join(lines[: len(lines) // 2]))
        file.write_text("".join(lines[len(lines) // 2 :]))


def copy_to(name: str, run: str = "run01") -> Change:
    return lambda configuration: _copied(configuration / run, configuration / name)


def copy_beside(name: str) -> Change:
    return lambda configuration: _copied(configuration, configuration.parent / name)


def _copied(folder: Path, to: Path) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(folder, to)


def touched(change: Callable[[list[str]], list[str]]) -> Change:
    def changed(configuration: Path) -> None:
        copy_to("run04")(configuration)
        for file in sorted((configuration / "run04").rglob("*.log")) + sorted(configuration.glob("run04/*/messages")):
            file.write_text("".join(change(file.read_text().splitlines(keepends=True))))

    return changed


def packed(name: str, run: str = "run01", inside: str | None = None) -> Change:
    def change(configuration: Path) -> None:
        with tarfile.open(configuration / name, "w:gz") as to:
            to.add(configuration / run, arcname=run if inside is None else inside)

    return change


def zipped(name: str) -> Change:
    def change(configuration: Path) -> None:
        with zipfile.ZipFile(configuration / name, "w") as to:
            for file in sorted(each for each in configuration.rglob("run*/**/*") if each.is_file()):
                to.write(file, str(file.relative_to(configuration.parent)))

    return change


def study_packed(configuration: Path) -> None:
    """All of it once more beside itself."""
    with tarfile.open(configuration.parent / "sent.tar.gz", "w:gz") as to:
        to.add(configuration, arcname=configuration.name)


def link(name: str, to: str) -> Change:
    return lambda configuration: (configuration / name).symlink_to(to, target_is_directory=True)


def link_files(configuration: Path) -> None:
    """A run of links to the files of another one."""
    folder = configuration / "run04" / "sun-ha4"
    folder.mkdir(parents=True)
    for file in sorted((configuration / "run01" / "sun-ha4").iterdir()):
        (folder / file.name).symlink_to(file)


def both(*changes: Change) -> Change:
    def change(configuration: Path) -> None:
        for each in changes:
            each(configuration)

    return change


def flat(*numbers: int) -> Change:
    """The whole log in one configuration beside the run folders."""

    def change(configuration: Path) -> None:
        write_timers(configuration.parent / "whole-log")
        write_logs(configuration.parent / "whole-log" / "sun-ha4", lines_of(list(numbers)))

    return change


def overlapping(seconds: float) -> Change:
    """A fourth run that begins so soon after the first one."""

    def change(configuration: Path) -> None:
        later = replace(failover(1, timedelta(seconds=seconds)), lost="sun-ha3")
        write_logs(configuration / "run04" / "sun-ha4", later.survivors())

    return change


COPIES: dict[str, Change] = {
    "nothing": lambda _: None,
    "a copy": copy_to("run04"),
    "two copies": both(copy_to("run04"), copy_to("run05")),
    "copies of all": both(*(copy_to(f"run0{n + 3}", f"run0{n}") for n in (1, 2, 3))),
    "a copy named as such": copy_to("run01 - copy"),
    "an old one": copy_to("old/run01"),
    "a backup": copy_to("backup/run02", "run02"),
    "a copy that sorts first": copy_to("run00"),
    "another configuration": copy_beside("tuned"),
    "a configuration that sorts first": copy_beside("a-copy"),
    "two configurations": both(copy_beside("tuned"), copy_beside("tuned-2")),
    "one run in another configuration": copy_to("../tuned/run01"),
    "under another name in another configuration": copy_to("../tuned/run07", "run02"),
    "a copy of a copy": both(copy_to("run04"), copy_to("run05", "run04")),
    "a line removed": touched(lambda lines: lines[:-1]),
    "the first line removed": touched(lambda lines: lines[1:]),
    "lines added": touched(lambda lines: [*lines, lines[-1].replace("root", "backup")]),
    "ends of lines": touched(lambda lines: [each.rstrip("\n") + "\r\n" for each in lines]),
    "an archive beside its folder": packed("run01.tar.gz"),
    "an archive of another name": packed("sent.tar.gz"),
    "an archive named as another run": packed("run04.tar.gz", inside="sun"),
    "a zip of all": zipped("all.zip"),
    "the study packed beside itself": study_packed,
    "an archive and a copy": both(packed("run01.tar.gz"), copy_to("run04")),
    "a link": link("latest", "run03"),
    "a link named as a run": link("run04", "run01"),
    "a link to the configuration": lambda configuration: (configuration.parent / "now").symlink_to(configuration.name),
    "links to files": link_files,
    "a link and a copy": both(link("latest", "run03"), copy_to("run04")),
    "cumulative": cumulate([0], [0, 1], [0, 1, 2]),
    "cumulative, oldest gone": cumulate([0], [0, 1], [1, 2]),
    "cumulative to the end": cumulate([0, 1, 2], [1, 2], [2]),
    "cumulative and rotated": rotated,
    "cumulative and copied": both(cumulate([0], [0, 1], [0, 1, 2]), copy_to("run04", "run03")),
    "cumulative in another configuration": both(cumulate([0], [0, 1], [0, 1, 2]), copy_beside("tuned")),
    "the whole log beside": flat(0, 1, 2),
    "a part of the log beside": flat(0, 1),
    "one folder of all": both(cumulate([0], [0, 1], [0, 1, 2]), flat(0, 1, 2)),
}
OVERLAPS: dict[str, Change] = {
    "31 s later": overlapping(31),
    "within the failover": overlapping(12),
    "while its logs go on": overlapping(200),
}


def _study(folder: Path, change: Change) -> Store:
    write_runs(folder / "study" / "plain")
    change(folder / "study" / "plain")
    return ingested(folder / "study")


@pytest.mark.parametrize("name", COPIES)
def test_each_failover_counts_once(name: str, tmp_path: Path) -> None:
    found = _study(tmp_path, COPIES[name])
    counted = found.rows("select fault_at from run where used order by fault_at")
    assert [round((at - CRASH) / HOUR, 3) for (at,) in counted] == [0, 2, 4]
    copies = found.rows("select same_as from run where same_as is not null")
    said = found.rows("select kind from finding where kind in ('copied_run', 'cumulative_logs')")
    assert bool(copies) == bool(said)
    steps = found.rows("select configuration, run, milestone from milestone inner join run using (configuration, run)")
    assert len(steps) == len(set(steps))
    originals = {f"{configuration}/{run}" for configuration, run in found.rows("select configuration, run from run")}
    assert {each for (each,) in copies} <= originals


@pytest.mark.parametrize("name", OVERLAPS)
def test_overlapping_runs_are_a_finding(name: str, tmp_path: Path) -> None:
    found = _study(tmp_path, OVERLAPS[name])
    assert found.rows("select configuration from finding where kind = 'overlapping_runs'") == [("plain",)]
