-- One row per fact about the machines and their software; facts that many runs state once, with the configurations.
select
    facts.node,
    facts.subject,
    facts.name,
    facts.value,
    facts.unit,
    list(distinct facts.configuration order by facts.configuration) as configurations

from main.environment as facts

group by facts.node, facts.subject, facts.name, facts.value, facts.unit

order by facts.node nulls first, facts.subject, facts.name, facts.value
