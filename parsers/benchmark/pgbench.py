"""Output of pgbench (PostgreSQL 9 and later): summary, progress, and the files of --log.

Written by  pgbench: the summary on stdout, progress and errors on stderr, often into one file; --log writes one file
            per thread (prefix.pid, prefix.pid.1, ...)
One row     per number of the summary, per progress line and metric, per second of a log (and per time that a line of
            the first millisecond of a second is in it, so that a large log may be cut there)
Time        seconds since the start; --progress-timestamp and --log print seconds since 1970
Trap        a run whose server died ends with `0 failed` and a fair-looking rate over the short time. A run is marked
            invalid if a client aborted, if the transactions counted make up less than nine tenths of the duration
            ordered, or if progress ends more than an interval before it
Versions    up to 13 two lines of `tps` (connections included, excluded), from 14 on one; `failed` and retries from 15
"""

import polars as pl

from parsers.benchmark.measurement_lines import found_in
from parsers.benchmark.pgbench_log import BOUNDARY, read_log, recognise_log
from parsers.benchmark.pgbench_progress import PROGRESS, progress_points
from parsers.format import Format, Hint, Parsed, Recognition, Refusal, recognised_by
from parsers.line_verdict import first_reason
from parsers.measurement import (
    COUNT,
    MEASUREMENT_POINT,
    MEASUREMENT_VALUE,
    MILLISECONDS,
    NUMBER,
    PER_SECOND,
    Figure,
    read_figures,
    summary_no,
)
from parsers.parameter import PARAMETER_VALUE, settings_of

FIGURES = (
    Figure(rf"^tps = {NUMBER}(?:$| \((?:excluding|without|including reconnection))", "tps", PER_SECOND),
    Figure(rf"^tps = {NUMBER} \(including connections", "tps_including_connections", PER_SECOND),
    Figure(r"^number of transactions actually processed: ([0-9]+)", "transactions", COUNT),
    Figure(r"^number of failed transactions: ([0-9]+)", "failed", COUNT),
    Figure(r"^number of transactions retried: ([0-9]+)", "retried", COUNT),
    Figure(r"^total number of retries: ([0-9]+)", "retries", COUNT),
    Figure(r"^number of transactions skipped: ([0-9]+)", "skipped", COUNT),
    Figure(r"^number of transactions above the .* latency limit: ([0-9]+)", "above_latency_limit", COUNT),
    Figure(rf"^latency average(?: =|:) {NUMBER} ms", "latency_avg_ms", MILLISECONDS),
    Figure(rf"^latency stddev(?: =|:) {NUMBER} ms", "latency_stddev_ms", MILLISECONDS),
    Figure(rf"^initial connection time = {NUMBER} ms", "initial_connection_ms", MILLISECONDS),
    Figure(rf"^average connection time = {NUMBER} ms", "connection_avg_ms", MILLISECONDS),
    Figure(rf"^rate limit schedule lag: avg {NUMBER} ", "schedule_lag_avg_ms", MILLISECONDS),
    Figure(rf"^rate limit schedule lag: .*max {NUMBER}\) ms", "schedule_lag_max_ms", MILLISECONDS),
)
# REAL: number of clients: 5
SETTING = (
    r"^(transaction type|scaling factor|partition method|partitions|query mode|number of clients|number of threads"
    r"|maximum number of tries|maximum time for tries|number of transactions per client|duration): (.*\S)"
)
SUMMARY_BEGINNING = r"^transaction type: |^tps = [0-9.]+ \((?:in|ex)cluding|^tps = [0-9.]+ \(without init"
VERSION = r"^pgbench \(.*\)$"
# REAL: starting vacuum...end.
INTRODUCTION = r"^starting vacuum|^(?:dropping|creating|generating|vacuuming|done in) "
# REAL: WARNING:  terminating connection due to immediate shutdown command
# REAL: 	Is the server running on that host and accepting TCP/IP connections?
MESSAGE = (
    r"^(?:pgbench: |(?:LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC|DETAIL|HINT|CONTEXT|LOCATION|STATEMENT): "
    r"|client [0-9]+ |scale option ignored|\t?Is the server running )"
)
# REAL: pgbench: error: client 0 aborted in command 5 (SQL) of script 0; perhaps the backend died while processing
ABORTED = r"^(?:pgbench: (?:error|fatal): |client [0-9]+ |)(?:client [0-9]+ )?aborted (?:in|while)|Run was aborted"
# REAL: statement latencies in milliseconds and failures:
STATEMENTS = r"^(?: - )?statement latencies in milliseconds|^SQL script [0-9]+: "
# REAL:          0.111           0  BEGIN;
STATEMENT = (
    r"^ +[0-9]+\.[0-9]{3}(?: +[0-9]+)* +\S"
    r"|^ - (?:weight|[0-9]+ transactions|(?:total )?number of|latency|statement|rate)"
)

MIN_SHARE = 0.9
"""Of the duration ordered: a run that counted transactions over less ended early."""


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for the summary, for progress, else for a log that is nothing but numbers in pgbench's order."""
    if found := recognised_by(head.str.contains(SUMMARY_BEGINNING), 0.96, "summary of pgbench"):
        return found
    return recognised_by(head.str.contains(PROGRESS), 0.96, "progress of pgbench") or recognise_log(head)


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn summaries, progress and logs into numbers, points and settings."""
    stretch = pl.col("text").str.contains(BOUNDARY).cast(pl.Int32).cum_sum().over("file_id")
    stretched = lines.with_columns(stretch.alias("stretch"))
    # a log may be long, and no other line begins with a digit
    is_counted = pl.col("text").str.contains(r"^[0-9]")
    log = read_log(stretched.filter(is_counted))
    written = _written(stretched.filter(~is_counted))
    points = [each.tables[MEASUREMENT_POINT.name] for each in (written, log) if MEASUREMENT_POINT.name in each.tables]
    tables = written.tables
    if points:
        tables |= {MEASUREMENT_POINT.name: pl.concat(points).sort("file_id", "line_no", "part")}
    return Parsed(tables, pl.concat([written.lines, log.lines]).sort("file_id", "line_no"))


def _written(lines: pl.DataFrame) -> Parsed:
    """What summaries and progress tell."""
    marked = _marked(lines)
    settings = settings_of(marked, SETTING, "pgbench")
    facts = _facts(marked, settings)
    values = _values(marked, facts)
    progress = progress_points(marked).join(
        facts.select(*SUMMARY, "clients"), on=SUMMARY, how="left", maintain_order="left"
    )
    aside = (
        (VERSION, "version of pgbench"),
        (INTRODUCTION, "preparation of the test"),
        (ABORTED, "a client aborted: the run is marked invalid"),
        (MESSAGE, "message of client or server"),
    )
    unknown = "neither summary nor progress nor log of pgbench"
    return found_in(lines, (values, progress, settings), unknown, rf"{STATEMENTS}|{STATEMENT}", first_reason(*aside))


SUMMARY = ("file_id", "stretch", "summary_no")
"""What shows one summary from another. A stretch of a file ends where a log may be cut."""


def _marked(lines: pl.DataFrame) -> pl.DataFrame:
    """Lines with the stretch and the summary that they belong to."""
    text = pl.col("text")
    opens = text.str.contains(rf"{INTRODUCTION}|{PROGRESS}|{SETTING}") | (
        text.str.contains(MESSAGE) & ~text.str.contains("Run was aborted")
    )
    closes = text.str.contains("|".join(f"(?:{each.pattern})" for each in FIGURES))
    number = summary_no(opens, closes, begins=text.str.contains(VERSION), by=("file_id", "stretch"))
    return lines.with_columns(number.alias("summary_no"))


def _facts(marked: pl.DataFrame, settings: pl.DataFrame) -> pl.DataFrame:
    """One row per summary: clients, duration ordered, and whether and why the run is invalid."""
    given = settings.group_by(SUMMARY).agg(
        _setting("number of clients", "^([0-9]+)$").cast(pl.Int32, strict=False).alias("clients"),
        _setting("duration", "^([0-9]+) s$").cast(pl.Float64, strict=False).alias("duration_s"),
    )
    figures = read_figures(marked, FIGURES)
    counted = figures.group_by(SUMMARY).agg(
        (_figure("transactions") / _figure("tps")).alias("counted_s"),
        pl.col("value").filter(pl.col("metric") == "failed").first().alias("failed"),
    )
    at_s = pl.col("text").str.extract(PROGRESS, 1).cast(pl.Float64, strict=False)
    seen = marked.group_by(SUMMARY).agg(
        pl.col("text").str.contains(ABORTED).any().alias("is_aborted"),
        at_s.drop_nulls().last().alias("last_s"),
        at_s.drop_nulls().diff().max().alias("step_s"),
    )
    facts = seen.join(given, on=SUMMARY, how="left").join(counted, on=SUMMARY, how="left")
    last_s, step_s, duration_s = pl.col("last_s"), pl.coalesce("step_s", "last_s"), pl.col("duration_s")
    # seconds since 1970 are no measure of what has passed
    ended_early = (last_s < 1e8) & (last_s + step_s < duration_s - 0.5)
    counted_little = pl.col("counted_s") < MIN_SHARE * duration_s
    reason = (
        pl.when("is_aborted")
        .then(pl.lit("clients aborted; the figures stand for the time before"))
        .when(ended_early)
        .then(pl.format("progress ends at {} s of {} s", last_s, duration_s))
        .when(counted_little)
        .then(pl.format("transactions were counted over {} s of {} s", pl.col("counted_s").round(1), duration_s))
    )
    count = pl.col("failed").cast(pl.Int64, strict=False)  # null of a number that no transactions reach
    few_failed = pl.when(pl.col("failed") > 0).then(
        pl.coalesce(pl.format("{} transactions failed", count), pl.lit("transactions failed"))
    )
    return facts.with_columns(reason.is_null().alias("is_valid"), pl.coalesce(reason, few_failed).alias("doubt"))


def _setting(name: str, pattern: str) -> pl.Expr:
    return pl.col("value").filter(pl.col("name") == name).first().str.extract(pattern, 1)


def _figure(metric: str) -> pl.Expr:
    return pl.col("value").filter((pl.col("metric") == metric) & (pl.col("value") > 0)).first()


def _values(marked: pl.DataFrame, facts: pl.DataFrame) -> pl.DataFrame:
    about = facts.select(*SUMMARY, "clients", "duration_s", "is_valid", "doubt")
    return read_figures(marked, FIGURES).join(about, on=SUMMARY, how="left", maintain_order="left")


FORMAT = Format(
    name="pgbench",
    title="pgbench of PostgreSQL",
    tables=(MEASUREMENT_VALUE, MEASUREMENT_POINT, PARAMETER_VALUE),
    recognise=recognise,
    parse=parse,
    boundary=BOUNDARY,
    file_names=("pgbench*",),
    role="measurement",
    needs=rf"{SUMMARY_BEGINNING}|{PROGRESS}|^[0-9]{{1,10}} [0-9]{{1,18}} ",
    hints=(Hint(r"^transaction type: |^tps = [0-9.]+ ", "a result of pgbench"),),
)
