-- One row per log with stamps: who wrote it, and how finely.
-- columns:
--   format: recognised format
--   first_at: first stamp in the file, UTC
select
    source_file.file_id,
    source_file.configuration,
    source_file.node,
    source_file.format,
    source_file.first_at,
    stamp_resolution.resolution_s

from source_file

inner join stamp_resolution
    on source_file.file_id = stamp_resolution.file_id
