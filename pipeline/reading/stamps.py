"""What the stamps of a file say about its clock, before anybody knows year or zone.

`facts_of` condenses the dated rows of a file, or of a chunk of it; `merge` joins the facts of consecutive chunks;
`Stamps` is what `pipeline/clock/file_clock.py` decides on, and what the ledger keeps of a file that did not change.
"""

import json
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

import polars as pl

from parsers.division import divided
from pipeline.local_time import YEARS
from pipeline.reading.date_order import DateOrder, PrintedDates

ROLLOVER_DAYS = 183
"""A drop of the day of the year by more than this is New Year; a smaller step back is disorder."""

STEP_S = 2.0
"""Several writers of one file disagree by up to this."""

LEAST_STEP_S = 0.9
"""A step back by more is kept: it may be one of the clock, if one and the same writer made it."""

MAX_STEPS = 5000
"""Clock steps kept per file: more than these is no clock but disorder."""


@dataclass(frozen=True, slots=True)
class Day:
    """The rows of one file that share year-bearing or not, relative year, calendar day and printed offset.

    `year_no` counts New Years since the first line of a file without years (None: the rows have a year); their dates
    are then of the year 2000.
    """

    year_no: int | None
    offset_min: int | None
    first: datetime
    last: datetime
    first_line: int
    last_line: int
    rows: int


@dataclass(frozen=True, slots=True)
class Step:
    """A step back of the clock: the line it landed on, its stamp as printed, and the negative step."""

    line_no: int
    stamp: datetime
    has_year: bool
    step_s: float


@dataclass(frozen=True, slots=True)
class Stamps:
    """What the dated rows of one file say about its clock.

    `turns` are the lines at which the relative year of the lines without a year changes, with the new one.
    """

    first_line: int
    days: tuple[Day, ...]
    turns: tuple[tuple[int, int], ...]
    steps: tuple[Step, ...]

    def span(self) -> tuple[datetime, datetime] | None:
        """First and last stamp as printed."""
        return (min(day.first for day in self.days), max(day.last for day in self.days)) if self.days else None

    @staticmethod
    def span_in(text: str) -> tuple[datetime, datetime] | None:
        """The `span` of what `as_json` wrote, without the rest: wall clocks in ISO 8601 are in order as texts."""
        days = json.loads(text)["days"]
        ends = (min(day[2] for day in days), max(day[3] for day in days)) if days else None
        return None if ends is None else (datetime.fromisoformat(ends[0]), datetime.fromisoformat(ends[1]))

    def as_json(self) -> str:
        """For the ledger; `from_json` reads it back."""
        days = [
            [d.year_no, d.offset_min, d.first.isoformat(), d.last.isoformat(), d.first_line, d.last_line, d.rows]
            for d in self.days
        ]
        steps = [[step.line_no, step.stamp.isoformat(), step.has_year, step.step_s] for step in self.steps]
        content = {"first_line": self.first_line, "days": days, "turns": self.turns, "steps": steps}
        return json.dumps(content, sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Stamps":
        """Read what `as_json` wrote."""
        content = json.loads(text)
        instant = datetime.fromisoformat
        return cls(
            first_line=content["first_line"],
            days=tuple(Day(d[0], d[1], instant(d[2]), instant(d[3]), *d[4:]) for d in content["days"]),
            turns=tuple((line, year_no) for line, year_no in content["turns"]),
            steps=tuple(Step(line, instant(stamp), *rest) for line, stamp, *rest in content["steps"]),
        )


@dataclass(frozen=True, slots=True)
class StampFacts:
    """A file as the clock needs it. `modified_at` is the file's or member's time, UTC; `stamps` None: no dated row.

    `is_dated_within`: an archive, or the head of a gzip file, states that time; else copying may have changed it.
    `dates`: those that can be read in several orders; `date_order`: the one in which `stamps` reads them. `zones`: what
    the file calls the zone of its host. `weekdays`: those of days without a year, as `Thu 10-09`.
    """

    file_id: int
    path: str
    configuration: str
    run: str | None
    node: str | None
    format: str | None
    modified_at: datetime | None
    stamps: Stamps | None
    is_dated_within: bool = False
    dates: PrintedDates | None = None
    date_order: DateOrder | None = None
    zones: tuple[str, ...] = ()
    weekdays: tuple[str, ...] = ()

    def bare_days(self) -> list[Day]:
        """Days of lines without a year."""
        return [day for day in (self.stamps.days if self.stamps else ()) if day.year_no is not None]

    def dated_days(self) -> list[Day]:
        """Days of lines that have their year."""
        return [day for day in (self.stamps.days if self.stamps else ()) if day.year_no is None]


# --- facts -----------------------------------------------------------------------------------------------------------

_DAY = {
    "is_bare": pl.Boolean(),
    "offset_min": pl.Int16(),
    "first": pl.Datetime("us"),
    "last": pl.Datetime("us"),
    "first_line": pl.Int32(),
    "last_line": pl.Int32(),
    "rows": pl.Int64(),
}
_TURN = {"line": pl.Int32(), "turn": pl.Int8()}
_STEP = {"line": pl.Int32(), "stamp": pl.Datetime("us"), "has_year": pl.Boolean(), "step_s": pl.Float64()}
_EDGE = {"line": pl.Int32(), "stamp": pl.Datetime("us"), "has_year": pl.Boolean(), "offset": pl.Int16()}
FACT_SCHEMA: dict[str, pl.DataType] = {
    "file_id": pl.Int32(),
    **{f"first_{name}": dtype for name, dtype in _EDGE.items()},
    **{f"last_{name}": dtype for name, dtype in _EDGE.items()},
    "first_bare": pl.Datetime("us"),
    "first_bare_line": pl.Int32(),
    "last_bare": pl.Datetime("us"),
    "days": pl.List(pl.Struct(_DAY)),
    "turns": pl.List(pl.Struct(_TURN)),
    "steps": pl.List(pl.Struct(_STEP)),
}
"""One row per file: its first and last dated row in file order, the first and last row without a year (bare), rows per
calendar day and offset, turns of the year (+1, or -1 for a late line), steps back of the clock."""


def facts_of(frame: pl.DataFrame) -> pl.DataFrame:
    """One row of `FACT_SCHEMA` per file with dated rows; of the frame, only key and stamp columns are read.

    Rows of several tables may be concatenated, in any order: a line counts once. A row with a stamp and no `has_year`
    has its year.
    """
    in_file = (
        _stretches(_lines(frame))
        .with_columns(bare=pl.when(~pl.col("has_year")).then(pl.col("stamp")))
        .with_columns(previous_bare=pl.col("bare").forward_fill().shift(1).over("file_id"))
        .with_columns(pl.col(*_EDGE).shift(1).over("file_id").name.prefix("previous_"))
    )
    rows = in_file.with_columns(
        turn=_turn(pl.col("previous_bare"), pl.col("bare")),
        step_s=_step_s(_Edge.named("previous_{}"), _Edge.named("{}")),
    )
    edges = rows.group_by("file_id", maintain_order=True).agg(
        pl.col(*_EDGE).first().name.prefix("first_"),
        pl.col(*_EDGE).last().name.prefix("last_"),
        first_bare=pl.col("bare").drop_nulls().first(),
        first_bare_line=pl.col("line").filter(~pl.col("has_year")).first(),
        last_bare=pl.col("bare").drop_nulls().last(),
    )
    lists = {
        "days": _listed(_days(rows), _DAY),
        "turns": _listed(rows.filter(pl.col("turn") != 0), _TURN),
        "steps": _listed(rows.filter(pl.col("step_s") < -LEAST_STEP_S), _STEP).with_columns(
            pl.col("items").list.head(MAX_STEPS)
        ),
    }
    for name, items in lists.items():
        edges = edges.join(items.rename({"items": name}), on="file_id", how="left", maintain_order="left")
    return _as_facts(edges.with_columns(pl.col(*lists).fill_null([])))


def _lines(frame: pl.DataFrame) -> pl.DataFrame:
    """One row per dated line, in the order of files and lines."""
    place = pl.col("file_id").cast(pl.Int64) * 2**32 + pl.col("line_no")
    lines = frame.select(
        place.alias("place"),
        "file_id",
        pl.col("stamp"),
        pl.col("has_year").fill_null(value=True),
        line="line_no",
        offset="utc_offset_min",
    ).filter(pl.col("stamp").is_between(*YEARS))
    if not lines.get_column("place").is_sorted():
        lines = lines.sort("place", maintain_order=True)
    return lines.filter(pl.col("place") != pl.col("place").shift(1, fill_value=-1)).drop("place")


def _stretches(lines: pl.DataFrame) -> pl.DataFrame:
    """The first and the last line of each stretch, with the count of its lines as `rows` of the first.

    In a stretch nothing happens but that time goes on: one file, one day, one offset, bearing a year or not.
    """
    begins = (
        (pl.col("stamp") < pl.col("stamp").shift(1))
        | (pl.col("stamp").dt.date() != pl.col("stamp").dt.date().shift(1))
        | (pl.col("file_id") != pl.col("file_id").shift(1))
        | (pl.col("has_year") != pl.col("has_year").shift(1))
        | pl.col("offset").ne_missing(pl.col("offset").shift(1))
    ).fill_null(value=True)
    edges = (
        lines.with_row_index("number")
        .with_columns(begins=begins)
        .filter(pl.col("begins") | pl.col("begins").shift(-1, fill_value=True))
    )
    next_one = pl.when("begins").then("number").shift(-1).backward_fill().fill_null(lines.height)
    count = pl.when("begins").then(next_one - pl.col("number")).otherwise(0)
    return edges.with_columns(rows=count.cast(pl.Int64)).drop("number", "begins")


def merge(earlier: pl.DataFrame, later: pl.DataFrame) -> pl.DataFrame:
    """The facts of two consecutive chunks as the facts of both; either may lack a file."""
    both = earlier.join(later, on="file_id", suffix="_later").with_columns(
        turn=_turn(pl.col("last_bare"), pl.col("first_bare_later")),
        step_s=_step_s(_Edge.named("last_{}"), _Edge.named("first_{}_later")),
    )
    turn = _at_seam(_TURN, pl.col("turn") != 0, pl.col("first_bare_line_later"), pl.col("turn"))
    landing = [pl.col(f"first_{name}_later") for name in ("line", "stamp", "has_year")]
    step = _at_seam(_STEP, pl.col("step_s") < -LEAST_STEP_S, *landing, pl.col("step_s"))
    merged = both.with_columns(turn_at_seam=turn, step_at_seam=step).select(
        "file_id",
        pl.col("^first_(line|stamp|has_year|offset)$"),
        *(pl.col(f"last_{name}_later").alias(f"last_{name}") for name in _EDGE),
        pl.coalesce("first_bare", "first_bare_later"),
        pl.coalesce("first_bare_line", "first_bare_line_later"),
        pl.coalesce("last_bare_later", "last_bare").alias("last_bare"),
        pl.concat_list("days", "days_later").alias("days"),
        pl.concat_list("turns", "turn_at_seam", "turns_later").alias("turns"),
        pl.concat_list("steps", "step_at_seam", "steps_later").list.head(MAX_STEPS).alias("steps"),
    )
    alone = [each.join(both, on="file_id", how="anti") for each in (earlier, later)]
    return pl.concat(_as_facts(each) for each in (merged, *alone)).sort("file_id")


def stamps_of(facts: pl.DataFrame) -> dict[int, Stamps]:
    """Facts as `StampFacts` takes them, by file_id."""
    return {row["file_id"]: _stamps(row) for row in facts.iter_rows(named=True)}


@dataclass(frozen=True, slots=True)
class _Edge:
    stamp: pl.Expr
    has_year: pl.Expr
    offset: pl.Expr

    @classmethod
    def named(cls, pattern: str) -> "_Edge":
        return cls(*(pl.col(pattern.format(name)) for name in ("stamp", "has_year", "offset")))


def _turn(previous: pl.Expr, current: pl.Expr) -> pl.Expr:
    """The change of year from one row without a year to the next: 1 New Year, -1 a late line after it, 0 none."""
    before, after = previous.dt.ordinal_day(), current.dt.ordinal_day()
    new_year = before.cast(pl.Int32) - after.cast(pl.Int32) > ROLLOVER_DAYS
    return pl.when(new_year).then(1).when((before <= 2) & (after >= 364)).then(-1).otherwise(0).cast(pl.Int8)


def _step_s(before: _Edge, after: _Edge) -> pl.Expr:
    """Seconds from one row to the next, true ones where both state offsets; null across New Year without years."""
    moved = pl.duration(minutes=(after.offset.cast(pl.Int64) - before.offset).fill_null(0))
    with_years = after.stamp - before.stamp - moved
    # In 2000, a leap year, every date exists
    without = after.stamp.dt.replace(year=2000) - before.stamp.dt.replace(year=2000) - moved
    elapsed = (
        pl.when(before.has_year & after.has_year)
        .then(with_years)
        .when(without > -pl.duration(days=ROLLOVER_DAYS))
        .then(without)
    )
    return divided(elapsed.dt.total_microseconds(), 1e6)


def _days(rows: pl.DataFrame) -> pl.DataFrame:
    keys = {
        "is_bare": ~pl.col("has_year"),
        "turn_no": pl.when(~pl.col("has_year")).then((pl.col("turn") != 0).cum_sum().over("file_id")),
        "day": pl.col("stamp").dt.date(),
        "offset_min": pl.col("offset"),
    }
    grouped = rows.with_columns(**keys).group_by("file_id", *keys)
    days = grouped.agg(
        first=pl.col("stamp").min(),
        last=pl.col("stamp").max(),
        first_line=pl.col("line").min(),
        last_line=pl.col("line").max(),
        rows=pl.col("rows").sum(),
    )
    return days.sort("file_id", "first_line", *keys)


def _listed(items: pl.DataFrame, fields: Mapping[str, pl.DataType]) -> pl.DataFrame:
    struct = pl.struct(pl.col(name).cast(dtype) for name, dtype in fields.items())
    return items.group_by("file_id", maintain_order=True).agg(items=struct)


def _at_seam(fields: Mapping[str, pl.DataType], is_there: pl.Expr, *values: pl.Expr) -> pl.Expr:
    """A list of the one struct where it is there, else an empty list."""
    named = [value.cast(dtype).alias(name) for value, (name, dtype) in zip(values, fields.items(), strict=True)]
    empty = pl.lit([], dtype=pl.List(pl.Struct(fields)))
    return pl.when(is_there).then(pl.concat_list(pl.struct(named))).otherwise(empty)


def _as_facts(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.select(pl.col(name).cast(dtype) for name, dtype in FACT_SCHEMA.items())


def _stamps(row: Mapping[str, Any]) -> Stamps:  # a row of `FACT_SCHEMA`
    turns: list[tuple[int, int]] = []
    year_no = 0
    for item in row["turns"]:
        # A late line needs a New Year before it: at the start of a file, Jan 1 then Dec 31 is a sparse log
        year_no = max(0, year_no + item["turn"])
        turns.append((item["line"], year_no))
    lines = [line for line, _ in turns]
    days: dict[tuple[int | None, int | None, date], Day] = {}
    for item in row["days"]:
        turn_no = bisect_right(lines, item["first_line"])
        relative = (turns[turn_no - 1][1] if turn_no else 0) if item["is_bare"] else None
        fields = {name: item[name] for name in ("offset_min", "first", "last", "first_line", "last_line", "rows")}
        day = Day(year_no=relative, **fields)
        key = (relative, day.offset_min, day.first.date())
        days[key] = _joined(days[key], day) if key in days else day
    return Stamps(
        first_line=row["first_line"],
        days=tuple(sorted(days.values(), key=lambda day: (day.first_line, day.first))),
        turns=tuple(turns),
        steps=tuple(Step(*(item[name] for name in _STEP)) for item in row["steps"]),
    )


def _joined(one: Day, other: Day) -> Day:
    return replace(
        one,
        first=min(one.first, other.first),
        last=max(one.last, other.last),
        first_line=min(one.first_line, other.first_line),
        last_line=max(one.last_line, other.last_line),
        rows=one.rows + other.rows,
    )
