"""How a run of simhadr ended, derived from what it printed.

complete      it ran as long, or sent as much, as was ordered
interrupted   stopped from the keyboard: nothing says so, but it is shorter than ordered (-t, -n, else 4 seconds)
aborted       the other side vanished: the totals are printed, with an error
no_result     it printed no totals: nobody to connect to, a wrong option, or output that was cut off
"""

import re
from dataclasses import dataclass, field

from parsers.hadr_tools.sheet import Row
from parsers.hadr_tools.simhadr_lines import Stage

DEFAULT_RUN_S = 4.0
"""How long a run without -t and -n takes (all versions)."""
EARLY_S = 0.02
"""A run ends at its time or after it; one that ends this much before was stopped."""
# REAL: Error: totalBytesWritten .. != totalBytesSent ..; recv() failed. errno=104, Connection reset by peer
FATAL = re.compile(r"Error: totalBytes|(?:recv|send|select|read|write)\(\) failed")


@dataclass(slots=True)
class Run:
    """A run while its lines go by. `row` is its row in the table simhadr_run, `given` the numbers printed so far."""

    row: Row
    stage: Stage = Stage.PREFACE
    given: dict[str, float | None] = field(default_factory=dict)
    has_command: bool = False
    is_only_errors: bool = True
    has_handshake: bool = False
    has_reached_end_of_file: bool = False
    sleep_warnings: int = 0

    @property
    def has_result(self) -> bool:
        """The line with the outcome is there."""
        return "seconds" in self.given or "sleep_actual_s" in self.given

    def fail(self, error: str) -> None:
        """Note an error; the first is kept, unless a later one is fatal."""
        if self.row.get("error") is None or FATAL.search(error):
            self.row["error"] = error

    def status(self) -> str:
        """How the run ended."""
        if not self.has_result:
            return "no_result"
        if FATAL.search(str(self.row.get("error"))):
            return "aborted"
        return "interrupted" if self._is_short() else "complete"

    def _is_short(self) -> bool:
        """Whether less was done than ordered; a standby and a file at its end end when there is nothing more."""
        if self.row.get("role") in (None, "standby") or self.has_reached_end_of_file:
            return False
        asked_count, asked_s = self.row.get("asked_flushes"), self.row.get("asked_s")
        if isinstance(asked_count, int):
            done = self.given.get("flushes", self.given.get("calls"))
            return done is not None and done < asked_count
        if not isinstance(asked_s, float):
            asked_s = DEFAULT_RUN_S if self.has_command else 0.0
        seconds = self.given.get("seconds")
        return seconds is not None and seconds < asked_s - EARLY_S
