-- One row per service group that main.cf declares, with the first line that does so, in the order of the file.
select
    cluster_group.configuration,
    "group",
    is_parallel,
    systems,
    auto_start,
    min_by(files.path || ':' || cluster_group.line_no, (cluster_group.line_no, files.path)) as place

from main.cluster_group

left join main.source_file as files using (file_id)

group by cluster_group.configuration, "group", is_parallel, systems, auto_start

order by cluster_group.configuration, min(cluster_group.line_no), "group", systems
