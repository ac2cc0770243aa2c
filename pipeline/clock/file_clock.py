"""Year and zone of every file, with the record of where they were taken from; stamps into UTC.

A parser prints the wall clock as it found it. `resolve` decides by the facts of all files (`pipeline.reading.stamps`),
`apply` turns stamps into `at` (UTC) and `local_at`.

year_source      explicit (study.toml), in_line (years in the same file), sibling (other files: of the node and run,
                 of the node, of the run; a doubt where only other hosts or runs show one), filename (a date in the
                 name of the file or of a folder), archive (a member's time), weekday (printed beside the day), mtime
                 (the file's time), now (a guess, to be reported prominently); of lines with a time of day alone, what
                 shows their day, see `clock.day`
timezone_source  line (an offset beside the stamp), node (another file of the node), manifest (study.toml), study (the
                 only zone of other hosts' files of the same run, else of the same time), assumed (wall clock stored as
                 UTC: only durations hold)
date_order_source  of dates in which it does not show: as `pipeline/reading/date_order.py` lists them
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import polars as pl

from parsers.format import DAYLESS, KEY_SCHEMA, STAMP_SCHEMA
from parsers.leap_year import with_year
from pipeline.clock.day import first_days, in_days, is_dayless
from pipeline.clock.doubt import Doubt
from pipeline.clock.dst import Hours, resolved_hours
from pipeline.clock.year import Years, in_year, resolved_years, value_at
from pipeline.clock.zone import Zone, resolved_zones
from pipeline.local_time import AMBIGUOUS, YEARS, as_utc, utc, without_zone
from pipeline.reading.date_order import ORDER_NAMES, DateOrder, PrintedDates
from pipeline.reading.stamps import StampFacts
from pipeline.store.own_table import OwnTable
from pipeline.study.manifest import Manifest

NAMED = 3
"""Files named as evidence."""

_LINE_KEY = {name: KEY_SCHEMA[name] for name in ("file_id", "line_no")}

CLOCK_STEP = OwnTable(
    "log.clock_step",
    "One row per line stamped more than 0.9 s before the line above it.",
    {
        "file_id": (pl.Int32(), "source_file"),
        "line_no": (pl.Int32(), "line that the step landed on"),
        "step_s": (pl.Float64(), "seconds, negative"),
        "is_dst": (pl.Boolean(), "the end of summer time"),
    },
)


@dataclass(frozen=True, slots=True)
class FileClock:
    """Year and zone of one file, with their source.

    `years`: the year of the lines without one, each from a line on. `offsets`: minutes east of UTC, each from a wall
    clock time on, for lines that state none; empty where `zone` is a zone with summer time. `folds`: lines (with month
    and day) after which an ambiguous hour is the later one. `clock_offset_s`: the clock was ahead by so much.
    `shift_days`: from the day that the stamps of lines with a time of day alone count from, to that of the first line.
    `date_order`: that of dates in which it does not show, null without such.
    `doubts`: doubts about it. `remark`: what other files show about hours that occur twice, and about dates.
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
    shift_days: int | None = None
    date_order: str | None = None
    date_order_source: str | None = None
    doubts: tuple[Doubt, ...] = ()
    remark: str | None = None


def resolve(files: Sequence[StampFacts], manifest: Manifest, now: datetime) -> dict[str, FileClock]:
    """The clock of every file by its path; their dates are read in the order that was resolved before.

    `now` serves as the last resort for a year.
    """
    dayless = [each for each in files if is_dayless(each)]
    dated = [each for each in files if not is_dayless(each)]
    years = resolved_years(dated, manifest, as_utc(now))
    days = first_days(dayless, dated, years, manifest)
    years |= {each.path: Years(days[each.path].source if each.path in days else None) for each in dayless}
    placed = [in_days(each, days.get(each.path)) for each in files]
    zones = resolved_zones(placed, years, manifest)
    hours = resolved_hours(placed, years, zones)
    found = {
        each.path: _clock(each, years[each.path], zones.get(each.path), hours.get(each.path, Hours()), manifest)
        for each in placed
    }
    return found | {path: replace(found[path], shift_days=day.shift.days) for path, day in days.items()}


def clock_steps(files: Sequence[StampFacts], clocks: Mapping[str, FileClock]) -> pl.DataFrame:
    """The rows of `log.clock_step`."""
    rows = [
        (each.file_id, step.line_no, step.step_s, step.line_no in {line for line, _ in clocks[each.path].folds})
        for each in files
        if each.stamps is not None
        for step in each.stamps.steps
    ]
    return CLOCK_STEP.frame(rows)


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
        date_order=file.date_order.name if file.date_order else None,
        date_order_source=file.date_order.source if file.date_order else None,
        doubts=tuple(_doubts(file, years, hours)),
        remark="; ".join(_remarks(file, hours)) or None,
    )


def _remarks(file: StampFacts, hours: Hours) -> Iterator[str]:
    """What other files showed."""
    for hour, word in hours.by_others:
        yield f"{hour.shown()} came twice: lines taken to be of the {word} time, where other logs of the run lie"
    order = file.date_order
    if order is not None and order.witnesses and order.is_sure:
        others = "have lines on these days" if order.source == "logs" else "tell theirs"
        yield f"dates read {ORDER_NAMES[order.name]}, as {_named(order.witnesses)} {others}"


def _named(paths: Sequence[str]) -> str:
    shown = ", ".join(paths[:NAMED])
    return shown if len(paths) <= NAMED else f"{shown} and {len(paths) - NAMED} more"


def _doubts(file: StampFacts, years: Years, hours: Hours) -> Iterator[Doubt]:
    """What may be wrong about the times of a file's lines."""
    if years.doubt is not None:
        yield Doubt("year", years.doubt)
    if file.dates is not None and file.date_order is not None and not file.date_order.is_sure:
        yield _order_doubt(file.dates, file.date_order)
    for day in file.bare_days():
        year = value_at(years.years, day.first_line)
        if in_year(day.first.date(), year) is None:
            text = f"of 29 February without a time: {year}, the year that was assumed, has no such day"
            yield Doubt("undated", text, day.first_line, day.rows)
    for hour in hours.doubtful:
        if hour.kind == "twice":
            text = f"of {hour.shown()}, an hour that came twice: nothing shows which of the two, so the first was taken"
        else:
            text = f"of {hour.shown()}, an hour that summer time left out: taken to be as much later"
        yield Doubt(hour.kind, text, between=(hour.start, hour.end))


def _order_doubt(dates: PrintedDates, order: DateOrder) -> Doubt:
    why = (
        f"{_named(order.witnesses)} support different orders"
        if order.witnesses
        else "nothing shows which number is the day"
    )
    text = f"with dates such as {dates.first}: {why}, so they were read {ORDER_NAMES[order.name]} (set date_order)"
    return Doubt("date_order", text, dates.first_line, dates.lines)


# --- applying --------------------------------------------------------------------------------------------------------


def apply(frame: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Replace the stamp columns by `at` (naive UTC) and `local_at` (wall clock with its year), in the rows' order.

    Both are null where the year is one in which the day does not exist, and beyond `YEARS`. `clocks` are by file_id.
    Any part of a file
    gives the same as the whole.
    """
    placed = _placed(frame, clocks)
    columns = [name for name in frame.columns if name not in STAMP_SCHEMA and name not in KEY_SCHEMA]
    return frame.with_columns(placed.get_column("at"), placed.get_column("local_at")).select(
        *KEY_SCHEMA, "at", "local_at", *columns
    )


def spans(frame: pl.DataFrame) -> list[tuple[int, datetime | None, datetime | None]]:
    """The files with rows in a frame, each with its earliest and latest time."""
    found = frame.group_by("file_id").agg(first=pl.col("at").min(), last=pl.col("at").max())
    return found.rows()


def local_instant(wall: datetime, clock: FileClock) -> datetime | None:
    """A wall clock time of the zone of a file in naive UTC; the earlier one of an hour that occurs twice."""
    stamp = {"stamp": [wall], "has_year": [True], "utc_offset_min": [None]}
    frame = pl.DataFrame({"file_id": [0], "line_no": [0], **stamp}, schema={**_LINE_KEY, **STAMP_SCHEMA})
    zone_alone = replace(clock, years=(), folds=(), clock_offset_s=0.0, shift_days=None)
    at = _placed(frame, {0: zone_alone}).get_column("at").item()
    return at if isinstance(at, datetime) else None


def _placed(frame: pl.DataFrame, clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """Key and stamp columns with local_at and at, in the frame's order.

    Most files have one year and one offset: these are joined by file. Only in files in which they change they are
    looked up by line or by time.
    """
    rows = (
        frame.select("file_id", "line_no", *STAMP_SCHEMA)
        .with_columns(pl.col("has_year").fill_null(value=True))
        .join(_of_files(clocks), on="file_id", how="left", maintain_order="left")
    )
    years = [(file_id, *year) for file_id, clock in clocks.items() if len(clock.years) > 1 for year in clock.years]
    rows = _looked_up(rows, "year", years, ["line_no"]).with_columns(local_at=_local_at())
    offsets = [
        (file_id, *each) for file_id, clock in clocks.items() if len(clock.offsets) > 1 for each in clock.offsets
    ]
    rows = _looked_up(rows, "offset", offsets, ["local_at"])
    day = pl.col("local_at").dt.month().cast(pl.Int32) * 100 + pl.col("local_at").dt.day()
    folds = [(file_id, day, line, AMBIGUOUS[1]) for file_id, clock in clocks.items() for line, day in clock.folds]
    rows = _looked_up(rows.with_columns(day=day) if folds else rows, "fold", folds, ["day", "line_no"])
    offset = pl.duration(minutes=pl.coalesce("utc_offset_min", "offset"))
    ahead = pl.duration(microseconds=pl.col("ahead_us"))
    placed = rows.with_columns(at=pl.col("local_at") - offset)
    for zone in rows.get_column("zone").unique().drop_nulls().sort():
        placed = placed.with_columns(at=pl.coalesce("at", _by_rules(placed, zone)))
    known = {"at": pl.col("at") - ahead, "local_at": pl.col("local_at")}
    return placed.with_columns(pl.when(each.is_between(*YEARS)).then(each).alias(name) for name, each in known.items())


def _of_files(clocks: Mapping[int, FileClock]) -> pl.DataFrame:
    """What is the same for all lines of a file; year and offset of those in which they never change."""
    each = clocks.values()
    columns = {
        "file_id": list(clocks),
        "year": [clock.years[0][1] if len(clock.years) == 1 else None for clock in each],
        "offset": [clock.offsets[0][1] if len(clock.offsets) == 1 else None for clock in each],
        "zone": [clock.zone for clock in each],
        "fold": [AMBIGUOUS[0] for _ in each],
        "ahead_us": [round(clock.clock_offset_s * 1e6) for clock in each],
        "shift_days": [clock.shift_days for clock in each],
    }
    schema = {
        "file_id": pl.Int32(),
        "year": pl.Int32(),
        "offset": pl.Int16(),
        "zone": pl.String(),
        "fold": pl.String(),
        "ahead_us": pl.Int64(),
        "shift_days": pl.Int32(),
    }
    return pl.DataFrame(columns, schema=schema)


def _looked_up(rows: pl.DataFrame, name: str, entries: Sequence[tuple[object, ...]], keys: list[str]) -> pl.DataFrame:
    """Fill a column of the files of `entries` (file_id, keys, value): the last value at or before each row."""
    if not entries:
        return rows
    schema = {"file_id": pl.Int32(), **{key: rows.schema[key] for key in keys}, "found": rows.schema[name]}
    values = pl.DataFrame(entries, schema=schema, orient="row")
    is_meant = pl.col("file_id").is_in(values.get_column("file_id").unique().implode())
    meant = rows.select("file_id", *keys).with_row_index("row").filter(is_meant & pl.col(keys[-1]).is_not_null())
    order = ["file_id", *keys]
    # both sides are sorted here, which Polars cannot check by group
    found = meant.sort(order).join_asof(
        values.sort(order), on=keys[-1], by=order[:-1], strategy="backward", check_sortedness=False
    )
    why = found.drop_nulls("found")
    return rows.with_columns(rows.get_column(name).scatter(why.get_column("row"), why.get_column("found")))


def _local_at() -> pl.Expr:
    """The stamp in its year."""
    stamp = pl.col("stamp")
    is_dayless = stamp.dt.year() == DAYLESS.year
    return (
        pl.when(pl.col("has_year"))
        .then(stamp)
        .when(is_dayless)
        .then(stamp + pl.duration(days=pl.col("shift_days")))
        .otherwise(with_year(stamp, pl.col("year")))
    )


def _by_rules(rows: pl.DataFrame, zone: str) -> pl.Series:
    """UTC by a zone with summer time, where the line gives no offset."""
    wall = pl.when((pl.col("zone") == zone) & pl.col("utc_offset_min").is_null()).then(pl.col("local_at"))
    fold = pl.col("fold") if (rows.get_column("fold") == AMBIGUOUS[1]).any() else pl.lit(AMBIGUOUS[0])
    walls = rows.select(wall=wall, fold=fold)
    in_zone = pl.col("wall").dt.replace_time_zone(zone, ambiguous=pl.col("fold"), non_existent="null")
    placed = walls.select("wall", at=without_zone(in_zone))
    if placed.get_column("at").null_count() > placed.get_column("wall").null_count():  # in an hour that was skipped
        placed = placed.with_columns(pl.coalesce("at", utc(pl.col("wall"), zone)))
    return placed.get_column("at")
