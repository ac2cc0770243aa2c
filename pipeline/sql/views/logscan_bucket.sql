-- One row per bucket of a distribution of db2logscan; zeros are a bucket from 0 to 0.
-- columns:
--   metric: what was counted
--   unit: unit as printed
--   lo: least number of the bucket
--   hi: greatest number of the bucket, inclusive
--   count: numbers in it
--   exact: all of them are one value
--   share_pct: share of the distribution, percent
--   distribution_no: number of the distribution in its file
--   file_id: file
--   line_no: line
select
    distribution.metric,
    distribution.unit,
    bucket.lo,
    bucket.hi,
    bucket.count,
    bucket.exact,
    100.0 * bucket.count / nullif(distribution.n, 0) as share_pct,
    bucket.distribution_no,
    bucket.file_id,
    bucket.line_no

from log.hadr_bucket as bucket

inner join logscan_distribution as distribution
    on bucket.file_id = distribution.file_id and bucket.distribution_no = distribution.distribution_no

order by bucket.file_id, bucket.distribution_no, bucket.lo, bucket.hi, bucket.line_no
