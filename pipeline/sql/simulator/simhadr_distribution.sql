-- One row per distribution that a run or a disk test of simhadr printed. Only count, sum, least, greatest and mean are
-- known, and the counts of `simhadr_bucket`: a standard deviation of one run is not.
-- columns:
--   metric: log write size, log shipping time, congestion duration, send size, recv size, write time, read time
--   unit: byte or microsecond
--   line_no: line of the heading
select
    simhadr_record.run_id,
    distribution.metric,
    distribution.unit,
    distribution.n,
    distribution.sum,
    distribution.min,
    distribution.max,
    distribution.avg,
    distribution.distribution_no,
    distribution.file_id,
    distribution.line_no

from log.hadr_distribution as distribution

inner join simhadr_record using (file_id, run_no)

order by simhadr_record.run_id, distribution.distribution_no
