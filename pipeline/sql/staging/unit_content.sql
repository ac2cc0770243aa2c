-- One row per run folder, and one per configuration with files in none: what its files hold, as one hash.
-- Configuration files do not count.
-- columns:
--   unit_run: run folder; null for files that lie in none
--   content: hash of the content of all its files, without their names
--   bytes: size of these files
select
    source_file.configuration,
    source_file.run as unit_run,
    sha256(string_agg(source_file.sha256, ',' order by source_file.sha256)) as content,
    sum(source_file.bytes)::bigint as bytes

from source_file

left join log_format using (format)

where
    source_file.status = 'parsed'
    and source_file.configuration is not null
    and source_file.sha256 is not null
    and coalesce(log_format.role, 'measurement') <> 'configuration'

group by source_file.configuration, source_file.run
