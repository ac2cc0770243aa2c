"""Jobs side by side: order of results, and that no job that goes wrong touches another or the program."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import polars as pl
import pytest

from pipeline import parallel
from pipeline.failure import Failure
from pipeline.memory import MEBIBYTE
from pipeline.parallel import run_one, run_parallel


def no_size(_job: object) -> int:
    return 0


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Budgets that are over soon."""
    monkeypatch.setattr(parallel, "LEAST_S", 0.1)
    monkeypatch.setattr(parallel, "PATIENCE", 2.0)
    monkeypatch.setattr(parallel, "TICK_S", 0.05)


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("count", [0, 1, 2, 20])
def test_results_come_in_the_order_of_jobs(threads: int, count: int) -> None:
    assert list(run_parallel(lambda job: job * job, range(count), no_size, threads)) == [
        job * job for job in range(count)
    ]


def test_a_later_job_does_not_overtake() -> None:
    second_done = threading.Event()

    def slow_first(job: int) -> int:
        if job == 0:
            second_done.wait(10)
        else:
            second_done.set()
        return job

    assert list(run_parallel(slow_first, range(4), no_size, 2)) == [0, 1, 2, 3]


def test_jobs_are_not_taken_far_ahead() -> None:
    taken = []

    def jobs() -> Iterator[int]:
        for job in range(100):
            taken.append(job)
            yield job

    results = run_parallel(lambda job: job, jobs(), no_size, 2)
    assert next(results) == 0
    assert len(taken) == 3


def test_no_more_threads_than_wanted_run_at_once() -> None:
    lock, running, most = threading.Lock(), [0], [0]

    def counted(_job: int) -> None:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.005)
        with lock:
            running[0] -= 1

    list(run_parallel(counted, range(12), no_size, 3))
    assert most[0] <= 3


def endless(_job: int) -> None:
    while True:
        pass


def endless_and_deaf(_job: int) -> None:
    while True:
        with suppress(Exception):
            endless(0)


def endless_match(_job: int) -> None:
    re.match("(a+)+$", 40 * "a" + "b")


def asleep(_job: int) -> None:
    time.sleep(5)  # an error waits until it wakes, and meanwhile CPython 3.11 stands still under sys.setprofile


def greedy(_job: int) -> None:
    held = []
    while True:
        held.append(bytearray(MEBIBYTE))


def panicking(_job: int) -> None:
    raise pl.exceptions.PanicException("index out of bounds")


def raising(_job: int) -> None:
    raise IndexError("tuple index\nout of range")


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (endless, "takes longer than 0 s"),
        (endless_and_deaf, "takes longer than 0 s"),
        (endless_match, "takes longer than 0 s"),
        (asleep, "takes longer than 0 s"),
        (panicking, "fails: panic: index out of bounds"),
        (raising, "fails: IndexError: tuple index out of range"),
    ],
)
def test_a_single_job_that_goes_wrong_is_a_failure(wrong: Callable[[int], None], reason: str) -> None:
    assert run_one(wrong, 7, 0) == Failure(7, reason)
    assert run_one(abs, -1, 0) == 1


def test_a_job_that_takes_too_much_memory_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "TICK_S", 0.05)
    monkeypatch.setattr(parallel, "LEAST_BYTES", 64 * MEBIBYTE)
    assert run_one(greedy, 7, 0) == Failure(7, "takes more than 64 MiB of memory")


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("wrong", [endless, asleep, panicking, raising])
def test_a_job_that_goes_wrong_touches_no_other(wrong: Callable[[int], None]) -> None:
    def job(number: int) -> int:
        if number == 2:
            wrong(number)
        return number

    found = list(run_parallel(job, range(5), no_size, 2))
    assert [each for each in found if not isinstance(each, Failure)] == [0, 1, 3, 4]
    assert isinstance(found[2], Failure)


@pytest.mark.usefixtures("hasty")
def test_outside_the_main_thread_a_job_is_ended_as_well() -> None:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(run_one(endless, 1, 0)))
    thread.start()
    thread.join(30)
    assert found == [Failure(1, "takes longer than 0 s")]


def test_the_budget_grows_with_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "LEAST_S", 0.05)
    monkeypatch.setattr(parallel, "TICK_S", 0.02)

    def busy(_job: int) -> str:
        until = time.process_time() + 0.2
        while time.process_time() < until:
            pass
        return "done"

    assert isinstance(run_one(busy, 1, 0), Failure)
    assert run_one(busy, 1, MEBIBYTE) == "done"
