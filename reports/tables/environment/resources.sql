-- One row per configuration, service group and resource type that main.cf declares: how many.
with

declared as (

    select distinct
        resources.configuration,
        resources."group",
        resources.resource,
        resources.resource_type

    from main.cluster_resource as resources

)

select
    declared.configuration,
    declared."group",
    declared.resource_type,
    count(*) as resources

from declared

left join main.configuration_order as configurations using (configuration)

group by configurations.position, declared.configuration, declared."group", declared.resource_type

order by configurations.position, declared.configuration, declared."group", declared.resource_type
