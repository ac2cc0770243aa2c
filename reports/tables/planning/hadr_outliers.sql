-- One row per distribution of a run or disk test of the HADR simulator that has numbers far above its average.
select
    records.configuration,
    far.metric,
    coalesce(runs.setting, concat(records.role, ', ', records.flush_pages, ' pages')) as setting,
    coalesce(runs.run, tests.run) as run,
    records.role,
    far.unit,
    far.n,
    far.avg,
    far.max,
    far.max_over_avg,
    far.far_low,
    far.far_high,
    files.path,
    far.line_no

from main.simhadr_far_value as far

inner join main.simhadr_record as records using (run_id)

inner join main.source_file as files
    on far.file_id = files.file_id

left join main.simhadr_run as runs using (run_id)

left join main.disk_test as tests using (run_id)

left join main.configuration_order as configurations
    on records.configuration = configurations.configuration

order by configurations.position, records.configuration, far.max_over_avg desc, files.path, far.line_no
