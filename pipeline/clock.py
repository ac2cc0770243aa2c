"""Year and zone of every file, with the record of where they were taken from; stamps into UTC.

A parser prints the wall clock as it found it. `settle` decides with the facts of all files (`pipeline/stamps.py`),
`apply` turns stamps into `at` (UTC) and `local_at`.

year_source      explicit (study.toml), in_line (years in the same file), sibling (other files: of the node and run,
                 of the run, of the configuration, of the study), filename (a date in the name of the file or of a
                 folder), archive (a member's time), mtime (the file's time), now (a guess, to be told loudly)
timezone_source  line (an offset beside the stamp), node (another file of the node), manifest (study.toml), study (the
                 only zone known in it), assumed (wall clock stored as UTC: only durations hold)
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import polars as pl

from parsers.format import KEY_SCHEMA, STAMP_SCHEMA
from pipeline.clock_doubt import Doubt
from pipeline.fold import Hours, settled_hours
from pipeline.manifest import Manifest
from pipeline.stamps import StampFacts
from pipeline.wall_clock import AMBIGUOUS, as_utc, utc, without_zone
from pipeline.year import Years, in_year, settled_years, value_at
from pipeline.zone import Zone, settled_zones

STEP_SCHEMA: dict[str, pl.DataType] = {
    "file_id": pl.Int32(),
    "line_no": pl.Int32(),
    "step_s": pl.Float64(),
    "is_dst": pl.Boolean(),
}
"""`log.clock_step`: one row per step back of more than 2 s inside one file; `is_dst`: the end of summer time."""


@dataclass(frozen=True, slots=True)
class FileClock:
    """Year and zone of one file, with their source.

    `years`: the year of the lines without one, each from a line on. `offsets`: minutes east of UTC, each from a wall
    clock time on, for lines that state none; empty where `zone` is a zone with summer time. `folds`: lines (with month
    and day) after which an ambiguous hour is the later one. `clock_offset_s`: the clock was ahead by so much.
    `doubts`: what is told of it as doubtful. `remark`: how an hour that occurs twice was told apart.
    """

    timezone: str | None
    timezone_source: str | None
    year_source: str | None
    first_year: int | None
    years: tuple[tuple[int, int], ...] = ()
    zone: str | None = None
    offsets: tuple[tuple[datetime, int], ...] = ()
    folds: tuple[tuple[int, int], ...] = ()
    clock_offset_s: float = 0.0
    doubts: tuple[Doubt, ...] = ()
    remark: str | None = None


def settle(files: Sequence[StampFacts], manifest: Manifest, now: datetime) -> dict[str, FileClock]:
    """The clock of every file by its path. `now` serves as the last resort for a year."""
    years = settled_years(files, manifest, as_utc(now))
    zones = settled_zones(files, years, manifest)
    hours = settled_hours(files, years, zones)
    return {
        each.path: _clock(each, years[each.path], zones.get(each.path), hours.get(each.path, Hours()), manifest)
        for each in files
    }


def clock_steps(files: Sequence[StampFacts], clocks: Mapping[str, FileClock]) -> pl.DataFrame:
    """The rows of `log.clock_step` (`STEP_SCHEMA`)."""
    rows = [
        (each.file_id, step.line_no, step.step_s, step.line_no in {line for line, _ in clocks[each.path].folds})
        for each in files
        if each.stamps is not None
        for step in each.stamps.steps
    ]
    return pl.DataFrame(rows, schema=STEP_SCHEMA, orient="row")


def _clock(
    file: StampFacts,
    years: Years,
    zone: Zone | None,
    hours: Hours,
    manifest: Manifest,
) -> FileClock:
    if zone is None or file.stamps is None:
        return FileClock(timezone=None, timezone_source=None, year_source=None, first_year=None)
    node = manifest.node_entry(file.node)
    first = min(file.stamps.days, key=lambda day: day.first_line)
    return FileClock(
        timezone=zone.shown(),
        timezone_source=zone.source,
        year_source=years.source,
        first_year=first.first.year if first.year_no is None else value_at(years.years, first.first_line),
        years=years.years,
        zone=None if zone.offsets else zone.name,
        offsets=zone.offsets,
        folds=hours.folds,
        clock_offset_s=(node.clock_offset_s or 0.0) if node else 0.0,
        doubts=tuple(_doubts(file, years, hours)),
        remark="; ".join(
            f"{hour.shown()} came twice: lines taken to be of the {word} time, where other logs of the run lie"
            for hour, word in hours.by_others
        )
        or None,
    )


def _doubts(file: StampFacts, years: Years, hours: Hours) -> Iterator[Doubt]:
    """What may be wrong about the times of a file's lines."""
    if years.doubt is not None:
        yield Doubt("year", years.doubt)
    for day in file.bare_days():
        year = value_at(years.years, day.first_line)
        if in_year(day.first.date(), year) is None:
            text = f"of 29 February without a time: {year}, the year that was taken for them, has no such day"
            yield Doubt("undated", text, day.first_line, day.rows)
    for hour in hours.doubtful:
        if hour.kind == "twice":
            text = f"of {hour.shown()}, an hour that came twice: nothing tells of which, so the first was taken"
        else:
            text = f"of {hour.shown()}, an hour that summer time left out: taken to be as much later"
        yield Doubt(hour.kind, text, between=(hour.start, hour.end))


# --- applying --------------------------------------------------------------------------------------------------------


def apply(frame: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Replace the stamp columns by `at` (naive UTC) and `local_at` (wall clock with its year), in the rows' order.

    Both are null where the year is one in which the day does not exist. `clocks` are by file_id. Any part of a file
    gives the same as the whole.
    """
    placed = _placed(frame, clocks)
    columns = [name for name in frame.columns if name not in STAMP_SCHEMA and name not in KEY_SCHEMA]
    return frame.with_columns(placed.get_column("at"), placed.get_column("local_at")).select(
        *KEY_SCHEMA, "at", "local_at", *columns
    )


def _placed(frame: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Key and stamp columns with local_at and at, in the frame's order."""
    rows = frame.select("file_id", "line_no", *STAMP_SCHEMA).with_row_index("row")
    rows = _with_local_at(rows.with_columns(pl.col("has_year").fill_null(value=True)), clocks)
    rows = _with_offset(rows, clocks)
    rows = _with_fold(rows, clocks)
    flat = {
        "file_id": list(clocks),
        "zone": [clock.zone for clock in clocks.values()],
        "ahead_us": [round(clock.clock_offset_s * 1e6) for clock in clocks.values()],
    }
    schema = {"file_id": pl.Int32(), "zone": pl.String(), "ahead_us": pl.Int64()}
    rows = rows.join(pl.DataFrame(flat, schema=schema), on="file_id", how="left")
    by_rule = [
        _by_rules(group, str(zone))
        for (zone,), group in rows.partition_by("zone", as_dict=True).items()
        if zone is not None
    ]
    by_offset = rows.filter(pl.col("zone").is_null()).with_columns(
        at=pl.col("local_at") - pl.duration(minutes=pl.col("offset"))
    )
    placed = pl.concat([by_offset, *by_rule], how="vertical").sort("row")
    return placed.with_columns(pl.col("at") - pl.duration(microseconds=pl.col("ahead_us")))


def _by_rules(rows: pl.DataFrame, zone: str) -> pl.DataFrame:
    """UTC by a zone with summer time, where the line states no offset."""
    wall = pl.when(pl.col("utc_offset_min").is_null()).then(pl.col("local_at"))
    in_zone = wall.dt.replace_time_zone(zone, ambiguous=pl.col("fold"), non_existent="null")
    is_in_gap = wall.is_not_null() & in_zone.is_null()
    by_rule = pl.when(is_in_gap).then(utc(wall, zone)).otherwise(without_zone(in_zone))
    stated = pl.col("local_at") - pl.duration(minutes=pl.col("utc_offset_min"))
    return rows.with_columns(at=pl.coalesce(stated, by_rule))


def _with_local_at(rows: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    years = [(file_id, *year) for file_id, clock in clocks.items() for year in clock.years]
    schema = {"file_id": pl.Int32(), "line_no": pl.Int32(), "year": pl.Int32()}
    rows = _latest(rows, pl.DataFrame(years, schema=schema, orient="row"), "line_no", ["file_id"])
    day, year = pl.col("stamp"), pl.col("year")
    is_leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    exists = year.is_between(1, 9998) & (is_leap | (day.dt.ordinal_day() != 60))  # in 2000: 29 February
    with_year = day.dt.replace(year=pl.when(exists).then(year).otherwise(2000))
    local_at = pl.when(pl.col("has_year")).then(day).when(exists).then(with_year)
    return rows.with_columns(local_at=local_at).drop("year")


def _with_offset(rows: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Minutes east of UTC: the line's own, else the file's at that wall clock time."""
    offsets = [(file_id, *offset) for file_id, clock in clocks.items() for offset in clock.offsets]
    schema = {"file_id": pl.Int32(), "local_at": pl.Datetime("us"), "offset": pl.Int16()}
    rows = _latest(rows, pl.DataFrame(offsets, schema=schema, orient="row"), "local_at", ["file_id"])
    return rows.with_columns(offset=pl.coalesce("utc_offset_min", "offset"))


def _with_fold(rows: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Which of the two an ambiguous time is: the earlier until the clock stepped back within the hour."""
    folds = [(file_id, line, day, line) for file_id, clock in clocks.items() for line, day in clock.folds]
    schema = {"file_id": pl.Int32(), "line_no": pl.Int32(), "day": pl.Int32(), "step_line": pl.Int32()}
    day = pl.col("local_at").dt.month().cast(pl.Int32) * 100 + pl.col("local_at").dt.day()
    rows = _latest(
        rows.with_columns(day=day), pl.DataFrame(folds, schema=schema, orient="row"), "line_no", ["file_id", "day"]
    )
    fold = pl.when(pl.col("step_line").is_null()).then(pl.lit(AMBIGUOUS[0])).otherwise(pl.lit(AMBIGUOUS[1]))
    return rows.with_columns(fold=fold).drop("day", "step_line")


def _latest(rows: pl.DataFrame, values: pl.DataFrame, on: str, by: list[str]) -> pl.DataFrame:
    """Join the last value at or before each row. Both sides are sorted here, which Polars cannot check by group."""
    known = rows.filter(pl.col(on).is_not_null()).sort(*by, on)
    joined = known.join_asof(values.sort(*by, on), on=on, by=by, strategy="backward", check_sortedness=False)
    return pl.concat([joined, rows.filter(pl.col(on).is_null())], how="diagonal")
