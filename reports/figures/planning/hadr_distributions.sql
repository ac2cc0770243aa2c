-- One row per configuration, setting, distribution and bucket of runs of the HADR simulator, repeats of a setting
-- added up. Of each pair the side that shows: a primary. Microseconds for times, bytes for sizes. `share_pct` of all
-- numbers of the setting.
with

counted as (

    select
        runs.configuration,
        runs.setting,
        runs.syncmode,
        runs.flush_pages,
        buckets.metric,
        buckets.unit,
        buckets.lo,
        buckets.hi,
        bool_and(buckets.exact) as exact,
        sum(buckets."count")::bigint as "count"

    from main.simhadr_bucket as buckets

    inner join main.simhadr_run as runs using (run_id)

    where runs.role = 'primary' and buckets.metric in ('log shipping time', 'congestion duration', 'send size')

    group by
        runs.configuration, runs.setting, runs.syncmode, runs.flush_pages, buckets.metric, buckets.unit, buckets.lo, buckets.hi

),

whole as (

    select
        runs.configuration,
        runs.setting,
        distributions.metric,
        count(*) as runs,
        sum(distributions.sum) / nullif(sum(distributions.n), 0) as mean,
        max(distributions.max) as greatest

    from main.simhadr_distribution as distributions

    inner join main.simhadr_run as runs using (run_id)

    where runs.role = 'primary'

    group by runs.configuration, runs.setting, distributions.metric

)

select
    counted.configuration,
    counted.setting,
    counted.metric,
    counted.unit,
    whole.runs,
    counted.lo,
    counted.hi,
    counted.exact,
    counted."count",
    100.0 * counted."count"
    / sum(counted."count") over (partition by counted.configuration, counted.setting, counted.metric) as share_pct,
    whole.mean,
    whole.greatest

from counted

inner join whole using (configuration, setting, metric)

left join main.configuration_order as configurations using (configuration)

order by
    counted.metric,
    configurations.position,
    counted.configuration,
    array_position(['SYNC', 'NEARSYNC', 'ASYNC', 'SUPERASYNC', 'RCU'], counted.syncmode),
    counted.flush_pages,
    main.natural_order(counted.setting),
    counted.lo,
    counted.hi
