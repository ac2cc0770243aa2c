-- One row per service group that main.cf declares.
-- columns:
--   configuration: folder group of the file
--   run: run folder of the file, if it lies in one
--   node: host of the file, if known
--   group: group name
--   is_parallel: may be online on several systems at once
--   systems: SystemList as printed
--   auto_start: AutoStartList as printed
--   file_id: file
--   line_no: line
select
    source_file.configuration,
    source_file.run,
    source_file.node,
    cluster_group."group",
    cluster_group.is_parallel,
    cluster_group.systems,
    cluster_group.auto_start,
    cluster_group.file_id,
    cluster_group.line_no

from log.cluster_group as cluster_group

inner join source_file
    on cluster_group.file_id = source_file.file_id
