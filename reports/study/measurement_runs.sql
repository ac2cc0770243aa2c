-- One row per run and run-level measurement of a used run that statistics count, with the line that gives it.
select
    measurements.configuration,
    measurements.run,
    runs.run_no,
    measurements.metric,
    measurements.unit,
    measurements.label,
    measurements.clients,
    measurements.value,
    files.path,
    measurements.line_no

from main.measurement as measurements

inner join main.run as runs using (configuration, run)

left join main.source_file as files
    on measurements.file_id = files.file_id

left join main.configuration_order as configurations using (configuration)

where runs.used and measurements.is_valid

order by
    measurements.metric,
    measurements.unit,
    configurations.position,
    measurements.configuration,
    runs.run_no nulls last,
    measurements.run,
    measurements.label nulls first,
    measurements.clients nulls first,
    measurements.file_id,
    measurements.line_no
