-- One row per distribution of simhadr with numbers far above its average: what IBM recommends to look for when a
-- network is suspect. Far is more than eight times the average, three buckets up. The buckets give a range for how
-- many there are.
-- columns:
--   metric: what was counted
--   unit: byte or microsecond
--   avg: mean
--   max_over_avg: greatest over mean
--   far_low: at least this many are far
--   far_high: at most this many
--   far_high_pct: at most this many, percent of all
--   line_no: line of the distribution
with

means as (

    select *, sum / nullif(n, 0) as mean from simhadr_distribution

),

counted as (

    select
        means.*,
        greatest(coalesce(sum(bucket.count) filter (where bucket.lo > 8 * means.mean), 0), 1)::bigint as far_low,
        greatest(coalesce(sum(bucket.count) filter (where bucket.hi > 8 * means.mean), 0), 1)::bigint as far_high

    from means

    inner join simhadr_bucket as bucket using (file_id, distribution_no)

    where means.max > 8 * means.mean

    group by all

)

select
    run_id,
    metric,
    unit,
    n,
    mean as avg,
    max,
    max / mean as max_over_avg,
    far_low,
    far_high,
    100.0 * far_high / n as far_high_pct,
    file_id,
    line_no

from counted

order by run_id, line_no
