"""How far a command is: a bar on a terminal, and lines of a log elsewhere."""

import sys
import time
from collections.abc import Callable
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Column

from reports.typeset.escape import visible

REDRAWS_PER_S: Final = 10
FIRST_LINE_S: Final = 5.0
"""A command that ends before says nothing of its steps where there is no terminal."""

FIRST_LINE_CPU_S: Final = 2.0
"""Nor does one that has only waited for the machine so far."""

LINES_EVERY_S: Final = 15.0
NARROW: Final = 60
"""In fewer columns there is no room for the time."""


class Bar:
    """One line of standard error that is redrawn, by rich; it is gone at the end."""

    def __init__(self) -> None:
        console = Console(stderr=True, highlight=False)
        columns = [
            TextColumn(
                "{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1)
            ),
            BarColumn(bar_width=None, table_column=Column(ratio=1)),
            TaskProgressColumn("{task.percentage:3.0f} %", table_column=Column(no_wrap=True, min_width=5)),
        ]
        if console.width >= NARROW:
            columns.append(TimeElapsedColumn(table_column=Column(no_wrap=True)))
        # redrawn by this thread, which knows when it stops
        self._progress = Progress(
            *columns, console=console, transient=True, expand=console.width < NARROW * 2, auto_refresh=False
        )
        self._task = self._progress.add_task("", total=1.0)
        self._drawn_at = 0.0
        self._step = ""

    @staticmethod
    def fits() -> bool:
        """Whether standard error is a terminal that can redraw a line."""
        console = Console(stderr=True)
        return console.is_terminal and sys.stderr.isatty() and not console.is_dumb_terminal

    def show(self, step: str, share: float) -> None:
        """Draw the bar, if it was not drawn just now."""
        now = time.monotonic()
        if step == self._step and now - self._drawn_at < 1 / REDRAWS_PER_S and share < 1:
            return
        self._step, self._drawn_at = step, now
        self._progress.start()
        self._progress.update(self._task, description=visible(step), completed=share)
        self._progress.refresh()
        if share >= 1:
            self.end()

    def end(self) -> None:
        """Remove the bar, and give the cursor back."""
        self._progress.stop()


class Lines:
    """A line for a step that is reached later than some seconds after the beginning; eager: for every step, at once."""

    def __init__(self, say: Callable[[str], None], *, is_eager: bool) -> None:
        self._say = say
        self._is_eager = is_eager
        self._began_at = time.monotonic()
        self._began_cpu = time.process_time()
        self._said_at = self._began_at + FIRST_LINE_S - LINES_EVERY_S
        self._step = ""

    def show(self, step: str, share: float) -> None:
        """Say the step, if it is time to."""
        now = time.monotonic()
        is_new, self._step = step != self._step, step
        if self._is_eager:
            if is_new:
                self._say(step)
        elif share < 1 and now - self._said_at >= LINES_EVERY_S and self._has_worked():
            self._said_at = now
            self._say(f"haledger: {step} ({share:.0%} done after {now - self._began_at:.0f} s)")

    def _has_worked(self) -> bool:
        return time.process_time() - self._began_cpu >= FIRST_LINE_CPU_S

    def end(self) -> None:
        """There is nothing to clear."""
