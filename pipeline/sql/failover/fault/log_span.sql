-- One row per log with stamps: who wrote it, from when to when, and how finely. Times in UTC.
-- columns:
--   format: recognised format
--   first_at: first stamp
--   last_at: last stamp
select
    source_file.file_id,
    source_file.configuration,
    source_file.node,
    source_file.format,
    source_file.first_at,
    source_file.last_at,
    stamp_resolution.resolution_s

from source_file

inner join stamp_resolution
    on source_file.file_id = stamp_resolution.file_id
