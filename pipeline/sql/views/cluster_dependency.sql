-- One row per `requires` of main.cf: parent needs child.
-- columns:
--   configuration: folder group of the file
--   run: run folder of the file, if it lies in one
--   node: host of the file, if known
--   dependency_kind: resource or group
--   group: group in which the line stands
--   parent: resource or group that needs the child
--   child: resource or group needed
--   mode: for groups: `online local firm` and the like
--   file_id: file
--   line_no: line
select
    source_file.configuration,
    source_file.run,
    source_file.node,
    cluster_dependency.dependency_kind,
    cluster_dependency."group",
    cluster_dependency.parent,
    cluster_dependency.child,
    cluster_dependency.mode,
    cluster_dependency.file_id,
    cluster_dependency.line_no

from log.cluster_dependency as cluster_dependency

inner join source_file
    on cluster_dependency.file_id = source_file.file_id
