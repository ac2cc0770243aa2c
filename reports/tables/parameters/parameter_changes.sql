-- One row per parameter whose value differs from the reference's; attributes of main.cf are left out.
select
    changes.configuration,
    changes.reference,
    changes.scope,
    changes.name,
    changes.description,
    changes.reference_value,
    changes.value

from main.parameter_difference as changes

left join main.configuration_order as configurations using (configuration)

where changes.scope <> 'main.cf'

order by configurations.position, changes.configuration, changes.scope, changes.name
