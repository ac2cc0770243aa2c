-- One row per metric that was measured over time: of how many runs, how often, and what half of the values reach.
select
    series.metric,
    count(distinct (series.configuration, series.run)) as runs,
    count(*) as intervals,
    median(series.value) as median,
    min(series.value) as least,
    max(series.value) as most

from main.measurement_series as series

where series.value is not null
    and not series.is_repeated

group by series.metric

order by intervals desc, series.metric
