-- One row per distribution of simhadr and quantile: the range in which it lies for certain, as no more is known than
-- the buckets. The quantile is the number of rank ceil(q n). Its bucket, cut at the least and the greatest number,
-- holds it; where all numbers of the bucket are one value it is exact. Distributions whose buckets do not add up have
-- none.
-- columns:
--   metric: what was counted
--   unit: byte or microsecond
--   quantile: 0.5, 0.9, 0.95, 0.99
--   lo: not below
--   hi: not above
--   is_exact: both are the same
--   line_no: line of the bucket
with

ranked as (

    select
        bucket.*,
        distribution.n,
        distribution.min,
        distribution.max,
        sum(bucket.count) over (partition by bucket.file_id, bucket.distribution_no) as counted,
        sum(bucket.count) over (
            partition by bucket.file_id, bucket.distribution_no
            order by bucket.hi, bucket.line_no
            rows unbounded preceding
        ) as last_rank

    from simhadr_bucket as bucket

    inner join simhadr_distribution as distribution using (file_id, distribution_no)

),

quantiles as (

    select unnest([0.5, 0.9, 0.95, 0.99])::double as quantile

)

select
    ranked.run_id,
    ranked.metric,
    ranked.unit,
    quantiles.quantile,
    greatest(ranked.lo, ranked.min) as lo,
    least(ranked.hi, ranked.max) as hi,
    greatest(ranked.lo, ranked.min) = least(ranked.hi, ranked.max) as is_exact,
    ranked.distribution_no,
    ranked.file_id,
    ranked.line_no

from ranked

cross join quantiles

where
    ranked.counted = ranked.n
    and ranked.last_rank >= ceil(quantiles.quantile * ranked.n)
    and ranked.last_rank - ranked.count < ceil(quantiles.quantile * ranked.n)

order by ranked.run_id, ranked.distribution_no, quantiles.quantile
