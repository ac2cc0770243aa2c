-- One row per parameter that the product chose and that came to another value than in the reference.
select
    changes.configuration,
    changes.scope,
    changes.name,
    changes.reference,
    changes.reference_value,
    changes.value

from main.automatic_change as changes

left join main.configuration_order as configurations using (configuration)

order by configurations.position, changes.configuration, changes.scope, changes.name
