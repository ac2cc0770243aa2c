-- One row per line of LLT that bounds the time of a run's fault, of each outage that ended in it. UTC.
-- Nobody writes the moment of a crash: a line says since when a node is silent, in whole seconds or by a timer. Of a flapping link, the lines
-- of the last outage count. The fault lies in what the spans of a source have in common, extended by one heartbeat:
-- `fault_estimate` has that.
-- columns:
--   configuration: folder group
--   run: run
--   rank: as in fault_estimate
--   source: inactive series, in trouble, expired
--   link: link that the line speaks of
--   silent_s: seconds of silence that the line states; null where a timer says it
--   at: stamp of the line, UTC
--   low_at: the last heartbeat came no earlier
--   high_at: the last heartbeat came no later
--   heartbeat_s: interval of heartbeats, seconds
--   is_assumed: rests on a default timer, as no llttab is there
--   node: host that wrote the line
--   file_id: file
--   line_no: line
with

lines as (

    select
        incident.configuration,
        incident.run,
        incident.surviving_key,
        incident.membership_at,
        cluster_timer.* exclude (configuration, unit_run),
        cluster_line.node,
        cluster_line.node_key,
        cluster_line.kind,
        cluster_line.link,
        cluster_line.outage_key,
        cluster_line.silent_s,
        epoch_us(cluster_line."at") as at_us,
        (1000000 * cluster_line.resolution_s)::bigint as resolution_us,
        cluster_line.file_id,
        cluster_line.line_no

    from incident

    inner join cluster_timer
        on
            incident.configuration = cluster_timer.configuration
            and incident.unit_run is not distinct from cluster_timer.unit_run

    inner join cluster_line
        on
            incident.configuration = cluster_line.configuration
            and incident.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.source = 'llt'
            and cluster_line.kind in ('inactive', 'trouble', 'expired')
            and (incident.lost_id is null or cluster_line.node_id = incident.lost_id)
            and cluster_line.node_key is distinct from incident.lost_key
            and cluster_line."at" between incident.search_start_at and incident.membership_at

),

bounded as (

    select
        configuration,
        run,
        node_key is distinct from surviving_key as is_other_node,
        kind,
        case kind when 'inactive' then 2 when 'trouble' then 3 else 4 end as rank,
        -- a flapping link gives a series per outage: the last outage is the crash
        coalesce(outage_key, 0) as outage_key,
        link,
        silent_s,
        heartbeat_s,
        case kind
            when 'inactive' then at_us - 1000000 * (silent_s + 1)
            when 'trouble' then at_us - (1000000 * (peertrouble_s + 1))::bigint
            else at_us - (1000000 * (peerinact_s + 1))::bigint
        end as low_us,
        case kind
            when 'inactive' then at_us - 1000000 * silent_s + case when resolution_us = 1 then 0 else resolution_us end
            when 'trouble' then at_us - (1000000 * peertrouble_s)::bigint + resolution_us
            else at_us - (1000000 * (peerinact_s - 1))::bigint + resolution_us
        end as high_us,
        case kind
            when 'inactive' then false
            when 'trouble' then is_peertrouble_assumed
            else is_peerinact_assumed
        end as is_assumed,
        at_us,
        node,
        file_id,
        line_no

    from lines

    where kind <> 'inactive' or silent_s is not null

    -- the surviving node's own log where it has such lines
    qualify is_other_node = bool_and(is_other_node) over (partition by configuration, run, kind)

),

last_outages as (

    select
        *,
        max(at_us) over (partition by configuration, run, kind, link, outage_key) as last_us,
        max(at_us) over (partition by configuration, run, kind, link) as link_last_us

    from bounded

)

select
    configuration,
    run,
    rank,
    case kind when 'inactive' then 'inactive series' when 'trouble' then 'in trouble' else 'expired' end as source,
    link,
    silent_s,
    make_timestamp(at_us) as "at",
    make_timestamp(low_us::bigint) as low_at,
    make_timestamp(high_us::bigint) as high_at,
    heartbeat_s,
    is_assumed,
    node,
    file_id,
    line_no

from last_outages

where last_us = link_last_us

order by configuration, run, rank, "at", file_id, line_no
