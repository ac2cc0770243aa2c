-- One row per set of timers in force, seconds, with the configurations that have it; a timer that no file specifies is
-- inferred from the runs, else the product's default.
with

layers as (

    select
        configuration,
        bool_or(source in ('llt', 'gab')) as has_llt,
        bool_or(stack is not distinct from 'heartbeat' and kind in ('peer_dead', 'shutdown_notice')) as has_heartbeat,
        bool_or(stack in ('corosync', 'pacemaker')) as has_corosync

    from main.cluster_line

    group by configuration

),

in_force as (

    select distinct
        configurations.position,
        timers.configuration,
        round(timers.peerinact_s, 2) as peerinact_s,
        round(timers.peertrouble_s, 2) as peertrouble_s,
        timers.heartbeat_s,
        round(timers.stable_s, 2) as stable_s,
        round(timers.deadtime_s, 2) as deadtime_s,
        timers.keepalive_s,
        round(timers.token_s, 2) as token_s,
        round(timers.consensus_s, 2) as consensus_s,
        timers.is_peerinact_assumed,
        timers.is_peertrouble_assumed,
        timers.is_stable_assumed,
        timers.is_deadtime_assumed,
        timers.is_token_assumed,
        timers.is_peerinact_inferred,
        timers.is_peertrouble_inferred,
        timers.is_stable_inferred,
        timers.is_token_inferred,
        coalesce(layers.has_llt, false) as has_llt,
        coalesce(layers.has_heartbeat, false) as has_heartbeat,
        coalesce(layers.has_corosync, false) as has_corosync

    from main.cluster_timer as timers

    inner join main.configuration_order as configurations using (configuration)

    left join layers using (configuration)

)

select
    list(configuration order by position, configuration) as configurations,
    columns(* exclude (position, configuration))

from in_force

group by all

order by min(position), configurations, peerinact_s, stable_s, deadtime_s, token_s
