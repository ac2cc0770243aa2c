-- One row per resource that main.cf declares, in the order of the file.
select
    configuration,
    coalesce("group", '(group not legible)') as "group",
    resource,
    resource_type

from main.cluster_resource

group by configuration, 2, resource, resource_type

order by configuration, min(line_no), resource, resource_type
