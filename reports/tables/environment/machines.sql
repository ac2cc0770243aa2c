-- One row per fact about the machines and their software, with the machines and configurations that it is true of: what
-- most machines share first.
with

facts as (

    select
        environment.node,
        environment.subject,
        environment.name,
        environment.value,
        environment.unit,
        list(distinct environment.configuration order by environment.configuration) as configurations

    from main.environment as environment

    group by environment.node, environment.subject, environment.name, environment.value, environment.unit

)

select
    string_agg(facts.node, '; ' order by facts.node) as node,
    facts.subject,
    facts.name,
    facts.value,
    facts.unit,
    facts.configurations

from facts

group by facts.subject, facts.name, facts.value, facts.unit, facts.configurations

order by count(*) desc, node nulls first, facts.subject, facts.name, facts.value, facts.configurations
