-- One row per state that a line of a cluster manager, replication or database tells. See `state_change`.
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
--   run: run folder, else the run in whose time the line lies; null outside of all
with

words (kind, subject, to_state) as (  -- kinds whose message has no state, and the word for it

    values
    ('peer_dead', 'peer', 'dead'), ('member_lost', 'peer', 'lost'), ('member_gone', 'peer', 'gone'), ('member_joined', 'peer', 'joined'),
    ('leader_suspect', 'peer', 'suspected'), ('leader_down', 'peer', 'down'), ('upstream_lost', 'peer', 'lost'), ('shutdown_notice', 'peer', 'leaving'),
    ('link_dead', 'peer', 'link lost'), ('link_up', 'peer', 'link up'), ('quorum_lost', 'peer', 'lost'), ('quorum_acquired', 'peer', 'acquired'),
    ('split_brain', 'peer', 'split brain'), ('members', 'peer', null), ('status_up', 'peer', 'up'),
    ('drbd_connection', 'peer', null), ('drbd_replication', 'peer', null), ('drbd_quorum', 'peer', null),
    ('drbd_disk', 'disk', null), ('drbd_peer_disk', 'disk', null), ('drbd_suspension', 'disk', null),
    ('drbd_role', 'role', null), ('drbd_peer_role', 'role', null),
    ('vrrp_backup', 'role', 'BACKUP'), ('vrrp_fault', 'role', 'FAULT'), ('db_promoted', 'role', 'primary'), ('following', 'role', 'replica'),
    ('leader', 'leader', null), ('leader_kept', 'leader', null), ('leader_alive', 'leader', null), ('leader_missing', 'leader', 'none'),
    ('leader_resigned', 'leader', 'none'), ('demotion', 'leader', 'none'),
    ('fence_start', 'fence', 'begun'), ('fence_done', 'fence', 'done'), ('fence_failed', 'fence', 'failed'),
    ('fence_helper_start', 'fence', 'begun'), ('fence_helper_done', 'fence', 'done'),
    ('db_start', 'resource', 'starting'), ('db_recovery_needed', 'resource', 'not shut down in order'),
    ('db_recovery_start', 'resource', 'recovery'), ('db_recovery_done', 'resource', 'recovered'),
    ('db_recovery_failed', 'resource', 'crash recovery failed'), ('db_ready', 'resource', 'ready'), ('db_shutdown', 'resource', 'shut down'),
    ('program_stopped', 'resource', 'stopped'), ('cluster_started', 'resource', 'started'),
    ('route_down', 'resource', 'down'), ('route_up', 'resource', 'up'), ('route_none', 'resource', 'no server'),
    ('give_up', 'resource', 'given up'), ('group_acquire', 'resource', 'taken over'), ('release_done', 'resource', 'released'),
    ('address_added', 'resource', 'up')

),

cluster_states as (

    select
        ha_line.configuration,
        ha_line.unit_run,
        case when words.subject not in ('leader', 'fence') then ha_line.node end as viewer,
        ha_line.node,
        ha_line."at",
        words.subject,
        case
            when ha_line.kind = 'members' then 'partition'
            when ha_line.kind in ('quorum_lost', 'quorum_acquired') then 'quorum'
            when words.subject = 'leader' then coalesce(ha_line.object, ha_line.stack)
            when words.subject = 'fence' then coalesce(ha_line.peer, ha_line.object, ha_line.stack)
            when ha_line.kind in ('link_dead', 'link_up') then concat_ws(' by ', ha_line.peer, ha_line.object)
            when ha_line.kind = 'cluster_started' then ha_line.stack
            when ha_line.kind like 'drbd_peer_%' then concat_ws(' of ', ha_line.object, coalesce(ha_line.peer, 'the peer'))
            when words.subject = 'peer' and ha_line.stack <> 'drbd' then coalesce(ha_line.peer, ha_line.object)
            else coalesce(ha_line.object, ha_line.process, ha_line.stack)
        end as name,
        case
            when ha_line.kind = 'leader' then ha_line.former
            when words.to_state is null and words.subject <> 'leader' then ha_line.old_state
        end as from_state,
        case
            when words.to_state is null and words.subject = 'leader' then coalesce(ha_line.peer, ha_line.node, ha_line.new_state)
            when ha_line.kind = 'status_up' then coalesce(ha_line.new_state, words.to_state)
            else coalesce(words.to_state, ha_line.new_state)
        end as to_state,
        ha_line.kind = 'leader_alive' as is_seen,
        ha_line.stack = 'galera' and ha_line.kind = 'quorum_acquired' as is_start,  -- each view tells it
        ha_line.stack as source,
        ha_line.file_id,
        ha_line.line_no,
        ha_line.part

    from ha_line

    inner join words on words.kind = case when ha_line.action = 'demote' and ha_line.kind = 'give_up' then 'demotion' else ha_line.kind end

    where ha_line.stack not in ('pacemaker', 'heartbeat') or ha_line.kind not in ('address_added', 'db_start', 'db_ready', 'db_shutdown')  -- operations tell these

),

leaders as (  -- a log may be of several clusters: who follows a leader, or leads, tells of another one than before

    select
        * exclude (is_seen) replace (
            coalesce(from_state, lag(to_state) over own_history) as from_state,
            is_seen and lag(to_state) over own_history is null as is_start
        )

    from cluster_states

    where subject = 'leader'

    window own_history as (
        partition by configuration, unit_run, name, source, coalesce(lower(node), cast(file_id as varchar)) order by "at", file_id, line_no, part
    )

    qualify not is_seen or lag(to_state) over own_history is distinct from to_state

),

own_roles as (  -- of a node that says which role it takes

    select
        ha_line.configuration,
        ha_line.unit_run,
        ha_line.node as viewer,
        ha_line.node,
        ha_line."at",
        'role' as subject,
        coalesce(ha_line.object, ha_line.stack) as name,
        ha_line.old_state as from_state,
        ha_line.new_state as to_state,
        false as is_start,
        ha_line.stack as source,
        ha_line.file_id,
        ha_line.line_no,
        ha_line.part

    from ha_line

    where
        ha_line.new_state is not null
        and (
            ha_line.kind = 'leader' and ha_line.peer is null
            or ha_line.kind in ('other', 'give_up') and ha_line.stack in ('pgpool', 'pg_auto_failover', 'sqlserver')
        )

),

operations as (

    select
        configuration,
        unit_run,
        node as viewer,
        node,
        "at",
        'resource' as subject,
        object as name,
        null as from_state,
        case
            when outcome = 'failed' then action || ' failed'
            else case action when 'start' then 'started' when 'stop' then 'stopped' when 'promote' then 'promoted' when 'demote' then 'demoted' end
        end as to_state,
        false as is_start,
        stack as source,
        file_id,
        line_no,
        part

    from ha_operation

    where outcome in ('ok', 'failed') and object is not null and "at" is not null

),

told as (

    select * exclude (is_seen) from cluster_states where subject <> 'leader'
    union all by name
    select * from leaders
    union all by name
    select * from own_roles
    union all by name
    select * from operations

)

select
    told.* exclude (unit_run),
    coalesce(told.unit_run, long_run.run, run_hour.run) as run

from told

left join run_hour as long_run
    on told.unit_run is null and is_in_long_run(told.configuration, told."at", long_run)

left join run_hour
    on told.unit_run is null and is_in_run_hour(told.configuration, told."at", run_hour)
