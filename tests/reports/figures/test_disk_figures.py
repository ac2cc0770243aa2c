"""Figures of what a disk did: with and without something, every run a dot."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.figures.catalogue import all_figures
from reports.figures.model import Figure
from reports.study.store import opened
from reports.study.view import StudyView

HEAD = "Linux 6.1.0 (elm) \t2026-11-21 \t_x86_64_\t(2 CPU)\n\n"
COLUMNS = "Device r/s w/s f/s rkB/s wkB/s r_await w_await f_await aqu-sz %util\n"
Make = Callable[..., dict[str, Figure]]


def report(second: int, **writes: float) -> str:
    rows = "".join(
        f"{name} 0.00 {rate:.2f} 0.00 0.00 {4 * rate:.2f} 0.00 0.50 0.00 0.10 5.00\n" for name, rate in writes.items()
    )
    return f"2026-11-21T02:42:{second:02d}+0000\n{COLUMNS}{rows}\n"


@pytest.fixture
def make(tmp_path: Path) -> Make:
    def made(toml: str = "", **writes: dict[str, float]) -> dict[str, Figure]:
        for configuration, devices in writes.items():
            for run in (1, 2, 3):
                path = tmp_path / "study" / configuration / f"run0{run}" / "iostat.txt"
                path.parent.mkdir(parents=True)
                later = {name: rate + run for name, rate in devices.items()}
                path.write_text(
                    HEAD + report(0, **dict.fromkeys(devices, 999.0)) + report(1, **later) + report(2, **later)
                )
        if toml:
            (tmp_path / "study" / "study.toml").write_text(toml)
        ingest(tmp_path / "study", tmp_path / "haledger.duckdb")
        with opened(tmp_path / "haledger.duckdb") as store:
            return all_figures(StudyView(store))

    return made


def test_disk_that_worked_most_is_shown_unasked(make: Make) -> None:
    figure = make(slow={"sda": 10.0, "sdb": 100.0}, fast={"sda": 20.0, "sdb": 50.0})["disk-activity"]
    assert figure.caption == "What the disk sdb did in each configuration"
    assert figure.topic == "disk"
    # means of runs 51, 52, 53 and 101, 102, 103; half-width 4.303 / sqrt(3); the report since boot does not count
    assert "Writes per second: fast: mean 52.0 (49.5 to 54.5) over 3 runs; slow: mean 102.0" in figure.description
    assert "Flushes" not in figure.description
    assert len([row for row in figure.rows if row[2] == "w_per_s"]) == 6


def test_one_configuration_is_no_comparison(make: Make) -> None:
    assert "disk-activity" not in make(slow={"sda": 10.0})


def test_study_asks_for_a_device_and_its_metrics(make: Make) -> None:
    toml = '[[figure]]\nname = "log"\nkind = "disks"\noptions = { device = "sda", metrics = ["util_pct"] }\n'
    found = make(toml, slow={"sda": 10.0, "sdb": 100.0}, fast={"sda": 20.0, "sdb": 50.0})
    assert found["log"].description == ("Disk in use, %: fast: mean 5 over 3 runs; slow: mean 5 over 3 runs")
    assert "disk-activity" not in found


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param('device = "sdz"', "no device 'sdz' in the data; known: sda", id="device"),
        pytest.param('device = "sda", metrics = ["tpz"]', "no metric 'tpz' of device 'sda'", id="metric"),
    ],
)
def test_what_is_not_there_is_reported_with_what_is(make: Make, options: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make(
            f'[[figure]]\nname = "log"\nkind = "disks"\noptions = {{ {options} }}\n',
            slow={"sda": 1.0},
            fast={"sda": 2.0},
        )
