-- One row per run of which it is known what became of it, with the line that says so. Seconds after the fault.
select
    outcomes.configuration,
    outcomes.run,
    runs.run_no,
    outcomes.outcome,
    outcomes.reason,
    outcomes.censored_s,
    outcomes.last_step,
    outcomes.missing_step,
    outcomes.is_counted,
    files.path,
    outcomes.line_no

from main.run_outcome as outcomes

inner join main.run as runs using (configuration, run)

left join main.configuration_order as configurations using (configuration)

left join main.source_file as files
    on outcomes.file_id = files.file_id

order by configurations.position, outcomes.configuration, runs.run_no nulls last, outcomes.run
