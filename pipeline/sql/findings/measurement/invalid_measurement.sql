-- Figures of a measurement are left out of all statistics.
-- severity: warning or note
with

lost_loads as (  -- their series show what the load did around the fault

    select distinct configuration, run, source from client_measurement where source <> 'client_probe'

)

select
    'warning' as severity,
    measurement.configuration,
    measurement.run,
    format(
        'Figures of {} in {} of `{}` are left out of all statistics: {}.',
        source_file.path,
        run_text(measurement.run),
        measurement.configuration,
        measurement.doubt
    ) as text,
    measurement.file_id,
    min(measurement.line_no) as line_no

from measurement

inner join source_file using (file_id)

anti join lost_loads
    on
        measurement.configuration = lost_loads.configuration
        and measurement.run = lost_loads.run
        and measurement.source = lost_loads.source

where
    measurement.doubt is not null
    and not measurement.is_valid
    and measurement.doubt <> 'the take-over was planned'
    and not starts_with(measurement.doubt, 'the fault is of another kind')

group by measurement.configuration, measurement.run, measurement.doubt, measurement.file_id, source_file.path

union all by name

select
    'note' as severity,
    measurement.configuration,
    format(
        'Summaries of {} in {} of `{}` are left out of all statistics: the load was lost in the fault; what it did before and after '
        || 'appears in its series.',
        measurement.source,
        case count(distinct measurement.run) when 1 then '1 run' else count(distinct measurement.run) || ' runs' end,
        measurement.configuration
    ) as text,
    min(measurement.file_id) as file_id,
    arg_min(measurement.line_no, (measurement.file_id, measurement.line_no)) as line_no

from measurement

inner join lost_loads using (configuration, run, source)

where not measurement.is_valid

group by measurement.configuration, measurement.source
