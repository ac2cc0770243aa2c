-- One row per unit (run folder, or folder group without run folders) and timer of node loss that a configuration file specifies.
-- From llttab (1/100 s), gabtab (ms), ha.cf, corosync.conf (ms) and `get db cfg` of the run or configuration, the nearest file first.
-- columns:
--   timer: peerinact, peertrouble, heartbeat, stable, deadtime, keepalive, token, consensus, hold, hadr_timeout, ...
--   seconds: its value; a count where it is one
with

timers as (

    select
        file_id,
        line_no,
        scope,
        case
            when scope = 'gabtab' then 'stable'
            when scope = 'db' then 'hadr_timeout'
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
            when scope in ('ha.cf', 'db') then 1
            when scope = 'gabtab' then 1000
            else 100
        end as ticks_per_s

    from log.parameter_value

    where
        (scope = 'llttab' and regexp_matches(lower(name || ' ' || value), 'peerinact|peertrouble|heartbeat'))
        or (scope = 'ha.cf' and lower(name) in ('deadtime', 'keepalive'))
        or (scope = 'db' and upper(name) = 'HADR_TIMEOUT')
        or (
            scope = 'corosync.conf'
            and lower(name) in (
                'totem.token', 'totem.consensus', 'totem.hold', 'totem.token_retransmit', 'totem.token_coefficient',
                'totem.token_retransmits_before_loss_const'
            )
        )
        or (scope = 'gabtab' and regexp_matches(lower(name), '^(-t|t|stable.*|.*stable.?timeout.*)$'))

)

select
    run_unit.configuration,
    run_unit.unit_run,
    timers.timer,
    timers.ticks / timers.ticks_per_s as seconds,
    timers.file_id,
    timers.line_no

from run_unit

inner join applicable_file
    on
        run_unit.configuration = applicable_file.configuration
        and (applicable_file.run is null or applicable_file.run is not distinct from run_unit.unit_run)

inner join timers using (file_id)

where timers.ticks > 0

qualify row_number() over (
    partition by run_unit.configuration, run_unit.unit_run, timers.timer
    order by applicable_file.run is null, applicable_file.distance, timers.file_id, timers.line_no desc
) = 1
