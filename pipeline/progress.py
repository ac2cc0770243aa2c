"""How far a long task is."""

import time
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise

Progress = Callable[[str, float], None]
"""Takes the name of a step and the share of all that is done, 0 to 1."""


class Watch:
    """Reports how far the ingest is, and records how long each step took."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._steps: list[tuple[str, float]] = []

    def step(self, name: str, share: float, where: str = "") -> None:
        """Begin a step, or go on with it; `share` of all is done. `where`: shown behind the name."""
        if not self._steps or self._steps[-1][0] != name:
            self._steps.append((name, time.perf_counter()))
        self._progress(f"{name}{where}", share)

    def seconds(self) -> dict[str, float]:
        """How long each step took that has ended."""
        seconds: dict[str, float] = defaultdict(float)
        for (name, began), (_, ended) in pairwise(self._steps):
            seconds[name] += round(ended - began, 3)
        return dict(seconds)


class Resumed:
    """Progress of a task that may begin again: what is shown never goes back, and says why there is more to do."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._reached = self._begun = 0.0
        self._why = ""

    def __call__(self, step: str, share: float) -> None:
        """Show a step, and the share of all that is done: of what was left as the task began again."""
        self._reached = share + self._begun * (1 - share)
        self._progress(f"{step}{self._why}", self._reached)

    def begin_again(self, why: str) -> None:
        """Begin the task again; `why` is shown behind the name of each step."""
        self._begun, self._why = self._reached, why
