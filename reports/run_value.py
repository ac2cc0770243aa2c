"""What one run gives, with the line that states it."""

from dataclasses import dataclass

from reports import numbers
from reports.store import Row


@dataclass(frozen=True, slots=True)
class RunValue:
    """What one run gives. `value` is unrounded, or words; `place` is `file:line`, empty where no line states it."""

    run: str
    value: float | str
    is_used: bool = True
    place: str = ""
    text: str = ""
    remark: str = ""

    @property
    def printed(self) -> str:
        """The value, or the words."""
        if isinstance(self.value, str):
            return self.value
        return numbers.unrounded(self.value)


def place_of(row: Row) -> str:
    """`file:line` of a row with a path; empty without one."""
    return f"{row['path']}:{row['line_no']}" if row["path"] and row["line_no"] is not None else row["path"] or ""
