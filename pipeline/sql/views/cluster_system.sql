-- One row per system that main.cf declares.
-- columns:
--   configuration: folder group of the file
--   run: run folder of the file, if it lies in one
--   node: host of the file, if known
--   system: system name
--   cluster: cluster name
--   file_id: file
--   line_no: line
select
    source_file.configuration,
    source_file.run,
    source_file.node,
    cluster_system.system,
    cluster_system.cluster,
    cluster_system.file_id,
    cluster_system.line_no

from log.cluster_system as cluster_system

inner join source_file
    on cluster_system.file_id = source_file.file_id
