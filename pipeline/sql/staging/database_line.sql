-- One row per dated record of a database that can be evidence in a failover: of its crash recovery, and of HADR. Times
-- in UTC.
-- columns:
--   source: db2diag
--   kind: what the record says
--   message_id: message code; function and probe for records without one
--   node: host that wrote the record
--   system: host whose role is taken over, where its own log says so
--   state: forced for a take-over by force
--   database: database, in capitals
with

files as (

    select file_id, configuration, run, node from source_file where status = 'parsed' and configuration is not null

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
        end as is_all_there_is,
        -- a primary logs that its standby takes over as the same command
        kind = 'hadr_command' and coalesce(
            bool_or(
                (old_role = 'primary' and new_role = 'standby')
                or (kind = 'hadr_takeover' and contains(lower(text), 'primary has started'))
            ) over (
                partition by file_id, instance, upper(database)
                order by "at"
                range between interval 10 second preceding and interval 1 minute following
            ),
            false
        ) as is_taken_over

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
        case when hadr_event.is_taken_over then writer_host(hadr_event.host, files.node) end as system,
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

)

select * from db2_lines
union all by name
select * from hadr_lines
