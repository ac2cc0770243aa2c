"""The tables that the HADR simulator and its companions (db2logscan, hadrCalculator.pl) fill.

Numbers that a tool totals are rows of their own, so that each leads back to its very line; the views put them side by
side. A file may hold several runs: `run_no` counts them from 1 and joins the tables. Rates are in MB of 10^6 bytes as
simhadr prints them; hadrCalculator.pl counts its MB as 2^20 bytes.
"""

import polars as pl

from parsers.format import Column, Table

RUN_NO = Column("run_no", pl.Int32(), "number of the run in its file, from 1")
_DISTRIBUTION = (
    RUN_NO,
    Column("distribution_no", pl.Int32(), "number of the distribution in its file, from 1"),
    Column("metric", pl.String(), "what was counted, as printed; null where the heading is missing"),
)

SIMHADR_RUN = Table(
    name="simhadr_run",
    grain="One row per run of simhadr: what its command line asks for and how it ended.",
    is_public=False,
    columns=(
        RUN_NO,
        Column("role", pl.String(), "primary, standby, write, read, test_disk, test_sleep; null if unknown"),
        Column("command", pl.String(), "command line as printed, wrapped lines joined; null where it is missing"),
        Column("version_hint", pl.String(), "version that the help text names"),
        Column("own_host", pl.String(), "host of the run: -lhost where that is a name", "own"),
        Column("local_host", pl.String(), "-lhost"),
        Column("local_port", pl.Int32(), "-lport"),
        Column("remote_host", pl.String(), "-rhost", "named"),
        Column("remote_port", pl.Int32(), "-rport"),
        Column("asked_syncmode", pl.String(), "-syncmode or -rcu, else the default as printed"),
        Column("asked_pages", pl.Int64(), "-flushSize, pages of 4096 bytes, else the default as printed"),
        Column("asked_s", pl.Float64(), "-t, else the default as printed, seconds"),
        Column("asked_flushes", pl.Int64(), "-n"),
        Column("target_mb_s", pl.Float64(), "-target, MB/s"),
        Column("disk_mb_s", pl.Float64(), "-disk: transfer rate of the simulated disk, MB/s; null: infinitely fast"),
        Column("disk_overhead_s", pl.Float64(), "-disk: overhead of a write, seconds"),
        Column("asked_sndbuf_bytes", pl.Int64(), "-sockSndBuf, bytes"),
        Column("asked_rcvbuf_bytes", pl.Int64(), "-sockRcvBuf, bytes"),
        Column("hadr_buffer_pages", pl.Int64(), "-hadrBufSize, pages"),
        Column("test_file", pl.String(), "file or path that a disk test used"),
        Column("is_cached", pl.Boolean(), "disk test went through the cache of the file system"),
        Column("is_verbose", pl.Boolean(), "-verbose, or its trace is there"),
        Column("sleep_warnings", pl.Int64(), "warnings of inaccurate sleep"),
        Column("error", pl.String(), "first error that the run printed"),
        Column("status", pl.String(), "complete, interrupted, aborted, no_result"),
    ),
    is_dated=False,
)
SIMHADR_HANDSHAKE = Table(
    name="simhadr_handshake",
    grain="One row per handshake: what primary and standby agreed on. Dated by connTime, the clock of the primary.",
    is_public=False,
    columns=(
        RUN_NO,
        Column("direction", pl.String(), "sent (by a primary) or received (by a standby); null if unknown"),
        Column("syncmode", pl.String(), "SYNC, NEARSYNC, ASYNC, SUPERASYNC, or RCU for remote catchup"),
        Column("flush_pages", pl.Int64(), "flush size, pages of 4096 bytes"),
        Column("conn_time", pl.String(), "connTime as printed, the same on both sides"),
    ),
)
SIMHADR_SOCKET = Table(
    name="simhadr_socket",
    grain="One row per block of socket properties.",
    is_public=False,
    columns=(
        RUN_NO,
        Column("stage", pl.String(), "creation, buffer resizing, connection; null where the heading is missing"),
        Column("is_blocking", pl.Boolean(), "BlockingIO"),
        Column("has_nagle", pl.Boolean(), "NAGLE: small sends are combined"),
        Column("sndbuf_bytes", pl.Int64(), "SO_SNDBUF, bytes"),
        Column("rcvbuf_bytes", pl.Int64(), "SO_RCVBUF, bytes"),
        Column("lingers", pl.Boolean(), "SO_LINGER is on"),
        Column("linger_s", pl.Int64(), "SO_LINGER, seconds"),
    ),
    is_dated=False,
)
SIMHADR_HOST = Table(
    name="simhadr_host",
    grain="One row per host name that a run resolved.",
    is_public=False,
    columns=(
        RUN_NO,
        Column("side", pl.String(), "local or remote; null where the heading is missing"),
        Column("queried", pl.String(), "name as asked for", "named"),
        Column("hostname", pl.String(), "canonical name; null if it was not resolved", "named"),
        Column("aliases", pl.List(pl.String()), "aliases"),
        Column("addresses", pl.List(pl.String()), "addresses"),
    ),
    is_dated=False,
)
HADR_FIGURE = Table(
    name="hadr_figure",
    grain="One row per number that a run of simhadr, db2logscan or hadrCalculator.pl states or totals.",
    is_public=False,
    columns=(
        RUN_NO,
        Column("name", pl.String(), "bytes, seconds, mb_s, flushes, sec_per_flush, ...: with its unit"),
        Column("label", pl.String(), "what the number is of, where several are: a sync mode"),
        Column("value", pl.Float64(), "value"),
    ),
    is_dated=False,
)
HADR_DISTRIBUTION = Table(
    name="hadr_distribution",
    grain="One row per distribution that a tool printed.",
    is_public=False,
    columns=(
        *_DISTRIBUTION,
        Column("unit", pl.String(), "unit as printed: byte, microsecond, MB/s, ..."),
        Column("n", pl.Int64(), "numbers"),
        Column("sum", pl.Float64(), "their sum"),
        Column("min", pl.Float64(), "least"),
        Column("max", pl.Float64(), "greatest"),
        Column("avg", pl.Float64(), "mean, cut off at the unit for whole numbers"),
    ),
    is_dated=False,
)
HADR_BUCKET = Table(
    name="hadr_bucket",
    grain="One row per bucket of a distribution; zeros are a bucket from 0 to 0.",
    is_public=False,
    columns=(
        *_DISTRIBUTION,
        Column("lo", pl.Float64(), "least number of the bucket"),
        Column("hi", pl.Float64(), "greatest number of the bucket, inclusive"),
        Column("count", pl.Int64(), "numbers in it"),
        Column("exact", pl.Boolean(), "all of them are one value"),
        Column("pct", pl.Float64(), "share in percent, where printed"),
    ),
    is_dated=False,
)
LOGSCAN_INTERVAL = Table(
    name="logscan_interval",
    grain="One row per interval of db2logscan, dated by its end on the clock of the scanning machine.",
    is_public=False,
    columns=(
        RUN_NO,
        Column("mb_s", pl.Float64(), "log written, MB/s"),
        Column("interval_s", pl.Float64(), "length of the interval, seconds"),
        Column("pages_per_flush", pl.Float64(), "pages per flush"),
        Column("sec_per_flush", pl.Float64(), "seconds from one flush to the next"),
        Column("pages_per_transaction", pl.Float64(), "pages per transaction"),
        Column("sec_per_transaction", pl.Float64(), "seconds a transaction was open"),
        Column("sec_per_commit", pl.Float64(), "seconds a commit took"),
        Column("open_transactions", pl.Float64(), "transactions open on average"),
        Column("is_after_gap", pl.Boolean(), "extents are missing before it"),
    ),
)
HADRCALC_PREDICTION = Table(
    name="hadrcalc_prediction",
    grain="One row per sync mode and interval (or remote catchup) that hadrCalculator.pl predicts. MB are 2^20 bytes.",
    is_public=False,
    columns=(
        RUN_NO,
        Column("mode", pl.String(), "SYNC, NEARSYNC, ASYNC, SUPERASYNC, REMOTE CATCHUP"),
        Column("marker", pl.String(), "?, ?? or ???: how badly the mode would slow the workload; null: not at all"),
        *(
            Column(f"{group}_{name}", dtype, f"{meaning} {words}")
            for group, words in (
                ("target", "at the least flush size that keeps up, or at the limit passed"),
                ("min", "at the flush size of the workload"),
                ("max", "at the greatest flush size that the workload could fill"),
            )
            for name, dtype, meaning in (
                ("mb_s", pl.Float64(), "rate, MB/s of 2^20 bytes,"),
                ("pages", pl.Int64(), "flush size, pages cut to whole ones,"),
                ("sec_per_flush", pl.Float64(), "seconds per flush"),
            )
        ),
    ),
)
