"""Output of sysbench 0.4, 0.5, 1.0 and 1.1: interval reports and the summary.

Written by  sysbench, on stdout; one file often holds several runs, one after another
One row     per number of the summary, per interval and metric
Time        seconds since `Threads started!`, no clock
Odd         the last interval may be missing: the rate of a run is that of `transactions:`, never a mean of intervals.
            The percentile is configurable (95 by default) and part of the metric's name. A statistic of threads and
            the histogram stay with the summary they belong to. What --report-checkpoints prints before the end is of
            the run so far: it is set aside
Evidence    0.5 and 1.0 from real output; 0.4, 1.1, checkpoints and the tests of CPU, memory and files, from product
            knowledge
"""

import polars as pl

from parsers.benchmark.measurement_lines import found_in
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

# REAL: [ 8s ] thds: 4 tps: 1041.51 qps: 20847.24 (r/w/o: 14593.67/4167.05/2086.52) lat (ms,95%): 8.90 err/s: 1.50 …
# REAL: [   5s] threads: 64, tps: 22036.40, reads/s: 308621.83, writes/s: 0.00, response time: 3.40ms (95%)
INTERVAL = rf"^\[ *{NUMBER}s *\] (?:thds|threads): ([0-9]+)"
SERIES = (
    Figure(rf"^\[.*\] .*\btps: {NUMBER}", "tps", PER_SECOND),
    Figure(rf"^\[.*\] .*\beps: {NUMBER}", "events_per_second", PER_SECOND),
    Figure(rf"^\[.*\] .*\bqps: {NUMBER}", "qps", PER_SECOND),
    Figure(rf"^\[.*\] .*\breads(?:/s)?: {NUMBER}", "reads_per_second", PER_SECOND),
    Figure(rf"^\[.*\] .*\bwrites(?:/s)?: {NUMBER}", "writes_per_second", PER_SECOND),
    Figure(rf"^\[.*\] .*\blat \(ms, ?[0-9]+%\): {NUMBER}", "latency", MILLISECONDS),
    Figure(rf"^\[.*\] .*\bresponse time: {NUMBER}ms", "latency", MILLISECONDS),
    Figure(rf"^\[.*\] .*\berr(?:ors)?(?:/s)?:? {NUMBER}", "errors_per_second", PER_SECOND),
    Figure(rf"^\[.*\] .*\breconn(?:ects)?(?:/s)?: {NUMBER}", "reconnects_per_second", PER_SECOND),
)
FIGURES = (
    # REAL:     transactions:                        11429  (951.47 per sec.)
    Figure(rf"^ +transactions: .*\({NUMBER} per sec\.\)", "tps", PER_SECOND),
    Figure(r"^ +transactions: +([0-9]+)", "transactions", COUNT),
    Figure(rf"^ +queries: .*\({NUMBER} per sec\.\)", "qps", PER_SECOND),
    Figure(r"^ +queries: +([0-9]+)", "queries", COUNT),
    # REAL, 0.5:     read/write requests:                 38787616 (128435.12 per sec.)
    Figure(rf"^ +read/write requests: .*\({NUMBER} per sec\.\)", "rw_requests_per_second", PER_SECOND),
    Figure(r"^ +read/write requests: +([0-9]+)", "rw_requests", COUNT),
    Figure(r"^ +ignored errors: +([0-9]+)", "ignored_errors", COUNT),
    Figure(r"^ +deadlocks: +([0-9]+)", "deadlocks", COUNT),
    Figure(r"^ +reconnects: +([0-9]+)", "reconnects", COUNT),
    Figure(rf"^ +(?:events/s \(eps\)|events per second): +{NUMBER}", "events_per_second", PER_SECOND),
    Figure(rf"^Total operations: .*\( *{NUMBER} (?:per second|ops/sec)\)", "ops", PER_SECOND),
    Figure(rf"\({NUMBER} (?:MiB|MB)/sec\)", "mib_per_second", "MiB/s"),
    Figure(rf"^ +reads/s: +{NUMBER}", "reads_per_second", PER_SECOND),
    Figure(rf"^ +writes/s: +{NUMBER}", "writes_per_second", PER_SECOND),
    Figure(rf"^ +fsyncs/s: +{NUMBER}", "fsyncs_per_second", PER_SECOND),
    Figure(rf"^ +read, MiB/s: +{NUMBER}", "mib_read_per_second", "MiB/s"),
    Figure(rf"^ +written, MiB/s: +{NUMBER}", "mib_written_per_second", "MiB/s"),
    Figure(rf"^ +min: +{NUMBER}(?:ms)?$", "latency_min_ms", MILLISECONDS),
    Figure(rf"^ +avg: +{NUMBER}(?:ms)?$", "latency_avg_ms", MILLISECONDS),
    Figure(rf"^ +max: +{NUMBER}(?:ms)?$", "latency_max_ms", MILLISECONDS),
    Figure(rf"^ +(?:approx\. +)?[0-9]+(?:th)? percentile: +{NUMBER}(?:ms)?$", "latency", MILLISECONDS),
)
PERCENTILE = r"lat \(ms, ?([0-9]+)%\)|ms \(([0-9]+)%\)|^ +(?:approx\. +)?([0-9]+)(?:th)? percentile"

# REAL: Number of threads: 4
SETTING = r"^(Number of threads|Report intermediate results every|Target transaction rate):? (.*\S)"
VERSION = r"^sysbench [0-9]"
CHECKPOINT = r"^\[ *[0-9.]+s *\] Checkpoint report:"
OWN = rf"{INTERVAL}|^SQL statistics:|^OLTP test statistics:|{VERSION}.*\((?:using|with)"
INTRODUCTION = (
    r"^(?:Running the test|Initializing |Threads started|WARNING: |Warning: |Done\.|Doing |Running |Using |Maximum "
    r"|Test execution|Prime numbers limit|Number of requests|Creating |Inserting |Dropping |Extra file|[0-9]+ files"
    r"|Block size|Number of IO|Read/Write ratio|Periodic FSYNC|Calling fsync|Debug mode|Random number|Additional )"
)
PROBLEM = r"^(?:FATAL|ALERT|ERROR|\(last message repeated)"
HEADING = (
    r"^(?:SQL|OLTP test|General) statistics:|^Test execution summary:|^Latency(?: \(ms\))?:|^Latency histogram"
    r"|^Throughput:|^CPU speed:|^File operations:|^Threads fairness:|^Total operations:|^[0-9.]+ (?:MiB|MB) transferred"
    r"|^ +value +-+ distribution"
)
DETAIL = (
    r"^ +(?:queries performed|read|write|other|total|other operations|total number of events|sum"
    r"|total time taken by event execution|total time|time elapsed|response time|per-request statistics"
    r"|events \(avg/stddev\)|execution time \(avg/stddev\)):|^ +[0-9.]+ \|\**"
)
# REAL:     total time:                          12.0110s
RUN_TIME = rf"^ +(?:total time|time elapsed): +{NUMBER}s$"
SUMMARY = ("file_id", "summary_no")


def recognise(head: pl.Series) -> Recognition | Refusal:
    """Look for an interval report or the heading of the statistics."""
    if found := recognised_by(head.str.contains(OWN), 0.96, "interval report or statistics of sysbench"):
        return found
    return recognised_by(head.str.contains(VERSION), 0.9, "head of sysbench") or Refusal(
        "neither interval report nor statistics of sysbench", max(len(head), 1)
    )


def parse(lines: pl.DataFrame) -> Parsed:
    """Turn summaries and intervals into numbers and points."""
    lines = _without_checkpoints(lines)
    marked = _marked(lines)
    settings = settings_of(marked, SETTING, "sysbench")
    facts = _facts(marked, settings)
    values = _named(read_figures(_with_percentile(marked), FIGURES)).join(
        facts, on=SUMMARY, how="left", maintain_order="left"
    )
    points = _points(marked)
    aside = (
        (CHECKPOINT, "checkpoint report"),
        (VERSION, "version of sysbench"),
        (PROBLEM, "message of an error"),
        (INTRODUCTION, "preparation of the test"),
    )
    unknown = "neither interval report nor statistics of sysbench"
    return found_in(lines, (values, points, settings), unknown, rf"{HEADING}|{DETAIL}", first_reason(*aside))


def _without_checkpoints(lines: pl.DataFrame) -> pl.DataFrame:
    """Lines in which a whole checkpoint report is like its first one: it ends where its first heading comes again."""
    text = pl.col("text")
    if not lines.select(text.str.contains(CHECKPOINT).any()).item():
        return lines
    stretch = ("file_id", text.str.contains(rf"{CHECKPOINT}|{INTERVAL}|{VERSION}").cum_sum().over("file_id"))
    heading = pl.when(text.str.contains(HEADING)).then(text)
    times = (heading == heading.drop_nulls().first()).fill_null(value=False).cum_sum().over(stretch)
    is_of_one = text.first().str.contains(CHECKPOINT).over(stretch) & (times < 2) & (text.str.strip_chars() != "")
    return lines.with_columns(text=pl.when(is_of_one).then(text.first().over(stretch)).otherwise(text))


def _marked(lines: pl.DataFrame) -> pl.DataFrame:
    text = pl.col("text")
    opens = text.str.contains(rf"{INTERVAL}|{SETTING}|{INTRODUCTION}")
    closes = text.str.contains(HEADING)
    number = summary_no(opens, closes, begins=text.str.contains(VERSION), by=("file_id",))
    return lines.with_columns(number.alias("summary_no"))


def _facts(marked: pl.DataFrame, settings: pl.DataFrame) -> pl.DataFrame:
    """One row per summary: threads at work, length of the run, and what speaks against its figures."""
    threads = pl.col("value").filter(pl.col("name") == "Number of threads").first().cast(pl.Int32, strict=False)
    seen = marked.group_by(SUMMARY).agg(
        pl.col("text").str.extract(INTERVAL, 2).drop_nulls().first().cast(pl.Int32, strict=False).alias("seen"),
        pl.col("text").str.extract(RUN_TIME, 1).drop_nulls().first().cast(pl.Float64, strict=False).alias("duration_s"),
        pl.col("text").str.contains(r"^FATAL").any().alias("is_fatal"),
    )
    given = settings.group_by(SUMMARY).agg(threads.alias("given"))
    return seen.join(given, on=SUMMARY, how="left").select(
        *SUMMARY,
        pl.coalesce("given", "seen").alias("clients"),
        "duration_s",
        (~pl.col("is_fatal")).alias("is_valid"),
        pl.when("is_fatal").then(pl.lit("sysbench reports a fatal error")).alias("doubt"),
    )


def _points(marked: pl.DataFrame) -> pl.DataFrame:
    at_s = pl.col("text").str.extract(INTERVAL, 1).cast(pl.Float64, strict=False)
    previous_s = pl.col("offset_s").shift(1).over(SUMMARY).fill_null(0)
    intervals = (
        marked.filter(pl.col("text").str.contains(INTERVAL))
        .with_columns(
            at_s.alias("offset_s"),
            pl.col("text").str.extract(INTERVAL, 2).cast(pl.Int32, strict=False).alias("clients"),
        )
        .with_columns(
            pl.when(pl.col("offset_s") > previous_s).then(pl.col("offset_s") - previous_s).alias("interval_s")
        )
    )
    return _named(read_figures(_with_percentile(intervals), SERIES))


def _with_percentile(lines: pl.DataFrame) -> pl.DataFrame:
    found = pl.col("text").str.extract_groups(PERCENTILE)
    return lines.with_columns(pl.coalesce(found.struct.field("1", "2", "3")).alias("percentile"))


def _named(figures: pl.DataFrame) -> pl.DataFrame:
    """A latency of a percentile under its name: latency_p95_ms."""
    of_percentile = pl.format("latency_p{}_ms", pl.col("percentile").fill_null("?"))
    return figures.with_columns(
        pl.when(pl.col("metric") == "latency").then(of_percentile).otherwise("metric").alias("metric")
    )


FORMAT = Format(
    name="sysbench",
    title="sysbench",
    tables=(MEASUREMENT_VALUE, MEASUREMENT_POINT, PARAMETER_VALUE),
    recognise=recognise,
    parse=parse,
    file_names=("sysbench*",),
    role="measurement",
    needs=OWN + "|" + VERSION,
    hints=(Hint(r"^sysbench [0-9]|^SQL statistics:$|^\s+transactions:\s+[0-9]+\s+\(", "a result of sysbench"),),
)
