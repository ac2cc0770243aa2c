-- One row per configuration value that a file states, values of main.cf included (scope main.cf).
-- columns:
--   run: run folder of the file, if it lies in one
--   scope: db, dbm, registry, llttab, gabtab, main.cf, sysctl, mount, postgresql.conf, drbd.conf, crm, ...
--   name: parameter name as its product writes it; for main.cf: entity.attribute, and @system for a localised value
--   value: value as printed; secrets are masked
--   subject: database, member or level that the value is of, where the file shows it; else null
with

declared as (

    select
        scope,
        name,
        description,
        value,
        subject,
        effective_value,
        delayed_value,
        is_automatic,
        file_id,
        line_no

    from log.parameter_value

),

main_cf as (

    select
        'main.cf' as scope,
        entity || '.' || attribute || coalesce('@' || system, '') as name,
        entity_kind || coalesce(' of group ' || "group", '') as description,
        value,
        null::varchar as subject,
        null::varchar as effective_value,
        null::varchar as delayed_value,
        null::boolean as is_automatic,
        file_id,
        line_no

    from log.cluster_attribute

),

parameters as (

    select * from declared
    union all
    select * from main_cf

)

select
    source_file.configuration,
    source_file.run,
    source_file.node,
    parameters.*

from parameters

inner join source_file using (file_id)
