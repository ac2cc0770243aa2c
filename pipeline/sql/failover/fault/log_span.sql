-- One row per log with stamps: who wrote it, and how finely.
-- columns:
--   format: recognised format
select
    source_file.file_id,
    source_file.configuration,
    source_file.node,
    source_file.format,
    stamp_resolution.resolution_s

from source_file

inner join stamp_resolution
    on source_file.file_id = stamp_resolution.file_id
