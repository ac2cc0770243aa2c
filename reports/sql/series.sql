-- One row per point of a run's series of one metric: seconds since the fault where the run has one, else since the series began.
select
    series.configuration,
    series.run,
    series.unit,
    coalesce(
        date_diff('microsecond', runs.fault_at, series."at") / 1e6,
        series.offset_s
    ) as x,
    runs.fault_at is not null and series."at" is not null as is_after_fault,
    coalesce(runs.fault_at, series."at" - to_microseconds((series.offset_s * 1e6)::bigint)) as zero_at,
    series.value

from main.measurement_series as series

inner join main.run as runs
    on series.configuration = runs.configuration
    and series.run = runs.run

where series.metric = $metric
    and runs.used
    and series.value is not null

order by series.configuration, runs.run_no nulls last, series.run, x
