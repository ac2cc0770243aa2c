-- One row per used run, rate and event: what the event did to the rate, with the line of the lowest interval or the first without work.
select
    dips.configuration,
    dips.run,
    dips.metric,
    dips.unit,
    coalesce(dips.text, case dips.event when 'fault' then 'fault' else 'first interval without work' end) as text,
    dips.baseline,
    case when dips.dip_s is not null then dips.lowest end as lowest,
    case when dips.dip_s is not null then dips.depth_pct end as depth_pct,
    dips.outage_s as longest_outage_s,
    case when dips.is_recovered then dips.recovered_s end as recovered_s,
    files.path,
    dips.line_no

from main.measurement_dip as dips

left join main.run as runs
    on dips.configuration = runs.configuration
    and dips.run = runs.run

left join main.source_file as files
    on dips.file_id = files.file_id

where coalesce(runs.used, true) and not dips.is_told_twice

order by dips.configuration, dips.metric, text, runs.run_no nulls last, dips.run, files.path, dips.line_no, dips.event_s
