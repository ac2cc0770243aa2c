-- One row per unit (run folder, or folder group without run folders): the LLT and GAB timers in force, seconds.
-- From llttab (1/100 s) and gabtab (ms) of the run or configuration, else the products' defaults, marked as assumed.
-- materialised: small, and read by every step of the failover analysis
-- columns:
--   configuration: folder group
--   unit_run: run folder; null where the group has none
--   peerinact_s: silence after which LLT gives a peer up
--   peertrouble_s: silence after which LLT reports trouble
--   heartbeat_s: interval of heartbeats
--   stable_s: GAB stable timeout
--   is_peerinact_assumed: no llttab states it
--   is_peertrouble_assumed: no llttab states it
--   is_stable_assumed: no gabtab states it
with

timers as (

    select
        file_id,
        line_no,
        scope,
        case
            when scope = 'gabtab' then 'stable'
            when contains(lower(name || ' ' || value), 'peerinact') then 'peerinact'
            when contains(lower(name || ' ' || value), 'peertroublelo') then 'peertroublelo'
            when contains(lower(name || ' ' || value), 'peertrouble') then 'peertrouble'
            when contains(lower(name || ' ' || value), 'heartbeatlo') then 'heartbeatlo'
            when contains(lower(name || ' ' || value), 'heartbeat') then 'heartbeat'
        end as timer,
        -- `1600`, or the whole `peerinact:1600`
        try_cast(regexp_extract(value, '(\d+)\D*$', 1) as double) as ticks

    from log.parameter_value

    where
        (scope = 'llttab' and regexp_matches(lower(name || ' ' || value), 'peerinact|peertrouble|heartbeat'))
        or (scope = 'gabtab' and regexp_matches(lower(name), '^(-t|t|stable.*|.*stable.?timeout.*)$'))

),

stated as (

    select
        run_unit.configuration,
        run_unit.unit_run,
        timers.timer,
        case when timers.timer = 'stable' then timers.ticks / 1000 else timers.ticks / 100 end as seconds

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

per_unit as (

    select
        run_unit.configuration,
        run_unit.unit_run,
        max(stated.seconds) filter (where stated.timer = 'peerinact') as peerinact_s,
        max(stated.seconds) filter (where stated.timer = 'peertrouble') as peertrouble_s,
        max(stated.seconds) filter (where stated.timer = 'heartbeat') as heartbeat_s,
        max(stated.seconds) filter (where stated.timer = 'stable') as stable_s

    from run_unit

    left join stated
        on
            run_unit.configuration = stated.configuration
            and run_unit.unit_run is not distinct from stated.unit_run

    group by run_unit.configuration, run_unit.unit_run

)

select
    configuration,
    unit_run,
    coalesce(peerinact_s, 16) as peerinact_s,
    coalesce(peertrouble_s, 2) as peertrouble_s,
    coalesce(heartbeat_s, 0.5) as heartbeat_s,
    coalesce(stable_s, 5) as stable_s,
    peerinact_s is null as is_peerinact_assumed,
    peertrouble_s is null as is_peertrouble_assumed,
    stable_s is null as is_stable_assumed

from per_unit

order by configuration, unit_run
