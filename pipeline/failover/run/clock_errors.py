"""How uncertain the times of lines are that a corrected clock stamped."""

from collections.abc import Iterable
from typing import NamedTuple

from pipeline.failover.step import grouped


class ClockCorrection(NamedTuple):
    """A range of lines whose times were moved, and how uncertain that is."""

    file_id: int
    from_line: int
    to_line: int
    error_s: float


class ClockErrors:
    """Corrections by file."""

    def __init__(self, corrections: Iterable[ClockCorrection]) -> None:
        self._by_file = grouped(corrections, "file_id")

    def errors_s(self, file_id: int, line_no: int) -> list[float]:
        """The errors of each correction that holds a line, seconds."""
        known = self._by_file.get((file_id,), [])
        return [each.error_s for each in known if each.from_line <= line_no <= each.to_line]
