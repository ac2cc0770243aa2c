-- One row per configuration and VCS resource: its type and where that is known from.
-- HAD messages do not name a type. It comes from the nearest main.cf, else study.toml, else the agent's own lines, else
-- a main.cf elsewhere in the study that knows the resource by one type only. It is never guessed from the name.
-- materialised: small, and read by every step of the failover analysis
-- rows by: configuration
-- columns:
--   resource: VCS resource
--   resource_type: DiskGroup, Mount, IP, Db2udb, CFSMount, ...
--   group: service group, where main.cf gives it
--   type_source: main.cf, study.toml, agent line, main.cf of another configuration
with

declared as (

    select
        applicable_file.configuration,
        cluster_resource.resource,
        cluster_resource.resource_type,
        cluster_resource."group",
        1 + applicable_file.distance as rank,
        'main.cf' as type_source,
        cluster_resource.file_id,
        cluster_resource.line_no

    from log.cluster_resource as cluster_resource

    inner join applicable_file
        on cluster_resource.file_id = applicable_file.file_id

),

resources as (

    select distinct configuration, resource from cluster_line where source = 'vcs' and resource is not null
    union
    select distinct configuration, resource from declared

),

by_study as (

    select
        resources.configuration,
        resources.resource,
        first(declared_type.resource_type order by declared_type.position) as resource_type

    from resources

    inner join study.resource_type as declared_type
        on resources.resource glob declared_type.pattern

    group by resources.configuration, resources.resource

),

by_agent as (

    select
        source_file.configuration,
        vcs_event.resource,
        min(vcs_event.agent) as resource_type

    from log.vcs_event as vcs_event

    inner join source_file
        on vcs_event.file_id = source_file.file_id

    where vcs_event.agent is not null and vcs_event.resource is not null

    group by source_file.configuration, vcs_event.resource

    having count(distinct vcs_event.agent) = 1

),

elsewhere as (

    select resource, min(resource_type) as resource_type, min("group") as "group"

    from log.cluster_resource

    group by resource

    having count(distinct resource_type) = 1

),

candidates as (

    select configuration, resource, resource_type, "group", rank, type_source, file_id, line_no from declared
    union all
    select configuration, resource, resource_type, null, 4, 'study.toml', null, null from by_study
    union all
    select configuration, resource, resource_type, null, 5, 'agent line', null, null from by_agent
    union all
    select
        resources.configuration,
        resources.resource,
        elsewhere.resource_type,
        elsewhere."group",
        6,
        'main.cf of another configuration',
        null,
        null

    from resources

    inner join elsewhere
        on resources.resource = elsewhere.resource

)

select configuration, resource, resource_type, "group", type_source

from candidates

qualify row_number() over (partition by configuration, resource order by rank, file_id, line_no) = 1

order by configuration, resource
