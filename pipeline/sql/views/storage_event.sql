-- One row per message of VxVM, CVM, VxFS, CFS or vxfen.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host that wrote the line, short name; else the host that the file is from
--   at: time, UTC; null for an undated line
--   local_at: wall clock of the writer
--   host: node that wrote the line
--   message_id: V-2-n, V-5-n-n, V-11-n-n; null in the eras without one
--   product: VxVM, CVM, VxFS, CFS, VXFEN
--   component: writing component: vxconfigd, vxio, vxfsckd, ...
--   severity: PANIC, FATAL ERROR, ERROR, WARNING, NOTICE, INFO
--   object: mount point, volume, disk group or device that the text names
--   is_recovery: part of a recovery: reconfiguration, log replay, primary take-over
--   text: the message
--   file_id: file
--   line_no: line
--   part: message within the line, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(coalesce(storage_event.host, source_file.node)) as node,
    storage_event."at",
    storage_event.local_at,
    storage_event.host,
    storage_event.message_id,
    storage_event.product,
    storage_event.component,
    storage_event.severity,
    storage_event.object,
    storage_event.is_recovery,
    storage_event.text,
    storage_event.file_id,
    storage_event.line_no,
    storage_event.part

from log.storage_event as storage_event

inner join source_file
    on storage_event.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or storage_event."at" >= run_window.start_at)
        and (run_window.end_at is null or storage_event."at" < run_window.end_at)
