-- One row per stretch of `run_window` and hour that it covers: lines find their run by an equal hour. UTC.
-- A stretch of over 31 days, or without bounds, is one row.
-- materialised: every typed view reads it
-- rows by: configuration
-- columns:
--   hour: begin of the hour; null: all of the stretch
--   start_at: begin of the stretch, inclusive; null: unbounded
--   end_at: end of the stretch, exclusive; null: unbounded
with

windows as (

    select *, coalesce(end_at > start_at + interval 31 day, start_at is null or end_at is null) as is_long

    from run_window

),

hours as (

    select
        configuration,
        run,
        unnest(hours_between(start_at, end_at)) as hour,
        start_at,
        end_at

    from windows

    where not is_long

)

select configuration, run, hour, start_at, end_at from hours
union all
select configuration, run, null, start_at, end_at from windows where is_long

order by configuration, start_at, run, hour
