-- One row per configuration, metric and unit, over used runs. The run is the unit: several values of a run are averaged first.
-- columns:
--   configuration: folder group
--   metric: metric
--   unit: unit of the values
--   runs: runs that have it
--   mean: mean
--   stddev: sample standard deviation; null for one run
--   cv_pct: standard deviation in percent of the mean
--   ci95_low: lower end of the 95 % t interval of the mean; null below three runs
--   ci95_high: upper end
--   min: least
--   median: median
--   max: greatest
with

per_run as (

    select
        measurement.configuration,
        measurement.run,
        measurement.metric,
        measurement.unit,
        favg(measurement.value) as value

    from measurement

    left join run
        on measurement.configuration = run.configuration and measurement.run = run.run

    where coalesce(run.used, true)

    group by measurement.configuration, measurement.run, measurement.metric, measurement.unit

),

spread as (

    select
        configuration,
        metric,
        unit,
        count(*) as runs,
        favg(value) as mean,
        case when count(*) > 1 then stddev_samp(value) end as stddev,
        min(value) as min,
        median(value) as median,
        max(value) as max

    from per_run

    where value is not null

    group by configuration, metric, unit

)

select
    spread.configuration,
    spread.metric,
    spread.unit,
    spread.runs,
    spread.mean,
    spread.stddev,
    100 * spread.stddev / nullif(abs(spread.mean), 0) as cv_pct,
    spread.mean - quantile.t * spread.stddev / sqrt(spread.runs) as ci95_low,
    spread.mean + quantile.t * spread.stddev / sqrt(spread.runs) as ci95_high,
    spread.min,
    spread.median,
    spread.max

from spread

left join t_quantile as quantile
    on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3
