-- One row per doubt that a partition of the network or the loss of a second node casts on a run, with the columns of `finding`.
-- columns:
--   severity: warning
--   kind: partition, double_loss
--   configuration: folder group
--   run: run
--   text: the doubt in a sentence
--   file_id: file of the line behind it
--   line_no: line
select
    'warning' as severity,
    'partition' as kind,
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
        incident.configuration = network_partition.configuration
        and incident.unit_run is not distinct from network_partition.unit_run
        and incident.event_no = network_partition.event_no

where incident.partition_outcome = 'moved'

union all

select
    'warning',
    'double_loss',
    double_loss.configuration,
    double_loss.run,
    format(
        'In `{}`, {}: `{}`, which took over from `{}`, was lost too, {:.0f} s after the first ({}).',
        double_loss.configuration,
        run_text(double_loss.run),
        double_loss.node,
        coalesce(incident.lost_node, 'another node'),
        (epoch_us(double_loss."at") - epoch_us(incident.loss_at)) / 1e6,
        double_loss.how
    ),
    double_loss.file_id,
    double_loss.line_no

from double_loss

inner join incident
    on double_loss.configuration = incident.configuration and double_loss.run = incident.run
