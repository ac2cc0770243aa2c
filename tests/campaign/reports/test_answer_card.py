"""The answer card of every sample, checked sentence by sentence by a program that reads the store alone."""

import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from reports.document.report import write_report
from samples.files import SAMPLES
from tests.support.answer_card import sentences_of, wrong
from tests.support.failover_logs import CRASH, ingested, on_days, slower, write, write_run, write_timers
from tests.support.outcome_logs import write_outcomes
from tests.support.sample import STUDIES, made_once, sample_report, sample_store

NAMES = [*STUDIES, *sorted(f"leaders/{each.name}" for each in (SAMPLES / "leaders").iterdir() if each.is_dir())]


def card_and_store(name: str, factory: pytest.TempPathFactory) -> tuple[dict[str, list[str]], Path]:
    """What the page of a sample opens with."""
    store = sample_store(name, factory)

    def write(folder: Path) -> None:
        write_report(store, folder, formats=["html"])

    page = sample_report(name, factory) if name in STUDIES else made_once(f"page of {name}", factory, write)
    return sentences_of((page / "report.html").read_text(encoding="utf-8")), store


@pytest.mark.parametrize("name", NAMES)
def test_each_sentence_is_in_the_store(name: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    card, store = card_and_store(name, tmp_path_factory)
    with duckdb.connect(store, read_only=True) as con:
        assert wrong(card, con) == []


@pytest.mark.parametrize(
    ("later_s", "kinds", "said"),
    [
        ((9, 0, 9, 0), ("power off", "kill -9"), "40.3 s after the fault, over 2 runs (power off); kill -9: 49.3 s."),
        ((0, 0, 0, 0, 0, 800), (), "two modes: 1 run at 840.3 s (14 min), 5 at 40.3 s"),
    ],
)
def test_the_result_has_each_time_that_no_mean_is_of(
    tmp_path: Path, later_s: tuple[int, ...], kinds: tuple[str, ...], said: str
) -> None:
    study = tmp_path / "study"
    for configuration in ("default", "tuned") if not kinds else ("tuned",):
        write_timers(study / configuration)
        for number, seconds in enumerate(later_s, 1):
            later = seconds if configuration == "tuned" else number / 5
            write_run(study / configuration / f"run{number}", slower(later))
    runs = (f'[[run]]\nrun = {n + 1}\nfault = "{kinds[(n + 1) % 2]}"\n' for n in range(len(later_s)) if kinds)
    write(on_days(study) / "study.toml", "".join(runs))
    store = ingested(study).db
    write_report(store, tmp_path / "report", formats=["html"])
    card = sentences_of((tmp_path / "report" / "report.html").read_text(encoding="utf-8"))
    assert said in " ".join(card["Result"])
    with duckdb.connect(store, read_only=True) as con:
        assert wrong(card, con) == []


def test_a_number_that_is_off_is_noticed(tmp_path_factory: pytest.TempPathFactory) -> None:
    card, store = card_and_store("failover-modern", tmp_path_factory)
    (sentence,) = card["Result"]
    with duckdb.connect(store, read_only=True) as con:
        for place in re.finditer(r"\d+\.\d", sentence):
            other = f"{sentence[: place.start()]}{float(place[0]) + 0.3:.1f}{sentence[place.end() :]}"
            assert wrong(card | {"Result": [other]}, con) != [], other


IOSTAT = (
    "Linux 6.1.0 (elm-1) \t11/20/2025 \t_x86_64_\t(2 CPU)\n\n"
    "11/20/2025 10:00:00 AM\nDevice             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\n"
    "sda               1.00         4.00        12.00        400       1200\n\n"
)


def configuration(folder: Path, delays_s: Iterable[float], *, first_day: int = 0) -> None:
    """Runs of a day each, each later by so many seconds."""
    write_timers(folder)
    for number, seconds in enumerate(delays_s):
        write_run(folder / f"run{number + 1:03d}", slower(seconds, crash=CRASH + timedelta(days=first_day + number)))


def one_run(study: Path) -> None:
    configuration(study / "default", [0])


def only_disks(study: Path) -> None:
    seconds = (
        IOSTAT.replace("10:00:00", f"10:{n // 60:02d}:{n % 60:02d}").partition("\n\n")[2] for n in range(0, 600, 10)
    )
    write(study / "iostat.log", IOSTAT.partition("\n\n")[0] + "\n\n" + "".join(seconds))


def only_errors(study: Path) -> None:
    lines = (f"Nov 20 10:{n:02d}:00 elm-1 kernel: EXT4-fs error (device sda1): bad block {n}\n" for n in range(60))
    write(study / "messages", "".join(lines))


def only_planned(study: Path) -> None:
    write_outcomes(study / "default", "vcs", ["ordered"])


def one_failed(study: Path) -> None:
    for number, scenarios in enumerate((["healthy", "healthy"], ["healthy", "faulted"], ["healthy", "healthy"])):
        write_outcomes(study / f"disks {number}", "vcs", scenarios)
    on_days(study)


def forty_configurations(study: Path) -> None:
    for number in range(40):
        configuration(study / f"c{number:02d}", [number, number + 1, number + 2], first_day=4 * number)


def two_times_a_hundred(study: Path) -> None:
    for number, name in enumerate(("default", "tuned")):
        configuration(study / name, [each % 7 - 3.0 * number for each in range(100)], first_day=120 * number)


def three_hours(study: Path) -> None:
    configuration(study / "default", [10_800, 10_805, 10_810])


def four_kinds(study: Path) -> None:
    configuration(study / "default", range(8))
    kinds = ("power off", "kill", "network cut", "disk full")
    write(
        study / "study.toml", "".join(f'[[run]]\nrun = "run{n + 1:03d}"\nfault = "{kinds[n % 4]}"\n' for n in range(8))
    )


def an_outlier(study: Path) -> None:
    configuration(study / "default", [0, 1, 2, 1, 0, 2, 1, 0, 1, 240])
    configuration(study / "tuned", [-3, -2, -1, -2, -3, -1, -2, -3, -2, -1], first_day=20)


def five_scripts(study: Path) -> None:
    for number, name in enumerate(("по умолчанию", "既定値", "افتراضي", "ברירת מחדל", "προεπιλογή")):
        configuration(study / name, [number, number + 1, number + 2], first_day=4 * number)


def cut_logs(study: Path) -> None:
    configuration(study / "default", [0, 1, 2])
    for log in study.rglob("engine_A.log"):
        lines = log.read_text().splitlines(keepends=True)
        log.write_text("".join(lines[len(lines) // 3 :]))


@pytest.mark.parametrize(
    "build",
    [
        *(one_run, only_disks, only_errors, only_planned, one_failed, forty_configurations, two_times_a_hundred),
        *(three_hours, four_kinds, an_outlier, five_scripts, cut_logs),
    ],
    ids=lambda build: build.__name__,
)
def test_page_one_of_an_odd_study_is_in_its_store(tmp_path: Path, build: Callable[[Path], None]) -> None:
    build(tmp_path / "study")
    store = ingested(tmp_path / "study").db
    write_report(store, tmp_path / "report", formats=["html"])
    card = sentences_of((tmp_path / "report" / "report.html").read_text(encoding="utf-8"))
    assert card["Tested"]
    with duckdb.connect(store, read_only=True) as con:
        assert wrong(card, con) == []
