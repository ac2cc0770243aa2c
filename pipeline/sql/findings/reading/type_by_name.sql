-- What a resource of Pacemaker is was taken from its name, as no file and no line of its agent says.
-- severity: note
with

operated as (

    select distinct configuration, object, object_class

    from ha_line

    where
        stack = 'pacemaker'
        and kind in ('resource_start', 'resource_done')
        and action in ('start', 'promote')
        and object is not null
        and object_class <> 'fencing'

),

named as (

    select operated.*

    from operated

    left join crm_resource
        on operated.configuration = crm_resource.configuration and operated.object = crm_resource.resource

    where
        crm_resource.resource is null
        and operated.object_class = class_of_name(operated.object)
        and not exists (select 1 from study.resource_type as declared where operated.object glob declared.pattern)
        and not exists (

            select 1

            from ha_line as agents

            where
                agents.configuration = operated.configuration
                and agents.object = operated.object
                and agents.agent is not null
        )

)

select
    configuration,
    null as run,
    format(
        'No file says what the resources of Pacemaker of `{}` are; by their names: {}. Put the configuration of the cluster (`cibadmin -Q`) into the folder, or '
        'say it in study.toml under `[resource_type]` (address, mount, replication, database, application).',
        configuration,
        string_agg('`' || object || '` ' || object_class, ', ' order by object)
    ) as text

from named

group by configuration
