-- One row per sync mode and interval (or remote catchup) of hadrCalculator.pl. Its MB are 2^20 bytes; pages are printed cut to whole ones.
-- columns:
--   configuration: folder group
--   run_no: number of the calculation in its file
--   at: end of the interval, UTC; null for remote catchup
--   mode: SYNC, NEARSYNC, ASYNC, SUPERASYNC, REMOTE CATCHUP
--   marker: ?, ?? or ???; null: no impact
--   impact: the marker in plain words
--   target_mb_s: rate at the least flush size that keeps up, or at the limit passed
--   target_pages: that flush size, pages
--   target_sec_per_flush: seconds per flush
--   min_mb_s: rate at the flush size of the workload
--   min_pages: that flush size, pages
--   min_sec_per_flush: seconds per flush
--   max_mb_s: rate at the greatest flush size that the workload could fill
--   max_pages: that flush size, pages
--   max_sec_per_flush: seconds per flush
--   file_id: file
--   line_no: line
select
    source_file.configuration,
    prediction.run_no,
    prediction."at",
    prediction.mode,
    prediction.marker,
    case
        when prediction.marker is null then 'no impact predicted'
        when prediction.mode = 'REMOTE CATCHUP' and prediction.marker = '???' then 'the workload is faster than catching up'
        when prediction.mode = 'REMOTE CATCHUP' and prediction.marker = '??' then 'over three quarters of the catch-up rate'
        when prediction.mode = 'REMOTE CATCHUP' then 'over half of the catch-up rate'
        when prediction.marker = '???' then 'over half of the best rate: commits will wait'
        when prediction.marker = '??' then 'over a quarter of the best rate: flushes must grow'
        else 'flushes must grow a little'
    end as impact,
    prediction.target_mb_s,
    prediction.target_pages,
    prediction.target_sec_per_flush,
    prediction.min_mb_s,
    prediction.min_pages,
    prediction.min_sec_per_flush,
    prediction.max_mb_s,
    prediction.max_pages,
    prediction.max_sec_per_flush,
    prediction.file_id,
    prediction.line_no

from log.hadrcalc_prediction as prediction

inner join source_file
    on prediction.file_id = source_file.file_id

order by prediction.file_id, prediction.line_no
