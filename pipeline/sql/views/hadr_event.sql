-- One row per db2diag or notification record about HADR; a record with several socket buffers has several.
-- A message that stands in db2diag.log and in the notification log of its host is here once, from db2diag.log.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host that wrote the line, short name; else the host that the file is from
--   at: time, UTC; null for an undated line
--   local_at: wall clock of the writer
--   kind: hadr_command, hadr_takeover, hadr_role, hadr_state, hadr_connected, hadr_refused, hadr_socket_buffer,
--     hadr_error
--   instance: DB2 instance
--   database: database; where DB is not printed, the one that the EDU is named after
--   member: database partition or member
--   host: HOSTNAME field
--   eduid: engine dispatchable unit id
--   edu: engine dispatchable unit: db2hadrp.0.1 (HADRDB) 0, ...
--   side: role of the writer: primary or standby; by its EDU, its new state or its words
--   log_stream: log stream that the EDU serves, from V10.1 on
--   standby_id: number of the standby that the EDU serves; 0 on a standby; from V10.1 on
--   command: start, stop or takeover, of a command
--   command_role: primary or standby, of a START HADR that says so (from V10.1 on)
--   is_forced: whether a command or take-over was by force; null where that is not told
--   is_peer_window_only: whether a take-over by force kept to the peer window
--   old_role: role before, of a role or state change: standard, primary or standby
--   new_role: role after
--   old_state: state before: none, boot, local_catchup, rcu_pending, rcu, nearly_peer, peer or disconnected_peer
--   new_state: state after
--   old_state_raw: state before as printed: P-Peer (to V9.7), HDR_P_PEER (from V10.1 on)
--   new_state_raw: state after as printed
--   conn_id: number of the connection, the same on both hosts, from V10.1 on
--   direction: send or receive, of a socket buffer
--   requested_bytes: size asked for by the registry variable; null where it is not set
--   actual_bytes: size that the system gave
--   message_code: ADM code
--   text: what the record says of it
--   file_id: file
--   line_no: line
--   part: part of the record, from 1
with

events as (

    select
        source_file.configuration,
        coalesce(source_file.run, run_window.run) as run,
        short_host(coalesce(hadr_event.host, source_file.node)) as node,
        hadr_event."at",
        hadr_event.local_at,
        hadr_event.kind,
        hadr_event.instance,
        hadr_event.database,
        hadr_event.member,
        hadr_event.host,
        hadr_event.eduid,
        hadr_event.edu,
        hadr_event.side,
        hadr_event.log_stream,
        hadr_event.standby_id,
        hadr_event.command,
        hadr_event.command_role,
        hadr_event.is_forced,
        hadr_event.is_peer_window_only,
        hadr_event.old_role,
        hadr_event.new_role,
        hadr_event.old_state,
        hadr_event.new_state,
        hadr_event.old_state_raw,
        hadr_event.new_state_raw,
        hadr_event.conn_id,
        hadr_event.direction,
        hadr_event.requested_bytes,
        hadr_event.actual_bytes,
        hadr_event.message_code,
        hadr_event.text,
        hadr_event.file_id,
        hadr_event.line_no,
        hadr_event.part,
        source_file.format

    from log.hadr_event as hadr_event

    inner join source_file
        on hadr_event.file_id = source_file.file_id

    left join run_window
        on
            source_file.run is null
            and source_file.configuration = run_window.configuration
            and (run_window.start_at is null or hadr_event."at" >= run_window.start_at)
            and (run_window.end_at is null or hadr_event."at" < run_window.end_at)

)

select events.* exclude (format)

from events

where
    events.format <> 'db2_nfy'
    or not exists (
        select 1

        from events as twin

        where
            twin.format <> 'db2_nfy'
            and twin.configuration is not distinct from events.configuration
            and twin.run is not distinct from events.run
            and twin.node is not distinct from events.node
            and twin.instance is not distinct from events.instance
            and upper(twin.database) is not distinct from upper(events.database)
            and twin.message_code = events.message_code
            and abs(epoch_us(twin."at") - epoch_us(events."at")) <= 1000000
    )
