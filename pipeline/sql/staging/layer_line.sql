-- One row per dated line of a layer of the cluster that can be evidence in a failover: LLT, GAB, HAD, and the storage
-- that it moves. Times in UTC.
-- columns:
--   source: vcs, llt, gab, storage
--   kind: what the line says; recovery for storage lines, boot for lines of a starting cluster layer
--   message_id: vendor's message id
--   node: host that wrote the line
--   system: system a VCS message is about, short name
--   node_id: LLT node id the line is about
--   state: state that a system reached
--   previous_state: state that a system left
--   resource: resource
--   group: VCS service group
--   port: GAB port
--   members: node ids of a GAB membership
--   link: LLT link
--   silent_s: N of `inactive N sec`
--   outage_key: key of an LLT outage
--   is_vcs_online: resource came online at the initiative of VCS
--   object: mount point, volume or disk group that a storage line names
with

files as (

    select file_id, configuration, run, node from source_file where status = 'parsed' and configuration is not null

),

writers as (  -- the host of a HAD line in a syslog is in the syslog row

    select file_id, line_no, host from log.syslog_event where part = 1 and host is not null and product = 'VCS'

),

vcs_lines as (

    select
        vcs_event.file_id,
        vcs_event.line_no,
        vcs_event.part,
        vcs_event."at",
        'vcs' as source,
        case
            when vcs_event.kind in ('engine_started', 'remote_build', 'logger_started') then 'boot'
            else vcs_event.kind
        end as kind,
        vcs_event.message_id,
        writer_host(writers.host, files.node) as node,
        short_host(vcs_event.system) as system,
        vcs_event.node_id,
        vcs_event.state,
        vcs_event.previous_state,
        vcs_event.kind = 'resource_online'
        and coalesce(lower(vcs_event.how) = 'vcs initiated', coalesce(vcs_event.message_number, 10298) = 10298)
            as is_vcs_online,
        vcs_event.resource,
        vcs_event."group"

    from log.vcs_event as vcs_event

    inner join files using (file_id)

    left join writers using (file_id, line_no)

    where vcs_event.kind in (
        'resource_online', 'resource_faulted', 'initiate_online', 'group_online', 'group_switch', 'group_autodisabled',
        'system_state', 'new_membership', 'down_state', 'regular_membership', 'jeopardy', 'ddna', 'engine_started',
        'remote_build', 'logger_started', 'user_command', 'clean_called', 'unexpected_offline',
        'concurrency_violation'
    )
    -- 10112 is a node's own view at every change, not an alarm
    and not (vcs_event.kind = 'ddna' and vcs_event.message_number is not distinct from 10112)
    and (vcs_event.kind <> 'user_command' or contains(lower(vcs_event.text), 'switch'))

),

llt_lines as (

    select
        llt_event.file_id,
        llt_event.line_no,
        llt_event.part,
        llt_event."at",
        'llt' as source,
        case when llt_event.message_id = 'V-14-1-10009' then 'boot' else llt_event.state end as kind,
        llt_event.message_id,
        writer_host(llt_event.host, files.node) as node,
        llt_event.peer_id as node_id,
        llt_event.link,
        llt_event.silent_s,
        llt_event.outage_key

    from log.llt_event as llt_event

    inner join files using (file_id)

    where llt_event.state in ('trouble', 'inactive', 'expired', 'active') or llt_event.message_id = 'V-14-1-10009'

),

gab_lines as (

    select
        gab_event.file_id,
        gab_event.line_no,
        gab_event.part,
        gab_event."at",
        'gab' as source,
        case
            when gab_event.message_id in ('V-15-1-20021', 'V-15-1-20026') then 'boot'
            else gab_event.kind
        end as kind,
        gab_event.message_id,
        writer_host(gab_event.host, files.node) as node,
        gab_event.port,
        gab_event.members

    from log.gab_event as gab_event

    inner join files using (file_id)

    where gab_event.kind in ('membership', 'jeopardy') or gab_event.message_id in ('V-15-1-20021', 'V-15-1-20026')

),

storage_lines as (

    select
        storage_event.file_id,
        storage_event.line_no,
        storage_event.part,
        storage_event."at",
        'storage' as source,
        'recovery' as kind,
        storage_event.message_id,
        writer_host(storage_event.host, files.node) as node,
        storage_event.object

    from log.storage_event as storage_event

    inner join files using (file_id)

    where storage_event.is_recovery

)

select * from vcs_lines
union all by name
select * from llt_lines
union all by name
select * from gab_lines
union all by name
select * from storage_lines
