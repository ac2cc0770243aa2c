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
    ratios.ratio as relative_ratio,
    ratios.ratio_ci95_low as ratio_low,
    ratios.ratio_ci95_high as ratio_high,
    ratios.verdict,
    comparisons.reference_runs,
    comparisons.reference_stddev,
    comparisons.cv,
    comparisons.reference_cv,
    comparisons.comparisons,
    comparisons.common_ratio_error,
    comparisons.margin_runs,
    comparisons.ratio,
    comparisons.ratio_ci95_low,
    comparisons.is_different,
    comparisons.is_decided

from main.measurement_stats as stats

left join main.configuration_order as configurations using (configuration)

left join main.mean_comparison as ratios
    on ratios.subject = 'measurement'
    and stats.configuration = ratios.configuration
    and stats.metric = ratios.item
    and stats.unit is not distinct from ratios.unit
    and stats.label is not distinct from ratios.label
    and stats.clients is not distinct from ratios.clients

left join main.comparison as comparisons
    on comparisons.subject = 'measurement'
    and stats.configuration = comparisons.configuration
    and stats.metric = comparisons.item
    and stats.unit is not distinct from comparisons.unit
    and stats.label is not distinct from comparisons.label
    and stats.clients is not distinct from comparisons.clients

order by
    stats.metric,
    stats.unit,
    configurations.position,
    stats.configuration,
    stats.label nulls first,
    stats.clients nulls first
