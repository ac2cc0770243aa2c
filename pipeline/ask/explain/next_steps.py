"""What a study lacks for an incident, a time zone or an order of dates, and which line or declaration would give it.

Each question gives at most a sentence; together they are what `explain` ends with.
"""

from collections.abc import Callable

import duckdb

from pipeline.ask.settings import glob_of, text_of
from pipeline.store import findings

MOST = 7
"""Sentences at most."""

NAMED = 3
"""Names in a sentence at most."""

INCIDENTS = """
select (select count(*) from run where fault_at is not null) + (select count(*) from run_outcome where is_counted)
"""
MEASURED = "select (select count(*) from measurement) + (select count(*) from measurement_series)"
RUNS = "select configuration, run from run where fault_at is null order by all limit 1"
SET_ASIDE = """
select run || ' of ' || configuration from run
where
    not used and fault_at is null and flags like '%no_incident%' and flags not like '%excluded%'
    and not exists (
        select 1 from run_outcome as known
        where known.is_counted and known.configuration = run.configuration and known.run is not distinct from run.run
    )
order by all
"""
ZONES = """
select distinct coalesce(node, path) from source_file
where timezone_source = 'assumed' and first_at is not null order by 1
"""
OPEN_DATES = """
select distinct source_file.path from log_record inner join source_file using (file_id)
where log_record.date_order = 'open' order by 1
"""
WITHOUT_DAY = """
select source_file.path from log_record inner join source_file using (file_id)
where log_record.time_of_day is not null and log_record."at" is null group by all order by 1
"""
LACKING = f"select text from missing_evidence order by losses desc, lines desc, configuration, stack limit {NAMED}"
DATED = "select count(distinct file_id) from log_record"
NOTHING_FOUND = "No incident and no result of a benchmark was found"
UNREAD = "select count(*) from source_file where status = 'unrecognised'"


def has_result(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether there is an incident or a measurement."""
    return bool(_count(con, INCIDENTS) or _count(con, MEASURED))


def next_steps(con: duckdb.DuckDBPyConnection) -> list[str]:
    """The sentences, what matters most first."""
    found = (question(con) for question in QUESTIONS)
    return list(filter(None, found))[:MOST]


def _incident(con: duckdb.DuckDBPyConnection) -> str:
    """What would have made an incident."""
    if has_result(con):
        return ""
    found = [text for (text,) in con.execute(LACKING).fetchall()]
    lacking = (
        " ".join(dict.fromkeys(found))
        or "No line is known as one of a cluster manager, a replication or a server that elects a leader."
    )
    return f"{NOTHING_FOUND}. {lacking}"


def _fault(con: duckdb.DuckDBPyConnection) -> str:
    """How to declare the time of the fault."""
    if _count(con, INCIDENTS):
        return ""
    lacking = con.execute(RUNS).fetchone()
    if lacking is None or has_result(con):
        return ""
    configuration, run = lacking
    return (
        "If you know when the fault was, declare it in study.toml: "
        f'[[run]] configuration = "{configuration}", run = "{run}", fault_at = the date and time with its zone.'
    )


def _set_aside(con: duckdb.DuckDBPyConnection) -> str:
    """Which runs have no incident beside runs that have one."""
    runs = _names(con, SET_ASIDE) if _count(con, INCIDENTS) else ""
    return runs and f"No fault was found in run {runs}: if there was one, declare [[run]] fault_at in study.toml."


def _resource_types(con: duckdb.DuckDBPyConnection) -> str:
    """Which lines would name the steps of a group of VCS."""
    row = con.execute(f"select text from ({findings.relation('unknown_resource_type')}) limit 1").fetchone()
    return "" if row is None else str(row[0]).replace("`", "")


def _milestones(con: duckdb.DuckDBPyConnection) -> str:
    """How steps are found in logs without a format of their own."""
    count = _count(con, DATED)
    if not count or has_result(con):
        return ""
    return (
        f"{count:,} {'log is' if count == 1 else 'logs are'} read as dated lines only: [[milestone]] with "
        'source = "log" and text, a regular expression, says which of their lines is which step.'
    )


def _unread(con: duckdb.DuckDBPyConnection) -> str:
    """How to get unread files read."""
    count = _count(con, UNREAD)
    if not count:
        return ""
    files = "1 file is" if count == 1 else f"{count:,} files are"
    return f"{files} not recognised: where a setting was found that reads one, it stands beside the file."


def _dates(con: duckdb.DuckDBPyConnection) -> str:
    """Where the order of dates is open."""
    paths = _names(con, OPEN_DATES)
    which = "Nothing shows which number is the day in"
    return paths and f"{which} {paths}: declare [[files]] date_order, so that its lines have times."


def _days(con: duckdb.DuckDBPyConnection) -> str:
    """Where lines print a time of day alone."""
    paths = _names(con, WITHOUT_DAY)
    if not paths:
        return ""
    first = text_of(glob_of(str(con.execute(WITHOUT_DAY).fetchall()[0][0])))
    return (
        f"Lines of {paths} have a time of day and nothing shows of which day: declare it in study.toml, "
        f"[[files]] match = {first}, start = the date and time of the first line, such as 2024-05-06T10:11:12."
    )


def _zones(con: duckdb.DuckDBPyConnection) -> str:
    """Which line would show the zone."""
    nodes = _names(con, ZONES)
    return nodes and (
        f"No line gives the zone of {nodes}: set timezone under [node.NAME] in study.toml, or add a log of the node "
        "whose stamps have an offset, such as 2003-07-28T10:27:04-04:00."
    )


QUESTIONS: tuple[Callable[[duckdb.DuckDBPyConnection], str], ...] = (
    _incident,
    _fault,
    _set_aside,
    _resource_types,
    _milestones,
    _unread,
    _dates,
    _days,
    _zones,
)
"""In the order of their sentences, each empty where there is nothing to say."""


def _count(con: duckdb.DuckDBPyConnection, statement: str) -> int:
    row = con.execute(statement).fetchone()
    return 0 if row is None else int(row[0])


def _names(con: duckdb.DuckDBPyConnection, statement: str) -> str:
    """The first names that a statement gives, and how many more there are; empty without any."""
    names = [str(name) for (name,) in con.execute(statement).fetchall()]
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
