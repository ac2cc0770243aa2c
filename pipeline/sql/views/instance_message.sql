-- One row per partition that db2start or db2stop reports in a terminal's text, with the time at which it was done.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host that the file is from
--   at: time, UTC
--   local_at: wall clock of the host
--   member: partition number
--   port: logical port of the partition on its host
--   message_id: SQL1063N started, SQL1064N stopped
--   text: message
--   file_id: file
--   line_no: line
--   part: message within the line, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(source_file.node) as node,
    message."at",
    message.local_at,
    message.member,
    message.port,
    message.message_id,
    message.text,
    message.file_id,
    message.line_no,
    message.part

from log.instance_message as message

inner join source_file
    on message.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or message."at" >= run_window.start_at)
        and (run_window.end_at is null or message."at" < run_window.end_at)
