-- One row per run and source that shows when the fault happened, best source first. UTC.
-- No log records the moment of a crash. Each source gives an interval; stamps are cut, so an instant lies in
-- [stamp, stamp + resolution). LLT heard the node last less than one heartbeat before the crash. The lines of an outage of a link agree
-- on the last heartbeat, so their intervals are intersected, then those of the links. LLT looks once a second
-- and counts whole seconds: a timer may fire up to one second early (15 and 4 s were printed for 16 and 5 s) or late.
-- Corosync sees the token last when the lost node still lived, and the node may have kept it for the hold time.
-- A timer that no file specifies is as long as `cluster_timer` allows: an interval, never a default. `fault_time` intersects the sources.
-- What may be the same in all runs of a configuration (a timer that is not known, the phase of a node's tick, the bias of a rule) is kept apart: it does not
-- average out. Half the range of such a timer counts in full; of the rest of the width a tenth (a tick of LLT or Heartbeat, whose phase stays
-- while a node runs) or a quarter (a token that is passed on early, a client's slowest answer): as far as the middles of
-- crashes whose true time was known lay off.
-- materialised: read by the runs and the report
-- rows by: configuration
-- empty without rows of: incident
-- columns:
--   rank: 1 is trusted most
--   source: manifest, inactive series, in trouble, expired, membership, had membership, shutdown notice, dead time,
--     token loss, token timeout, hadr connection, take-over command, marker line, client questions, last words, leader signs
--   low_at: earliest time of the fault
--   middle_at: the best estimate: the middle of the interval; of a client's questions where the outage most likely began
--   high_at: latest time of the fault
--   width_s: width of the interval, seconds
--   line_count: log lines behind it
--   is_inferred: rests on a timer that no file specifies, but lines of the configuration show
--   is_consistent: the intervals of all lines have a common part; else the interval is their hull
--   timer_error_s: half the range of timers that are not known exactly, seconds: the same error in all runs
--   common_share: the part of the rest of the interval that may be the same in all runs
--   common_error_s: half width of the part of the interval that may be the same in all runs, seconds; 0 for a recorded time
--   common_cause: what that error is: equal where two configurations have the same error; null where there is none
--   file_id: file of the first line
--   line_no: first line
with

recorded as (

    select
        configuration,
        run,
        1 as rank,
        'manifest' as source,
        epoch_us(manifest_fault_at) as low_us,
        epoch_us(manifest_fault_at) as high_us,
        0 as line_count,
        false as is_assumed,
        true as is_consistent,
        null::integer as file_id,
        null::integer as line_no

    from incident

    where manifest_fault_at is not null

),

bounds as (

    select
        *,
        epoch_us(low_at) as low_us,
        epoch_us(high_at) as high_us,
        (1000000 * heartbeat_s)::bigint as heartbeat_us

    from fault_line

),

series as (

    select
        configuration,
        run,
        rank,
        source,
        max(low_us) as inner_low_us,
        min(high_us) + max(heartbeat_us) as inner_high_us,
        min(low_us) as outer_low_us,
        max(high_us) + max(heartbeat_us) as outer_high_us,
        count(*) as line_count,
        bool_or(is_assumed) as is_assumed,
        bool_or(is_inferred) as is_inferred,
        max(common_s) as timer_error_s,
        max(heartbeat_s) as heartbeat_s,
        first(file_id order by "at", file_id, line_no) as file_id,
        first(line_no order by "at", file_id, line_no) as line_no

    from bounds

    group by configuration, run, rank, source

),

from_links as (

    select
        configuration,
        run,
        rank,
        source,
        case when inner_low_us <= inner_high_us then inner_low_us else outer_low_us end as low_us,
        case when inner_low_us <= inner_high_us then inner_high_us else outer_high_us end as high_us,
        line_count,
        is_assumed,
        is_inferred,
        timer_error_s,
        heartbeat_s,
        inner_low_us <= inner_high_us as is_consistent,
        file_id,
        line_no

    from series

),

declarations as (  -- lines by which a layer of the cluster declares the node lost, with the timers behind them

    select
        incident.configuration,
        incident.run,
        cluster_timer.* exclude (configuration, unit_run),
        evidence.layer,
        evidence.port,
        evidence.is_planned,
        evidence.node_key is distinct from incident.surviving_key as is_other_node,
        epoch_us(evidence."at") as at_us,
        line_resolution(evidence."at", stamp_resolution.resolution_s, stamp_resolution.whole_milli_s, stamp_resolution.whole_second_s) as resolution_s,
        evidence.file_id,
        evidence.line_no,
        evidence.part

    from incident

    inner join cluster_timer
        on
            incident.configuration = cluster_timer.configuration
            and incident.unit_run is not distinct from cluster_timer.unit_run

    inner join node_loss_evidence as evidence
        on
            incident.configuration = evidence.configuration
            and incident.unit_run is not distinct from evidence.unit_run
            and incident.lost_key = evidence.lost_key
            and evidence.is_decisive
            and evidence."at" >= incident.loss_at
            and evidence."at" < incident.end_at

    inner join stamp_resolution
        on evidence.file_id = stamp_resolution.file_id

),

memberships as (

    select
        configuration,
        run,
        case when layer = 'gab' then 5 else 6 end as rank,
        case when layer = 'gab' then 'membership' else 'had membership' end as source,
        at_us - (1000000 * (membership_high_s + 1))::bigint as low_us,
        at_us - (1000000 * (membership_low_s - 2))::bigint + (1000000 * (resolution_s + heartbeat_s))::bigint as high_us,
        1 as line_count,
        is_membership_assumed as is_assumed,
        is_membership_inferred as is_inferred,
        (membership_high_s - membership_low_s) / 2 as timer_error_s,
        true as is_consistent,
        file_id,
        line_no

    from declarations

    where layer in ('gab', 'had')

    qualify row_number() over (
        partition by configuration, run, layer order by is_other_node, port, at_us, file_id, line_no, part
    ) = 1

),

likely as (  -- a client that asks often knows better than to a middle of what clocks and slow answers allow

    select configuration, run, 'client questions' as source, min(epoch_us(likely_at)) as likely_us

    from client_fault

    group by configuration, run

),

notices as (  -- the first sign of a planned loss: who leaves says so, or is asked to; or the token that it takes along

    select configuration, run, min("at") as "at"

    from (

        select incident.configuration, incident.run, departure."at"

        from incident

        inner join departure
            on
                incident.configuration = departure.configuration
                and incident.unit_run is not distinct from departure.unit_run
                and departure.node_key in (incident.lost_key, '*')
                and departure.how = 'shutdown'
                and not departure.is_revoked
                and incident.loss_at between departure."at" and departure.until_at

        where incident.is_planned

        union all

        select incident.configuration, incident.run, cluster_line."at"

        from incident

        inner join cluster_line
            on
                incident.configuration = cluster_line.configuration
                and incident.unit_run is not distinct from cluster_line.unit_run
                and cluster_line.kind = 'token_lost'
                and cluster_line.node_key is distinct from incident.lost_key
                and cluster_line."at" between incident.search_start_at and incident.membership_at

        where incident.is_planned
    )

    group by configuration, run

),

silences as (  -- the cluster manager declares a peer dead after a time of silence; a good-bye is the fault itself

    select
        configuration,
        run,
        is_planned,
        case when is_planned then least(at_us, epoch_us(notices."at")) else at_us end as at_us,
        file_id,
        line_no,
        hold_s as heartbeat_s,
        layer = 'heartbeat' as is_heartbeat,
        (1000000 * resolution_s)::bigint as resolution_us,
        case when is_heartbeat then 'dead time' else 'token timeout' end as source,
        case when is_heartbeat then deadtime_low_s else token_low_s + consensus_low_s end as silence_low_s,
        case when is_heartbeat then deadtime_high_s else token_high_s + consensus_high_s end as silence_high_s,
        (1000000 * case layer
            when 'heartbeat' then keepalive_s + 1
            when 'corosync' then hold_s + 0.01
            else token_high_s  -- Pacemaker says it later than corosync
        end)::bigint as slack_us,
        (1000000 * case when is_heartbeat then 0 else hold_s + 0.01 end)::bigint as kept_us,
        case when is_heartbeat then is_deadtime_assumed else is_token_assumed end as is_assumed,
        not is_heartbeat and is_token_inferred as is_inferred

    from declarations

    left join notices using (configuration, run)

    where layer in ('heartbeat', 'pacemaker', 'corosync')

    qualify row_number() over (partition by configuration, run order by declarations.at_us, is_other_node, file_id, line_no) = 1

),

from_silence as (

    select
        configuration,
        run,
        case when is_planned then 5 else 6 end as rank,
        case when is_planned then 'shutdown notice' else source end as source,
        case when is_planned then at_us else at_us - (1000000 * silence_high_s)::bigint - slack_us end as low_us,
        case when is_planned then at_us else at_us - (1000000 * silence_low_s)::bigint + kept_us + resolution_us end as high_us,
        1 as line_count,
        is_assumed and not is_planned as is_assumed,
        is_inferred and not is_planned as is_inferred,
        case when is_planned then 0 else (silence_high_s - silence_low_s) / 2 end as timer_error_s,
        heartbeat_s,
        true as is_consistent,
        file_id,
        line_no

    from silences

),

commands as (

    select
        configuration,
        run,
        5 as rank,
        'take-over command' as source,
        epoch_us(loss_at) as low_us,
        epoch_us(loss_at) as high_us,
        1 as line_count,
        false as is_assumed,
        true as is_consistent,
        file_id,
        line_no

    from incident

    where is_commanded

),

partners as (  -- HADR gives its primary up as the connection ends, or HADR_TIMEOUT after it fell silent

    select
        incident.configuration,
        incident.run,
        6 as rank,
        'hadr connection' as source,
        epoch_us(incident.loss_at) - (1000000 * cluster_timer.hadr_timeout_s)::bigint as low_us,
        epoch_us(incident.loss_at)
        + (
            1000000
            * line_resolution(incident.loss_at, stamp_resolution.resolution_s, stamp_resolution.whole_milli_s, stamp_resolution.whole_second_s)
        )::bigint as high_us,
        1 as line_count,
        cluster_timer.is_hadr_timeout_assumed as is_assumed,
        false as is_inferred,
        cluster_timer.hadr_timeout_s / 2 as timer_error_s,
        true as is_consistent,
        incident.file_id,
        incident.line_no

    from incident

    inner join cluster_timer
        on
            incident.configuration = cluster_timer.configuration
            and incident.unit_run is not distinct from cluster_timer.unit_run

    inner join stamp_resolution
        on incident.file_id = stamp_resolution.file_id

    where incident.is_hadr

),

markers as (  -- `logger haledger fault`, cut to the resolution of the log

    select
        incident.configuration,
        incident.run,
        7 as rank,
        'marker line' as source,
        min(epoch_us(syslog_event."at")) as low_us,
        min(
            epoch_us(syslog_event."at")
            + (
                1000000
                * line_resolution(syslog_event."at", stamp_resolution.resolution_s, stamp_resolution.whole_milli_s, stamp_resolution.whole_second_s)
            )::bigint
        ) as high_us,
        1 as line_count,
        false as is_assumed,
        true as is_consistent,
        first(syslog_event.file_id order by syslog_event."at", syslog_event.file_id, syslog_event.line_no) as file_id,
        first(syslog_event.line_no order by syslog_event."at", syslog_event.file_id, syslog_event.line_no) as line_no

    from incident

    inner join source_file
        on
            incident.configuration = source_file.configuration
            and (source_file.run is null or source_file.run is not distinct from incident.unit_run)

    inner join log.syslog_event as syslog_event
        on
            source_file.file_id = syslog_event.file_id
            and contains(syslog_event.text, 'haledger fault')
            and syslog_event."at" between incident.search_start_at and incident.membership_at

    inner join stamp_resolution
        on syslog_event.file_id = stamp_resolution.file_id

    group by incident.configuration, incident.run

),

estimates as (

    select * from recorded
    union all by name
    select * from from_links
    union all by name
    select * from memberships
    union all by name
    select * from from_silence
    union all by name
    select * from commands
    union all by name
    select * from partners
    union all by name
    select * from markers

),

shared as (

    select
        * exclude (is_inferred, timer_error_s, heartbeat_s),
        (high_us - low_us) / 1000000 as width_s,
        coalesce(is_inferred, false) as is_inferred,
        least(coalesce(timer_error_s, 0), (high_us - low_us) / 2000000) as timer_error_s,
        case
            when source in ('manifest', 'shutdown notice', 'take-over command', 'marker line') then 0
            when source in ('token loss', 'token timeout', 'client questions', 'last words', 'leader signs') then 0.25
            else 0.1
        end as common_share,
        case
            when source in ('manifest', 'shutdown notice', 'take-over command', 'marker line') then null
            when source = 'token loss' and not coalesce(is_assumed or is_inferred, false)
                then format('token hold {:.2f} s, corosync', heartbeat_s)
                -- in a ring of more than two another node may have kept it before
                || case when (high_us - low_us) / 1000000 > 1.5 * heartbeat_s + 0.05 then ', twice' else '' end
            else concat(
                case
                    when source = 'inactive series' then 'LLT tick'
                    when source in ('in trouble', 'expired', 'membership', 'had membership') then case
                        when is_assumed or is_inferred then source || ' timer'
                        else 'LLT tick'
                    end
                    when source = 'dead time' then case when is_assumed then 'deadtime' else 'Heartbeat tick' end
                    when source in ('token loss', 'token timeout') then 'token timer'
                    when source = 'hadr connection' then 'HADR_TIMEOUT'
                    else source
                end,
                case when is_assumed then ' assumed' when is_inferred then ' inferred' else '' end,
                ', ',
                configuration
            )
        end as common_cause

    from estimates

)

select
    configuration,
    run,
    rank::integer as rank,
    source,
    make_timestamp(low_us::bigint) as low_at,
    make_timestamp(
        case when likely_us is null then low_us + (high_us - low_us) // 2 else greatest(low_us, least(likely_us, high_us)) end::bigint
    ) as middle_at,
    make_timestamp(high_us::bigint) as high_at,
    width_s,
    line_count::integer as line_count,
    is_assumed,
    is_inferred,
    is_consistent,
    timer_error_s::double as timer_error_s,
    common_share::double as common_share,
    (timer_error_s + common_share * (width_s - 2 * timer_error_s))::double as common_error_s,
    common_cause,
    file_id,
    line_no

from shared

left join likely using (configuration, run, source)

order by configuration, run, rank
