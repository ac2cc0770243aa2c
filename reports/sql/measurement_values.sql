-- One row per line that states a measurement of a run, also of one that counts in no statistic.
select
    measurements.configuration,
    measurements.run,
    runs.run_no,
    runs.used and coalesce(measurements.is_valid, true) as used,
    measurements.metric,
    measurements.unit,
    measurements.label,
    measurements.clients,
    measurements.value,
    files.path,
    measurements.line_no

from main.measurement as measurements

inner join main.run as runs
    on measurements.configuration = runs.configuration
    and measurements.run = runs.run

left join main.source_file as files
    on measurements.file_id = files.file_id

left join main.configuration_order as configurations
    on measurements.configuration = configurations.configuration

order by
    measurements.metric,
    measurements.unit,
    measurements.label,
    measurements.clients,
    configurations.position,
    measurements.configuration,
    runs.run_no nulls last,
    measurements.run,
    measurements.file_id,
    measurements.line_no
