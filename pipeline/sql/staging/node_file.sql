-- One row per log file of a configuration that was read: whose it is, and when it ends. Times in UTC.
-- columns:
--   node: host that wrote it, short name
--   node_key: the same in small letters
--   last_at: last stamp in it; null where its lines have no date
--   format: name of its format, as in `log_format`
select
    configuration,
    run,
    short_host(node) as node,
    lower(short_host(node)) as node_key,
    last_at,
    format,
    file_id

from source_file

where configuration is not null and status = 'parsed'
