-- One row per VCS resource that came online and whose type is unknown.
select distinct cluster_line.resource

from cluster_line

left join resource_type using (configuration, resource)

where
    cluster_line.source = 'vcs'
    and cluster_line.kind = 'resource_online'
    and cluster_line.resource is not null
    and resource_type.resource_type is null

order by cluster_line.resource
