-- Runs have series of a benchmark, and none of their configuration has a result for a whole run.
-- severity: warning
with

series as (

    select configuration, run, source, metric, file_id, line_no

    from measurement_series

    where run is not null and source not in ('simhadr', 'simhadr_disk', 'client_probe')

)

select
    series.configuration,
    format(
        '{} gives {} over time in {} of `{}` and no value for a whole run, so no mean and no ratio includes {}. What the program '
        || 'prints at its end is missing, or a table with a value a run.',
        series.source,
        array_to_string(list_sort(list_distinct(list(series.metric))), ', '),
        case when count(distinct series.run) = 1 then run_text(min(series.run)) else count(distinct series.run) || ' runs' end,
        series.configuration,
        case when count(distinct series.run) = 1 then 'it' else 'them' end
    ) as text,
    min(series.file_id) as file_id,
    arg_min(series.line_no, (series.file_id, series.line_no)) as line_no

from series

semi join (from run where used and fault_at is null) as counted_run  -- a load that a fault ended has no result
    on series.configuration = counted_run.configuration and series.run = counted_run.run

anti join measurement using (configuration, source)

group by series.configuration, series.source
