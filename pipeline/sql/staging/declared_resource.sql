-- One row per configuration and line of a main.cf that applies to it, by which a resource is declared.
-- columns:
--   resource: VCS resource
--   group: service group that it is in
select
    applicable_file.configuration,
    cluster_resource.resource,
    cluster_resource.resource_type,
    cluster_resource."group",
    applicable_file.distance,
    file_id,
    cluster_resource.line_no

from log.cluster_resource as cluster_resource

inner join applicable_file using (file_id)
