-- One row per type of statement of a workload, with its share of all statements of the same table.
-- columns:
--   run: run folder, if the table lies in one
--   share_pct: percent of the table's statements
select
    source_file.configuration,
    source_file.run,
    counted.sql_type,
    counted.count,
    100 * counted.count / nullif(sum(counted.count) over (partition by counted.file_id), 0) as share_pct,
    counted.file_id,
    counted.line_no

from log.statement_count as counted

inner join source_file using (file_id)

order by counted.file_id, counted.line_no
