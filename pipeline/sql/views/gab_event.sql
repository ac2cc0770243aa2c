-- One row per GAB message; memberships are taken apart.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host that wrote the line, short name; else the host that the file is from
--   at: time, UTC; null for an undated line
--   local_at: wall clock of the writer
--   host: node that wrote the line
--   message_id: V-15-1-number; GAB:nnnnn of 2.0 and 3.5 is written as V-15-1-nnnnn
--   kind: membership, jeopardy, visible, closed, inactive, halt, other
--   port: GAB port letter: a GAB, b fencing, d ODM, f CFS, h HAD, v and w CVM, ...
--   generation: generation as printed, hexadecimal
--   membership: position-coded member string exactly as printed, blanks kept
--   members: node ids that the string stands for
--   text: the message
--   file_id: file
--   line_no: line
--   part: message within the line, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(coalesce(gab_event.host, source_file.node)) as node,
    gab_event."at",
    gab_event.local_at,
    gab_event.host,
    gab_event.message_id,
    gab_event.kind,
    gab_event.port,
    gab_event.generation,
    gab_event.membership,
    gab_event.members,
    gab_event.text,
    gab_event.file_id,
    gab_event.line_no,
    gab_event.part

from log.gab_event as gab_event

inner join source_file
    on gab_event.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or gab_event."at" >= run_window.start_at)
        and (run_window.end_at is null or gab_event."at" < run_window.end_at)
