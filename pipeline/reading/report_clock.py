"""Reports of iostat, vmstat and sar: numbered, and dated as far as their file shows when they were printed.

A parser hands over the lines at which reports may begin, and times as printed (`Format.reports`). What they
mean takes the whole file: which report a header belongs to, whether 11/05/26 is in May, of which day a bare time is.

date order   as far as the file shows (`pipeline/reading/date_order.py`); where other files may know better
             (`pipeline/clock/date_order_inference.py`), the reports are dated in each order that is possible
day          that of the dates; of a time without a date, that of the tool's first line, a day later after each midnight
interval     as printed; else between two stamps; else stated. Never taken from anything else here
since boot   the first report of iostat and vmstat, unless the command says -y; that of mpstat without an interval
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

import polars as pl

from parsers.format import Reports, formats
from pipeline.reading.date_order import ORDERS, DateOrder, PrintedDates, date_order, day_of, in_order_name
from pipeline.reading.stamps import facts_of, stamps_of

AMBIGUOUS = r"^\d{1,2}[/-]"
HALF_DAY = r"(?i)\d ?[ap]\.?m"
MIDNIGHT_DROP_S = 43_200.0
"""A time of day that falls by more than this is of the next day; a smaller fall is a clock that was set back."""

GAP_FACTOR = 1.5
REPORTED = ("time", "cpu", "device", "nfs", "repeat", "row")
POINT = ("mark", "file_id", "kind", "section", "invocation_no", "report", "interval_s", "is_since_boot")
"""What intervals between reports follow from, besides their times."""


@dataclass(frozen=True, slots=True)
class Declared:
    """What study.toml declares of a file's reports; `start`: the file's wall clock at its first report."""

    interval_s: float | None = None
    start: datetime | None = None
    date_order: str | None = None


def numbered(
    kind: Reports, tables: Mapping[str, pl.DataFrame], declared: Mapping[int, Declared]
) -> tuple[dict[str, pl.DataFrame], dict[int, PrintedDates]]:
    """The tables of whole files with their marks resolved; and, by file, dates that can be read in several orders.

    The marks of files with such dates are also given as read in each possible order, under `in_order_name`.
    """
    table = kind.marks.name
    if table not in tables:
        return dict(tables), {}
    marks, invocations = tables[table], tables.get(kind.invocations.name, kind.invocations.empty())
    dates = _printed_dates(marks, invocations, _orders(marks, invocations, declared))
    found = {**tables, table: resolved(kind, marks, invocations, declared)}
    rivals: dict[int, dict[str, str]] = {number: {} for number in dates}
    for name in ORDERS:
        of_order = {number: declared.get(number, Declared()) for number in dates if name in dates[number].order.rivals}
        if of_order:
            read = _in_order(kind, marks, invocations, of_order, name)
            found[in_order_name(table, name)] = read
            for number, stamps in stamps_of(facts_of(read)).items():
                rivals[number][name] = stamps.as_json()
    return found, {number: replace(each, stamps=rivals[number]) for number, each in dates.items()}


def is_of_marks(table: str) -> bool:
    """Whether a table holds the marks of reports."""
    return any(each.reports is not None and each.reports.marks.name == table for each in formats().values())


def _in_order(
    kind: Reports, marks: pl.DataFrame, invocations: pl.DataFrame, declared: Mapping[int, Declared], order: str
) -> pl.DataFrame:
    """The marks of the files of which something is `declared`, resolved as if so was this order."""
    of_files = pl.col("file_id").is_in(list(declared))
    reported = {file_id: replace(each, date_order=order) for file_id, each in declared.items()}
    return resolved(kind, marks.filter(of_files), invocations.filter(of_files), reported)


def resolved(
    kind: Reports, marks: pl.DataFrame, invocations: pl.DataFrame, declared: Mapping[int, Declared]
) -> pl.DataFrame:
    """The marks of whole files with their reports numbered and their times resolved, sorted by file and line."""
    if marks.is_empty():
        return marks
    rows = marks.sort("file_id", "line_no", "part").with_row_index("mark")
    rows = _with_invocation(rows, invocations)
    rows = _dated(rows, invocations, declared)
    rows = _with_reports(rows)
    rows = _numbered(rows, kind, invocations)
    rows = _with_intervals(rows, declared)
    rows = _with_declared_times(rows, kind, declared)
    return rows.sort("mark").select(pl.col(name).cast(dtype) for name, dtype in marks.schema.items())


# --- dates -----------------------------------------------------------------------------------------------------------


def _dated(rows: pl.DataFrame, invocations: pl.DataFrame, declared: Mapping[int, Declared]) -> pl.DataFrame:
    """Stamps for times whose date was open, or that were printed without one."""
    is_open = pl.col("stamp").is_null() & pl.col("clock_s").is_not_null()
    if not rows.select(is_open.any()).item():
        return rows.with_columns(time_quality=pl.lit(None, pl.String))
    orders = _orders(rows, invocations, declared)
    days = _day_table(rows, invocations, orders, declared)
    keys = pl.DataFrame(
        {
            "file_id": list(orders),
            "order_doubt": [None if each.is_sure else "ambiguous_date" for each in orders.values()],
        },
        schema={"file_id": pl.Int32(), "order_doubt": pl.String()},
    )
    heads = invocations.select("file_id", inv_line="line_no", head_date="date_text").drop_nulls("head_date")
    rows = rows.join(keys, on="file_id", how="left", maintain_order="left")
    known = heads.select("file_id", "inv_line", "head_date").unique(["file_id", "inv_line"])
    rows = rows.join(known, on=["file_id", "inv_line"], how="left", maintain_order="left", nulls_equal=True)
    first = {file_id: str(each.start.date()) for file_id, each in declared.items() if each.start is not None}
    begun = pl.col("file_id").replace_strict(list(first), list(first.values()), default=None, return_dtype=pl.String)
    date_key = pl.coalesce("date_text", "head_date", begun)
    rows = rows.with_columns(date_key=pl.when(is_open).then(date_key))
    rows = rows.join(days, on=["file_id", "date_key"], how="left", maintain_order="left")
    clock = pl.duration(microseconds=(pl.col("clock_s") * 1_000_000).round().cast(pl.Int64))
    is_dateless = is_open & pl.col("date_text").is_null()
    midnights = _midnights(rows, is_dateless)
    stamp = pl.col("day").cast(pl.Datetime("us")) + clock + pl.duration(days=pl.lit(midnights))
    is_doubtful = is_open & pl.col("date_key").str.contains(AMBIGUOUS)
    return rows.with_columns(
        stamp=pl.when(is_open).then(stamp).otherwise("stamp"),
        time_quality=pl.when(is_doubtful).then("order_doubt"),
    )


def _midnights(rows: pl.DataFrame, is_dateless: pl.Expr) -> pl.Series:
    """Midnights since the tool's first line, by times that have no date."""
    group = ["file_id", "inv_line", "section"]
    bare = rows.select("mark", *group, "clock_s", is_dateless.alias("is_dateless")).filter("is_dateless")
    fell = (pl.col("clock_s").shift(1).over(group) - pl.col("clock_s")) > MIDNIGHT_DROP_S
    counted = bare.with_columns(midnights=fell.fill_null(value=False).cast(pl.Int64).cum_sum().over(group))
    joined = rows.select("mark").join(counted.select("mark", "midnights"), on="mark", how="left", maintain_order="left")
    return joined.get_column("midnights").fill_null(0)


def _orders(marks: pl.DataFrame, invocations: pl.DataFrame, declared: Mapping[int, Declared]) -> dict[int, DateOrder]:
    """The order of the dates of each file in which it does not show."""
    printed = _printed(marks, invocations)
    dates = printed.group_by("file_id", maintain_order=True).agg(pl.col("date_text").unique(maintain_order=True))
    half_days = marks.group_by("file_id").agg(pl.col("time_text").str.contains(HALF_DAY).any())
    is_half_day = dict(half_days.iter_rows())
    dated = marks.filter(pl.col("has_year") & pl.col("stamp").is_not_null())
    others = dict(dated.group_by("file_id").agg(pl.col("stamp").dt.date().unique().sort()).iter_rows())
    return {
        file_id: date_order(
            [text for text in texts if _is_real(text)],
            declared.get(file_id, Declared()).date_order,
            others=others.get(file_id, ()),
            is_half_day=bool(is_half_day.get(file_id)),
        )
        for file_id, texts in dates.iter_rows()
    }


def _printed(marks: pl.DataFrame, invocations: pl.DataFrame) -> pl.DataFrame:
    """The dates in which the order does not show, by file and line."""
    columns = ["file_id", "line_no", "date_text"]
    printed = pl.concat([marks.select(columns), invocations.select(columns)])
    return printed.filter(pl.col("date_text").str.contains(AMBIGUOUS)).sort("file_id", "line_no")


def _printed_dates(
    marks: pl.DataFrame, invocations: pl.DataFrame, orders: Mapping[int, DateOrder]
) -> dict[int, PrintedDates]:
    """What is known about such dates where times hang on them."""
    hangs = pl.col("stamp").is_null() & pl.col("clock_s").is_not_null()
    hangs &= pl.col("date_text").is_null() | pl.col("date_text").str.contains(AMBIGUOUS)
    lines = marks.filter(hangs).group_by("file_id").agg(line=pl.col("line_no").min(), count=pl.len())
    firsts = _printed(marks, invocations).group_by("file_id", maintain_order=True).agg(pl.col("date_text").first())
    return {
        file_id: PrintedDates(orders[file_id], text, line, count)
        for file_id, text, line, count in firsts.join(lines, on="file_id", maintain_order="left").iter_rows()
    }


def _is_real(text: str) -> bool:
    """Whether a date exists in some order; 33/04/2023 does in none, and reports none."""
    return any(day_of(text, order) for order in ORDERS)


def _day_table(
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


# --- reports ---------------------------------------------------------------------------------------------------------


def _with_invocation(rows: pl.DataFrame, invocations: pl.DataFrame) -> pl.DataFrame:
    """The last line of the tool's own before each mark."""
    lines = invocations.select("file_id", "line_no", inv_line="line_no").sort("file_id", "line_no")
    if lines.is_empty():
        return rows.with_columns(inv_line=pl.lit(None, pl.Int32))
    return rows.join_asof(lines, on="line_no", by="file_id", strategy="backward", check_sortedness=False)


def _with_reports(rows: pl.DataFrame) -> pl.DataFrame:
    """Number all reports of all files through: `report`, null for marks that are no part of one."""
    reported = rows.filter(pl.col("kind").is_in(REPORTED)).select("mark", "file_id", "kind", "section", "inv_line")
    is_time = pl.col("kind") == "time"
    of_next = pl.when(~is_time).then("section").backward_fill().over("file_id")
    reported = reported.with_columns(section=pl.coalesce(of_next, "section"))
    is_same = (pl.col("file_id") == pl.col("file_id").shift(1)) & (pl.col("section") == pl.col("section").shift(1))
    before = pl.when(is_same).then(pl.col("kind").shift(1))
    goes_on = pl.col("inv_line").eq_missing(pl.col("inv_line").shift(1))
    is_part = (before == "time") | (
        goes_on
        & (
            ((pl.col("kind") == "device") & (before == "cpu"))
            | ((pl.col("kind") == "nfs") & before.is_in(["cpu", "device"]))
        )
    )
    reported = reported.with_columns(report=(~is_part.fill_null(value=False)).cum_sum())
    has_table = (pl.col("kind") != "time").any().over("report")
    reported = reported.with_columns(report=pl.when(has_table).then("report"))
    return (
        rows.drop("section")
        .join(reported.select("mark", "report", report_section="section"), on="mark", how="left", maintain_order="left")
        .with_columns(section=pl.coalesce("report_section", rows.get_column("section")))
        .drop("report_section")
    )


def _numbered(rows: pl.DataFrame, kind: Reports, invocations: pl.DataFrame) -> pl.DataFrame:
    is_table = pl.col("kind") != "time"
    own_time = pl.when(pl.col("time_text").is_not_null())
    reports = (
        rows.filter(pl.col("report").is_not_null())
        .group_by("report", maintain_order=True)
        .agg(
            pl.col("file_id").first(),
            pl.col("section").first(),
            pl.col("line_no").first().alias("report_line"),
            pl.col("line_no").filter(is_table).first().alias("table_line"),
            pl.col("inv_line").filter(is_table).last().alias("report_inv"),
            *(
                own_time.then(pl.col(name)).drop_nulls().last().alias(f"of_{name}")
                for name in ("stamp", "utc_offset_min", "time_source", "time_quality")
            ),
            own_time.then(pl.col("has_year")).drop_nulls().last().alias("of_has_year"),
        )
        .sort("file_id", "report_line")
    )
    is_new = ~pl.col("report_inv").eq_missing(pl.col("report_inv").shift(1).over("file_id"))
    is_first = pl.col("file_id").cum_count().over("file_id") == 1
    reports = reports.with_columns(invocation_no=(is_new | is_first).cum_sum().over("file_id"))
    group = ["file_id", "invocation_no", "section"]
    reports = reports.with_columns(report_no=pl.col("report").cum_count().over(group))
    reports = reports.join(_without_boot(reports, kind, invocations), on=["file_id", "invocation_no"], how="left")
    from_boot = (
        (pl.col("report_no") == 1)
        & pl.col("section").is_in(kind.from_boot)
        & ~pl.col("is_without_boot").fill_null(value=False)
    )
    reports = reports.with_columns(is_since_boot=from_boot).drop("is_without_boot", "table_line", "report_inv")
    taken = rows.drop("report_line", "invocation_no", "report_no", "is_since_boot").join(
        reports.drop("file_id", "section"), on="report", how="left", maintain_order="left"
    )
    has_report = pl.col("report").is_not_null()
    resolved_times = {
        name: pl.when(has_report).then(f"of_{name}").otherwise(name)
        for name in ("stamp", "utc_offset_min", "time_source", "time_quality")
    }
    return taken.with_columns(
        **resolved_times,
        has_year=pl.when(has_report).then(pl.col("of_has_year").fill_null(value=True)).otherwise("has_year"),
    )


def _without_boot(reports: pl.DataFrame, kind: Reports, invocations: pl.DataFrame) -> pl.DataFrame:
    """Invocations whose command suppresses the report since boot. Prompt and first line of the tool are one."""
    firsts = reports.group_by("file_id", "invocation_no", maintain_order=True).agg(
        pl.col("table_line").min().alias("line_no")
    )
    commands = invocations.select("file_id", "line_no", "command").drop_nulls("command").sort("file_id", "line_no")
    if commands.is_empty():
        return firsts.select("file_id", "invocation_no", pl.lit(False).alias("is_without_boot"))
    # The command of an invocation is between its first table and the last report of the one before.
    ordered = firsts.sort("file_id", "line_no")
    joined = commands.join_asof(ordered, on="line_no", by="file_id", strategy="forward", check_sortedness=False)
    found = joined.with_columns(pl.col("command").str.contains(kind.without_boot).alias("is_without_boot"))
    return found.drop_nulls("invocation_no").group_by("file_id", "invocation_no").agg(pl.col("is_without_boot").any())


# --- what is given, and intervals -----------------------------------------------------------------------------------


def _with_declared_times(rows: pl.DataFrame, kind: Reports, declared: Mapping[int, Declared]) -> pl.DataFrame:
    """Reports without a time in a file whose start and interval are given: one interval after the other."""
    known = [
        (file_id, each.start, each.interval_s)
        for file_id, each in declared.items()
        if each.start is not None and each.interval_s is not None
    ]
    if not known:
        return rows
    schema = {"file_id": pl.Int32(), "start": pl.Datetime("us"), "step_s": pl.Float64(), "east": pl.Int16()}
    east = {file_id: start.utcoffset() for file_id, start, _ in known}
    naive = [
        (file_id, start.replace(tzinfo=None), step, None if away is None else int(away.total_seconds() // 60))
        for (file_id, start, step), away in zip(known, east.values(), strict=True)
    ]
    rows = rows.join(pl.DataFrame(naive, schema=schema, orient="row"), on="file_id", how="left", maintain_order="left")
    elapsed = pl.duration(microseconds=((pl.col("report_no") - 1) * pl.col("step_s") * 1_000_000).cast(pl.Int64))
    has_none = pl.col("stamp").is_null().all().over("file_id")
    is_declared = has_none & (pl.col("invocation_no") == 1) & pl.col("section").is_in(kind.from_boot)
    return rows.with_columns(
        stamp=pl.when(is_declared).then(pl.col("start") + elapsed).otherwise("stamp"),
        has_year=pl.when(is_declared).then(True).otherwise("has_year"),
        utc_offset_min=pl.when(is_declared).then("east").otherwise("utc_offset_min"),
        time_source=pl.when(is_declared).then(pl.lit("stated")).otherwise("time_source"),
    )


def _with_intervals(rows: pl.DataFrame, declared: Mapping[int, Declared]) -> pl.DataFrame:
    """What each report covers, and which of them cover more than the others, or go back."""
    offset = pl.duration(minutes=pl.col("utc_offset_min").fill_null(0).cast(pl.Int64))
    is_point = pl.col("report").is_not_null() | (pl.col("kind") == "origin")
    points = rows.filter(is_point).select(*POINT, instant=pl.col("stamp") - offset)
    points = points.unique(["report", "mark"], maintain_order=True).filter(
        (pl.col("kind") == "origin") | pl.col("report").ne_missing(pl.col("report").shift(1))
    )
    group = ["file_id", "invocation_no", "section"]
    points = points.with_columns(pl.col("invocation_no").backward_fill().over("file_id", "section"))
    step = (pl.col("instant") - pl.col("instant").shift(1).over(group)).dt.total_microseconds() / 1e6
    points = points.with_columns(step=step, is_after_origin=(pl.col("kind").shift(1).over(group) == "origin")).filter(
        pl.col("report").is_not_null()
    )
    usual = pl.col("step").filter(pl.col("step") > 0).median().over(group)
    is_gap = (pl.col("step") > GAP_FACTOR * usual) & (pl.col("step").count().over(group) >= 3)
    reported = {number: each.interval_s for number, each in declared.items() if each.interval_s is not None}
    declared_s = pl.col("file_id").replace_strict(
        list(reported), list(reported.values()), default=None, return_dtype=pl.Float64
    )
    measured = pl.when(pl.col("step") > 0).then("step")
    is_mpstat_boot = pl.col("is_after_origin") & (pl.col("step") == 0)
    points = points.with_columns(
        interval=pl.coalesce("interval_s", measured, pl.when(pl.col("step").is_null()).then(declared_s)),
        source=pl.when(pl.col("interval_s").is_not_null())
        .then(pl.lit("printed"))
        .when(measured.is_not_null())
        .then(pl.lit("stamps"))
        .when(pl.col("step").is_null() & declared_s.is_not_null())
        .then(pl.lit("stated")),
        from_boot=pl.col("is_since_boot") | is_mpstat_boot.fill_null(value=False),
        doubt=pl.when(is_gap.fill_null(value=False))
        .then(pl.lit("gap"))
        .when((pl.col("step") < 0).fill_null(value=False))
        .then(pl.lit("clock_step")),
    )
    of_report = points.select("report", "interval", "source", "from_boot", "doubt")
    rows = rows.join(of_report, on="report", how="left", maintain_order="left")
    is_boot = pl.col("from_boot").fill_null(value=False)
    return rows.with_columns(
        interval_s=pl.when(~is_boot).then("interval"),
        interval_source=pl.when(~is_boot).then("source"),
        is_since_boot="from_boot",
        flags=pl.when(~is_boot).then("doubt"),
    )
