-- One row per configuration, rate and load, where a configuration was measured at several loads.
select
    scaling.configuration,
    scaling.metric,
    scaling.unit,
    scaling.label,
    scaling.clients,
    scaling.runs,
    scaling.mean,
    scaling.per_client,
    scaling.speed_up,
    scaling.efficiency,
    scaling.marginal_gain,
    scaling.is_saturated

from main.measurement_scaling as scaling

left join main.configuration_order as configurations using (configuration)

order by configurations.position, scaling.configuration, scaling.metric, scaling.label, scaling.clients
