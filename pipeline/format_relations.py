"""Relations that follow from the formats and their tables, so that a new format need not be listed anywhere.

Each is written as the files of `sql/views` are: a header that documents it, then one select.
"""

from parsers.format import Message, Table, formats, tables
from pipeline.store import literal


def derived_relations() -> dict[str, str]:
    """Source of each derived relation by its name."""
    return {"event_line": _event_line(), "log_format": _log_format(), "stamp_resolution": _stamp_resolution()}


def _event_line() -> str:
    parts = [_messages(table, table.message) for table in tables().values() if table.message is not None]
    sources = ", ".join(sorted({table.message.source for table in tables().values() if table.message is not None}))
    return f"""\
-- One row per log message and table that holds it: a HAD line in a syslog is here as syslog and as vcs. See `event`.
-- columns:
--   configuration: folder group
--   run: run
--   node: host that wrote the line
--   at: time, UTC; null for an undated line
--   source: {sources}
--   severity: severity or level as the source has it
--   message_id: vendor's message id; function and probe for db2diag records without one; rule for ha
--   process: program, agent or process
--   pid: process id
--   text: message
--   file_id: file
--   line_no: line
--   part: message within the line
""" + "\nunion all\n".join(parts)


def _messages(table: Table, message: Message) -> str:
    return (
        f'select configuration, run, node, "at", {literal(message.source)} as source, '
        f"({message.severity})::varchar as severity, ({message.message_id})::varchar as message_id, "
        f"({message.process})::varchar as process, ({message.pid})::bigint as pid, {message.text} as text, "
        f"file_id, line_no, part from {table.name}"
    )


def _stamp_resolution() -> str:
    parts = [
        "select file_id, bool_and(epoch_us(local_at) % 1000000 = 0) as is_second, "
        "bool_and(epoch_us(local_at) % 1000 = 0) as is_milli "
        f'from log.{table.name} where "at" is not null group by file_id'
        for table in tables().values()
        if table.is_dated
    ]
    return f"""\
-- One row per file with dated lines. How fine its stamps are, in seconds.
-- A stamp is cut, not rounded: the instant lies in [stamp, stamp + resolution).
-- The stamp as printed: `at` may have been moved by a fraction.
-- materialised: reads every dated line once
-- columns:
--   file_id: file
--   resolution_s: 1 if every stamp is a whole second, 0.001 if a whole millisecond, else 0.000001
select
    file_id,
    case when bool_and(is_second) then 1.0::double when bool_and(is_milli) then 0.001::double else 0.000001::double end
        as resolution_s

from ({" union all ".join(parts)})

group by file_id

order by file_id
"""


def _log_format() -> str:
    rows = ", ".join(
        f"({literal(each.name)}, {literal(each.title)}, {literal(each.role)})" for each in formats().values()
    )
    return f"""\
-- One row per format that haledger reads.
-- columns:
--   format: name, as in `source_file`
--   title: what it is
--   role: log (what happened), configuration (what was in force) or measurement
select format, title, role from (values {rows}) as formats (format, title, role)
"""
