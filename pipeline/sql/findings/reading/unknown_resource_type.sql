-- Resources of VCS came online whose type neither main.cf, study.toml nor a line of an agent gives; with it, steps of
-- the failover have a name.
-- severity: note
with

unknown as (

    select distinct cluster_line.configuration, cluster_line.resource

    from cluster_line

    left join resource_type using (configuration, resource)

    where
        cluster_line.source = 'vcs'
        and cluster_line.kind = 'resource_online'
        and cluster_line.resource is not null
        and resource_type.resource_type is null

)

select
    configuration,
    null as run,
    format(
        'No file gives the type of {} of `{}`. Put main.cf into the folder, or paste these lines into study.toml (`haledger init` drafts '
        'them), with the type of each (DiskGroup, Mount, IP, Oracle, Application, ...): `[resource_type]`, {}.',
        case when count(*) = 1 then 'one resource' else count(*) || ' resources' end,
        configuration,
        string_agg('`"' || replace(resource, '"', '') || '" = "TYPE"`', ', ' order by resource)
    ) as text

from unknown

group by configuration
