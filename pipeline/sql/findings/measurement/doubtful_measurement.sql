-- A figure of a measurement is doubtful, but counts.
-- severity: note
select
    measurement.configuration,
    measurement.run,
    format(
        'Figures of {} in {} of `{}`: {}.',
        source_file.path,
        run_text(measurement.run),
        measurement.configuration,
        measurement.doubt
    ) as text,
    measurement.file_id,
    min(measurement.line_no) as line_no

from measurement

inner join source_file using (file_id)

where
    measurement.is_valid
    and measurement.doubt is not null
    and measurement.source not in ('simhadr', 'simhadr_disk')

group by measurement.configuration, measurement.run, measurement.doubt, measurement.file_id, source_file.path
