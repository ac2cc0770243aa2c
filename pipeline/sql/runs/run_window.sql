-- One row per stretch of time that belongs to a run, for lines of logs that lie in no run folder. UTC.
-- A group without run folders is split into its incidents, from before the first sign of the loss to the next incident, the
-- next node loss or where its steps are followed no longer; without incidents it is run 1 as a whole. Stretches of a configuration do not overlap.
-- materialised: every typed view reads it
-- rows by: configuration
-- columns:
--   start_at: begin, inclusive; null: unbounded
--   end_at: end, exclusive; null: unbounded
with

incidents as (

    select
        configuration,
        run,
        search_start_at - interval 60 second as start_at,
        least(
            end_at,
            lead(search_start_at - interval 60 second) over (partition by configuration order by loss_at, loss_no)
        ) as end_at

    from incident

    where unit_run is null

),

whole as (

    select run_unit.configuration, '1' as run

    from run_unit

    left join incidents
        on run_unit.configuration = incidents.configuration

    where run_unit.unit_run is null and incidents.configuration is null

)

select configuration, run, start_at, end_at from run_range
union all
select configuration, run, start_at, end_at from incidents
union all
select configuration, run, null, null from whole

order by configuration, start_at, run
