-- One row per parameter whose new value waits for the next start, with the configurations that have it so.
select
    parameters.scope,
    parameters.name,
    parameters.value,
    parameters.delayed_value,
    list(distinct parameters.configuration order by parameters.configuration) as configurations

from main.parameter as parameters

where parameters.delayed_value is distinct from parameters.value
    and parameters.delayed_value is not null
    and parameters.configuration is not null

group by parameters.scope, parameters.name, parameters.value, parameters.delayed_value

order by parameters.scope, parameters.name, parameters.value
