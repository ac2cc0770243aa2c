"""Statements that people or programs send to a store, each ended when its time or its memory is used up.

DuckDB's own bounds leave two gaps, both measured: a constant is computed while a statement is planned, where no
interrupt is heeded (`select length(repeat('a', 2000000000))` ran for minutes), and vectors of a function are allocated
outside `memory_limit` (`select len(range(500000000))` took 7 GB of a limit of 1 GB). So a statement runs in a thread of
its own, which is given up when it does not end, and the address space of the process is bounded while it runs.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import duckdb

from pipeline.errors import UsageError
from pipeline.memory import MEBIBYTE, bounded_address_space
from pipeline.query import sandbox
from pipeline.query.sandbox import Limits, Result, StuckError
from pipeline.store.store import telling_damage

if TYPE_CHECKING:
    import polars as pl

Given = TypeVar("Given")

GRACE_S = 2.0
"""How long a statement that was asked to stop may take to do so."""
INTERRUPT_AGAIN_S = 0.1

SPARE_BYTES = 256 * MEBIBYTE
"""Address space for what is no data: code that is loaded late, stacks, allocators."""


STUDY_LIMITS = Limits(timeout_s=30.0, max_rows=100_000, is_of_study=True)
ALL_STATEMENTS_S = 300.0
MOST_KEPT_ROWS = 1_000

MOST_THREADS = 4
"""The stacks of more would take much of the address space."""


@dataclass(frozen=True, slots=True)
class _Raised:
    error: BaseException


@dataclass(slots=True)
class Session:
    """An open store to which one statement at a time is sent."""

    connection: duckdb.DuckDBPyConnection
    limits: Limits
    is_stuck: bool = field(default=False, init=False)

    def run(self, sql: str, parameters: Mapping[str, object] | Sequence[object] = ()) -> Result:
        """Run one statement. KeyboardInterrupt stops it and is passed on."""
        return self._bounded(partial(sandbox.run, self.connection, sql, parameters=parameters, limits=self.limits))

    def columns(self, sql: str) -> dict[str, str]:
        """Name and type of the columns of one statement, without running it; what it computes by itself takes time."""
        return self._bounded(partial(sandbox.columns, self.connection, sql, limits=self.limits))

    def _bounded(self, work: Callable[[], Given]) -> Given:
        outcome: list[Given | _Raised] = []
        is_over = threading.Event()  # not join: after an interrupt a thread of Python 3.11 passes for ended

        def run() -> None:
            outcome.append(self._outcome(work))
            is_over.set()

        _begin_threads()
        with bounded_address_space(self.limits.memory_bytes * 3 // 2 + SPARE_BYTES) as left:
            self.is_stuck = True
            try:
                threading.Thread(target=run, daemon=True).start()
                is_over.wait(self.limits.timeout_s + GRACE_S)
            except KeyboardInterrupt:
                self.is_stuck = not self._is_interrupted(is_over)
                raise
        if not outcome:
            raise StuckError(sandbox.stopped(self.limits))
        self.is_stuck = False
        found = outcome[0]
        if not isinstance(found, _Raised):
            return found
        if isinstance(found.error, sandbox.OutOfMemoryError) and left < self.limits.memory_bytes:
            raise MemoryError("the query") from found.error  # it may use more than there is
        raise found.error

    def _is_interrupted(self, is_over: threading.Event) -> bool:
        """Interrupt the statement until it ends: one that has not begun yet does not hear the first time."""
        until = time.monotonic() + GRACE_S
        self.connection.interrupt()
        while not is_over.wait(INTERRUPT_AGAIN_S):
            if time.monotonic() > until:
                return False
            self.connection.interrupt()
        return True

    def _outcome(self, work: Callable[[], Given]) -> Given | _Raised:
        """What comes out, or what was raised: for the thread that waits."""
        try:
            return work()
        except MemoryError:
            return _Raised(sandbox.OutOfMemoryError(sandbox.out_of_memory(self.limits)))
        except BaseException as error:  # noqa: BLE001  raised again where it is waited for
            return _Raised(error)


@contextmanager
def session(store: Path, limits: Limits) -> Iterator[Session]:
    """Open a store for statements that are bounded in time and memory."""
    threads = str(min(os.cpu_count() or 1, MOST_THREADS))
    # without a folder for it, what is larger than memory is written nowhere
    connection = sandbox.open_store(store, limits, threads=threads, temp_directory="")
    opened = Session(connection, limits)
    try:
        with telling_damage(store):
            yield opened
    finally:
        if not opened.is_stuck:  # to close would wait for the statement
            connection.close()


@dataclass(slots=True)
class StudyStatements:
    """Runs statements that study.toml holds. They may take some time each, and some in all: it may hold thousands."""

    connection: duckdb.DuckDBPyConnection
    left_s: float = ALL_STATEMENTS_S
    small: dict[str, "pl.DataFrame"] = field(default_factory=dict, init=False)
    """What those of few rows gave, so that who asks for their rows again need not run them."""

    def run(self, sql: str, owner: str) -> "pl.DataFrame":
        """The rows of one; `owner` is named where it cannot be run."""
        if self.left_s <= 0:
            raise UsageError(f"{owner}: the statements before its own took more than {ALL_STATEMENTS_S:g} s in all")
        begin = time.monotonic()
        try:
            result = Session(self.connection, STUDY_LIMITS).run(sql)
        except UsageError as error:
            raise type(error)(f"{owner}: its SQL cannot be run: {error}") from error
        finally:
            self.left_s -= time.monotonic() - begin
        if result.is_cut:
            raise UsageError(
                f"{owner}: its SQL returns more than {STUDY_LIMITS.max_rows:,} rows; let it count or aggregate them"
            )
        if result.frame.height <= MOST_KEPT_ROWS:
            self.small[sql] = result.frame
        return result.frame


def _begin_threads() -> None:
    """Start the threads of Polars: it gives up where it cannot have them later."""
    import polars as pl

    pl.thread_pool_size()
