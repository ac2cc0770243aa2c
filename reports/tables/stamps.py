"""How tables print instants and durations that come from stamps of logs."""

from datetime import datetime

from reports import numbers
from reports.study.store import Row

UPTIME_DECIMALS = 6  # kernel uptime is printed in microseconds
PRINTED_MESSAGES = 120  # and operations: three pages


def moment(value: datetime | None) -> str:
    """An instant, with tenths where its stamp has a fraction."""
    return numbers.moment(value, with_fraction=value is not None and value.microsecond > 0)


def is_fine(row: Row) -> bool:
    """Whether the stamps tell more than whole seconds."""
    return row["resolution_s"] is not None and row["resolution_s"] < 1


def decimals(row: Row) -> int:
    """Decimals that the clock behind a duration has, three at most for stamps."""
    if row.get("duration_source") == "uptime":
        return UPTIME_DECIMALS
    return 3 if is_fine(row) else 0
