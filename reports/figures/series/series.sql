-- One row per point of a run's series of one metric: seconds since the fault where it lies within an hour of them,
-- else since the series began. Where intervals are missing between two points of a series nothing was done: both ends
-- of the gap are points of no work. Of a run's series that one program shows twice, as it goes and in the logs of its
-- threads, the first is drawn.
with

points as (

    select
        series.*,
        lead(series.offset_s) over points as next_s

    from main.measurement_series as series

    where series.metric = $metric
        and series.value is not null
        and not series.is_repeated

    window points as (
        partition by series.configuration, series.run, series.series_no
        order by series.offset_s, series.file_id, series.line_no
    )

),

runs as (

    select
        run.configuration,
        run.run,
        run.run_no,
        fault_beside(run.fault_at, spans.start_at, spans.end_at) as fault_at

    from main.run as run

    inner join (
        select configuration, run, min("at") as start_at, max("at") as end_at from points group by configuration, run
    ) as spans
        on run.configuration = spans.configuration and run.run = spans.run

    where run.used

),

gaps as (

    select
        points.*,
        unnest(case
            when next_s - offset_s > 2.5 * interval_s and unit in ('1/s', '1/min', '1/h') and "at" is not null
                then [0, interval_s, next_s - offset_s - interval_s]
            else [0.0]
        end) as later_s

    from points

)

select
    series.configuration,
    series.run,
    series.unit,
    series.clients,
    series.series_no,
    coalesce(
        date_diff('microsecond', runs.fault_at, series."at") / 1e6,
        series.offset_s
    ) + series.later_s as x,
    runs.fault_at is not null and series."at" is not null as is_after_fault,
    coalesce(runs.fault_at, series."at" - to_microseconds((series.offset_s * 1e6)::bigint)) as zero_at,
    case when series.later_s = 0 then series.value else 0 end as value

from gaps as series

inner join runs using (configuration, run)

order by series.configuration, runs.run_no nulls last, series.run, series.series_no, x
