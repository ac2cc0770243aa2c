-- One row per configuration and setting of the HADR simulator that was repeated: throughput over its runs.
select
    repeats.configuration,
    repeats.setting,
    repeats.runs,
    repeats.mean_mb_s,
    repeats.stddev_mb_s,
    repeats.cv_pct,
    repeats.ci95_low_mb_s,
    repeats.ci95_high_mb_s,
    repeats.min_mb_s,
    repeats.median_mb_s,
    repeats.max_mb_s

from main.simhadr_repeat as repeats

left join main.configuration_order as configurations using (configuration)

where repeats.runs > 1

order by configurations.position, repeats.configuration, main.natural_order(repeats.setting)
