-- One row per database and instance that wrote a diagnostic log.
select
    "database",
    instance,
    string_agg(distinct node, ', ' order by node) as nodes,
    count(*) as records

from main.db2diag_record

where "database" is not null

group by "database", instance

order by "database", instance
