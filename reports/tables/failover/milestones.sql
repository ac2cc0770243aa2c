-- One row per configuration and milestone: mean and spread over the used runs that show it, seconds after the fault.
select
    stats.configuration,
    stats.milestone,
    stats.runs,
    stats.mean_s,
    stats.stddev_s,
    stats.cv_pct,
    stats.ci95_low_s,
    stats.ci95_high_s,
    stats.min_s,
    stats.median_s,
    stats.max_s,
    stats.resolution_s,
    stats.fault_kind

from main.milestone_stats as stats

inner join main.configuration_order as configurations using (configuration)

order by configurations.position, stats.configuration, stats.milestone
