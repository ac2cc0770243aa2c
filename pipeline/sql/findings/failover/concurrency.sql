-- A service that may run on one node ran on two at once, as VCS says.
-- severity: warning
select
    incident.configuration,
    incident.run,
    format(
        'In `{}`, {}: {} ran on two nodes at once (concurrency violation at {}).',
        incident.configuration,
        run_text(incident.run),
        coalesce('`' || cluster_line."group" || '`', 'a service group'),
        strftime(min(cluster_line."at"), '%Y-%m-%d %H:%M:%S')
    ) as text,
    first(cluster_line.file_id order by cluster_line."at", cluster_line.file_id, cluster_line.line_no) as file_id,
    first(cluster_line.line_no order by cluster_line."at", cluster_line.file_id, cluster_line.line_no) as line_no

from incident

inner join cluster_line
    on
        is_same_unit(incident, cluster_line)
        and cluster_line.kind = 'concurrency_violation'
        and cluster_line."at" >= incident.search_start_at
        and cluster_line."at" < incident.end_at

group by incident.configuration, incident.run, cluster_line."group"
