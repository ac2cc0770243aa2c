"""Relations that follow from the formats and their tables, so that a new format need not be listed anywhere.

Each is written as the files of `pipeline/sql` are: a header that documents it, then one select.
"""

from parsers.format import Message, Table, formats, tables
from pipeline.store.log_tables import line_relation
from pipeline.store.store import literal, quoted


def derived_relations() -> dict[str, str]:
    """Source of each derived relation by its name."""
    public = {name: _public_view(table) for name, table in tables().items() if table.is_public}
    return public | {
        "carried_line": _carried_line(),
        "event_line": _event_line(),
        "log_format": _log_format(),
        "stamp_resolution": _stamp_resolution(),
    }


def _public_view(table: Table) -> str:
    """The rows of a table with configuration, run and node; documented by the declarations of its columns."""
    host = _host(table)
    meanings = {each.name: each.comment for each in table.columns if each.is_public}
    if table.is_dated:
        meanings = {"run": "run folder, else the run in whose time the line lies; null outside of all"} | meanings
    if table.part is not None:
        meanings["part"] = table.part
    documented = "\n".join(f"--   {name}: {meaning}" for name, meaning in meanings.items())
    own = [*(("at", "local_at") if table.is_dated else ()), *(each.name for each in table.columns if each.is_public)]
    own += ["file_id", "line_no", *(() if table.part is None else ("part",))]
    columns = ",\n    ".join(f"own.{quoted(name)}" for name in own)
    return f"""\
-- {table.grain}
-- columns:
{documented}
select
    source_file.configuration,
    {"coalesce(source_file.run, long_run.run, run_hour.run) as run" if table.is_dated else "source_file.run"},
    {"source_file.node" if host is None else f"writer_host({host}, source_file.node) as node"},
    {columns}

from log.{quoted(table.name)} as own

inner join source_file
    on own.file_id = source_file.file_id
{_host_join(table)}{RUN_OF_LINE if table.is_dated else ""}"""


SYSLOG = "syslog_event"
"""The table of lines that carry messages of others."""

RUN_OF_LINE = """
left join run_hour as long_run
    on source_file.run is null and is_in_long_run(source_file.configuration, own."at", long_run)

left join run_hour
    on source_file.run is null and is_in_run_hour(source_file.configuration, own."at", run_hour)
"""


def _host(table: Table) -> str | None:
    """The expression of the host that wrote a line."""
    if table.host_table is not None:
        return f"writer.{quoted(str(tables()[table.host_table].own_host))}"
    return None if table.own_host is None else f"own.{quoted(table.own_host)}"


def _host_join(table: Table) -> str:
    if table.host_table is None:
        return ""
    writer = f"log.{quoted(table.host_table)}"
    host = quoted(str(tables()[table.host_table].own_host))
    # Of files with lines of both tables alone: a join holds what it looks in
    return f"""
left join (
    select lines.file_id, lines.line_no, lines.{host}

    from {writer} as lines

    semi join (select distinct file_id from {line_relation(table)}) as both_in using (file_id)

    where lines.part = 1
) as writer
    on own.file_id = writer.file_id and own.line_no = writer.line_no
"""


def _event_line() -> str:
    parts = [_messages(table, table.message) for table in tables().values() if table.message is not None]
    sources = ", ".join(sorted({table.message.source for table in tables().values() if table.message is not None}))
    return f"""\
-- One row per log message and table that holds it: a HAD line in a syslog is here as syslog and as vcs. See `event`.
-- columns:
--   source: {sources}
--   severity: severity or level as the source has it
--   message_id: vendor's message id; function and probe for db2diag records without one; rule for ha
--   process: program, agent or process
""" + "\nunion all\n".join(parts)


def _carried_line() -> str:
    others = [
        f"select file_id, line_no from {line_relation(table)}"
        for table in tables().values()
        if table.message is not None and table.name != SYSLOG
    ]
    return f"""\
-- One row per line that syslog carried and that another table holds too: a HAD line, also in `vcs_event`.
-- Looked for in files with lines of syslog alone, so that few lines are kept in memory to find them.
with

typed as (

    {" union all ".join(others)}

)

select distinct own.file_id, own.line_no

from log.{SYSLOG} as own

semi join (
    select typed.file_id, typed.line_no from typed semi join (select distinct file_id from log.{SYSLOG}) using (file_id)
) as other using (file_id, line_no)
"""


def _messages(table: Table, message: Message) -> str:
    return (
        f'select configuration, run, node, "at", {literal(message.source)} as source, '
        f"({message.severity})::varchar as severity, ({message.message_id})::varchar as message_id, "
        f"({message.process})::varchar as process, ({message.pid})::bigint as pid, {message.text} as text, "
        f"file_id, line_no, part from {table.name}"
    )


def _stamp_resolution() -> str:
    parts = [
        f"select file_id, epoch_us(local_at) % 1000000 as fraction_us, {table.whole_seconds or 'false'} as is_coarse, "
        f'{table.stamp_step or "null"}::double as step_s from {line_relation(table)} where "at" is not null'
        for table in tables().values()
        if table.is_dated
    ]
    return f"""\
-- One row per file with dated lines. How fine its stamps are, in seconds.
-- A stamp is cut, not rounded: the instant lies in [stamp, stamp + resolution).
-- The stamp as printed: `at` may have been moved by a fraction.
-- materialised: reads every dated line once
-- rows by: file_id
-- columns:
--   resolution_s: 1 if every stamp is a whole second, 0.001 if a whole millisecond, else 0.000001; 60 without seconds
--   whole_milli_s: of the stamps that are whole milliseconds; coarser only where some heads print no fraction
--   whole_second_s: of the stamps that are whole seconds; coarser only where some heads print no fraction
with

files as (

    select
        file_id,
        bool_or(is_coarse and fraction_us = 0) as is_mixed,  -- others may show a fraction in their text
        case
            when max(step_s) is not null then max(step_s)
            when bool_and(fraction_us = 0) then 1.0::double
            when bool_and(fraction_us % 1000 = 0) then 0.001::double
            else 0.000001::double
        end as resolution_s

    from ({" union all ".join(parts)})

    group by file_id

)

select
    file_id,
    resolution_s,
    case when is_mixed then greatest(resolution_s, 0.001) else resolution_s end as whole_milli_s,
    case when is_mixed then greatest(resolution_s, 1.0) else resolution_s end as whole_second_s

from files

order by file_id
"""


def _log_format() -> str:
    rows = ", ".join(
        f"({literal(each.name)}, {literal(each.title)}, {literal(each.role)})" for each in formats().values()
    )
    names = ", ".join(literal(each) for each in formats())
    return f"""\
-- One row per format that haledger reads, and per format that study.toml declares.
-- columns:
--   format: name, as in `source_file`
--   title: what it is
--   role: log (what happened), configuration (what was in force) or measurement
select format, title, role from (values {rows}) as formats (format, title, role)

union all

select distinct source_file.format, 'Log that study.toml declares' as title, 'log' as role

from source_file

where source_file.format not in ({names})
"""
