-- One row per interval of db2logscan, also as hadrCalculator.pl echoes it: how much a database logged, in what
-- flushes. Pages are 4096 bytes.
-- columns:
--   run: run in the name of the folder or file
--   at: end of the interval, UTC
--   mb_s: log written, MB/s as printed
--   largest_flush_pages: pages of all open transactions, or of a flush if that is more: what a slower flush could
--     gather
--   run_no: number of the scan in its file
select
    source_file.configuration,
    source_file.run,
    source_file.node,
    scanned."at",
    scanned.interval_s,
    scanned.mb_s,
    scanned.pages_per_flush,
    scanned.sec_per_flush,
    scanned.pages_per_transaction,
    scanned.sec_per_transaction,
    scanned.sec_per_commit,
    scanned.open_transactions,
    greatest(scanned.pages_per_flush, scanned.pages_per_transaction * scanned.open_transactions) as largest_flush_pages,
    scanned.is_after_gap,
    scanned.run_no,
    scanned.file_id,
    scanned.line_no

from log.logscan_interval as scanned

inner join source_file using (file_id)

order by scanned.file_id, scanned.line_no
