-- One row per thing that a message of a cluster manager, replication or database tells of a failover.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host that wrote the line, short name; else the host that the file is from
--   at: time, UTC; null for an undated line
--   local_at: wall clock of the writer
--   host: node that wrote the line, as printed
--   stack: heartbeat, drbd, corosync, pacemaker, sun_cluster, serviceguard, keepalived, patroni, postgresql,
--     mysql, vxfen
--   kind: what the message says: peer_dead, member_lost, fence_done, resource_done, drbd_role, resync_done, ...
--   object: resource, group, device, address or mount point that the message is about
--   object_class: address, replication, mount, database, application, fencing; null where the message does not tell
--   agent: resource agent or script: IPaddr2, Filesystem, drbddisk, pgsql, ...
--   action: operation on the resource: start, stop, promote, demote, monitor, ...
--   peer: host that the message is about
--   old_state: state that was left
--   new_state: state that was reached
--   return_code: return code of the operation
--   value: number that the message states, in the unit of its kind
--   rule: rule that read the message
--   uptime_s: kernel uptime stamp, seconds
--   process: program, daemon or agent that wrote it
--   pid: process id
--   text: the message
--   file_id: file
--   line_no: line
--   part: thing within the message, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(coalesce(ha_event.host, source_file.node)) as node,
    ha_event."at",
    ha_event.local_at,
    ha_event.host,
    ha_event.stack,
    ha_event.kind,
    ha_event.object,
    ha_event.object_class,
    ha_event.agent,
    ha_event.action,
    ha_event.peer,
    ha_event.old_state,
    ha_event.new_state,
    ha_event.return_code,
    ha_event.value,
    ha_event.rule,
    ha_event.uptime_s,
    ha_event.process,
    ha_event.pid,
    ha_event.text,
    ha_event.file_id,
    ha_event.line_no,
    ha_event.part

from log.ha_event as ha_event

inner join source_file
    on ha_event.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or ha_event."at" >= run_window.start_at)
        and (run_window.end_at is null or ha_event."at" < run_window.end_at)
