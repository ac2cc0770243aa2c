-- One row per resource that main.cf declares.
select distinct
    configuration,
    coalesce("group", '(group not legible)') as "group",
    resource,
    resource_type

from main.cluster_resource

order by configuration, 2, resource, resource_type
