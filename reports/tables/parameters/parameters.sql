-- One row per parameter, scope and value, with the configurations that have it. Attributes of main.cf are left out.
with

declared as (

    select distinct
        parameters.scope,
        parameters.name,
        parameters.description,
        parameters.value,
        parameters.configuration,
        configurations.position

    from main.parameter as parameters

    left join main.configuration_order as configurations using (configuration)

    where parameters.scope <> 'main.cf'

)

select
    scope,
    name,
    min(description) as description,
    value,
    list(configuration order by position, configuration) as configurations

from declared

group by scope, name, value

order by scope, name, min(position), value
