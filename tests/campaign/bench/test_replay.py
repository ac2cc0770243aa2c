"""Replays of measured tasks: the arithmetic by hand, and the table of docs/scale.md is that of the record."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from bench.replay import PAGE, Record, Task, makespan, page, read, replay

RECORD = Record(
    origin="by hand",
    bytes=10**9,
    files=100,
    stored_bytes=10**8,
    fixed_s=1.0,
    serial_s_per_gb=2.0,
    task_s=0.001,
    base_mib=512,
    bytes_per_file=2**20,
    tasks=(Task(0, 8.0, 10, 20), Task(0, 4.0, 10, 20), Task(1, 3.0, 10, 20)),
)


@pytest.mark.parametrize(
    ("tasks", "workers", "copies", "seconds"),
    [
        pytest.param([3.0, 3.0, 2.0, 2.0, 2.0], 2, 1, 7.0, id="3 and 3, 2 and 2, then 2 to either"),
        pytest.param([5.0, 1.0, 1.0], 4, 1, 5.0, id="no shorter than its longest task"),
        pytest.param([1.0], 4, 100, 25.0, id="copies are shared out"),
        pytest.param([], 4, 1, 0.0, id="nothing to do"),
    ],
)
def test_the_longest_tasks_are_given_out_first(
    tasks: Sequence[float], workers: int, copies: int, seconds: float
) -> None:
    assert makespan(tasks, workers, copies) == seconds


def test_phases_follow_each_other_and_the_driver_works_alone() -> None:
    found = replay(RECORD, workers=2, copies=1)
    assert found.wall_s == pytest.approx(8 + 3 + 1 + 2)  # 8 beside 4, then 3, and the serial part
    assert found.busy_share == pytest.approx(15 / 28)
    assert found.serial_share == pytest.approx(3 / 14)
    assert found.network_gb_per_s == pytest.approx((1.1 + 90e-9) / 14)
    assert found.driver_gib == pytest.approx(0.5 + 100 / 1024)


def test_a_scheduler_that_is_slower_than_all_workers_sets_the_pace() -> None:
    assert replay(replace(RECORD, task_s=20.0), workers=2, copies=1).wall_s == pytest.approx(60 + 3)


def test_the_page_has_the_table_of_the_record() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert page(text, read()) == text
