-- One row per line that states a parameter in a configuration.
select
    parameter.configuration,
    parameter.run,
    true as is_used,
    null as reason,
    null::double as value,
    parameter.scope || ' ' || parameter.name as role,
    'as the file states it' as how,
    'value ' || parameter.value as note,
    null::timestamp as "at",
    parameter.file_id,
    parameter.line_no

from parameter

where parameter.configuration = $configuration and parameter.scope = $scope and parameter.name = $name

order by parameter.file_id, parameter.line_no
