-- One row per device and report of a run's iostat, without the report since boot: seconds since the fault where the run has one, else since
-- the invocation began. The metric's column is put in place of `value_of`.
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

inner join main.run as runs
    on reports.configuration = runs.configuration
    and reports.run = runs.run

where runs.used
    and not reports.is_since_boot
    and value_of is not null

order by reports.configuration, runs.run_no nulls last, reports.run, reports.node, reports.device, x
