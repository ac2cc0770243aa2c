"""What was seen in the first lines of files, remembered while formats ask for it one after another."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

import polars as pl

Seen = TypeVar("Seen")

MAX_REMEMBERED = 1000
"""Files are looked at in batches; more than this many are forgotten before the next batch."""


NOTHING = pl.Series("text", [], dtype=pl.String())


def together(heads: Sequence[pl.Series]) -> pl.DataFrame:
    """The first lines of files in one frame: `line_no`, `text`, and `file_id`, which counts the files from 0."""
    numbers = [number for head in heads for number in range(1, len(head) + 1)]
    files = [file_id for file_id, head in enumerate(heads) for _ in range(len(head))]
    texts = pl.concat([NOTHING, *(head.alias("text").cast(pl.String) for head in heads)])
    return pl.DataFrame([pl.Series("line_no", numbers, pl.UInt32), texts, pl.Series("file_id", files, pl.Int32)])


def by_file(rows: pl.DataFrame, count: int) -> list[pl.DataFrame]:
    """The rows of each of `count` files, which `file_id` numbers from 0."""
    numbers = rows.get_column("file_id").unique(maintain_order=True)  # `as_dict` asks each part for its number
    parts, none = dict(zip(numbers, rows.partition_by("file_id"), strict=True)), rows.clear()
    return [parts.get(number, none) for number in range(count)]


def marked(**marks: pl.Expr) -> "FirstLook[pl.DataFrame]":
    """Looks at which of the first lines are something, by expressions over `text`: a column of each, a row a line."""
    return FirstLook(lambda heads: by_file(together(heads).select("file_id", **marks), len(heads)))


class FirstLook(Generic[Seen]):
    """Looks at the first lines of several files together, since patterns take long to compile, and remembers."""

    def __init__(self, see: Callable[[Sequence[pl.Series]], Iterable[Seen]]) -> None:
        """`see` gives what is seen in each of the heads."""
        self._see = see
        self._remembered: dict[tuple[str, ...], Seen] = {}

    def look(self, heads: Sequence[pl.Series]) -> None:
        """Look at several files, for `of` each."""
        if len(self._remembered) > MAX_REMEMBERED:
            self._remembered.clear()
        found = {tuple(head.to_list()): head for head in heads}
        new = {key: head for key, head in found.items() if key not in self._remembered}
        if new:
            self._remembered.update(zip(new, self._see([*new.values()]), strict=True))

    def of(self, head: pl.Series) -> Seen:
        """What the first lines of a file show."""
        key = tuple(head.to_list())
        if key not in self._remembered:
            self.look([head])
        return self._remembered[key]
