-- One row per line that bounds the time of a run's fault: of LLT or corosync, a client's question, the last line of the lost node. UTC.
-- No log records the moment of a crash: a line says since when a node is silent, in whole seconds or by a timer. Of a flapping link, the lines
-- of the last outage count. The fault lies in what the spans of a source have in common, extended by one heartbeat:
-- `fault_estimate` has that. Corosync loses the token a timeout after the token was last seen (`token_loss`); the node that is lost had
-- passed it on then, or kept it for the hold time at most (in a ring of more than two nodes another may have kept it before).
-- The last line of the lost node shows that it still lived (`last_words`), as does the last question of a client that was answered; the
-- first that was not shows that it lived no more (`client_fault`). Of a leader that was elected
-- the signs that it lived count, and the first by which the surviving node missed it (`leader_sign`). A timer that no file specifies is as long as `cluster_timer` allows.
-- columns:
--   rank: as in fault_estimate
--   source: inactive series, in trouble, expired, token loss, client questions, last words, leader signs
--   link: link that the line mentions
--   silent_s: seconds of silence that the line prints; null where a timer says it, or where there is none
--   low_at: the last heartbeat, or token, or sign of life came no earlier; null: the line does not say
--   high_at: it came no later; null: the line does not say
--   heartbeat_s: interval of heartbeats, or time for which the token may be kept, seconds
--   is_assumed: rests on a timer that neither a file nor a line shows
--   is_inferred: rests on a timer that lines of the configuration show
--   common_s: half the range of that timer, seconds: an error that all runs share
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
            when 'trouble' then at_us - (1000000 * (peertrouble_high_s + 1))::bigint
            else at_us - (1000000 * (peerinact_high_s + 1))::bigint
        end as low_us,
        case kind
            when 'inactive' then at_us - 1000000 * silent_s + case when resolution_us = 1 then 0 else resolution_us end
            when 'trouble' then at_us - (1000000 * peertrouble_low_s)::bigint + resolution_us
            else at_us - (1000000 * (peerinact_low_s - 1))::bigint + resolution_us
        end as high_us,
        case kind when 'trouble' then is_peertrouble_assumed when 'expired' then is_peerinact_assumed end as is_assumed,
        case kind when 'trouble' then is_peertrouble_inferred when 'expired' then is_peerinact_inferred end as is_inferred,
        case kind
            when 'trouble' then (peertrouble_high_s - peertrouble_low_s) / 2
            when 'expired' then (peerinact_high_s - peerinact_low_s) / 2
        end as common_s,
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
        is_inferred,
        common_s,
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
        silent_high_s as silent_s,
        epoch_us("at") as at_us,
        epoch_us(low_at) as low_us,
        epoch_us(high_at) as high_us,
        hold_s as heartbeat_s,
        is_assumed,
        is_inferred,
        (silent_high_s - silent_low_s) / 2 as common_s,
        node,
        file_id,
        line_no

    from token_loss

    union all by name

    select
        configuration,
        run,
        8 as rank,
        'client questions' as source,
        epoch_us(answered_at) as at_us,
        epoch_us(low_at) as low_us,
        node,
        answered_file_id as file_id,
        answered_line_no as line_no

    from client_fault

    union all by name

    select
        configuration,
        run,
        8 as rank,
        'client questions' as source,
        epoch_us(failed_at) as at_us,
        epoch_us(high_at) as high_us,
        node,
        failed_file_id as file_id,
        failed_line_no as line_no

    from client_fault

    union all by name

    select
        last_words.configuration,
        last_words.run,
        9 as rank,
        'last words' as source,
        epoch_us(last_words."at") as at_us,
        epoch_us(last_words.low_at) as low_us,
        epoch_us(incident.membership_at) as high_us,
        last_words.node,
        last_words.file_id,
        last_words.line_no

    from last_words

    inner join incident using (configuration, run)

    union all by name

    select configuration, run, 10 as rank, 'leader signs' as source, at_us, low_us, high_us, is_assumed, node, file_id, line_no

    from leader_sign

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
    -- a question or a last line needs no heartbeat and no timer
    coalesce(heartbeat_s, 0) as heartbeat_s,
    coalesce(is_assumed, false) as is_assumed,
    coalesce(is_inferred, false) as is_inferred,
    coalesce(common_s, 0) as common_s,
    node,
    file_id,
    line_no

from spans

semi join incident using (configuration, run)

order by configuration, run, rank, "at", file_id, line_no
