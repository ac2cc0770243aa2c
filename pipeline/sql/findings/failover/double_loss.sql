-- The node that took over was lost too.
-- severity: warning
select
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
    ) as text,
    double_loss.file_id,
    double_loss.line_no

from double_loss

inner join incident using (configuration, run)
