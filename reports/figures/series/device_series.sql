-- One row per device and report of a run's iostat, without the report since boot: seconds since the fault where it
-- lies within an hour of them, else since the invocation began. The metric's column is put in place of `value_of`.
with

runs as (

    select
        run.configuration,
        run.run,
        run.run_no,
        fault_beside(run.fault_at, spans.start_at, spans.end_at) as fault_at

    from main.run as run

    inner join (
        select configuration, run, min("at") as start_at, max("at") as end_at
        from main.iostat_device
        where not is_since_boot
        group by configuration, run
    ) as spans
        on run.configuration = spans.configuration and run.run = spans.run

    where run.used

)

select
    reports.configuration,
    reports.run,
    reports.node,
    reports.device,
    coalesce(
        date_diff('microsecond', runs.fault_at, reports."at") / 1e6,
        reports.offset_s,
        reports.report_no
    ) as x,
    runs.fault_at is not null and reports."at" is not null as is_after_fault,
    coalesce(runs.fault_at, reports."at" - to_microseconds((reports.offset_s * 1e6)::bigint)) as zero_at,
    value_of as value

from main.iostat_device as reports

inner join runs
    on reports.configuration = runs.configuration
    and reports.run = runs.run

where not reports.is_since_boot
    and value_of is not null

order by reports.configuration, runs.run_no nulls last, reports.run, reports.node, reports.device, x
