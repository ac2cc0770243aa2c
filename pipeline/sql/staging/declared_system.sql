-- One row per configuration and system of its cluster, by short name, as the files declare that apply to it.
-- columns:
--   system: system of the cluster, short name
select distinct applicable_file.configuration, short_host(cluster_system.system) as system

from log.cluster_system as cluster_system

inner join applicable_file using (file_id)

where cluster_system.system <> ''
