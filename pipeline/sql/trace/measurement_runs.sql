-- One row per line that states the figure, of every run. Several of one run are averaged before the runs are.
-- A figure that does not stand for its run, or is of a run that is set aside, counts in no statistic.
select
    measurement.configuration,
    measurement.run,
    measurement.is_valid
    and measurement.run is not null
    and not coalesce(list_has_any(string_split(run.flags, ', '), ['excluded', 'extra_incident']), false) as is_used,
    coalesce(
        measurement.doubt,
        run.excluded_reason,
        case when measurement.run is null then 'of no run' end
    ) as reason,
    measurement.value,
    measurement.metric as role,
    'the value as the tool states it' as how,
    nullif(
        concat_ws(
            '; ',
            'value ' || measurement.value,
            case when measurement.repetitions is not null then 'mean of ' || measurement.repetitions || ' measurements' end
        ),
        ''
    ) as note,
    measurement."at",
    measurement.file_id,
    measurement.line_no

from measurement

left join run
    on measurement.configuration = run.configuration and measurement.run = run.run

where
    measurement.configuration = $configuration
    and measurement.metric = $metric
    and measurement.unit is not distinct from $unit
    and measurement.label is not distinct from $label
    and measurement.clients is not distinct from $clients

order by run.run_no nulls last, measurement.run, measurement.file_id, measurement.line_no, measurement.part
