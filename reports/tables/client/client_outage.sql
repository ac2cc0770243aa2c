-- One row per configuration whose clients were watched: their outage over the used runs, against the reference.
select
    stats.configuration,
    ratios.reference,
    stats.label as target,
    stats.runs,
    stats.mean,
    stats.stddev,
    stats.min,
    stats.max,
    stats.ci95_low,
    stats.ci95_high,
    ratios.reference_mean,
    ratios.ratio as relative_ratio,
    ratios.ratio_ci95_low as ratio_low,
    ratios.ratio_ci95_high as ratio_high,
    ratios.verdict,
    watched.interval_s,
    watched.failed

from main.measurement_stats as stats

inner join main.configuration_order as configurations using (configuration)

left join main.mean_comparison as ratios
    on ratios.subject = 'measurement'
    and stats.configuration = ratios.configuration
    and stats.metric = ratios.item
    and stats.label is not distinct from ratios.label

left join (
    select
        outages.configuration,
        outages.target,
        max(outages.interval_s) as interval_s,
        sum(outages.failed) as failed

    from main.client_outage as outages

    inner join main.run as runs using (configuration, run)

    where runs.used

    group by outages.configuration, outages.target
) as watched
    on stats.configuration = watched.configuration
    and stats.label is not distinct from watched.target

where stats.metric = 'client_outage_s'

order by stats.label nulls first, configurations.position, stats.configuration
