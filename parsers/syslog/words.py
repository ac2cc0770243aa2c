"""Words of log lines: months, facilities, levels."""

import polars as pl

from parsers.zone_names import ZONES_MIN

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MONTH = "(?:" + "|".join(MONTHS) + ")"

WEEKDAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"

FACILITIES = (
    *("kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp"),
    *("ntp", "audit", "alert", "clock"),
    *(f"local{number}" for number in range(8)),
)
"""Facility of a PRI by number (RFC 5424, table 1; short names of syslog.h)."""

LEVELS = ("emerg", "alert", "crit", "err", "warning", "notice", "info", "debug")
"""Level of a PRI by number (RFC 5424, table 2)."""

LEVEL_WORDS = {
    **{level: level for level in LEVELS},
    "panic": "emerg",
    "critical": "crit",
    "fatal": "crit",
    "fatal error": "crit",
    "error": "err",
    "warn": "warning",
    "log": "info",
    "trace": "debug",
    **{f"debug{number}": "debug" for number in range(1, 6)},
}
"""Level by the word printed, lower case: of syslogd, Heartbeat, Pacemaker, Veritas, PostgreSQL, Python."""

LEVEL_LETTERS = {"F": "crit", "E": "err", "W": "warning", "I": "info", "D": "debug"}
"""Level by its letter: klog, MongoDB and others."""

LEVEL_WORD = (
    r"(?:emerg|alert|crit|err|error|warn|warning|notice|info|debug"
    r"|EMERG|ALERT|CRIT|CRITICAL|ERR|ERROR|WARN|WARNING|NOTICE|INFO|DEBUG)"
)
PROGRAM_WORD = (
    "(?:LOG|INFO|INF|INFORMATION|WARN|WARNING|WRN|ERROR|ERR|DEBUG|DBG|FATAL|FTL|TRACE|TRC|NOTICE|CRITICAL|CRIT|SEVERE"
    "|ALERT|EMERG|PANIC|DPANIC|VERBOSE|CONFIG|FINE|FINER|FINEST|AUDIT"
    "|info|inf|warn|warning|wrn|error|err|debug|dbg|fatal|trace|notice|critical|crit|severe|panic|verbose"
    "|Info|Information|Warn|Warning|Error|Debug|Fatal|Trace|Notice|Note|Critical|Verbose|Severe"
    "|[CDEFINSTVW]|D[1-5])"
)
"""What is in place of a host where a program writes its own log: a level, or its first letter."""

NO_HOST = (
    rf"^(?:{PROGRAM_WORD}[:|,]?|[^0-9A-Za-z]{{1,2}}|[+-][0-9]{{2}}:?[0-9]{{2}}|[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}.*"
    rf"|(?:{'|'.join(sorted(ZONES_MIN))}):?)$"
)
"""A word that is no host: a level, marks, a zone, another date."""


def level_of(word: pl.Expr) -> pl.Expr:
    """The level that a word stands for."""
    return word.str.to_lowercase().replace_strict(LEVEL_WORDS, default=None, return_dtype=pl.String)


def named(names: tuple[str, ...], number: pl.Expr) -> pl.Expr:
    """The name of a facility or level by its number."""
    return number.replace_strict(dict(enumerate(names)), default=None, return_dtype=pl.String)
