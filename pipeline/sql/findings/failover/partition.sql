-- A partition of the network preceded the failover.
-- severity: warning
select
    incident.configuration,
    incident.run,
    format(
        'In `{}`, {}: the nodes declared each other lost, as they do when the network is cut. `{}` is treated as the lost one: {}.',
        incident.configuration,
        run_text(incident.run),
        incident.lost_node,
        network_partition.doubt
    ) as text,
    network_partition.file_id,
    network_partition.line_no

from incident

inner join network_partition
    on
        is_same_unit(incident, network_partition)
        and incident.event_no = network_partition.event_no

where incident.partition_outcome = 'moved'
