-- One row per unit (run folder, or folder group without run folders): the timers of node loss in force, seconds.
-- From llttab (1/100 s), gabtab (ms), ha.cf and corosync.conf (ms) of the run or configuration, else the products' defaults, marked as
-- assumed. Corosync's default consensus is 1.2 times the token; with more than two nodes listed each further one adds
-- token_coefficient to the token. While a cluster is idle its first node holds the token for hold_s (totem_config.c:
-- 0.8 times token_retransmit, less 10 ms).
-- materialised: small, and read by every step of the failover analysis
-- columns:
--   configuration: folder group
--   unit_run: run folder; null where the group has none
--   peerinact_s: silence after which LLT gives a peer up
--   peertrouble_s: silence after which LLT reports trouble
--   heartbeat_s: interval of heartbeats
--   stable_s: GAB stable timeout
--   deadtime_s: silence after which Heartbeat declares a peer dead
--   keepalive_s: interval of Heartbeat's own heartbeats
--   token_s: time without a token after which corosync declares it lost
--   hold_s: time for which a node of an idle ring may keep the token
--   ring_nodes: nodes that corosync.conf lists; null where it lists none
--   consensus_s: time corosync waits for the others to agree
--   is_peerinact_assumed: no llttab states it
--   is_peertrouble_assumed: no llttab states it
--   is_stable_assumed: no gabtab states it
--   is_deadtime_assumed: no ha.cf states it
--   is_token_assumed: no corosync.conf states it
with

timers as (

    select
        file_id,
        line_no,
        scope,
        case
            when scope = 'gabtab' then 'stable'
            when scope in ('ha.cf', 'corosync.conf') then regexp_replace(lower(name), '^totem\.', '')
            when contains(lower(name || ' ' || value), 'peerinact') then 'peerinact'
            when contains(lower(name || ' ' || value), 'peertroublelo') then 'peertroublelo'
            when contains(lower(name || ' ' || value), 'peertrouble') then 'peertrouble'
            when contains(lower(name || ' ' || value), 'heartbeatlo') then 'heartbeatlo'
            when contains(lower(name || ' ' || value), 'heartbeat') then 'heartbeat'
        end as timer,
        -- `1600`, or the whole `peerinact:1600`
        try_cast(regexp_extract(value, '(\d+)\D*$', 1) as double) as ticks,
        case
            when ends_with(lower(name), '_const') then 1
            when scope = 'corosync.conf' or contains(lower(value), 'ms') then 1000
            when scope = 'ha.cf' then 1
            when scope = 'gabtab' then 1000
            else 100
        end as ticks_per_s

    from log.parameter_value

    where
        (scope = 'llttab' and regexp_matches(lower(name || ' ' || value), 'peerinact|peertrouble|heartbeat'))
        or (scope = 'ha.cf' and lower(name) in ('deadtime', 'keepalive'))
        or (
            scope = 'corosync.conf'
            and lower(name) in (
                'totem.token', 'totem.consensus', 'totem.hold', 'totem.token_retransmit', 'totem.token_coefficient',
                'totem.token_retransmits_before_loss_const'
            )
        )
        or (scope = 'gabtab' and regexp_matches(lower(name), '^(-t|t|stable.*|.*stable.?timeout.*)$'))

),

stated as (

    select
        run_unit.configuration,
        run_unit.unit_run,
        timers.timer,
        timers.ticks / timers.ticks_per_s as seconds

    from run_unit

    inner join applicable_file
        on
            run_unit.configuration = applicable_file.configuration
            and (applicable_file.run is null or applicable_file.run is not distinct from run_unit.unit_run)

    inner join timers
        on applicable_file.file_id = timers.file_id

    where timers.ticks > 0

    qualify row_number() over (
        partition by run_unit.configuration, run_unit.unit_run, timers.timer
        order by applicable_file.run is null, applicable_file.distance, timers.file_id, timers.line_no desc
    ) = 1

),

rings as (

    select
        run_unit.configuration,
        run_unit.unit_run,
        applicable_file.file_id,
        count(*) as ring_nodes

    from run_unit

    inner join applicable_file
        on
            run_unit.configuration = applicable_file.configuration
            and (applicable_file.run is null or applicable_file.run is not distinct from run_unit.unit_run)

    inner join log.parameter_value as parameter_value
        on
            applicable_file.file_id = parameter_value.file_id
            and parameter_value.scope = 'corosync.conf'
            and regexp_matches(parameter_value.name, '^nodelist\.node(\[\d+\])?\.ring0_addr$')

    group by
        run_unit.configuration, run_unit.unit_run, applicable_file.file_id, applicable_file.run, applicable_file.distance

    qualify row_number() over (
        partition by run_unit.configuration, run_unit.unit_run
        order by applicable_file.run is null, applicable_file.distance, applicable_file.file_id
    ) = 1

),

per_unit as (

    select
        run_unit.configuration,
        run_unit.unit_run,
        max(stated.seconds) filter (where stated.timer = 'peerinact') as peerinact_s,
        max(stated.seconds) filter (where stated.timer = 'peertrouble') as peertrouble_s,
        max(stated.seconds) filter (where stated.timer = 'heartbeat') as heartbeat_s,
        max(stated.seconds) filter (where stated.timer = 'stable') as stable_s,
        max(stated.seconds) filter (where stated.timer = 'deadtime') as deadtime_s,
        max(stated.seconds) filter (where stated.timer = 'keepalive') as keepalive_s,
        max(stated.seconds) filter (where stated.timer = 'token')
        + greatest(coalesce(max(rings.ring_nodes), 2) - 2, 0)
        * coalesce(max(stated.seconds) filter (where stated.timer = 'token_coefficient'), 0.65) as token_s,
        max(stated.seconds) filter (where stated.timer = 'consensus') as consensus_s,
        max(stated.seconds) filter (where stated.timer = 'hold') as hold_s,
        max(stated.seconds) filter (where stated.timer = 'token_retransmit') as retransmit_s,
        max(stated.seconds) filter (where stated.timer = 'token_retransmits_before_loss_const') as retransmits,
        max(rings.ring_nodes) as ring_nodes

    from run_unit

    left join stated
        on
            run_unit.configuration = stated.configuration
            and run_unit.unit_run is not distinct from stated.unit_run

    left join rings
        on
            run_unit.configuration = rings.configuration
            and run_unit.unit_run is not distinct from rings.unit_run

    group by run_unit.configuration, run_unit.unit_run

)

select
    configuration,
    unit_run,
    coalesce(peerinact_s, 16) as peerinact_s,
    coalesce(peertrouble_s, 2) as peertrouble_s,
    coalesce(heartbeat_s, 0.5) as heartbeat_s,
    coalesce(stable_s, 5) as stable_s,
    coalesce(deadtime_s, 30) as deadtime_s,
    coalesce(keepalive_s, 2) as keepalive_s,
    coalesce(token_s, 1) as token_s,
    coalesce(consensus_s, 1.2 * token_s, 1.2) as consensus_s,
    coalesce(
        hold_s,
        0.8 * coalesce(retransmit_s, coalesce(token_s, 1) / (coalesce(retransmits, 4) + 0.2)) - 0.01
    ) as hold_s,
    ring_nodes::integer as ring_nodes,
    peerinact_s is null as is_peerinact_assumed,
    peertrouble_s is null as is_peertrouble_assumed,
    stable_s is null as is_stable_assumed,
    deadtime_s is null as is_deadtime_assumed,
    token_s is null as is_token_assumed

from per_unit

order by configuration, unit_run
