-- One row per log message and table that holds it: a HAD line carried by syslog is here as syslog and as vcs. See `event`.
-- columns:
--   configuration: folder group
--   run: run
--   node: host that wrote the line
--   at: time, UTC; null for an undated line
--   source: syslog, vcs, db2diag, llt, gab, storage
--   severity: severity or level as the source has it
--   message_id: vendor's message id; function and probe for db2diag records without one
--   process: program, agent or process
--   pid: process id
--   text: message
--   file_id: file
--   line_no: line
--   part: message within the line
select configuration, run, node, "at", 'syslog' as source, level as severity, message_id, tag as process, pid, text,
    file_id, line_no, part
from syslog_event
union all
select configuration, run, node, "at", 'vcs', severity, message_id, agent, null, text, file_id, line_no, part
from vcs_event
union all
select configuration, run, node, "at", 'db2diag', level,
    coalesce(message_code, "function" || ':' || probe), process, pid,
    coalesce(message, event_text, retcode, data), file_id, line_no, part
from db2diag_record
union all
select configuration, run, node, "at", 'llt', null, message_id, 'LLT', null, text, file_id, line_no, part
from llt_event
union all
select configuration, run, node, "at", 'gab', null, message_id, 'GAB', null, text, file_id, line_no, part
from gab_event
union all
select configuration, run, node, "at", 'storage', severity, message_id, coalesce(component, product), null, text,
    file_id, line_no, part
from storage_event
