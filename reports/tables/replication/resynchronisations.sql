-- One row per resynchronisation of a DRBD device, in the order of the log.
select
    resync.configuration,
    resync.run,
    resync.node,
    resync.device,
    resync.side,
    resync.start_at,
    resync.end_at,
    resync.duration_s,
    resync.duration_source,
    resync.resolution_s,
    resync.reported_s,
    resync.size_kib,
    resync.rate_kib_per_s,
    files.path,
    resync.line_no

from main.drbd_resync as resync

inner join main.source_file as files using (file_id)

left join main.configuration_order as configurations
    on resync.configuration = configurations.configuration

order by
    configurations.position,
    resync.configuration,
    resync.run,
    resync.start_file_id,
    resync.start_line_no
