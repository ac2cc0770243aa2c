"""What was seen in the first lines of files, remembered while formats ask for it one after another."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

import polars as pl

Seen = TypeVar("Seen")

MAX_REMEMBERED = 1000
"""Files are looked at in batches; more than this many are forgotten before the next batch."""


class FirstLook(Generic[Seen]):
    """Looks at the first lines of several files together, since patterns take long to compile, and remembers."""

    def __init__(self, see: Callable[[Sequence[pl.Series]], Iterable[Seen]]) -> None:
        """`see` gives what is seen in each of the heads."""
        self._see = see
        self._remembered: dict[tuple[str, ...], Seen] = {}

    def look(self, heads: Sequence[pl.Series]) -> None:
        """Look at several files, for `of` each."""
        keys = [tuple(head.to_list()) for head in heads]
        seen = dict(zip(keys, self._see(heads), strict=True))
        if len(self._remembered) > MAX_REMEMBERED:
            self._remembered.clear()
        self._remembered.update(seen)

    def of(self, head: pl.Series) -> Seen:
        """What the first lines of a file show."""
        key = tuple(head.to_list())
        if key not in self._remembered:
            self.look([head])
        return self._remembered[key]
