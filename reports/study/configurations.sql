-- One row per configuration, in the order of the tables.
select
    configuration,
    label,
    reference

from main.configuration_order

order by position, configuration
