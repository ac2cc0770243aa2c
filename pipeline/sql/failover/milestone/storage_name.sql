-- One row per configuration and name under which lines of storage may mention a mount or volume of the cluster, by
-- main.cf.
-- columns:
--   name: mount point, block device, disk group or volume
--   file_id: first file that has it
--   line_no: its line there
select
    applicable_file.configuration,
    cluster_attribute.value as name,
    min(cluster_attribute.file_id) as file_id,
    min_by(cluster_attribute.line_no, (cluster_attribute.file_id, cluster_attribute.line_no)) as line_no

from log.cluster_attribute as cluster_attribute

inner join applicable_file using (file_id)

where cluster_attribute.attribute in ('MountPoint', 'BlockDevice', 'CVMDiskGroup', 'CVMVolume', 'DiskGroup', 'Volume')

group by applicable_file.configuration, cluster_attribute.value
