"""How far a command is, as lines of a log: where there is no terminal, or one that cannot redraw a line."""

import time
from collections.abc import Callable
from typing import Final

FIRST_LINE_S: Final = 5.0
"""A command that ends before says nothing of its steps where there is no terminal."""

FIRST_LINE_CPU_S: Final = 2.0
"""Nor does one that has only waited for the machine so far."""

LINES_EVERY_S: Final = 15.0


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
