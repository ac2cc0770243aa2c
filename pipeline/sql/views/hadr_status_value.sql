-- One row per value that a monitor (db2pd -hadr, snapshot) shows of HADR, by the names of V10.1 and later.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time it was shown; null outside of all
--   node: host that was asked, short name; else the host that the file is from
--   at: time at which it was shown, UTC; null where the output tells none
--   local_at: wall clock of the host
--   status_no: number of the standby's block within the file, from 1
--   database: database
--   member: database partition or member that was asked
--   name: HADR_ROLE, HADR_STATE, LOG_HADR_WAIT_CUR, ...
--   value: value as printed; null for NULL
--   number: the value as a number, in the unit
--   unit: seconds, bytes, pages; null where none is printed
--   shown_at: time that the value states, UTC
--   doubt: what is wrong about the value, or null
--   file_id: file
--   line_no: line
--   part: number within the line, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(coalesce(hadr_status.host, source_file.node)) as node,
    hadr_status."at",
    hadr_status.local_at,
    hadr_status.status_no,
    hadr_status.database,
    hadr_status.member,
    hadr_status.name,
    hadr_status.value,
    hadr_status.number,
    hadr_status.unit,
    hadr_status.shown_at,
    hadr_status.doubt,
    hadr_status.file_id,
    hadr_status.line_no,
    hadr_status.part

from log.hadr_status as hadr_status

inner join source_file
    on hadr_status.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or hadr_status."at" >= run_window.start_at)
        and (run_window.end_at is null or hadr_status."at" < run_window.end_at)
