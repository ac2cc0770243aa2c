-- One row per configuration with true fault times, then one over all: inferred minus true, in seconds, over the used runs.
select
    accuracy.configuration,
    accuracy.runs,
    accuracy.inside,
    accuracy.mean_s,
    accuracy.stddev_s,
    accuracy.ci95_low_s,
    accuracy.ci95_high_s,
    accuracy.min_s,
    accuracy.median_s,
    accuracy.max_s,
    accuracy.mean_absolute_s,
    accuracy.mean_width_s

from main.fault_time_accuracy as accuracy

left join main.configuration_order as configurations using (configuration)

order by accuracy.configuration is null, configurations.position, accuracy.configuration
