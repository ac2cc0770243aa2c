-- One row per configuration and line of a main.cf that applies to it, by which a service group requires another one.
-- columns:
--   parent: service group that requires the other one
--   child: service group that it requires
select applicable_file.configuration, cluster_dependency.parent, cluster_dependency.child, file_id, cluster_dependency.line_no

from log.cluster_dependency as cluster_dependency

inner join applicable_file using (file_id)

where cluster_dependency.dependency_kind = 'group'
