-- One row per bucket of a distribution of simhadr; zeros are a bucket from 0 to 0, so that the buckets add up to the
-- distribution's n.
-- columns:
--   metric: what was counted
--   share_pct: share of the distribution, percent
--   unit: byte or microsecond
select
    distribution.run_id,
    distribution.metric,
    bucket.lo,
    bucket.hi,
    bucket.count,
    bucket.exact,
    100.0 * bucket.count / nullif(distribution.n, 0) as share_pct,
    distribution.unit,
    bucket.distribution_no,
    bucket.file_id,
    bucket.line_no

from log.hadr_bucket as bucket

inner join simhadr_distribution as distribution using (file_id, distribution_no)

order by distribution.run_id, bucket.distribution_no, bucket.lo, bucket.hi, bucket.line_no
