-- One row per resource that main.cf declares.
select distinct
    configuration,
    "group",
    resource,
    resource_type

from main.cluster_resource

order by configuration, "group", resource, resource_type
