-- One row per dated log line that can be evidence in a failover, in any log. Times in UTC.
-- The lean extract that incidents, fault times and milestones are found in; a HAD line carried by syslog and by an
-- engine log is here twice, as the rules only ask for the first or last of its kind.
-- materialised: every step of the failover analysis reads it
-- rows by: configuration
-- empty without rows of: log.vcs_event_line, log.llt_event, log.gab_event, log.storage_event, log.db2diag_record, log.hadr_event, log.client_question, ha_line, ha_operation
-- columns:
--   node_key: host that wrote the line, in small letters; where nobody says which, the file
--   source: vcs, llt, gab, storage, db2diag, ha, client
--   kind: what the line says; recovery for storage lines, boot for lines of a starting cluster layer; operation_start
--     and operation_done for begin and end of an operation on a resource; client_answered for a client's first answer after
--     questions that failed
--   message_id: vendor's message id; function and probe for db2diag records without one; stack and kind for ha
--   at: stamp as printed; of a client's answer the time that it came
--   resolution_s: resolution of the file's stamps, seconds; of a client's answer the median time between two questions
--   system: system a VCS message is about, short name
--   system_key: the same in small letters
--   node_id: LLT node id the line is about, or the id in corosync's ring of the host that it names
--   state: state that a system reached; ok or failed for operations
--   previous_state: state that a system left
--   is_vcs_online: resource came online at the initiative of VCS
--   resource: resource, device or address
--   group: VCS service group
--   port: GAB port
--   members: node ids of a GAB membership
--   link: LLT link
--   silent_s: N of `inactive N sec`; timeout that corosync states as it loses the token
--   outage_key: key of an LLT outage
--   object: mount point, volume or disk group that a storage line names
--   appid: DB2 application
--   stack: cluster stack of an ha line
--   action: operation on a resource, of an ha line
--   resource_class: address, replication, mount, database, application, fencing, of an ha line
with

files as (

    select file_id, configuration, run, node, path from source_file where status = 'parsed' and configuration is not null

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

),

db2_lines as (

    select
        db2diag_record.file_id,
        db2diag_record.line_no,
        db2diag_record.part,
        db2diag_record."at",
        'db2diag' as source,
        db2diag_record.kind,
        coalesce(db2diag_record.message_code, db2diag_record."function" || ':' || db2diag_record.probe) as message_id,
        writer_host(db2diag_record.host, files.node) as node,
        db2diag_record.instance,
        upper(db2diag_record.database) as database,
        db2diag_record.appid

    from log.db2diag_record as db2diag_record

    inner join files using (file_id)

    where db2diag_record.kind in (
        'crash_recovery_needed', 'crash_recovery_started', 'recovery_initiated', 'forward_phase_done',
        'crash_recovery_done', 'recovery_ok', 'recovery_failed'
    )

),

hadr_orders as (  -- from V10.1 on a command does not say that it is by force; who carries it out does, at once

    select
        *,
        coalesce(
            is_forced,
            bool_or(is_forced) filter (where kind = 'hadr_takeover') over (
                partition by file_id, instance, upper(database)
                order by "at"
                range between interval 10 second preceding and interval 10 second following
            ),
            false
        ) as is_by_force,
        -- where a log was filtered, what the standby says of its take-over stands for the command and for the role
        case
            when kind = 'hadr_takeover' and contains(lower(text), 'standby has initiated') then
                not bool_or(kind = 'hadr_command' and command = 'takeover') over around
            when kind = 'hadr_takeover' and contains(lower(text), 'standby has completed') then
                not bool_or(coalesce(old_role = 'standby' and new_role = 'primary', false)) over around
            else false
        end as is_all_there_is

    from log.hadr_event

    where "at" is not null

    window around as (
        partition by file_id, instance, upper(database)
        order by "at"
        range between interval 1 minute preceding and interval 1 minute following
    )

),

hadr_lines as (

    select
        hadr_event.file_id,
        hadr_event.line_no,
        hadr_event.part,
        hadr_event."at",
        'db2diag' as source,
        case
            when hadr_event.kind = 'hadr_command' then 'hadr_takeover_command'
            when hadr_event.is_all_there_is then
                case when contains(lower(hadr_event.text), 'initiated') then 'hadr_takeover_command' else 'hadr_primary' end
            when hadr_event.old_role = 'standby' and hadr_event.new_role = 'primary' and hadr_event.new_state = 'peer'
                then 'hadr_primary_peer'
            when hadr_event.old_role = 'standby' and hadr_event.new_role = 'primary' then 'hadr_primary'
            when hadr_event.new_role = 'primary' then 'hadr_peer'
            when hadr_event.new_state in ('disconnected_peer', 'rcu_pending') then 'hadr_partner_lost'
            else 'hadr_partner_found'
        end as kind,
        hadr_event.message_code as message_id,
        writer_host(hadr_event.host, files.node) as node,
        case when hadr_event.is_by_force then 'forced' end as state,
        hadr_event.instance,
        upper(hadr_event.database) as database

    from hadr_orders as hadr_event

    inner join files using (file_id)

    where
        (hadr_event.kind = 'hadr_command' and hadr_event.command = 'takeover')
        or hadr_event.is_all_there_is
        or (hadr_event.old_role = 'standby' and hadr_event.new_role = 'primary')
        or (hadr_event.kind = 'hadr_state' and hadr_event.new_state = 'peer' and hadr_event.new_role = 'primary')
        or (  -- a standby loses its primary, or has it again
            hadr_event.kind = 'hadr_state'
            and hadr_event.old_role = 'standby'
            and hadr_event.new_role = 'standby'
            and (
                hadr_event.new_state in ('rcu', 'nearly_peer', 'peer')
                or (hadr_event.old_state in ('rcu', 'nearly_peer', 'peer') and hadr_event.new_state in ('disconnected_peer', 'rcu_pending'))
            )
        )

),

ha_lines as (

    select
        file_id,
        line_no,
        part,
        "at",
        'ha' as source,
        kind,
        stack || ':' || kind as message_id,
        node,
        peer as system,
        peer_id as node_id,
        new_state as state,
        case when kind = 'token_lost' then value / 1000 end as silent_s,
        old_state as previous_state,
        object as resource,
        stack,
        action,
        object_class as resource_class

    from ha_line

    where kind not in (
        'resource_start', 'resource_done', 'resource_failed', 'probe', 'monitor', 'script_line', 'resource_status',
        'agent_success', 'log_noise', 'other', 'leader_alive', 'members', 'node_named', 'peer_named', 'writer_named', 'leave_wanted'
    )

),

ha_starts as (

    select
        start_file_id as file_id,
        start_line_no as line_no,
        1::smallint as part,
        start_at as "at",
        'ha' as source,
        'operation_start' as kind,
        stack || ':operation_start' as message_id,
        node,
        object as resource,
        stack,
        action,
        object_class as resource_class

    from ha_operation

    where start_file_id is not null

),

ha_ends as (

    select
        file_id,
        line_no,
        part,
        "at",
        'ha' as source,
        'operation_done' as kind,
        stack || ':operation_done' as message_id,
        node,
        outcome as state,
        object as resource,
        stack,
        action,
        object_class as resource_class

    from ha_operation

    where "at" is not null

),

questions as (

    select
        question.file_id,
        question.line_no,
        question.part,
        question."at" + to_microseconds(coalesce(1000000 * question.elapsed_s, 0)::bigint) as "at",
        files.node,
        question.is_answered,
        lag(question.is_answered) over probe as was_answered,
        epoch_us(question."at") - epoch_us(lag(question."at") over probe) as step_us

    from log.client_question as question

    inner join files using (file_id)

    window probe as (
        partition by files.configuration, files.run, files.node, question.target
        order by question."at", question.file_id, question.line_no
    )

),

client_lines as (  -- known to the time between two questions

    select
        file_id,
        line_no,
        part,
        "at",
        'client' as source,
        'client_answered' as kind,
        'client:answered' as message_id,
        short_host(node) as node,
        resolution_s

    from (
        select *, round(median(step_us) over (partition by file_id) / 1000000, 3) as resolution_s from questions
    )

    where is_answered and not was_answered

),

lines as (

    select * from vcs_lines
    union all by name
    select * from llt_lines
    union all by name
    select * from gab_lines
    union all by name
    select * from storage_lines
    union all by name
    select * from db2_lines
    union all by name
    select * from hadr_lines
    union all by name
    select * from ha_lines
    union all by name
    select * from ha_starts
    union all by name
    select * from ha_ends
    union all by name
    select * from client_lines

)

select
    files.configuration,
    coalesce(files.run, run_range.run) as unit_run,
    lines.node,
    lower(coalesce(lines.node, unknown_writer(files.path))) as node_key,
    lines.source,
    lines.kind,
    lines.message_id,
    lines."at",
    coalesce(
        lines.resolution_s,
        line_resolution(lines."at", stamp_resolution.resolution_s, stamp_resolution.whole_milli_s, stamp_resolution.whole_second_s)
    ) as resolution_s,
    lines.system,
    lower(lines.system) as system_key,
    lines.node_id,
    lines.state,
    lines.previous_state,
    coalesce(lines.is_vcs_online, false) as is_vcs_online,
    lines.resource,
    lines."group",
    lines.port,
    lines.members,
    lines.link,
    lines.silent_s,
    lines.outage_key,
    lines.object,
    lines.instance,
    lines.database,
    lines.appid,
    lines.stack,
    lines.action,
    lines.resource_class,
    lines.file_id,
    lines.line_no,
    lines.part

from lines

inner join files using (file_id)

inner join stamp_resolution using (file_id)

left join run_range
    on
        files.run is null
        and files.configuration = run_range.configuration
        and lines."at" >= run_range.start_at
        and lines."at" < run_range.end_at

where lines."at" is not null

order by files.configuration, unit_run, lines."at", lines.file_id, lines.line_no, lines.part
