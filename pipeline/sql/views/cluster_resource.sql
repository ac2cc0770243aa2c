-- One row per resource that main.cf declares.
-- columns:
--   configuration: folder group of the file
--   run: run folder of the file, if it lies in one
--   node: host of the file, if known
--   resource: resource name
--   resource_type: type: DiskGroup, Mount, IP, Db2udb, CFSMount, ...
--   group: group the resource belongs to
--   file_id: file
--   line_no: line
select
    source_file.configuration,
    source_file.run,
    source_file.node,
    cluster_resource.resource,
    cluster_resource.resource_type,
    cluster_resource."group",
    cluster_resource.file_id,
    cluster_resource.line_no

from log.cluster_resource as cluster_resource

inner join source_file
    on cluster_resource.file_id = source_file.file_id
