-- One row per configuration, rate and load, where a configuration was measured at several loads.
select
    scaling.*

from main.measurement_scaling as scaling

left join main.configuration_order as configurations using (configuration)

order by configurations.position, scaling.configuration, scaling.metric, scaling.label, scaling.clients
