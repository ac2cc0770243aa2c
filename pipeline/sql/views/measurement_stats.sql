-- One row per configuration, metric, unit, label and load, over used runs. The run is the unit: several values of a run are averaged first.
-- Figures that do not stand for their run (`measurement.is_valid`) are left out. A run in which no failover was found still counts here.
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
--   label: what was measured, where files measure several things
--   clients: clients at work
with

per_run as (

    select
        measurement.configuration,
        measurement.run,
        measurement.metric,
        measurement.unit,
        measurement.label,
        measurement.clients,
        favg(measurement.value) as value

    from measurement

    left join run
        on measurement.configuration = run.configuration and measurement.run = run.run

    where
        measurement.is_valid
        and not coalesce(
            list_has_any(string_split(run.flags, ', '), ['excluded', 'extra_incident']),
            false
        )

    group by
        measurement.configuration,
        measurement.run,
        measurement.metric,
        measurement.unit,
        measurement.label,
        measurement.clients

),

spread as (

    select
        configuration,
        metric,
        unit,
        label,
        clients,
        count(*) as runs,
        favg(value) as mean,
        case when count(*) > 1 then stddev_samp(value) end as stddev,
        min(value) as min,
        median(value) as median,
        max(value) as max

    from per_run

    where value is not null and run is not null

    group by configuration, metric, unit, label, clients

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
    spread.max,
    spread.label,
    spread.clients

from spread

left join t_quantile as quantile
    on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3

left join configuration_order
    on spread.configuration = configuration_order.configuration

order by
    natural_order(spread.metric),
    spread.metric,
    spread.unit,
    spread.label,
    spread.clients,
    configuration_order.position,
    spread.configuration
