-- One row per record about HADR and unit that its file tells of: who wrote it. Times in UTC.
-- columns:
--   node: host that wrote it
--   node_key: the same in small letters
--   database: in capitals
--   is_stop: somebody stops HADR
select
    unit_file.configuration,
    unit_file.unit_run,
    writer_host(hadr_event.host, source_file.node) as node,
    lower(writer_host(hadr_event.host, source_file.node)) as node_key,
    upper(hadr_event.database) as database,
    coalesce(hadr_event.kind = 'hadr_command' and hadr_event.command = 'stop', false) as is_stop,
    hadr_event."at"

from log.hadr_event as hadr_event

inner join source_file using (file_id)

inner join unit_file using (file_id)

where hadr_event.database is not null and hadr_event."at" is not null
