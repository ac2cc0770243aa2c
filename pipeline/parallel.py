"""Runs a pure function over jobs, several at a time, and sees to it that none of them can hurt another.

A job that raises, panics or takes more time or memory than its budget gives a `Failure`; results come in the order of
the jobs. A single job runs on the caller's thread: if that is the main one, a timer of the kernel ends even a match of
Python's `re`, which lets no other thread of Python run. Several jobs run in threads of their own, which are asked to
stop at their next step in Python; where native code takes none, they are left behind. A job that keeps to its budget
costs some system calls.
"""

import ctypes
import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from types import FrameType
from typing import Generic, Protocol, TypeVar

import polars as pl

from pipeline import native_end
from pipeline.child import Child, Limits, child_process
from pipeline.failure import Failure
from pipeline.memory import MEBIBYTE, bounded_address_space, held_bytes

THREADS = min(4, pl.thread_pool_size())
"""Jobs run at a time, as much of each is work that only one core can do. More would need more memory."""

LEAST_S = 10.0
S_PER_MEBIBYTE = 10.0
"""The slowest parser needs a second for a mebibyte."""

PATIENCE = 6.0
"""A job that does not spend half of its time in the processor, on a busy machine, may take this many times as long."""

LEAST_BYTES = 1024 * MEBIBYTE
BYTES_PER_BYTE = 64
TICK_S = 0.25
GRACE_S = 2.0
"""A thread that was asked to stop is waited for so long."""

MAX_REASON = 300

Job = TypeVar("Job")
Result = TypeVar("Result")


class Overrun(BaseException):
    """A job exceeded its budget. No `Exception`, so that no parser takes it for one of its own."""


def most_s(size: int) -> float:
    """The seconds that a job of this many bytes may take."""
    return LEAST_S + S_PER_MEBIBYTE * size / MEBIBYTE


def most_bytes(size: int) -> int:
    """The memory that a job of this many bytes may take."""
    return LEAST_BYTES + BYTES_PER_BYTE * size


@dataclass(frozen=True, slots=True)
class Budget:
    """What a job may take from now on, by the size of its input."""

    size: int
    wall: float = field(default_factory=time.monotonic)
    cpu: float = field(default_factory=time.process_time)
    held: int = field(default_factory=held_bytes)

    def excess(self) -> str | None:
        """What was exceeded, in words; None as long as all is well."""
        limit = most_s(self.size)
        wall, cpu = time.monotonic() - self.wall, time.process_time() - self.cpu
        if wall > limit and (cpu > limit / 2 or wall > PATIENCE * limit):
            return f"takes longer than {limit:.0f} s"
        most = most_bytes(self.size)
        return f"takes more than {most // MEBIBYTE:,} MiB of memory" if held_bytes() - self.held > most else None


class RunParallel(Protocol):
    """Runs a pure function over jobs, here or elsewhere. A job that gave no result is a `Failure`."""

    def __call__(
        self, function: Callable[[Job], Result], jobs: Iterable[Job], size: Callable[[Job], int], /
    ) -> Iterator[Result | Failure[Job]]:
        """Results in the order of the jobs. `size`: the bytes of a job's input."""


def run_parallel(
    function: Callable[[Job], Result],
    jobs: Iterable[Job],
    size: Callable[[Job], int],
    threads: int | None = None,
) -> Iterator[Result | Failure[Job]]:
    """The function's result for each job, each when it is due. `size`: the bytes of a job's input.

    Jobs are taken by the caller's thread, at most one ahead of those that run.
    """
    native_end.guard()
    if native_end.is_restarted():
        yield from (_in_subprocess(function, job, size(job)) for job in jobs)
        return
    queue = iter(jobs)
    first = list(islice(queue, 2))
    if len(first) == 1:
        yield run_one(function, first[0], size(first[0]))
        return
    running: deque[_Running[Job, Result]] = deque()
    try:
        for job in chain(first, queue):
            while len(running) >= (threads or THREADS):
                yield running.popleft().outcome()
            running.append(_Running(function, job, size(job)))
        while running:
            yield running.popleft().outcome()
    finally:
        for each in running:
            each.outcome()


def run_one(function: Callable[[Job], Result], job: Job, size: int) -> Result | Failure[Job]:
    """The function's result for one job, by the caller's thread where that can be interrupted."""
    native_end.guard()
    if native_end.is_restarted() and threading.current_thread() is threading.main_thread():
        return _in_subprocess(function, job, size)
    return _here(function, job, size)


def _here(function: Callable[[Job], Result], job: Job, size: int) -> Result | Failure[Job]:
    if threading.current_thread() is not threading.main_thread():
        return _Running(function, job, size).outcome()
    try:
        with _timer(Budget(size)):
            return function(job)
    except (Exception, Overrun, pl.exceptions.PanicException) as error:  # noqa: BLE001  what a parser may end in
        return Failure(job, _reason(error))


def called_in_subprocess(child: Child, function: Callable[[Job], Result], job: Job, size: int) -> Result | Failure[str]:
    """The function's result for a job by another process, which has the budget of this module."""
    most = most_bytes(size)
    return child.call(Limits(most_s(size), most / MEBIBYTE), _within, function, job, most)


def _within(function: Callable[[Job], Result], job: Job, most: int) -> Result:
    """The function's result, with so much more address space than the process has now."""
    with bounded_address_space(most):
        try:
            return function(job)
        except pl.exceptions.PanicException as error:
            raise RuntimeError(f"panic: {error}") from None


@cache
def _child() -> Child:
    """The process that takes jobs once native code has ended this one; it ends with this one."""
    return native_end.AT_END.enter_context(child_process())


def _in_subprocess(function: Callable[[Job], Result], job: Job, size: int) -> Result | Failure[Job]:
    try:
        pickle.dumps((function, job), protocol=pickle.HIGHEST_PROTOCOL)
    except (TypeError, AttributeError, pickle.PicklingError):  # a generator, a function within another one
        return _here(function, job, size)
    found = called_in_subprocess(_child(), function, job, size)
    return Failure(job, found.reason) if isinstance(found, Failure) else found


class _timer:  # noqa: N801  used as a function
    """Raises `Overrun` in the main thread once a budget is exceeded, and again until it is heeded."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def __enter__(self) -> None:
        self._handler = signal.signal(signal.SIGALRM, self._ring)
        self._timer = signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, *self._timer)
        signal.signal(signal.SIGALRM, self._handler)

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        if excess := self._budget.excess():
            raise Overrun(excess)


class _Running(Generic[Job, Result]):
    """A job in a thread of its own, which does not keep the program from ending."""

    def __init__(self, function: Callable[[Job], Result], job: Job, size: int) -> None:
        self._function = function
        self._job = job
        self._budget = Budget(size)
        self._outcome: Result | Failure[Job] | None = None
        self._thread = threading.Thread(target=self._run, name="haledger", daemon=True)
        self._thread.start()

    def outcome(self) -> Result | Failure[Job]:
        """What came of it, once it ended or was given up."""
        excess = None
        while self._thread.is_alive() and excess is None:
            self._thread.join(TICK_S)
            excess = self._budget.excess() if self._thread.is_alive() else None
        if excess is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self._thread.ident or 0), ctypes.py_object(Overrun)
            )
            self._thread.join(GRACE_S)
        if self._outcome is None or (excess is not None and isinstance(self._outcome, Failure)):
            return Failure(self._job, excess or "was interrupted")
        return self._outcome

    def _run(self) -> None:
        native_end.give_stack()
        try:
            self._outcome = self._function(self._job)
        except (Exception, Overrun, pl.exceptions.PanicException) as error:  # noqa: BLE001  what a parser may end in
            self._outcome = Failure(self._job, _reason(error))


def _reason(error: BaseException) -> str:
    """An error in one line."""
    words = " ".join(str(error).split())
    if isinstance(error, Overrun):
        return words
    kind = "panic" if isinstance(error, pl.exceptions.PanicException) else type(error).__name__
    return f"fails: {kind}: {words}"[:MAX_REASON] if words else f"fails: {kind}"
