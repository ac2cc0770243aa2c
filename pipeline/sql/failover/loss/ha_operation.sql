-- One row per operation on a resource that a cluster manager began or ended: from its start line to its end line. Times in UTC.
-- A script of Heartbeat ends with the next line of the same ResourceManager, with the success that its agent reports, or with
-- the end of the take-over, whichever comes first; other cluster managers name resource and operation in both lines.
-- Probes and recurring monitors are not here.
-- materialised: small, and read by every step of the failover analysis
-- rows by: configuration
-- empty without rows of: ha_line
-- columns:
--   node: host on which the operation ran, short name
--   stack: heartbeat, pacemaker, sun_cluster, ...
--   object: resource, device, address or script
--   object_class: address, replication, mount, database, application, fencing; null if unknown
--   action: start, stop, promote, ...
--   start_at: the start's stamp; null where only the end was logged
--   at: the end's stamp; null where none was logged
--   outcome: ok, failed, unknown (its end was not logged)
--   return_code: return code where printed
--   start_file_id: file of the start
--   start_line_no: line of the start
--   file_id: file of the end, else of the start
--   line_no: line of the end, else of the start
with

script_lines as (

    select
        *,
        row_number() over (partition by file_id order by line_no, part) as line_rank

    from ha_line

    where stack = 'heartbeat'

),

script_starts as (

    select *

    from script_lines

    -- the agent repeats what the ResourceManager runs
    where kind = 'resource_start' or (kind = 'release_start' and action = 'stop' and process is distinct from agent)

),

script_ends as (

    select
        starts.file_id,
        starts.line_rank,
        min(ends.line_rank) as end_rank

    from script_starts as starts

    inner join script_lines as ends
        on
            starts.file_id = ends.file_id
            and ends.line_rank > starts.line_rank
            and ends."at" >= starts."at"
            and ends."at" < starts."at" + interval 1 hour
            and (
                (
                    ends.process is not distinct from starts.process
                    and ends.pid is not distinct from starts.pid
                    and ends.kind <> 'log_noise'
                )
                or (
                    ends.kind in ('agent_success', 'resource_done', 'resource_failed')
                    and lower(ends.agent) = lower(starts.agent)
                )
                or ends.kind = 'takeover_done'
            )

    group by starts.file_id, starts.line_rank

),

scripts as (

    select
        starts.configuration,
        starts.unit_run,
        starts.node,
        starts.stack,
        starts.object,
        starts.object_class,
        starts.agent,
        starts.action,
        starts."at" as start_at,
        ends."at" as "at",
        starts.resolution_s,
        case
            when ends.file_id is null then 'unknown'
            when ends.kind = 'resource_failed' then 'failed'
            else 'ok'
        end as outcome,
        case when ends.kind in ('resource_failed', 'resource_done') then ends.return_code end as return_code,
        starts.file_id as start_file_id,
        starts.line_no as start_line_no,
        coalesce(ends.file_id, starts.file_id) as file_id,
        coalesce(ends.line_no, starts.line_no) as line_no,
        coalesce(ends.part, starts.part) as part

    from script_starts as starts

    left join script_ends using (file_id, line_rank)

    left join script_lines as ends
        on script_ends.file_id = ends.file_id and script_ends.end_rank = ends.line_rank

),

paired_lines as (

    select * from ha_line where stack <> 'heartbeat' and object is not null and action is not null

),

paired_starts as (

    select * from paired_lines where kind in ('resource_start', 'release_start')

),

paired_ends as (

    select
        *,
        lag("at") over same_operation as previous_at

    from paired_lines

    where kind in ('resource_done', 'resource_failed')

    window same_operation as (
        partition by configuration, unit_run, coalesce(peer_key, node_key), stack, object, action
        order by "at", file_id, line_no, part
    )

    -- the same end in the log of the daemon and in the syslog, or reported by two daemons
    qualify coalesce("at" - lag("at") over same_operation >= interval 1 second, true)

),

pairs as (

    select
        ends.file_id,
        ends.line_no,
        ends.part,
        starts."at" as start_at,
        starts.file_id as start_file_id,
        starts.line_no as start_line_no

    from paired_ends as ends

    inner join paired_starts as starts
        on
            ends.configuration = starts.configuration
            and ends.unit_run is not distinct from starts.unit_run
            and ends.stack = starts.stack
            and ends.object = starts.object
            and ends.action = starts.action
            and coalesce(starts.peer_key, starts.node_key) is not distinct from coalesce(ends.peer_key, ends.node_key)
            and starts."at" between ends."at" - interval 1 hour and ends."at"
            and (ends.previous_at is null or starts."at" >= ends.previous_at)

    -- the node's own start line where it has one
    qualify row_number() over (
        partition by ends.file_id, ends.line_no, ends.part
        order by starts.file_id <> ends.file_id, starts."at" desc, starts.line_no desc
    ) = 1

),

unanswered as (

    select starts.*

    from paired_starts as starts

    where not exists (
        select 1

        from paired_ends as ends

        where
            ends.configuration = starts.configuration
            and ends.unit_run is not distinct from starts.unit_run
            and ends.object = starts.object
            and ends.action = starts.action
            and ends."at" between starts."at" and starts."at" + interval 1 hour
    )

),

operations as (

    select * from scripts

    union all by name

    select
        ends.configuration,
        ends.unit_run,
        coalesce(ends.peer, ends.node) as node,
        ends.stack,
        ends.object,
        ends.object_class,
        ends.agent,
        ends.action,
        pairs.start_at,
        ends."at",
        ends.resolution_s,
        case when ends.kind = 'resource_failed' then 'failed' else 'ok' end as outcome,
        ends.return_code,
        pairs.start_file_id,
        pairs.start_line_no,
        ends.file_id,
        ends.line_no,
        ends.part

    from paired_ends as ends

    left join pairs using (file_id, line_no, part)

    union all by name

    select
        configuration,
        unit_run,
        coalesce(peer, node) as node,
        stack,
        object,
        object_class,
        agent,
        action,
        "at" as start_at,
        resolution_s,
        'unknown' as outcome,
        file_id as start_file_id,
        line_no as start_line_no,
        file_id,
        line_no,
        part

    from unanswered

)

select
    configuration,
    unit_run,
    node,
    lower(node) as node_key,
    stack,
    object,
    object_class,
    agent,
    action,
    start_at,
    "at",
    (epoch_us("at") - epoch_us(start_at)) / 1000000 as duration_s,
    resolution_s,
    outcome,
    return_code,
    start_file_id,
    start_line_no,
    file_id,
    line_no,
    part

from operations

where action not in ('monitor', 'probe', 'status', 'notify', 'meta-data')

order by configuration, unit_run, coalesce(start_at, "at"), start_file_id, start_line_no, file_id, line_no
