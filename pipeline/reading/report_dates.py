"""The dates of reports: in which order their parts are, as far as a file shows it, and which days they are."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

import polars as pl

from pipeline.reading.date_order import ORDERS, DateOrder, PrintedDates, date_order, day_of

AMBIGUOUS = r"^[0-9]{1,2}[/-]"

HALF_DAY = r"(?i)[0-9] ?[ap]\.?m"

Orders = Mapping[int, DateOrder]
"""The order of the dates of each file in which it does not show."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What study.toml declares of a file's reports; `start`: the file's wall clock at its first report."""

    interval_s: float | None = None
    start: datetime | None = None
    date_order: str | None = None


@dataclass(frozen=True, slots=True)
class SeenDates:
    """The dates of a file, or of pieces of one, in which the order does not show, and what may show it.

    `texts`: the different ones, in order. `is_half_day`: a time has AM or PM. `days`: of stamps with a year whose order
    shows. `first_line`, `lines`: on which, and how many lines, times hang on the order.
    """

    texts: tuple[str, ...] = ()
    is_half_day: bool = False
    days: frozenset[date] = frozenset()
    first_line: int | None = None
    lines: int = 0

    def followed_by(self, later: "SeenDates") -> "SeenDates":
        """Those of this piece and of the one behind it."""
        return SeenDates(
            tuple(dict.fromkeys((*self.texts, *later.texts))),
            self.is_half_day or later.is_half_day,
            self.days | later.days,
            later.first_line if self.first_line is None else self.first_line,
            self.lines + later.lines,
        )


def seen_dates(marks: pl.DataFrame, invocations: pl.DataFrame) -> dict[int, SeenDates]:
    """By file, what shows in which order its dates are."""
    columns = ["file_id", "line_no", "date_text"]
    printed = pl.concat([marks.select(columns), invocations.select(columns)])
    printed = printed.filter(pl.col("date_text").str.contains(AMBIGUOUS)).sort("file_id", "line_no")
    texts = printed.group_by("file_id").agg(pl.col("date_text").unique(maintain_order=True))
    hangs = pl.col("stamp").is_null() & pl.col("clock_s").is_not_null()
    hangs &= pl.col("date_text").is_null() | pl.col("date_text").str.contains(AMBIGUOUS)
    shown = marks.group_by("file_id").agg(
        is_half_day=pl.col("time_text").str.contains(HALF_DAY).any(),
        days=pl.col("stamp").filter(pl.col("has_year")).dt.date().drop_nulls().unique(),
        first_line=pl.col("line_no").filter(hangs).min(),
        lines=hangs.sum(),
    )
    both = texts.join(shown, on="file_id", how="full", coalesce=True)
    return {
        file_id: SeenDates(tuple(texts or ()), bool(is_half_day), frozenset(days or ()), first_line, lines or 0)
        for file_id, texts, is_half_day, days, first_line, lines in both.iter_rows()
    }


def orders_of(seen: Mapping[int, SeenDates], declared: Mapping[int, Declared]) -> dict[int, DateOrder]:
    """The order of the dates of each file in which it does not show."""
    return {
        file_id: date_order(
            # 33/04/2023 exists in no order, and shows none
            [text for text in each.texts if any(day_of(text, order) for order in ORDERS)],
            declared.get(file_id, Declared()).date_order,
            others=sorted(each.days),
            is_half_day=each.is_half_day,
        )
        for file_id, each in seen.items()
        if each.texts
    }


def printed_dates(seen: Mapping[int, SeenDates], orders: Orders) -> dict[int, PrintedDates]:
    """What is known about such dates where times hang on them."""
    return {
        file_id: PrintedDates(order, seen[file_id].texts[0], first_line, seen[file_id].lines)
        for file_id, order in sorted(orders.items())
        if (first_line := seen[file_id].first_line) is not None
    }


def day_table(
    rows: pl.DataFrame, invocations: pl.DataFrame, orders: Mapping[int, DateOrder], declared: Mapping[int, Declared]
) -> pl.DataFrame:
    """The day of each printed date of each file."""
    pairs = pl.concat(
        [each.select("file_id", "date_text").drop_nulls().unique() for each in (rows, invocations)]
    ).unique()
    pairs = pl.concat(
        [
            pairs,
            pl.DataFrame(
                [(number, str(each.start.date())) for number, each in declared.items() if each.start is not None],
                schema={"file_id": pl.Int32(), "date_text": pl.String()},
                orient="row",
            ),
        ]
    ).unique()
    known = [
        (file_id, text, day_of(text, orders.get(file_id, DateOrder("mdy", "assumed")).name))
        for file_id, text in pairs.iter_rows()
    ]
    schema = {"file_id": pl.Int32(), "date_key": pl.String(), "day": pl.Date()}
    return pl.DataFrame(known, schema=schema, orient="row")
