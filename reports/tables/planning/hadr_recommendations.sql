-- One row per configuration that the HADR simulator measured: the sync mode to use, what it needs, brings and costs,
-- and what binds it.
select recommendations.*

from main.hadr_recommendation as recommendations

left join main.configuration_order as configurations using (configuration)

order by configurations.position, recommendations.configuration
