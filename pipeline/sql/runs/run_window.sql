-- One row per stretch of time that belongs to a run, for lines of logs that lie in no run folder. UTC. A group without
-- run folders is split into its incidents, from before the first sign of the loss to the next incident, the next node
-- loss or where its steps are followed no longer; without incidents it is run 1 as a whole. Stretches of a
-- configuration do not overlap: of two losses that are close to each other, the second has what is nearer to it; a
-- test that is seen to begin has all from there on.
-- materialised: every typed view reads it
-- rows by: configuration
-- columns:
--   start_at: begin, inclusive; null: unbounded
--   end_at: end, exclusive; null: unbounded
with

begun as (

    select
        configuration,
        run,
        loss_at,
        loss_no,
        end_at,
        coalesce(
            case when not lag(is_to_limit) over earlier and lag(end_at) over earlier < loss_at then lag(end_at) over earlier end,
            greatest(search_start_at - interval 60 second, loss_at - (loss_at - lag(loss_at) over earlier) / 2)
        ) as start_at

    from incident

    where unit_run is null

    window earlier as (partition by configuration order by loss_at, loss_no)

),

incidents as (

    select
        configuration,
        run,
        start_at,
        least(end_at, lead(start_at) over (partition by configuration order by loss_at, loss_no)) as end_at

    from begun

),

whole as (

    select run_unit.configuration, '1' as run

    from run_unit

    left join incidents using (configuration)

    where run_unit.unit_run is null and incidents.configuration is null

)

select configuration, run, start_at, end_at from run_range
union all
select configuration, run, start_at, end_at from incidents
union all
select configuration, run, null, null from whole

order by configuration, start_at, run
