-- One row per run with a true fault time: the inferred one against it, with the line that it rests on.
select
    errors.configuration,
    errors.run,
    runs.run_no,
    errors.source,
    errors.true_fault_at,
    errors.inferred_at,
    errors.error_s,
    errors.low_error_s,
    errors.high_error_s,
    errors.is_inside,
    errors.used,
    files.path,
    errors.line_no

from main.fault_time_error as errors

inner join main.run as runs using (configuration, run)

left join main.source_file as files
    on errors.file_id = files.file_id

left join main.configuration_order as configurations using (configuration)

order by configurations.position, errors.configuration, runs.run_no nulls last, errors.run
