r"""What `log_line_prefix` puts before the level of a line of PostgreSQL's own log, no matter what a site has chosen.

time         `%t` and `%m`: `2026-11-21 15:36:39.872 UTC`; `%n`: seconds since 1970. Of several the latest, for
             `%s`, the start of the session, is never later than the line, and `%t` is `%m` without its fraction
process id   `%p` in brackets, else beside the time; a number that is anywhere else may be anything
the rest     user, database, application, host, error code, transaction: left in the file
"""

import polars as pl

LEVELS = "DEBUG[1-5]|LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC"
NOTES = "DETAIL|HINT|CONTEXT|STATEMENT|QUERY|LOCATION|BACKTRACE"
STAMP = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
    r"(?: [A-Z]{2,5}| ?[+-][0-9]{2}(?::?[0-9]{2})?)\b"
)
EPOCH = r"\b[0-9]{9,10}\.[0-9]{3}\b"

# REAL: psql|postgres|postgres|[local]|27377|2026-11-21 15:36:40 UTC|2026-11-21 15:36:40.140 UTC|SELECT| ERROR:  ...
# REAL: 00000 27533 1795275402.905 LOG:  redo starts at 0/1705EC0
PREFIXED = rf"^.*?(?:{STAMP}|{EPOCH}).*?\b(?:(?:{LEVELS})|(?:{NOTES})):  "
# REAL:  m-1| 2018-11-19 11:41:56.199046-05 | [26]: [11-1] user=,db=,client= LOG:  received promote request
# REAL: LOG:  redo starts at 0/172AF78
UNDATED = rf"^[^\t]{{0,100}}?\b(?:(?:{LEVELS})|(?:{NOTES})):  "
# what only PostgreSQL says, so that a file without times is recognised as its log
OWN_WORDS = (
    r"\bLOG:  (?:starting PostgreSQL|listening on |database system |redo |checkpoint |autovacuum|connection "
    r"|statement: |duration: |received |shutting down|automatic |could not receive data from client)"
)

SPLIT = rf"^(?P<prefix>.*?)(?:\b(?P<level>{LEVELS}):  (?P<said>.*)|\b(?P<note>(?:{NOTES}):  .*))$"
DATED = (
    r"^(?P<date>[0-9-]+) (?P<time>[0-9:]+)(?:\.(?P<fraction>[0-9]+))? ?(?P<offset>\S+)$",
    r"^(?P<seconds>[0-9]+)\.(?P<fraction>[0-9]+)$",
)
MOST_TIMES = 4
"""A prefix has each of `%t`, `%m`, `%n` and `%s` once."""

PID_IN_BRACKETS = r"\[([0-9]{1,18})(?:-[0-9]+)?\]"
PID_BEFORE_TIME = rf"(?:^|[ |:,;])([1-9][0-9]{{0,17}})[ |:,;]+(?:{STAMP}|{EPOCH})"
PID_AFTER_TIME = rf"(?:{STAMP}|{EPOCH})[ |:,;]+([1-9][0-9]{{0,17}})(?:[ |:,;]|$)"


def groups(lines: pl.DataFrame) -> pl.DataFrame:
    """Lines with what their head, column `line`, says: columns named as the groups of `parsers.syslog.framing`."""
    parts = lines.with_columns(pl.col("line").str.extract_groups(SPLIT).alias("parts")).unnest("parts")
    prefix = pl.col("prefix")
    parts = parts.with_columns(_latest(STAMP).alias("stamp"), _latest(EPOCH).alias("epoch"))
    dated, counted = (
        pl.col(name).str.extract_groups(p).struct.field for name, p in zip(("stamp", "epoch"), DATED, strict=True)
    )
    is_dated = pl.col("stamp").is_not_null()
    return parts.with_columns(
        *(dated(name).alias(name) for name in ("date", "time", "offset")),
        pl.when(~is_dated).then(counted("seconds")).alias("seconds"),
        pl.when(is_dated).then(dated("fraction")).otherwise(counted("fraction")).alias("fraction"),
        pl.coalesce(
            prefix.str.extract(PID_IN_BRACKETS), prefix.str.extract(PID_BEFORE_TIME), prefix.str.extract(PID_AFTER_TIME)
        ).alias("pid"),
    ).drop("prefix", "stamp", "epoch")


def _latest(pattern: str) -> pl.Expr:
    """The latest of the times in a prefix. Taken one by one: the largest of a list takes Polars 4 KB a row."""
    found = pl.col("prefix").str.extract_all(pattern)
    return pl.max_horizontal(found.list.get(place, null_on_oob=True) for place in range(MOST_TIMES))
