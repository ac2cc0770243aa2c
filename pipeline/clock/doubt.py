"""What is doubtful about the times of a file's lines: table `log.clock_doubt`, and the words for it.

The clock shows the doubts; how many lines an hour of summer time concerns is counted in the store, once rows are there.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import duckdb
import polars as pl

from pipeline.store import store
from pipeline.store.own_table import OwnTable
from pipeline.store.statements import dated_lines

CLOCK_DOUBT = OwnTable(
    "log.clock_doubt",
    "One row per doubt about the times of a file's lines.",
    {
        "file_id": (pl.Int32(), "source_file"),
        "line_no": (pl.Int32(), "the first line it concerns; null where it concerns all lines without a year"),
        "kind": (
            pl.String(),
            (
                "year (weakly known), date_order (not known), undated (no such day), twice, left_out (hour of that "
                "kind), zone (other than that of the node's other logs)"
            ),
        ),
        "lines": (pl.Int64(), "how many lines it concerns; null: all without a year"),
        "text": (pl.String(), "the doubt in words; they follow the number of lines where there is one"),
    },
)
WINDOW = {
    "number": pl.Int32(),
    "file_id": pl.Int32(),
    "first_at": pl.Datetime("us"),
    "end_at": pl.Datetime("us"),
}


@dataclass(frozen=True, slots=True)
class Doubt:
    """One doubt about some lines of a file, or (`lines` None) about all that have no year.

    `between`: the doubt concerns the lines with a wall clock time in this span, which are yet to be counted.
    """

    kind: Literal["year", "date_order", "undated", "twice", "left_out", "zone"]
    text: str
    line_no: int | None = None
    lines: int | None = None
    between: tuple[datetime, datetime] | None = None

    def sentence(self) -> str:
        """The doubt with the number of lines."""
        return self.text if self.lines is None else f"{self.lines:,} line{'s' * (self.lines != 1)} {self.text}"


def write(con: duckdb.DuckDBPyConnection, by_file: Mapping[int, Sequence[Doubt]]) -> dict[int, list[Doubt]]:
    """Fill `log.clock_doubt`; give the doubts of each file that concern any line of it, counted."""
    counted = _counted(con, [(file_id, each) for file_id, doubts in by_file.items() for each in doubts])
    CLOCK_DOUBT.fill(con, [(file_id, each.line_no, each.kind, each.lines, each.text) for file_id, each in counted])
    found: dict[int, list[Doubt]] = defaultdict(list)
    for file_id, each in counted:
        found[file_id].append(each)
    return dict(found)


def _counted(con: duckdb.DuckDBPyConnection, doubts: Sequence[tuple[int, Doubt]]) -> list[tuple[int, Doubt]]:
    windows = [(number, file_id, *each.between) for number, (file_id, each) in enumerate(doubts) if each.between]
    counts = _lines_within(con, windows) if windows else {}
    found = []
    for number, (file_id, each) in enumerate(doubts):
        if each.between is None:
            found.append((file_id, each))
        elif number in counts:
            line_no, lines = counts[number]
            found.append((file_id, Doubt(each.kind, each.text, line_no, lines)))
    return found


def _lines_within(
    con: duckdb.DuckDBPyConnection, windows: Sequence[tuple[int, int, datetime, datetime]]
) -> dict[int, tuple[int, int]]:
    """By the number of a window: the first line with a time in it, and how many there are."""
    con.execute("create temp table time_window (number integer, file_id integer, first_at timestamp, end_at timestamp)")
    store.insert(con, "time_window", pl.DataFrame(windows, schema=WINDOW, orient="row"))
    dated = dated_lines("file_id, line_no, local_at")
    rows = con.execute(
        "select w.number, min(l.line_no), count(distinct l.line_no) "
        f"from ({dated}) as l inner join time_window as w "
        "on l.file_id = w.file_id and l.local_at >= w.first_at and l.local_at < w.end_at group by w.number"
    ).fetchall()
    con.execute("drop table time_window")
    return {number: (line_no, lines) for number, line_no, lines in rows}
