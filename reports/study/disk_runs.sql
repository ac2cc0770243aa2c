-- One row per used run, host, device and metric: the mean of the run's reports, with the line of the first of them.
select
    means.configuration,
    means.run,
    runs.run_no,
    means.node,
    means.source,
    means.device,
    means.metric,
    means.unit,
    means.value,
    files.path,
    means.line_no

from main.iostat_run as means

left join main.run as runs using (configuration, run)

left join main.source_file as files
    on means.file_id = files.file_id

left join main.configuration_order as configurations using (configuration)

order by means.device, means.metric, configurations.position, means.configuration, runs.run_no nulls last, means.run
