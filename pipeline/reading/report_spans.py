"""Reports of a file that is read in spans: their marks wait, and are numbered and dated piece by piece at its end.

A piece ends before a line that begins a report, so that no report is torn, and gives the next one what it needs
(`Before`). So the memory that they take is bounded by the piece and not by the file. What only the whole file shows
(the order of its dates, the usual interval, whether it has times at all) is gathered in a few numbers on the way.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import polars as pl

from parsers.format import Reports
from pipeline.reading.date_order import ORDERS, PrintedDates, in_order_name
from pipeline.reading.frames import Frames, held_bytes
from pipeline.reading.report_clock import REPORTED, SERIES, Before, completed, continues, placed, steps_of, usual_steps
from pipeline.reading.report_dates import Declared, SeenDates, orders_of, printed_dates, seen_dates
from pipeline.reading.stamps import facts_of, merge, stamps_of

PIECE_MARKS = 65_536
"""Marks numbered and dated at a time, at least."""

MOST_MARKS = 8 * PIECE_MARKS
"""A piece of this many ends in any case, even in the middle of a report: memory comes first."""

MARKS, INVOCATIONS, PLACED = "marks", "invocations", "placed"


class OpenReports:
    """The marks of a file and the lines that begin a run of the tool, as its spans gave them; they wait in `frames`."""

    def __init__(self, kind: Reports, file_id: int, frames: Frames) -> None:
        self._kind = kind
        self._file_id = file_id
        self._frames = frames
        self._seen = SeenDates()
        self.size = 0

    def add(self, tables: Mapping[str, pl.DataFrame]) -> None:
        """Keep what the next span gave."""
        marks = tables.get(self._kind.marks.name, self._kind.marks.empty())
        invocations = tables.get(self._kind.invocations.name, self._kind.invocations.empty())
        for later in seen_dates(marks, invocations).values():
            self._seen = self._seen.followed_by(later)
        for name, frame in ((MARKS, marks), (INVOCATIONS, invocations)):
            self.size += held_bytes(frame)
            self._frames.add(name, frame)

    def drop(self) -> None:
        """Let go of all."""
        self._frames.drop()

    def resolved(self, declared: Mapping[int, Declared]) -> Iterator[tuple[str, pl.DataFrame]]:
        """The marks of the whole file in pieces, each with the name of its table.

        Behind those of the table come those read in each other order that is possible, as `numbered` gives them.
        """
        own = declared.get(self._file_id, Declared())
        table = self._kind.marks.name
        yield from ((table, piece) for piece in self._in_order(own))
        for order in self._rivals(declared):
            name = in_order_name(table, order)
            yield from ((name, piece) for piece in self._in_order(replace(own, date_order=order)))

    def dates(self, declared: Mapping[int, Declared], stamps: Mapping[str, pl.DataFrame]) -> dict[int, PrintedDates]:
        """What is known about dates that can be read in several orders. `stamps`: facts of the tables in others."""
        table = self._kind.marks.name
        read = {order: stamps[name] for order in ORDERS if (name := in_order_name(table, order)) in stamps}
        texts = {order: stamps_of(facts)[self._file_id].as_json() for order, facts in read.items() if facts.height}
        return {number: replace(each, stamps=texts) for number, each in self._printed(declared).items()}

    def _printed(self, declared: Mapping[int, Declared]) -> dict[int, PrintedDates]:
        seen = {self._file_id: self._seen}
        return printed_dates(seen, orders_of(seen, declared))

    def _rivals(self, declared: Mapping[int, Declared]) -> list[str]:
        printed = self._printed(declared).get(self._file_id)
        return [name for name in ORDERS if printed is not None and name in printed.order.rivals]

    def _in_order(self, own: Declared) -> Iterator[pl.DataFrame]:
        """The marks, resolved, if this is what is declared of their file."""
        declared = {self._file_id: own}
        orders = orders_of({self._file_id: self._seen}, declared)
        before = Before.of(self._kind.invocations.empty())
        steps = pl.DataFrame()
        is_undated = True
        for marks, invocations in self._pieces():
            before.invocations = pl.concat([before.invocations, invocations])
            rows = placed(self._kind, marks, before, declared, orders)
            found = pl.concat([steps, steps_of(rows)])
            steps = found.group_by(*SERIES, "step").agg(pl.col("count").sum())
            is_undated &= bool(rows.get_column("stamp").is_null().all())
            self._frames.add(PLACED, rows)
        undated = [self._file_id] if is_undated else []
        usual = usual_steps(steps) if steps.width else None
        for rows in self._frames.release(PLACED):
            if usual is not None:
                yield completed(rows, usual, self._kind, declared, undated)

    def _pieces(self) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
        """The marks in pieces, each with the lines that begin a run of the tool and were read until its end."""
        held, count = [], 0
        invocations = []
        for marks, begun in zip(self._frames.look(MARKS), self._frames.look(INVOCATIONS), strict=True):
            held.append(marks)
            invocations.append(begun)
            count += marks.height
            if count < PIECE_MARKS:
                continue
            joined = pl.concat(held).sort("line_no", "part")
            cut = _last_cut(joined.get_column("kind"))
            if cut == 0 and count >= MOST_MARKS:
                cut = joined.height
            if cut:
                yield joined[:cut], pl.concat(invocations)
                joined, invocations = joined[cut:], []
            held, count = [joined], joined.height
        if count:
            yield pl.concat(held), pl.concat([self._kind.invocations.empty(), *invocations])


def facts_so_far(held: Mapping[str, pl.DataFrame], name: str, piece: pl.DataFrame) -> pl.DataFrame:
    """The facts of the stamps of a table with those of its next piece."""
    facts = facts_of(piece)
    return merge(held[name], facts) if name in held else facts


def _last_cut(kinds: pl.Series) -> int:
    """The last mark that begins a report by itself; 0: none but the first does."""
    frame = pl.DataFrame({"kind": kinds}).with_row_index("place").filter(pl.col("kind").is_in(REPORTED))
    earlier = pl.col("kind").shift(1)
    begins = frame.filter(~((earlier == "time") | continues(earlier))).get_column("place")
    return int(begins[-1]) if begins.len() else 0
