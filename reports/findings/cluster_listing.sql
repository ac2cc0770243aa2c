-- One row per declaration, attribute and dependency of every main.cf, in the order of its lines.
with

entities as (

    select configuration, file_id, 'resource' as kind, resource as entity, resource_type as type, line_no
    from main.cluster_resource

    union all

    select configuration, file_id, 'group', "group", null, line_no
    from main.cluster_group

    union all

    select configuration, file_id, entity_kind, entity, null, min(line_no) - 1
    from main.cluster_attribute
    where entity_kind not in ('resource', 'group')
    group by all

)

select configuration, file_id, line_no, 'head' as part, kind, entity as name, type as value, null as system
from entities

union all

select configuration, file_id, line_no, 'attribute', entity_kind, attribute, "value", system
from main.cluster_attribute

union all

select
    configuration,
    file_id,
    line_no,
    'requires',
    dependency_kind,
    parent,
    trim(child || coalesce(' ' || "mode", '')),
    null
from main.cluster_dependency

order by configuration, file_id, line_no, part desc, system
