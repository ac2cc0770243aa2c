-- One row per run, in the order of the tables. Times in UTC.
select
    runs.configuration,
    runs.run,
    runs.run_no,
    runs.fault_at,
    date_diff('microsecond', runs.fault_at_low, runs.fault_at_high) / 1e6 as fault_width_s,
    runs.fault_at_low,
    runs.fault_at_high,
    runs.fault_source,
    runs.fault_kind,
    runs.true_fault_at,
    runs.lost_node,
    runs.surviving_node,
    runs.used,
    runs.excluded_reason,
    runs.flags

from main.run as runs

left join main.configuration_order as configurations using (configuration)

order by configurations.position, runs.configuration, runs.run_no nulls last, runs.run
