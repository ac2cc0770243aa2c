"""The table of monitor elements of DB2, and what is known of the elements: their names, and which of them count up.

A snapshot prints a label (`Commit statements attempted`), the monitor functions of SQL a name (TOTAL_APP_COMMITS); both
are given the identifier that DB2's documentation has for the element (commit_sql_stmts), so that either may be asked.
A label that is not known here is named by its own words.
"""

import re

import polars as pl

from parsers.format import Column, Table
from parsers.printed_date import in_declared_order

SNAPSHOT_ELEMENT = Table(
    name="snapshot_element",
    grain="One row per monitor element that a snapshot shows of the database or of a thing within it.",
    is_public=False,
    in_date_order=in_declared_order,
    columns=(
        Column("snapshot_no", pl.Int32(), "number of the snapshot within the file, from 1; 0 before the first title"),
        Column("level", pl.String(), "what the snapshot is of: database, tablespace, bufferpool, application, ..."),
        Column("database", pl.String(), "database"),
        Column("entity_kind", pl.String(), "what within it: tablespace, bufferpool, application, memory pool, ..."),
        Column("entity", pl.String(), "name of that; null for the database as a whole"),
        Column("element", pl.String(), "identifier of the element: commit_sql_stmts, log_writes, ..."),
        Column("label", pl.String(), "element as printed"),
        Column("value", pl.String(), "value as printed; null where it was not collected or is empty"),
        Column("number", pl.Float64(), "value as a number, in the unit; null where it is none or is not certain"),
        Column("unit", pl.String(), "unit that the label states: ms, s, bytes, pages; else null"),
        Column("is_counter", pl.Boolean(), "counts up from the first connection or the last reset on"),
        Column("counted_since", pl.String(), "first connection and last reset as printed; they distinguish counters"),
        Column("printed_at", pl.String(), "time of the snapshot as printed"),
        Column("date_order", pl.String(), "how its order is known: iso, name, dots, epoch, day, stated; else open"),
    ),
)

IDENTIFIERS = {
    "commit statements attempted": "commit_sql_stmts",
    "commit statements": "commit_sql_stmts",
    "rollback statements attempted": "rollback_sql_stmts",
    "rollback statements": "rollback_sql_stmts",
    "internal commits": "int_commits",
    "internal rollbacks": "int_rollbacks",
    "internal rollbacks due to deadlock": "int_deadlock_rollbacks",
    "internal rows deleted": "int_rows_deleted",
    "internal rows inserted": "int_rows_inserted",
    "internal rows updated": "int_rows_updated",
    "dynamic statements attempted": "dynamic_sql_stmts",
    "dynamic sql statements attempted": "dynamic_sql_stmts",
    "static statements attempted": "static_sql_stmts",
    "static sql statements attempted": "static_sql_stmts",
    "failed statement operations": "failed_sql_stmts",
    "select sql statements executed": "select_sql_stmts",
    "update/insert/delete statements executed": "uid_sql_stmts",
    "ddl statements executed": "ddl_sql_stmts",
    "log pages read": "log_reads",
    "log pages written": "log_writes",
    "log read time": "log_read_time",
    "log write time": "log_write_time",
    "number write log ios": "num_log_write_io",
    "number read log ios": "num_log_read_io",
    "number partial page log ios": "num_log_part_page_io",
    "number log buffer full": "num_log_buffer_full",
    "log data found in buffer": "num_log_data_found_in_buffer",
    "secondary logs allocated currently": "sec_logs_allocated",
    "deadlocks detected": "deadlocks",
    "lock escalations": "lock_escals",
    "exclusive lock escalations": "x_lock_escals",
    "time database waited on locks": "lock_wait_time",
    "locks held currently": "locks_held",
    "agents currently waiting on locks": "locks_waiting",
    "buffer pool data logical reads": "pool_data_l_reads",
    "buffer pool data physical reads": "pool_data_p_reads",
    "buffer pool data writes": "pool_data_writes",
    "buffer pool index logical reads": "pool_index_l_reads",
    "buffer pool index physical reads": "pool_index_p_reads",
    "buffer pool index writes": "pool_index_writes",
    "total buffer pool read time": "pool_read_time",
    "total buffer pool write time": "pool_write_time",
    "lsn gap cleaner triggers": "pool_lsn_gap_clns",
    "dirty page steal cleaner triggers": "pool_drty_pg_steal_clns",
    "dirty page threshold cleaner triggers": "pool_drty_pg_thrsh_clns",
    "direct read requests": "direct_read_reqs",
    "direct write requests": "direct_write_reqs",
    "direct reads elapsed time": "direct_read_time",
    "direct write elapsed time": "direct_write_time",
    "applications connected currently": "appls_cur_cons",
    # names of the monitor functions
    "total_app_commits": "commit_sql_stmts",
    "total_app_rollbacks": "rollback_sql_stmts",
}
"""Identifiers by label in small letters without its unit: DB2 documentation, `Database system monitor elements`."""

UNITS = {
    "ms": "ms",
    "milliseconds": "ms",
    "sec.ns": "s",
    "sec.ms": "s",
    "sec.microsec": "s",
    "seconds": "s",
    "bytes": "bytes",
    "pages": "pages",
    "4kb": "4 kB",
}
# what is or was, not what has been counted
GAUGE = re.compile(
    r"current|high ?water|highest|maximum|minimum|average|\bsize\b|\bid\b|in use|allocated|held|\bgap$|available"
    r"|used\b|percent|number of (?:automatic|accessed|executions)|handle|_top$|_id$|_size$|_avg$|cur_cons|locks_waiting"
)
COUNTER = re.compile(
    r"^(?:rows|time waited|int|internal|buffer pool|pool|direct|async|asynchronous|total|lock waits|lock timeouts"
    r"|lock_waits|lock_timeouts|act|deadlocks|num_log|sort overflows|files closed|select_sql|uid_sql|ddl_sql)(?:\b|_)"
    r"|(?:statements?|requests|reqs|overflows|triggers|clns|reads|writes|read|written|time|lookups|inserts|inserted"
    r"|attempted|executed|joins|loops|sorts|closed|ios|io|escals|escalations|stmts|timeouts|waits|hits|full"
    r"|found_in_buffer)$"
)


def identifier(label: str) -> str:
    """The identifier of an element by its label or its name."""
    plain = _plain(label)
    return IDENTIFIERS.get(plain) or "_".join(re.findall(r"[a-z0-9]+", plain))


def unit(label: str) -> str | None:
    """The unit that a label states."""
    found = re.search(r"\(([^()]*)\)$", label.strip())
    return UNITS.get(found[1].lower()) if found else None


def is_counter(label: str) -> bool:
    """Return whether an element counts up, by its label or its name."""
    plain = _plain(label)
    if plain in IDENTIFIERS:
        return not GAUGE.search(plain)
    return bool(COUNTER.search(plain)) and not GAUGE.search(plain)


def _plain(label: str) -> str:
    return " ".join(re.sub(r"\([^()]*\)$", "", label.strip()[:200]).lower().split())
