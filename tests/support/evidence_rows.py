"""Rows of the fold with plain values."""

from datetime import datetime, timedelta
from typing import Any, TypeVar

from tests.support.hand_made import T0

T = TypeVar("T")


def at(second: float) -> datetime:
    """A time so many seconds after `T0`."""
    return T0 + timedelta(seconds=second)


def row(kind: type[T], second: float | None = None, /, **values: Any) -> T:
    """A row with these values: its `at` in seconds after `T0`, in configuration a, on line 1; else None."""
    known = {"configuration": "a", "file_id": 1, "line_no": 1, "part": 1, "at": None if second is None else at(second)}
    fields = kind._fields  # type: ignore[attr-defined]  # a NamedTuple, which has no name as a type
    return kind(**{each: values.get(each, known.get(each)) for each in fields})
