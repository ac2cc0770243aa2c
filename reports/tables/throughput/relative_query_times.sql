-- One row per configuration and load: the times of its queries against the reference's, as one number.
select
    ratios.*

from main.measurement_query_ratio as ratios

left join main.configuration_order as configurations using (configuration)

where ratios.configuration <> ratios.reference

order by configurations.position, ratios.configuration, ratios.clients
