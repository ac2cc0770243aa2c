-- One row per line that can tell who leads, misses a leader or ends its lead, or which program leads. Times in UTC.
-- The lean extract that changes of leaders are found in.
-- columns:
--   node: host that wrote it; where nobody says which, the host of the file
--   object: scope, monitored name, replica set or resource
--   is_writer_known: the host is known that wrote it
--   log_begins_at: first stamp of the file, UTC
--   is_peer_writer: a line of the unit is by the host that this one is about
with

lines as (

    select
        configuration,
        unit_run,
        coalesce(node, node_key) as node,
        node is not null as is_writer_known,
        node_key,
        stack,
        kind,
        object,
        action,
        peer,
        peer_key,
        former,
        former_key,
        process,
        "at",
        file_id,
        line_no,
        part

    from ha_line

    where
        kind in (
            'group_started', 'db_start', 'boot', 'cluster_started', 'leader', 'leader_alive', 'leader_missing', 'leader_down',
            'leader_suspect', 'leader_replaced', 'leader_ready', 'leader_wanted', 'leader_outranked',
            'following', 'upstream_lost', 'node_named', 'election', 'election_failed', 'member_gone', 'give_up', 'db_promoted',
            'db_shutdown', 'shutdown_notice', 'program_stopped', 'resource_failed', 'vrrp_fault', 'vrrp_backup', 'leader_resigned', 'quorum_lost'
        )

),

logs as (

    select file_id, first_at as log_begins_at from source_file

),

writers as (

    select distinct configuration, unit_run, node_key from ha_line

)

select
    lines.*,
    writers.node_key is not null as is_peer_writer,
    logs.log_begins_at

from lines

inner join logs
    on lines.file_id = logs.file_id

left join writers
    on
        is_same_unit(lines, writers)
        and lines.peer_key = writers.node_key
