-- One row per configuration and metric, over runs, with its ratio to the reference.
select
    stats.configuration,
    stats.metric,
    stats.unit,
    stats.label,
    stats.clients,
    stats.runs,
    stats.mean,
    stats.stddev,
    stats.cv_pct,
    stats.min,
    stats.median,
    stats.max,
    stats.ci95_low,
    stats.ci95_high,
    ratios.relative_ratio,
    ratios.ci95_low as ratio_low,
    ratios.ci95_high as ratio_high,
    ratios.verdict

from main.measurement_stats as stats

left join main.configuration_order as configurations
    on stats.configuration = configurations.configuration

left join main.measurement_ratio as ratios
    on stats.configuration = ratios.configuration
    and stats.metric = ratios.metric
    and stats.unit is not distinct from ratios.unit
    and stats.label is not distinct from ratios.label
    and stats.clients is not distinct from ratios.clients

order by stats.metric, stats.unit, configurations.position, stats.configuration
