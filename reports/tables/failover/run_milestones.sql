-- One row per run and milestone, with the line that shows it. Seconds after the fault. Used: it counts in statistics.
select
    milestones.configuration,
    milestones.run,
    runs.run_no,
    counted.milestone is not null as used,
    milestones.milestone,
    milestones.elapsed_s,
    milestones.resolution_s,
    milestones.method,
    files.path,
    milestones.line_no

from main.milestone as milestones

inner join main.run as runs using (configuration, run)

left join main.counted_milestone as counted using (configuration, run, milestone)

left join main.configuration_order as configurations using (configuration)

left join main.source_file as files
    on milestones.file_id = files.file_id

order by configurations.position, milestones.configuration, runs.run_no nulls last, milestones.run, milestones.milestone
