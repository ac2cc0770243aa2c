-- One row per parameter that the product chooses in a configuration and in its reference, and that came to another
-- value. The setting is the same, AUTOMATIC, so it is no parameter_change; what it came to may explain a difference
-- all the same.
-- from: parameter by configuration, scope, name; of effective_value; except reference_value
-- from: parameter by reference as configuration, scope, name; of effective_value; except value
-- columns:
--   name: parameter
--   scope: db or dbm
--   description: the product's description
--   reference_value: what it came to there; several values are joined by ` / `
--   value: what it came to here; several values are joined by ` / `
with

chosen as (

    select
        configuration,
        scope,
        name,
        min(description) as description,
        string_agg(distinct effective_value, ' / ' order by effective_value) as value

    from parameter

    where configuration is not null and is_automatic and effective_value is not null

    group by configuration, scope, name

),

pairs as (

    select configuration, reference from comparison_pair where reference <> configuration

)

select
    here.name,
    here.scope,
    coalesce(here.description, there.description) as description,
    pairs.reference,
    there.value as reference_value,
    pairs.configuration,
    here.value

from pairs

inner join chosen as here using (configuration)

inner join chosen as there
    on pairs.reference = there.configuration and here.scope = there.scope and here.name = there.name

where here.value <> there.value
