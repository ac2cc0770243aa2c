-- One row per attribute value in main.cf; a localised attribute has a row per system.
-- columns:
--   configuration: folder group of the file
--   run: run folder of the file, if it lies in one
--   node: host of the file, if known
--   entity_kind: cluster, system, group, resource, type, remotecluster, heartbeat
--   entity: name of the thing that has the attribute
--   group: group of a resource
--   attribute: attribute name
--   system: system of a localised value, else null
--   value: value as printed, blanks normalised; secrets read ********
--   is_masked: value was a secret and is not stored
--   file_id: file
--   line_no: line
select
    source_file.configuration,
    source_file.run,
    source_file.node,
    cluster_attribute.entity_kind,
    cluster_attribute.entity,
    cluster_attribute."group",
    cluster_attribute.attribute,
    cluster_attribute.system,
    cluster_attribute.value,
    cluster_attribute.is_masked,
    cluster_attribute.file_id,
    cluster_attribute.line_no

from log.cluster_attribute as cluster_attribute

inner join source_file
    on cluster_attribute.file_id = source_file.file_id
