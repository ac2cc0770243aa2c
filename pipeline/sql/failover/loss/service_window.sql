-- One row per incident and service group that started on the surviving node: when its failover was over. UTC.
-- The first failover only: it ends when the group is online (Heartbeat: the take-over is complete; Pacemaker: the controller is idle
-- again), at a planned switch, at the next node loss or after one hour.
-- columns:
--   group: service group; null where messages name none
--   service_end_at: end of the group's failover
--   is_own_group: failovers are measured by the group: one that `service_groups` of study.toml names; else the group with the Db2udb resource,
--     or one that it requires; any group where none has a database
with

starts as (

    select
        incident.configuration,
        incident.unit_run,
        incident.run,
        incident.membership_at,
        incident.surviving_key,
        incident.lost_key,
        incident.end_at,
        coalesce(cluster_line."group", resource_type."group") as "group",
        bool_or(coalesce(resource_type.resource_type = 'Db2udb', false)) as has_database

    from incident

    inner join cluster_line
        on
            incident.configuration = cluster_line.configuration
            and incident.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.source = 'vcs'
            and (cluster_line.kind = 'initiate_online' or cluster_line.is_vcs_online)
            and cluster_line.system_key is not distinct from incident.surviving_key
            and cluster_line.node_key is distinct from incident.lost_key
            and cluster_line."at" >= incident.membership_at
            and cluster_line."at" < incident.end_at

    left join resource_type
        on cluster_line.configuration = resource_type.configuration and cluster_line.resource = resource_type.resource

    group by all

),

ends as (

    select
        starts.configuration,
        starts.run,
        starts."group",
        -- all nodes write of it, each by its own clock: that of the surviving node is the one of its steps
        min_by(
            cluster_line."at", (cluster_line.node_key is distinct from starts.surviving_key, cluster_line."at")
        ) filter (
            where cluster_line.kind = 'group_online' and cluster_line.system_key is not distinct from starts.surviving_key
        ) as online_at,
        min_by(
            cluster_line."at", (cluster_line.node_key is distinct from starts.surviving_key, cluster_line."at")
        ) filter (where cluster_line.kind = 'group_switch') as switch_at

    from (select *, unnest(hours_between(membership_at, end_at)) as hour from starts) as starts

    inner join cluster_line
        on
            starts.configuration = cluster_line.configuration
            and starts.unit_run is not distinct from cluster_line.unit_run
            and time_bucket(interval 1 hour, cluster_line."at") = starts.hour
            and cluster_line.kind in ('group_online', 'group_switch')
            and (starts."group" is null or cluster_line."group" is null or cluster_line."group" = starts."group")
            and cluster_line.node_key is distinct from starts.lost_key
            and cluster_line."at" >= starts.membership_at
            and cluster_line."at" < starts.end_at

    group by starts.configuration, starts.run, starts."group"

),

takeovers as (  -- Heartbeat says when it is done; Pacemaker is idle again after the first start

    select
        incident.configuration,
        incident.run,
        incident.end_at,
        min(cluster_line."at") filter (where cluster_line.kind = 'operation_start') as start_at

    from incident

    inner join cluster_line
        on
            incident.configuration = cluster_line.configuration
            and incident.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.kind in ('operation_start', 'operation_done')
            and cluster_line.action in ('start', 'promote')
            and cluster_line.node_key is not distinct from incident.surviving_key
            and cluster_line."at" >= incident.membership_at
            and cluster_line."at" < incident.end_at

    group by incident.configuration, incident.run, incident.end_at

),

takeover_ends as (

    select
        takeovers.configuration,
        takeovers.run,
        coalesce(min(cluster_line."at"), takeovers.end_at) as service_end_at

    from takeovers

    inner join incident using (configuration, run)

    left join cluster_line
        on
            incident.configuration = cluster_line.configuration
            and incident.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.kind in ('takeover_done', 'idle')
            and cluster_line.action is distinct from 'local'
            and cluster_line.action is distinct from 'standby'
            and cluster_line.node_key is distinct from incident.lost_key
            and cluster_line."at" >= coalesce(takeovers.start_at, incident.membership_at)
            and cluster_line."at" < incident.end_at

    group by takeovers.configuration, takeovers.run, takeovers.end_at

),

required as (

    select distinct applicable_file.configuration, cluster_dependency.parent, cluster_dependency.child

    from log.cluster_dependency as cluster_dependency

    inner join applicable_file using (file_id)

    where cluster_dependency.dependency_kind = 'group'

),

database_groups as (

    select configuration, run, "group" from starts where has_database
    union
    select starts.configuration, starts.run, required.child

    from starts

    inner join required
        on starts.configuration = required.configuration and starts."group" = required.parent

    where starts.has_database

),

with_database as (

    select distinct configuration, run from database_groups

),

named as (  -- by study.toml; a configuration in which none of them moved is treated as if it named none

    select distinct starts.configuration, starts."group"

    from starts

    inner join study.setting as setting
        on list_contains(setting.service_groups, starts."group")

)

select
    starts.configuration,
    starts.run,
    starts."group",
    least(ends.online_at, ends.switch_at, starts.end_at) as service_end_at,
    case
        when starts.configuration in (select named.configuration from named) then named."group" is not null
        else with_database.run is null or database_groups.run is not null
    end as is_own_group

from starts

left join ends
    on
        starts.configuration = ends.configuration
        and starts.run = ends.run
        and starts."group" is not distinct from ends."group"

left join database_groups
    on
        starts.configuration = database_groups.configuration
        and starts.run = database_groups.run
        and starts."group" is not distinct from database_groups."group"

left join named
    on starts.configuration = named.configuration and starts."group" is not distinct from named."group"

left join with_database
    on starts.configuration = with_database.configuration and starts.run = with_database.run

union all

select configuration, run, null as "group", service_end_at, true as is_own_group

from takeover_ends
