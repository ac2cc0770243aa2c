-- One row per line of VCS by which a group goes offline, or a resource at the initiative of VCS. Times in UTC.
-- columns:
--   node: system that gives it up
--   writer_key: host that wrote the line, in small letters
--   group: service group, where the line names it
select
    source_file.configuration,
    coalesce(source_file.run, run_range.run) as unit_run,
    coalesce(short_host(vcs_event.system), source_file.node) as node,
    lower(coalesce(short_host(vcs_event.system), short_host(source_file.node))) as node_key,
    lower(short_host(source_file.node)) as writer_key,
    vcs_event."at",
    vcs_event.file_id,
    vcs_event.line_no,
    vcs_event.resource,
    vcs_event."group"

from log.vcs_event as vcs_event

inner join source_file using (file_id)

left join run_range
    on source_file.run is null and is_in_range(source_file.configuration, vcs_event."at", run_range)

where
    (vcs_event.kind = 'group_offline' or (vcs_event.kind = 'resource_offline' and lower(vcs_event.how) = 'vcs initiated'))
    and vcs_event."at" is not null
