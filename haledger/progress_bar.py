"""How far a command is, as a bar on a terminal."""

import time
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Column

from reports.typeset.escape import visible

REDRAWS_PER_S: Final = 10
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
        """Whether the terminal of standard error can redraw a line."""
        console = Console(stderr=True)
        return console.is_terminal and not console.is_dumb_terminal

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
