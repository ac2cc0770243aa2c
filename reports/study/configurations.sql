-- One row per configuration, in the order of the tables, with what it is compared with.
select
    configurations.configuration,
    trim(configurations.label) as label,
    pairs.reference,
    pairs.is_proposed,
    pairs.reason

from main.configuration_order as configurations

left join main.comparison_pair as pairs using (configuration)

order by configurations.position, configurations.configuration
