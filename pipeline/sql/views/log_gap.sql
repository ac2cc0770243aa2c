-- One row per line by which a writer of logs says that it lost messages.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host that wrote the line, short name; else the host that the file is from
--   at: time, UTC; null for an undated line
--   local_at: wall clock of the writer
--   host: host that wrote the line, as printed
--   writer: who lost them: imuxsock, imjournal, systemd-journal, kernel, ...
--   lost_count: messages lost; null where the line tells only that some were
--   text: the message
--   file_id: file
--   line_no: line
--   part: message within the line, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(coalesce(log_gap.host, source_file.node)) as node,
    log_gap."at",
    log_gap.local_at,
    log_gap.host,
    log_gap.writer,
    log_gap.lost_count,
    log_gap.text,
    log_gap.file_id,
    log_gap.line_no,
    log_gap.part

from log.log_gap as log_gap

inner join source_file
    on log_gap.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or log_gap."at" >= run_window.start_at)
        and (run_window.end_at is null or log_gap."at" < run_window.end_at)
