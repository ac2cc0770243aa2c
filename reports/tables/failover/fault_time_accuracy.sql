-- One row per configuration with true fault times, then one over all: inferred minus true, in seconds, over the used
-- runs.
select
    accuracy.*

from main.fault_time_accuracy as accuracy

left join main.configuration_order as configurations using (configuration)

order by accuracy.configuration is null, configurations.position, accuracy.configuration
