-- One row per interval between two snapshots of DB2 in which the log was written: pages of 4 kB a write to disk. A
-- write that ends within a page writes this page again next time, so flush_pages is too high by up to partial_share
-- pages a write counted twice, and says little of the data behind a commit where partial_share is high.
-- columns:
--   level: what the snapshots are of
--   entity_kind: what within it, such as a member; null for the database as a whole
--   entity: name of that
--   pages_written: log pages written in between
--   write_count: writes in between
--   partial_write_count: writes in between that ended within a page; null if not reported
--   flush_pages: pages a write
--   partial_share: share of writes that ended within a page, 0 to 1
--   file_id: file of the later snapshot
--   line_no: line of its log pages written
with

intervals as (

    select
        configuration,
        run,
        node,
        level,
        database,
        entity_kind,
        entity,
        start_at,
        end_at,
        any_value(interval_s) as interval_s,
        max(delta) filter (where element = 'log_writes') as pages_written,
        max(delta) filter (where element = 'num_log_write_io') as write_count,
        max(delta) filter (where element = 'num_log_part_page_io') as partial_write_count,
        max(file_id) filter (where element = 'log_writes') as file_id,
        max(line_no) filter (where element = 'log_writes') as line_no

    from snapshot_rate

    where element in ('log_writes', 'num_log_write_io', 'num_log_part_page_io')

    group by configuration, run, node, level, database, entity_kind, entity, start_at, end_at

)

select
    * exclude (file_id, line_no),
    pages_written / write_count as flush_pages,
    partial_write_count / write_count as partial_share,
    file_id,
    line_no

from intervals

where write_count > 0 and pages_written is not null

order by configuration, run, node, database, start_at
