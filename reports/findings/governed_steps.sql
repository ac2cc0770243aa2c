-- The step of each configuration that takes most of its time to recovery and that a setting governs.
select configuration, step, settings, mean_s, total_s

from main.governed_step

inner join main.configuration_order using (configuration)

where dominates

order by configuration_order.position
