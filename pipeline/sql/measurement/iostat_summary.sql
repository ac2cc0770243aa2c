-- One row per configuration, node, source, device and metric: the spread of the means of used runs. The means of the
-- runs are those of iostat_run. Devices are not added up: partitions, groups and DRBD over its disk carry the same
-- requests, as `device_kind` shows.
-- from: iostat_run by configuration, node, source, device, metric; of value
-- columns:
--   reports: reports of these runs
--   mean: mean of the runs
--   stddev: sample standard deviation of the runs; null for one run
--   ci95_low: lower end of the 95 % t interval of the mean; null below three runs
--   ci95_high: upper end
--   min: least of the runs
--   median: median of the runs
--   max: greatest of the runs
with

spread as (

    select
        configuration,
        node,
        source,
        device,
        any_value(device_kind) as device_kind,
        any_value(parent_device) as parent_device,
        metric,
        any_value(unit) as unit,
        count(*) as runs,
        sum(reports)::bigint as reports,
        favg(value order by value) as mean,
        case when count(*) > 1 then stddev_samp(value order by value) end as stddev,
        min(value) as min,
        median(value) as median,
        max(value) as max

    from iostat_run

    group by configuration, node, source, device, metric

)

select
    spread.configuration,
    spread.node,
    spread.source,
    spread.device,
    spread.device_kind,
    spread.parent_device,
    spread.metric,
    spread.unit,
    spread.runs,
    spread.reports,
    spread.mean,
    spread.stddev,
    100 * spread.stddev / nullif(abs(spread.mean), 0) as cv_pct,
    spread.mean - quantile.t * nullif(spread.stddev, 0) / sqrt(spread.runs) as ci95_low,
    spread.mean + quantile.t * nullif(spread.stddev, 0) / sqrt(spread.runs) as ci95_high,
    spread.min,
    spread.median,
    spread.max

from spread

left join t_quantile as quantile
    on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3

left join configuration_order using (configuration)

order by configuration_order.position, spread.node, spread.source, spread.device, spread.metric
