-- One row per parameter whose value differs between a configuration and the reference that somebody named: those of
-- `parameter_difference`.
-- from: parameter by configuration, scope, name; of value; except reference_value
-- from: parameter by reference as configuration, scope, name; of value; except value
select
    name,
    scope,
    description,
    reference,
    reference_value,
    configuration,
    value

from parameter_difference

where not is_proposed
