-- One row per resource that main.cf declares, with the first line that does so, in the order of the file.
select
    cluster_resource.configuration,
    coalesce("group", '(group not legible)') as "group",
    resource,
    resource_type,
    min_by(files.path || ':' || cluster_resource.line_no, (cluster_resource.line_no, files.path)) as place

from main.cluster_resource

left join main.source_file as files using (file_id)

group by cluster_resource.configuration, 2, resource, resource_type

order by cluster_resource.configuration, min(cluster_resource.line_no), resource, resource_type
