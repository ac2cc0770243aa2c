-- One row per configuration value that a file states, values of main.cf included (scope main.cf).
-- columns:
--   configuration: folder group of the file
--   run: run folder of the file, if it lies in one
--   node: host of the file, if known
--   scope: db, dbm, registry, llttab, gabtab, main.cf, sysctl, ...
--   name: parameter name as its product writes it; for main.cf: entity.attribute, and @system for a localised value
--   description: the product's description, or null
--   value: value as printed; secrets are masked
--   file_id: file
--   line_no: line
with

stated as (

    select scope, name, description, value, file_id, line_no from log.parameter_value

),

main_cf as (

    select
        'main.cf' as scope,
        entity || '.' || attribute || coalesce('@' || system, '') as name,
        entity_kind || coalesce(' of group ' || "group", '') as description,
        value,
        file_id,
        line_no

    from log.cluster_attribute

),

parameters as (

    select * from stated
    union all
    select * from main_cf

)

select
    source_file.configuration,
    source_file.run,
    source_file.node,
    parameters.scope,
    parameters.name,
    parameters.description,
    parameters.value,
    parameters.file_id,
    parameters.line_no

from parameters

inner join source_file
    on parameters.file_id = source_file.file_id
