-- One row per configuration and effect: what the fault led to, phase by phase and for clients, against the reference.
-- Phases are those of detection and of recovery; the load's recovery and the outage are measurements.
select
    comparisons.subject,
    comparisons.item,
    comparisons.configuration,
    comparisons.reference,
    stats.runs,
    stats.mean,
    stats.stddev,
    comparisons.difference,
    comparisons.difference_ci95_low,
    comparisons.difference_ci95_high,
    comparisons.ratio,
    comparisons.ratio_ci95_low,
    comparisons.ratio_ci95_high,
    comparisons.p_holm,
    comparisons.verdict

from main.mean_comparison as comparisons

inner join (
    select 'phase' as subject, configuration, phase as item, runs, mean_duration_s as mean, stddev_duration_s as stddev
    from main.phase_stats
    union all
    select 'measurement', configuration, metric, runs, mean, stddev from main.measurement_stats where label is null
) as stats
    on comparisons.subject = stats.subject
    and comparisons.configuration = stats.configuration
    and comparisons.item = stats.item

left join main.configuration_order as configurations
    on comparisons.configuration = configurations.configuration

where comparisons.label is null

order by configurations.position, comparisons.configuration, comparisons.subject, comparisons.item
