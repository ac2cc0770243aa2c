-- One row per configuration and kind of fault, of configurations with several: how many came back, and after what time.
select
    recoveries.configuration,
    recoveries.fault_kind,
    recoveries.runs,
    recoveries.recovered,
    recoveries.ci95_low,
    recoveries.ci95_high,
    stats.milestone,
    stats.runs as timed_runs,
    stats.mean_s,
    stats.stddev_s,
    stats.ci95_low_s,
    stats.ci95_high_s,
    stats.min_s,
    stats.max_s,
    stats.resolution_s,
    coalesce(recoveries.fault_kind = counted.fault_kind, false) as is_counted

from main.recovery_by_kind as recoveries

inner join main.recovery as mixtures
    on recoveries.configuration = mixtures.configuration
    and mixtures.kinds > 1

left join main.counted_kind as counted
    on recoveries.configuration = counted.configuration

left join main.milestone_stats_by_kind as stats
    on recoveries.configuration = stats.configuration
    and recoveries.fault_kind = stats.fault_kind
    and mixtures.headline = stats.milestone

left join main.configuration_order as configurations
    on recoveries.configuration = configurations.configuration

order by configurations.position, recoveries.configuration, recoveries.runs desc, recoveries.fault_kind
