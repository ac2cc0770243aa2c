-- One row per distribution of simhadr with numbers far above its average: what IBM tells to look for when a network is suspect.
-- Far is more than eight times the average, three buckets up. The buckets give a range for how many there are.
-- columns:
--   run_id: number of the simulator's run in the store
--   metric: what was counted
--   unit: byte or microsecond
--   n: numbers
--   avg: mean
--   max: greatest
--   max_over_avg: greatest over mean
--   far_low: at least so many are far
--   far_high: at most so many
--   far_high_pct: at most so many, percent of all
--   file_id: file
--   line_no: line of the distribution
with

means as (

    select *, sum / nullif(n, 0) as mean from simhadr_distribution

),

counted as (

    select
        means.file_id,
        means.distribution_no,
        coalesce(sum(bucket.count) filter (where bucket.lo > 8 * means.mean), 0) as surely_far,
        coalesce(sum(bucket.count) filter (where bucket.hi > 8 * means.mean), 0) as maybe_far

    from means

    inner join simhadr_bucket as bucket
        on means.file_id = bucket.file_id and means.distribution_no = bucket.distribution_no

    group by means.file_id, means.distribution_no

)

select
    means.run_id,
    means.metric,
    means.unit,
    means.n,
    means.mean as avg,
    means.max,
    means.max / means.mean as max_over_avg,
    greatest(counted.surely_far, 1)::bigint as far_low,
    greatest(counted.maybe_far, 1)::bigint as far_high,
    100.0 * greatest(counted.maybe_far, 1) / means.n as far_high_pct,
    means.file_id,
    means.line_no

from means

inner join counted
    on means.file_id = counted.file_id and means.distribution_no = counted.distribution_no

where means.max > 8 * means.mean

order by means.run_id, means.line_no
