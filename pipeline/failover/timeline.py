"""Rows in the order of time, in which those of a stretch are found without looking at the others."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, Generic, TypeVar

T = TypeVar("T")

BY_LINE: Callable[[Any], tuple[Any, ...]] = attrgetter("at", "file_id", "line_no")


class Timeline(Generic[T]):
    """Rows sorted by time, those of one instant in the order of their lines unless `order` says otherwise."""

    def __init__(self, rows: Iterable[T], order: Callable[[Any], Any] = BY_LINE, at: str = "at") -> None:
        self.rows: Sequence[T] = sorted(rows, key=order)
        self._times: list[datetime] = list(map(attrgetter(at), self.rows))

    def between(self, start: datetime, end: datetime) -> Sequence[T]:
        """The rows from `start` to `end`, both inclusive."""
        return self.rows[bisect_left(self._times, start) : bisect_right(self._times, end)]

    def within(self, start: datetime, end: datetime) -> Sequence[T]:
        """The rows from `start`, inclusive, to `end`, exclusive."""
        return self.rows[bisect_left(self._times, start) : bisect_left(self._times, end)]

    def since(self, start: datetime) -> Sequence[T]:
        """The rows from `start` on, inclusive."""
        return self.rows[bisect_left(self._times, start) :]

    def before(self, end: datetime) -> Sequence[T]:
        """The rows before `end`, exclusive."""
        return self.rows[: bisect_left(self._times, end)]

    def last_before(self, end: datetime) -> T | None:
        """The last row before `end`, exclusive."""
        place = bisect_left(self._times, end)
        return self.rows[place - 1] if place else None

    def last_until(self, end: datetime) -> T | None:
        """The last row up to `end`, inclusive."""
        place = bisect_right(self._times, end)
        return self.rows[place - 1] if place else None

    def first_since(self, start: datetime) -> T | None:
        """The first row from `start` on, inclusive."""
        place = bisect_left(self._times, start)
        return self.rows[place] if place < len(self.rows) else None

    def has(self, start: datetime, end: datetime) -> bool:
        """Whether a row lies from `start` to `end`, both inclusive."""
        return bisect_left(self._times, start) < bisect_right(self._times, end)

    def latest(self, start: datetime, end: datetime) -> T | None:
        """The last row from `start` to `end`, both inclusive."""
        after = bisect_right(self._times, end)
        return self.rows[after - 1] if after and self._times[after - 1] >= start else None

    def back_from(self, end: datetime) -> Iterator[T]:
        """The rows before `end`, exclusive, the last one first."""
        return map(self.rows.__getitem__, range(bisect_left(self._times, end) - 1, -1, -1))


class Timelines(Generic[T]):
    """A timeline for each value of a key; rows whose key is None are in none."""

    def __init__(
        self, rows: Iterable[T], key: Callable[[T], Any], order: Callable[[Any], Any] = BY_LINE, at: str = "at"
    ) -> None:
        self._rows: dict[Any, list[T]] = defaultdict(list)
        for value, alike in groupby(rows, key):
            self._rows[value] += alike
        self._rows.pop(None, None)
        self._ordered = partial(Timeline[T], order=order, at=at)
        self._timelines: dict[Any, Timeline[T]] = {}

    def of(self, value: Any) -> Timeline[T]:  # noqa: ANN401  keys are of many types
        """The rows of a value, which are sorted when they are asked for."""
        if value not in self._timelines:
            self._timelines[value] = self._ordered(self._rows.get(value, ()))
        return self._timelines[value]
