-- One row per LLT message about a link to a peer.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host that wrote the line, short name; else the host that the file is from
--   at: time, UTC; null for an undated line
--   local_at: wall clock of the writer
--   host: node that wrote the line
--   message_id: V-14-1-number; LLT:nnnnn of 2.0 and 3.5 is written as V-14-1-nnnnn
--   state: trouble, inactive, hbreq, expired, active, delayed, lost, other
--   link: link number
--   device: network device of the link
--   peer_id: LLT node id of the peer
--   silent_s: N of `inactive N sec`: whole seconds without a heartbeat
--   outage_key: number in parentheses of an inactive line: constant for an outage of a link
--   repeat_count: further copies that syslog folded into a repeat line
--   text: the message
--   file_id: file
--   line_no: line
--   part: message within the line, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(coalesce(llt_event.host, source_file.node)) as node,
    llt_event."at",
    llt_event.local_at,
    llt_event.host,
    llt_event.message_id,
    llt_event.state,
    llt_event.link,
    llt_event.device,
    llt_event.peer_id,
    llt_event.silent_s,
    llt_event.outage_key,
    llt_event.repeat_count,
    llt_event.text,
    llt_event.file_id,
    llt_event.line_no,
    llt_event.part

from log.llt_event as llt_event

inner join source_file
    on llt_event.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or llt_event."at" >= run_window.start_at)
        and (run_window.end_at is null or llt_event."at" < run_window.end_at)
