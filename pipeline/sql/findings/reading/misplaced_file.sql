-- A file lies in the folder of another node: swapped folders turn the survivor into the lost node.
-- severity: warning
with

writers as (

    select
        syslog_event.file_id,
        writer_host(syslog_event.host, source_file.node) as host,
        count(*) as line_count

    from log.syslog_event as syslog_event

    inner join source_file using (file_id)

    where syslog_event.host is not null

    group by syslog_event.file_id, writer_host(syslog_event.host, source_file.node)

)

select
    source_file.configuration,
    source_file.run,
    format(
        '{} is treated as a log of {}, but {} wrote its lines.',
        source_file.path,
        source_file.node,
        first(writers.host order by writers.line_count desc, writers.host)
    ) as text,
    source_file.file_id

from source_file

inner join writers using (file_id)

where source_file.node is not null

group by source_file.configuration, source_file.run, source_file.path, source_file.node, source_file.file_id

having not bool_or(lower(writers.host) = lower(short_host(source_file.node)))
