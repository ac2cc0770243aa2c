-- One row per log line that says that a node starts a service, has it, or gives it up. Times in UTC.
-- Fencing devices are no service. A node is the one that holds the service, which need not be the writer of the line.
-- materialised: read by every step that asks who served after a node loss
-- rows by: configuration
-- empty without rows of: cluster_line, log.vcs_event_line, leader_change, unreplaced_leader
-- columns:
--   sign: start (the cluster manager starts it, or a database recovers or takes over, or a leader was elected), up (it is there), stop (given up),
--     idle (the node's cluster manager has nothing left to do)
--   node: host that holds the service
--   writer_key: host that wrote the line
--   rank: 1 for the database, 2 for other resources, 3 for a sign of the database that names no resource
--   is_managed: a cluster manager wrote it; false for a database
--   is_last_step: with it a service is complete: its group is online, its manager idle again, its database recovered
--   at: stamp as printed
with

running as (

    select
        cluster_line.configuration,
        cluster_line.unit_run,
        case
            when cluster_line.kind = 'operation_done' and cluster_line.state is distinct from 'failed' then 'up'
            when cluster_line.kind = 'idle' then 'idle'
            when cluster_line.kind in ('group_online', 'resource_online', 'takeover_done') then 'up'
            else 'start'
        end as sign,
        -- a line of an operation was a start, and may be the only one
        (cluster_line.source = 'vcs' and (cluster_line.kind = 'initiate_online' or cluster_line.is_vcs_online))
        or (
            cluster_line.kind in ('operation_start', 'operation_done')
            and cluster_line.action in ('start', 'promote')
        )
        or cluster_line.source = 'db2diag' as is_start,
        coalesce(cluster_line.system, cluster_line.node) as node,
        coalesce(cluster_line.system_key, cluster_line.node_key) as node_key,
        cluster_line.node_key as writer_key,
        case
            when resource_type.resource_type = 'Db2udb' or cluster_line.resource_class = 'database' then 1
            when starts_with(cluster_line.kind, 'hadr_') then 1
            when cluster_line.source in ('vcs', 'ha') then 2
            else 3
        end as rank,
        cluster_line.source in ('vcs', 'ha') as is_managed,
        cluster_line.kind in ('group_online', 'takeover_done', 'idle', 'crash_recovery_done', 'recovery_ok') as is_last_step,
        cluster_line."at",
        cluster_line.file_id,
        cluster_line.line_no

    from cluster_line

    left join resource_type using (configuration, resource)

    where
        (cluster_line.source = 'vcs' and cluster_line.kind in ('initiate_online', 'resource_online', 'group_online'))
        or (
            cluster_line.kind in ('operation_start', 'operation_done')
            and cluster_line.action in ('start', 'promote')
            and cluster_line.resource_class is distinct from 'fencing'
        )
        or (cluster_line.source = 'ha' and cluster_line.kind in ('takeover_done', 'idle'))
        or (cluster_line.source = 'db2diag' and cluster_line.kind not in ('hadr_peer', 'hadr_partner_lost', 'hadr_partner_found'))

),

given_up as (

    select
        cluster_line.configuration,
        cluster_line.unit_run,
        cluster_line.node,
        cluster_line.node_key,
        cluster_line.node_key as writer_key,
        cluster_line."at",
        cluster_line.file_id,
        cluster_line.line_no

    from cluster_line

    where
        cluster_line.kind = 'operation_done'
        and cluster_line.action in ('stop', 'demote')
        and cluster_line.state is distinct from 'failed'
        and cluster_line.resource_class is distinct from 'fencing'

    union all

    select
        source_file.configuration,
        coalesce(source_file.run, run_range.run) as unit_run,
        coalesce(short_host(vcs_event.system), source_file.node) as node,
        lower(coalesce(short_host(vcs_event.system), short_host(source_file.node))) as node_key,
        lower(short_host(source_file.node)) as writer_key,
        vcs_event."at",
        vcs_event.file_id,
        vcs_event.line_no

    from log.vcs_event as vcs_event

    inner join source_file using (file_id)

    left join run_range
        on
            source_file.run is null
            and source_file.configuration = run_range.configuration
            and vcs_event."at" >= run_range.start_at
            and vcs_event."at" < run_range.end_at

    where
        vcs_event.kind = 'group_offline'
        or (vcs_event.kind = 'resource_offline' and lower(coalesce(vcs_event.how, '')) = 'vcs initiated')

)

select
    configuration,
    unit_run,
    case when is_start and sign = 'up' then 'start' else sign end as sign,
    node,
    node_key,
    writer_key,
    rank,
    is_managed,
    is_last_step,
    "at",
    file_id,
    line_no

from running

union all by name

select
    configuration,
    unit_run,
    'start' as sign,
    leader as node,
    leader_key as node_key,
    -- a sentinel on the host of the lost server may lead the failover
    nullif(node_key, former_key) as writer_key,
    1 as rank,
    true as is_managed,
    false as is_last_step,
    "at",
    file_id,
    line_no

from leader_change

union all by name

select distinct  -- the one that led had the service
    configuration,
    unit_run,
    'up' as sign,
    former as node,
    former_key as node_key,
    1 as rank,
    true as is_managed,
    false as is_last_step,
    coalesce(seen_at, loss_at - interval 1 microsecond) as "at",
    min(file_id) over loss as file_id,
    min_by(line_no, (file_id, line_no)) over loss as line_no

from unreplaced_leader

window loss as (partition by configuration, unit_run, former_key, loss_at)

union all by name

select configuration, unit_run, 'stop' as sign, node, node_key, writer_key, 2 as rank, true as is_managed, false as is_last_step, "at", file_id, line_no

from given_up

where node_key is not null and "at" is not null

order by configuration, unit_run, "at", file_id, line_no
