-- One row per line of LLT or corosync that bounds the time of a run's fault, of each outage that ended in it. UTC.
-- Nobody writes the moment of a crash: a line says since when a node is silent, in whole seconds or by a timer. Of a flapping link, the lines
-- of the last outage count. The fault lies in what the spans of a source have in common, extended by one heartbeat:
-- `fault_estimate` has that. Corosync loses the token a timeout after the token was last seen; the node that is lost had passed
-- it on then, or kept it for the hold time at most (in a ring of more than two nodes another may have kept it before).
-- The last message or report of the lost node shows that it still lived; both clocks are compared by the last ring that both
-- logged. libqb takes stamps from a clock that ticks a hundred times a second.
-- columns:
--   configuration: folder group
--   run: run
--   rank: as in fault_estimate
--   source: inactive series, in trouble, expired, token loss
--   link: link that the line speaks of
--   silent_s: seconds of silence that the line states; null where a timer says it, or where the lost node wrote the line
--   at: stamp of the line, UTC
--   low_at: the last heartbeat, or token, came no earlier
--   high_at: the last heartbeat, or token, came no later
--   heartbeat_s: interval of heartbeats, or time for which the token may be kept, seconds
--   is_assumed: rests on a default timer, as no llttab or corosync.conf is there
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

),

losses as (  -- the last loss of the token before the membership without the node, as each node that is left saw it

    select
        incident.configuration,
        incident.run,
        incident.unit_run,
        incident.lost_key,
        incident.search_start_at,
        incident.membership_at,
        cluster_line.silent_s,
        coalesce(cluster_line.silent_s, cluster_timer.token_s) as token_s,
        case
            when cluster_timer.is_token_assumed and cluster_line.silent_s is not null
                then 0.8 * cluster_line.silent_s / 4.2 - 0.01
            else cluster_timer.hold_s
        end as hold_s,
        coalesce(cluster_timer.ring_nodes, 3) > 2 as is_kept_by_others,
        cluster_timer.is_token_assumed and cluster_line.silent_s is null as is_assumed,
        epoch_us(cluster_line."at") as at_us,
        (1000000 * greatest(cluster_line.resolution_s, 0.01))::bigint as resolution_us,
        cluster_line.node,
        cluster_line.node_key,
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
            and cluster_line.source = 'ha'
            and cluster_line.kind = 'token_lost'
            and cluster_line.node_key is distinct from incident.lost_key
            and cluster_line."at" between incident.search_start_at and incident.membership_at

    where not incident.is_planned

    qualify row_number() over (
        partition by incident.configuration, incident.run, coalesce(cluster_line.node_key, cluster_line.file_id::varchar)
        order by cluster_line."at" desc, cluster_line.line_no desc
    ) = 1

),

tokens as (

    select
        *,
        at_us - (1000000 * (token_s + 0.01 + case when is_kept_by_others then hold_s else 0 end))::bigint as low_us,
        at_us - (1000000 * token_s)::bigint + resolution_us as high_us

    from losses

),

rings as (  -- both nodes log a ring as they form it

    select distinct on (configuration, unit_run, node_key, resource)
        configuration,
        unit_run,
        node_key,
        resource,
        epoch_us("at") as at_us

    from cluster_line

    where source = 'ha' and kind = 'membership' and stack = 'corosync' and resource is not null

    order by configuration, unit_run, node_key, resource, "at", file_id, line_no

),

clock_differences as (

    select
        tokens.configuration,
        tokens.run,
        tokens.node_key,
        seen.at_us - lost.at_us as difference_us

    from tokens

    inner join rings as seen
        on
            tokens.configuration = seen.configuration
            and tokens.unit_run is not distinct from seen.unit_run
            and tokens.node_key = seen.node_key
            and seen.at_us < tokens.at_us

    inner join rings as lost
        on
            tokens.configuration = lost.configuration
            and tokens.unit_run is not distinct from lost.unit_run
            and tokens.lost_key = lost.node_key
            and seen.resource = lost.resource

    qualify row_number() over (
        partition by tokens.configuration, tokens.run, tokens.node_key order by seen.at_us desc, lost.at_us desc
    ) = 1

),

last_words as (  -- the last message or report of the lost node, by the clock of a node that is left

    select
        tokens.configuration,
        tokens.run,
        tokens.lost_key as node,
        tokens.membership_at,
        epoch_us(source_file.last_at) as at_us,
        -- nodes form a ring within a few milliseconds of each other
        epoch_us(source_file.last_at) + clock_differences.difference_us - 20000 as low_us,
        source_file.file_id,
        source_file.lines as line_no

    from tokens

    inner join clock_differences
        on
            tokens.configuration = clock_differences.configuration
            and tokens.run = clock_differences.run
            and tokens.node_key is not distinct from clock_differences.node_key

    inner join source_file
        on
            tokens.configuration = source_file.configuration
            and tokens.unit_run is not distinct from source_file.run
            and tokens.lost_key = lower(short_host(source_file.node))

    where
        epoch_us(source_file.last_at) + clock_differences.difference_us - 20000
        between tokens.low_us and tokens.high_us + (1000000 * tokens.hold_s)::bigint

    qualify row_number() over (
        partition by tokens.configuration, tokens.run order by source_file.last_at desc, source_file.file_id
    ) = 1

),

spans as (

    select
        configuration,
        run,
        rank,
        case kind when 'inactive' then 'inactive series' when 'trouble' then 'in trouble' else 'expired' end as source,
        link,
        silent_s,
        at_us,
        low_us,
        high_us,
        heartbeat_s,
        is_assumed,
        node,
        file_id,
        line_no

    from last_outages

    where last_us = link_last_us

    union all by name

    select
        configuration,
        run,
        5 as rank,
        'token loss' as source,
        silent_s,
        at_us,
        low_us,
        high_us,
        hold_s as heartbeat_s,
        is_assumed,
        node,
        file_id,
        line_no

    from tokens

    union all by name

    select
        configuration,
        run,
        5 as rank,
        'token loss' as source,
        at_us,
        low_us,
        epoch_us(membership_at) as high_us,
        0 as heartbeat_s,
        false as is_assumed,
        node,
        file_id,
        line_no

    from last_words

)

select
    configuration,
    run,
    rank,
    source,
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

from spans

order by configuration, run, rank, "at", file_id, line_no
