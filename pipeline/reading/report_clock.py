"""Reports of iostat, vmstat and sar: numbered, and dated as far as their file shows when they were printed.

A parser hands over the lines at which reports may begin, and times as printed (`Format.reports`). What they
mean takes the whole file: which report a header belongs to, whether 11/05/26 is in May, of which day a bare time is.

date order   as far as the file shows (`pipeline/reading/date_order.py`); where other files may know better
             (`pipeline/clock/date_order_inference.py`), the reports are dated in each order that is possible
day          that of the dates; of a time without a date, that of the tool's first line, a day later after each midnight
interval     as printed; else between two stamps; else stated. Never taken from anything else here
since boot   the first report of iostat and vmstat, unless the command says -y; that of mpstat without an interval
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import polars as pl

from parsers.division import divided
from parsers.format import Reports, formats
from pipeline.reading.date_order import ORDERS, PrintedDates, in_order_name
from pipeline.reading.report_dates import (
    AMBIGUOUS,
    Declared,
    Orders,
    SeenDates,
    day_table,
    orders_of,
    printed_dates,
    seen_dates,
)
from pipeline.reading.stamps import facts_of, stamps_of

MIDNIGHT_DROP_S = 43_200.0
"""A time of day that falls by more than this is of the next day; a smaller fall is a clock that was set back."""

GAP_FACTOR = 1.5
LEAST_STEPS = 3
"""This many intervals show which is the usual one."""

REPORTED = ("time", "cpu", "device", "nfs", "repeat", "row")
POINT = ("mark", "file_id", "kind", "section", "invocation_no", "report", "interval_s", "is_since_boot")
"""What intervals between reports follow from, besides their times."""

SERIES = ("file_id", "invocation_no", "section")
"""Reports that follow each other."""


_BARE = {"file_id": pl.Int32(), "inv_line": pl.Int32(), "section": pl.String(), "clock_s": pl.Float64()}
_REPORT = {
    "file_id": pl.Int32(),
    "section": pl.String(),
    "report_line": pl.Int32(),
    "table_line": pl.Int32(),
    "report_inv": pl.Int32(),
    "known_invocation": pl.Int64(),
    "known_report": pl.Int64(),
    "known_without_boot": pl.Boolean(),
}
_POINT = {
    "file_id": pl.Int32(),
    "kind": pl.String(),
    "section": pl.String(),
    "invocation_no": pl.Int64(),
    "instant": pl.Datetime("us"),
}


@dataclass(slots=True)
class Before:
    """What the piece of a file before a piece decides of it; empty before the first one.

    `bare`: the last time without a date of each section since the tool's first line, with its midnights. `reports`: the
    last report of each section in this run of the tool, its last one last; their `table_line` is that of the run.
    `points`: of each section the last report or origin. `invocations`: lines that reports may still be of.
    """

    bare: pl.DataFrame
    reports: pl.DataFrame
    points: pl.DataFrame
    invocations: pl.DataFrame

    @classmethod
    def of(cls, invocations: pl.DataFrame) -> "Before":
        """Nothing but the tool's own lines."""
        return cls(
            pl.DataFrame(schema=_BARE | {"midnights": pl.Int64()}),
            pl.DataFrame(schema=_REPORT),
            pl.DataFrame(schema=_POINT),
            invocations,
        )


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
    seen = seen_dates(marks, invocations)
    dates = printed_dates(seen, orders_of(seen, declared))
    found = {**tables, table: _resolved(kind, marks, invocations, declared, seen)}
    rivals: dict[int, dict[str, str]] = {number: {} for number in dates}
    for name in ORDERS:
        of_order = {
            number: replace(declared.get(number, Declared()), date_order=name)
            for number in dates
            if name in dates[number].order.rivals
        }
        if of_order:
            of_files = pl.col("file_id").is_in(list(of_order))
            read = _resolved(kind, marks.filter(of_files), invocations.filter(of_files), of_order, seen)
            found[in_order_name(table, name)] = read
            for number, stamps in stamps_of(facts_of(read)).items():
                rivals[number][name] = stamps.as_json()
    return found, {number: replace(each, stamps=rivals[number]) for number, each in dates.items()}


def is_of_marks(table: str) -> bool:
    """Whether a table holds the marks of reports."""
    return any(each.reports is not None and each.reports.marks.name == table for each in formats().values())


def resolved(
    kind: Reports, marks: pl.DataFrame, invocations: pl.DataFrame, declared: Mapping[int, Declared]
) -> pl.DataFrame:
    """The marks of whole files with their reports numbered and their times resolved, sorted by file and line."""
    return _resolved(kind, marks, invocations, declared, seen_dates(marks, invocations))


def _resolved(
    kind: Reports,
    marks: pl.DataFrame,
    invocations: pl.DataFrame,
    declared: Mapping[int, Declared],
    seen: Mapping[int, "SeenDates"],
) -> pl.DataFrame:
    if marks.is_empty():
        return marks
    rows = placed(kind, marks, Before.of(invocations), declared, orders_of(seen, declared))
    undated = rows.group_by("file_id").agg(pl.col("stamp").is_null().all()).filter("stamp").get_column("file_id")
    return completed(rows, usual_steps(steps_of(rows)), kind, declared, undated.to_list())


def placed(
    kind: Reports, marks: pl.DataFrame, before: Before, declared: Mapping[int, Declared], orders: Orders
) -> pl.DataFrame:
    """The marks of whole files, or of the next piece of one file, numbered and dated, in order.

    They lack what only whole files show: see `completed`. `before` becomes what the piece after this one needs.
    """
    rows = marks.sort("file_id", "line_no", "part").with_row_index("mark")
    rows = _with_invocation(rows, before.invocations)
    rows = _dated(rows, before, declared, orders)
    rows = _with_reports(rows)
    rows = _numbered(rows, kind, before)
    rows = _with_intervals(rows, before, declared)
    before.invocations = _still_open(rows, before)
    columns = (pl.col(name).cast(dtype) for name, dtype in kind.marks.schema.items())
    return rows.sort("mark").select(*columns, "report", "step")


def completed(
    rows: pl.DataFrame, usual: pl.DataFrame, kind: Reports, declared: Mapping[int, Declared], undated: Collection[int]
) -> pl.DataFrame:
    """Placed marks with the doubt about intervals that are longer than usual, and with declared times.

    `undated`: files that print no time.
    """
    rows = rows.join(usual, on=SERIES, how="left", maintain_order="left", nulls_equal=True)
    is_gap = (pl.col("step") > GAP_FACTOR * pl.col("usual")) & (pl.col("steps") >= LEAST_STEPS)
    is_boot = pl.col("is_since_boot").fill_null(value=False)
    rows = rows.with_columns(flags=pl.when(is_gap & ~is_boot).then(pl.lit("gap")).otherwise("flags"))
    rows = _with_declared_times(rows, kind, declared, undated)
    return rows.select(pl.col(name).cast(dtype) for name, dtype in kind.marks.schema.items())


def steps_of(rows: pl.DataFrame) -> pl.DataFrame:
    """Between the reports of each series of placed marks: which times, and how often each."""
    points = rows.filter(pl.col("step").is_not_null()).unique("report", maintain_order=True)
    return points.group_by(*SERIES, "step").agg(count=pl.len().cast(pl.Int64))


def usual_steps(steps: pl.DataFrame) -> pl.DataFrame:
    """How many steps each series has, and the median of those that go forward."""
    counts = steps.group_by(SERIES).agg(steps=pl.col("count").sum())
    by_length = steps.filter(pl.col("step") > 0).sort(*SERIES, "step")
    so_far, all_of = pl.col("count").cum_sum().over(SERIES), pl.col("count").sum().over(SERIES)
    middle = by_length.with_columns(
        is_lower=so_far > (all_of - 1) // 2,
        is_upper=so_far > all_of // 2,
    )
    lower, upper = (pl.col("step").filter(name).first() for name in ("is_lower", "is_upper"))
    medians = middle.group_by(SERIES).agg(usual=(lower + upper) / 2)
    return counts.join(medians, on=SERIES, how="left", nulls_equal=True)


def _still_open(rows: pl.DataFrame, before: Before) -> pl.DataFrame:
    """The tool's own lines that reports behind these may be of."""
    line_no = pl.col("line_no")
    last = rows.get_column("inv_line")[-1]
    begun = before.reports.get_column("table_line").max()
    is_later = pl.lit(value=True) if begun is None else line_no > begun
    return before.invocations.filter(is_later if last is None else is_later | (line_no == last))


# --- dates -----------------------------------------------------------------------------------------------------------


def _dated(rows: pl.DataFrame, before: Before, declared: Mapping[int, Declared], orders: Orders) -> pl.DataFrame:
    """Stamps for times whose date was open, or that were printed without one."""
    is_open = pl.col("stamp").is_null() & pl.col("clock_s").is_not_null()
    if not rows.select(is_open.any()).item():
        return rows.with_columns(time_quality=pl.lit(None, pl.String))
    invocations = before.invocations
    days = day_table(rows, invocations, orders, declared)
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
    midnights = _midnights(rows, is_dateless, before)
    stamp = pl.col("day").cast(pl.Datetime("us")) + clock + pl.duration(days=pl.lit(midnights))
    is_doubtful = is_open & pl.col("date_key").str.contains(AMBIGUOUS)
    return rows.with_columns(
        stamp=pl.when(is_open).then(stamp).otherwise("stamp"),
        time_quality=pl.when(is_doubtful).then("order_doubt"),
    )


def _midnights(rows: pl.DataFrame, is_dateless: pl.Expr, before: Before) -> pl.Series:
    """Midnights since the tool's first line, by times that have no date."""
    group = ["file_id", "inv_line", "section"]
    bare = rows.select("mark", *_BARE, is_dateless.alias("is_dateless")).filter("is_dateless").drop("is_dateless")
    bare = pl.concat([before.bare, bare], how="diagonal")
    fell = (pl.col("clock_s").shift(1).over(group) - pl.col("clock_s")) > MIDNIGHT_DROP_S
    passed = pl.coalesce("midnights", fell.fill_null(value=False).cast(pl.Int64))
    counted = bare.with_columns(midnights=passed.cum_sum().over(group))
    is_of_last = pl.col("inv_line").eq_missing(rows.get_column("inv_line")[-1])
    lasts = counted.filter(is_of_last).unique("section", keep="last", maintain_order=True)
    before.bare = lasts.select(before.bare.columns)
    joined = rows.select("mark").join(counted.select("mark", "midnights"), on="mark", how="left", maintain_order="left")
    return joined.get_column("midnights").fill_null(0)


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
    is_part = (before == "time") | (goes_on & continues(before))
    reported = reported.with_columns(report=(~is_part.fill_null(value=False)).cum_sum())
    has_table = (pl.col("kind") != "time").any().over("report")
    reported = reported.with_columns(report=pl.when(has_table).then("report"))
    return (
        rows.drop("section")
        .join(reported.select("mark", "report", report_section="section"), on="mark", how="left", maintain_order="left")
        .with_columns(section=pl.coalesce("report_section", rows.get_column("section")))
        .drop("report_section")
    )


def continues(before: pl.Expr) -> pl.Expr:
    """Whether a table belongs to the report of the table before it."""
    kind = pl.col("kind")
    return ((kind == "device") & (before == "cpu")) | ((kind == "nfs") & before.is_in(["cpu", "device"]))


def _numbered(rows: pl.DataFrame, kind: Reports, before: Before) -> pl.DataFrame:
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
    reports = pl.concat([before.reports, reports], how="diagonal_relaxed")
    is_known = pl.col("known_invocation").is_not_null()
    known = pl.col("known_invocation").max().over("file_id").fill_null(0)
    is_new = ~pl.col("report_inv").eq_missing(pl.col("report_inv").shift(1).over("file_id"))
    is_first = pl.col("file_id").cum_count().over("file_id") == 1
    later = known + ((is_new | is_first) & ~is_known).cum_sum().over("file_id")
    reports = reports.with_columns(invocation_no=pl.coalesce("known_invocation", later))
    known = pl.col("known_report").max().over(SERIES).fill_null(0)
    reports = reports.with_columns(
        report_no=pl.coalesce("known_report", known + pl.col("report").cum_count().over(SERIES))
    )
    reports = _with_boot(reports, kind, before.invocations)
    before.reports = _last_reports(reports)
    reports = reports.filter(~is_known).drop("known_invocation", "known_report", "known_without_boot")
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


def _with_boot(reports: pl.DataFrame, kind: Reports, invocations: pl.DataFrame) -> pl.DataFrame:
    """Reports, and whether the command of their run suppresses the one since boot."""
    run = ["file_id", "invocation_no"]
    reports = reports.join(_without_boot(reports, kind, invocations), on=run, how="left", maintain_order="left")
    known = pl.col("known_without_boot").any().over(run)
    is_known = pl.col("known_invocation").is_not_null().any().over(run)
    return reports.with_columns(is_without_boot=pl.when(is_known).then(known).otherwise("is_without_boot"))


def _last_reports(reports: pl.DataFrame) -> pl.DataFrame:
    """Of the last run of the tool the last report of each section, in order."""
    last_run = reports.filter(pl.col("invocation_no") == pl.col("invocation_no").last())
    lasts = last_run.with_columns(
        table_line=pl.col("table_line").min(),
        known_invocation=pl.col("invocation_no"),
        known_report=pl.col("report_no"),
        known_without_boot=pl.col("is_without_boot").fill_null(value=False),
    ).unique("section", keep="last", maintain_order=True)
    return lasts.select(pl.col(name).cast(dtype) for name, dtype in _REPORT.items())


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


def _with_declared_times(
    rows: pl.DataFrame, kind: Reports, declared: Mapping[int, Declared], undated: Collection[int]
) -> pl.DataFrame:
    """Reports of an undated file whose start and interval are given: one interval after the other."""
    known = [
        (file_id, each.start, each.interval_s)
        for file_id, each in declared.items()
        if each.start is not None and each.interval_s is not None and file_id in undated
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
    is_declared = (
        pl.col("start").is_not_null() & (pl.col("invocation_no") == 1) & pl.col("section").is_in(kind.from_boot)
    )
    return rows.with_columns(
        stamp=pl.when(is_declared).then(pl.col("start") + elapsed).otherwise("stamp"),
        has_year=pl.when(is_declared).then(True).otherwise("has_year"),
        utc_offset_min=pl.when(is_declared).then("east").otherwise("utc_offset_min"),
        time_source=pl.when(is_declared).then(pl.lit("stated")).otherwise("time_source"),
    )


def _with_intervals(rows: pl.DataFrame, before: Before, declared: Mapping[int, Declared]) -> pl.DataFrame:
    """What each report covers, how long after the one before it was printed (`step`), and which of them go back."""
    offset = pl.duration(minutes=pl.col("utc_offset_min").fill_null(0).cast(pl.Int64))
    is_point = pl.col("report").is_not_null() | (pl.col("kind") == "origin")
    points = rows.filter(is_point).select(*POINT, instant=pl.col("stamp") - offset)
    points = points.unique(["report", "mark"], maintain_order=True).filter(
        (pl.col("kind") == "origin") | pl.col("report").ne_missing(pl.col("report").shift(1))
    )
    points = pl.concat([before.points, points], how="diagonal_relaxed")
    lasts = points.unique(["file_id", "section"], keep="last", maintain_order=True)
    before.points = lasts.select(pl.col(name).cast(dtype) for name, dtype in _POINT.items())
    points = points.with_columns(pl.col("invocation_no").backward_fill().over("file_id", "section"))
    step = divided((pl.col("instant") - pl.col("instant").shift(1).over(SERIES)).dt.total_microseconds(), 1e6)
    points = points.with_columns(step=step, is_after_origin=(pl.col("kind").shift(1).over(SERIES) == "origin")).filter(
        pl.col("report").is_not_null()
    )
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
        doubt=pl.when(pl.col("step") < 0).then(pl.lit("clock_step")),
    )
    of_report = points.select("report", "interval", "source", "from_boot", "doubt", "step")
    rows = rows.join(of_report, on="report", how="left", maintain_order="left")
    is_boot = pl.col("from_boot").fill_null(value=False)
    return rows.with_columns(
        interval_s=pl.when(~is_boot).then("interval"),
        interval_source=pl.when(~is_boot).then("source"),
        is_since_boot="from_boot",
        flags=pl.when(~is_boot).then("doubt"),
    )
