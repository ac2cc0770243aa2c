-- One row per state that a line of VCS, LLT, GAB or DB2 tells, or that a monitor of HADR shows. See `state_change`.
-- columns:
--   node: host whose state it is, or that sees it; where the line does not tell, the one that wrote it
--   viewer: host that the history of the state is of; null where all hosts see one and the same
--   at: stamp of the line, UTC
--   subject: resource, disk, peer, leader, fence or role
--   name: what has the state
--   from_state: state that was left, where the line tells it
--   to_state: state that the line tells
--   is_start: the line tells what is, not what changes
--   source: whose message it is
with

vcs_states as (

    select
        configuration,
        run,
        coalesce("system", node) as viewer,
        coalesce("system", node) as node,
        "at",
        case when kind in ('system_state', 'jeopardy', 'ddna', 'regular_membership') then 'peer' else 'resource' end as subject,
        case
            when kind in ('system_state', 'jeopardy', 'ddna', 'regular_membership') then "system"
            else coalesce(resource, "group")
        end as name,
        previous_state as from_state,
        case kind
            when 'jeopardy' then 'jeopardy'
            when 'ddna' then 'DDNA'
            when 'group_autodisabled' then 'autodisabled'
            when 'unexpected_offline' then 'offline unexpectedly'
            when 'concurrency_violation' then 'online on several systems'
            else state
        end as to_state,
        coalesce(how, '') ilike 'first probe' as is_start,
        'vcs' as source,
        file_id,
        line_no,
        part

    from vcs_event

    where
        kind in (
            'system_state', 'jeopardy', 'ddna', 'resource_online', 'resource_offline', 'resource_faulted', 'group_online', 'group_offline',
            'group_faulted', 'group_autodisabled', 'unexpected_offline', 'concurrency_violation'
        )

),

layer_states as (  -- membership and links of LLT and GAB

    select
        configuration, run, node as viewer, node, "at", 'peer' as subject, 'port ' || port as name, null as from_state,
        case when len(members) = 0 then 'no member' else 'nodes ' || array_to_string(members, ', ') end as to_state,
        false as is_start, 'gab' as source, file_id, line_no, part

    from gab_event

    where kind = 'membership' and members is not null

    union all

    select
        configuration, run, node, node, "at", 'peer', format('link {} to node {}', link, peer_id), null,
        state, state = 'active', 'llt', file_id, line_no, part

    from llt_event

    where state in ('active', 'inactive', 'trouble', 'expired') and link is not null and peer_id is not null

),

database_states as (

    select
        configuration,
        run,
        node as viewer,
        node,
        "at",
        'resource' as subject,
        coalesce(case when kind not like 'instance_%' then database end, instance, 'DB2') as name,
        null as from_state,
        case kind
            when 'instance_start' then 'started'
            when 'instance_stop' then 'stopped'
            when 'db_activate' then 'activated'
            when 'db_deactivate' then 'deactivated'
            when 'crash_recovery_needed' then 'inconsistent'
            when 'crash_recovery_started' then 'crash recovery'
            when 'crash_recovery_done' then 'recovered'
            when 'recovery_failed' then 'crash recovery failed'
            when 'write_suspend' then 'writes suspended'
        end as to_state,
        false as is_start,
        'db2diag' as source,
        file_id,
        line_no,
        part

    from db2diag_record

    where
        kind in (
            'instance_start', 'instance_stop', 'db_activate', 'db_deactivate', 'crash_recovery_needed', 'crash_recovery_started',
            'crash_recovery_done', 'recovery_failed', 'write_suspend'
        )

    union all

    select
        configuration, run, node, node, "at", 'role', coalesce(database, instance, 'HADR'), old_role, new_role, false, 'db2diag', file_id, line_no, part

    from hadr_event

    union all

    select
        configuration, run, node, node, "at", 'peer', coalesce(database, instance, 'HADR'), old_state, new_state, false, 'db2diag', file_id, line_no, part

    from hadr_event

    union all

    -- A monitor shows what is, not what changes
    select configuration, run, node, node, "at", 'peer', coalesce(database, 'HADR'), null, state, true, 'hadr', file_id, line_no, 1

    from hadr_status

    union all

    select configuration, run, node, node, "at", 'role', coalesce(database, 'HADR'), null, role, true, 'hadr', file_id, line_no, 1

    from hadr_status

)

select * from vcs_states
union all by name
select * from layer_states
union all by name
select * from database_states
