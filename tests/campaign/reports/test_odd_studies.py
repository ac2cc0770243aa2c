"""Page one of studies that no sample is like: every sentence is in the store."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from reports.document.report import write_report
from tests.support.answer_card import sentences_of, wrong
from tests.support.failover_logs import CRASH, ingested, on_days, slower, write, write_run, write_timers
from tests.support.outcome_logs import write_outcomes

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
