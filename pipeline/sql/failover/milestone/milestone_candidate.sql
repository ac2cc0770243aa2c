-- One row per log line and built-in piece of evidence that it satisfies, within an incident. Times in UTC.
-- `milestone` picks from these. Lines of the lost node's own logs are no candidates, but those of a
-- sentinel there.
-- materialised: slow to plan, and read by run, milestone_line and clock_step
-- rows by: configuration
-- empty without rows of: incident
-- columns:
--   stack: cluster stack of the rule
--   evidence: 1 is the preferred evidence
--   pick: first or last
--   after: milestone that the line must follow, where the rule names one; else null
--   before: milestone that the line must precede, where the rule names one; else null
--   at: stamp as printed
--   has_message_id: matched by message id, else by what its text says
--   is_other_node: the line is not from the surviving node's logs
with

incidents as (

    select
        incident.*,
        incident_instant.service_end_at,
        incident_instant.database_start_at,
        unnest(hours_between(incident.search_start_at, incident.end_at)) as hour

    from incident

    inner join incident_instant using (configuration, run)

),

initiated as (  -- a resource counts as started by VCS from its initiation on, where that is logged

    select configuration, unit_run, resource, system_key, file_id, "at" from cluster_line where kind = 'initiate_online'

),

cluster_objects as (  -- names under which storage lines may mention the service's mounts and volumes

    select distinct applicable_file.configuration, cluster_attribute.value

    from log.cluster_attribute as cluster_attribute

    inner join applicable_file using (file_id)

    where
        cluster_attribute.attribute in (
            'MountPoint', 'BlockDevice', 'CVMDiskGroup', 'CVMVolume', 'DiskGroup', 'Volume'
        )

),

storage_groups as (  -- CFS or CVM holds the storage, or no mount and disk group moved

    select
        incident.configuration,
        incident.run,
        exists (
            select 1

            from resource_type

            where
                resource_type.configuration = incident.configuration
                and resource_type.resource_type in ('CFSMount', 'CVMVolDg')
        )
        or not exists (
            select 1

            from cluster_line

            inner join resource_type
                on
                    cluster_line.configuration = resource_type.configuration
                    and cluster_line.resource = resource_type.resource
                    and resource_type.resource_type in ('DiskGroup', 'Mount')

            where
                cluster_line.configuration = incident.configuration
                and cluster_line.unit_run is not distinct from incident.unit_run
                and cluster_line.is_vcs_online
                and cluster_line."at" >= incident.membership_at
                and cluster_line."at" < incident.end_at
        ) as is_clustered

    from incident

),

matches as (

    select
        incidents.configuration,
        incidents.unit_run,
        incidents.run,
        incidents.lost_key,
        incidents.lost_id,
        incidents.surviving_key,
        incidents.membership_at,
        incidents.end_at,
        rule.milestone,
        rule.stack,
        rule.evidence,
        rule.pick,
        rule.subject,
        rule.port as rule_port,
        rule.resource_types,
        rule."after",
        rule."before",
        case rule."after"
            when 'membership' then incidents.membership_at
            when 'service_end' then incidents.service_end_at
            when 'database_start' then incidents.database_start_at
            when 'end' then incidents.end_at
            when 'search_start'
                -- what nodes said of a leader before belongs to an earlier loss
                then case when rule.stack = 'leader' then greatest(incidents.search_start_at, incidents.loss_at) else incidents.search_start_at end
            when 'fault' then incidents.search_start_at
            -- a milestone's own line lies behind the membership change
            else incidents.membership_at
        end as after_at,
        case rule."before"
            when 'membership' then incidents.membership_at
            when 'database_start' then incidents.database_start_at
            else incidents.end_at
        end as before_at,
        cluster_line.* exclude (configuration, unit_run),
        list_contains(rule.message_ids, cluster_line.message_id) as has_message_id

    from incidents

    inner join cluster_line
        on
            incidents.configuration = cluster_line.configuration
            and incidents.unit_run is not distinct from cluster_line.unit_run
            and time_bucket(interval 1 hour, cluster_line."at") = incidents.hour
            and cluster_line."at" >= incidents.search_start_at
            and cluster_line."at" < incidents.end_at
            and (
                (
                    cluster_line.node_key is distinct from incidents.lost_key
                    and not coalesce(list_contains(incidents.lost_keys, cluster_line.node_key), false)
                )
                -- a sentinel may outlive the server on its host
                or (cluster_line.stack = 'redis' and cluster_line.kind in ('leader_suspect', 'leader_down', 'leader_chosen', 'leader'))
            )

    inner join study.milestone_rule as rule
        on
            cluster_line.source = rule.source
            and (
                list_contains(rule.kinds, cluster_line.kind)
                or list_contains(rule.message_ids, cluster_line.message_id)
            )
            and rule.text_pattern is null
            and not rule.is_user
            and (len(rule.resource_classes) = 0 or list_contains(rule.resource_classes, cluster_line.resource_class))
            and (len(rule.actions) = 0 or list_contains(rule.actions, cluster_line.action))
            and (len(rule.states) = 0 or list_contains(rule.states, cluster_line.state))

),

in_time as (

    select
        *,
        -- a resource's start in the failover is its first: later ones are restarts
        row_number() over (
            partition by configuration, run, milestone, evidence, kind, node_key, resource, action, "group"
            order by "at", file_id, line_no, part
        ) as operation_no

    from matches

    -- a stamp is cut: the line may lie as much later as the resolution
    where
        "at" + to_microseconds((1000000 * resolution_s)::bigint) > after_at
        and "at" <= before_at

),

database_logs as (  -- of a database that says itself when it is back

    select configuration from cluster_line where source = 'db2diag'
    union
    select configuration from resource_type where resource_type = 'Db2udb'

),

on_subject as (

    select in_time.*

    from in_time

    left join database_logs using (configuration)

    left join resource_type using (configuration, resource)

    left join service_window
        on
            in_time.configuration = service_window.configuration
            and in_time.run = service_window.run
            and coalesce(in_time."group", resource_type."group") is not distinct from service_window."group"

    left join storage_groups
        on in_time.configuration = storage_groups.configuration and in_time.run = storage_groups.run

    where
        (len(in_time.resource_types) = 0 or list_contains(in_time.resource_types, resource_type.resource_type))
        and (in_time.rule_port is null or in_time.port = in_time.rule_port)
        and (in_time."before" <> 'service_end' or in_time."at" <= service_window.service_end_at)
        and case coalesce(in_time.subject, '')
            when '' then true
            when 'surviving_node' then
                case
                    -- who leads is said by any node
                    when in_time.kind in ('leader', 'leader_chosen', 'leader_ready') then
                        coalesce(in_time.system_key, in_time.node_key) is not distinct from in_time.surviving_key
                    when in_time.source = 'ha' then
                        in_time.node_key is not distinct from in_time.surviving_key
                        and (in_time.kind <> 'operation_done' or in_time.operation_no = 1)
                    else in_time.is_vcs_online
                        and in_time.system_key is not distinct from in_time.surviving_key
                        and coalesce(service_window.is_own_group, false)
                        and not exists (  -- initiated in the window, but only after this line
                            select 1

                            from initiated

                            where
                                initiated.configuration = in_time.configuration
                                and initiated.unit_run is not distinct from in_time.unit_run
                                and initiated.file_id = in_time.file_id
                                and initiated.resource = in_time.resource
                                and initiated.system_key is not distinct from in_time.system_key
                                and initiated."at" >= in_time.membership_at
                                and initiated."at" < in_time.end_at
                            having min(initiated."at") > in_time."at"
                        )
                end
            when 'service_group' then
                in_time.operation_no = 1
                and in_time.system_key is not distinct from in_time.surviving_key
                -- the cluster's own groups serve nobody
                and coalesce(in_time."group", '') not in ('ClusterService', 'VCShmg', 'cvm', 'vxfen')
                and coalesce(service_window.is_own_group, true)
                and database_logs.configuration is null
            when 'lost_node' then
                case
                    when in_time.source = 'llt' then in_time.lost_id is null or in_time.node_id = in_time.lost_id
                    when in_time.source = 'gab' or in_time.kind in ('membership', 'upstream_lost') then exists (
                        select 1

                        from node_loss_evidence as loss

                        where
                            loss.configuration = in_time.configuration
                            and loss.file_id = in_time.file_id
                            and loss.line_no = in_time.line_no
                            and loss.part = in_time.part
                            and (in_time.lost_key = '' or loss.lost_key = in_time.lost_key)
                    )
                    else
                        (
                            in_time.lost_key = ''
                            or in_time.system_key = in_time.lost_key
                            or (in_time.source = 'ha' and in_time.system_key is null)
                        )
                        and (in_time.kind <> 'system_state' or upper(in_time.state) = 'FAULTED')
                end
            when 'clustered_storage' then
                storage_groups.is_clustered
                and (
                    in_time.object is null
                    or not exists (
                        select 1 from cluster_objects where cluster_objects.configuration = in_time.configuration
                    )
                    or exists (
                        select 1

                        from cluster_objects

                        where
                            cluster_objects.configuration = in_time.configuration
                            and (
                                contains(cluster_objects.value, in_time.object)
                                or (
                                    length(cluster_objects.value) > 2
                                    and ends_with(in_time.object, cluster_objects.value)
                                )
                            )
                    )
                )
            else false
        end

)

select
    configuration,
    run,
    milestone,
    stack,
    evidence,
    pick,
    case
        when "after" not in ('search_start', 'fault', 'membership', 'service_end', 'database_start', 'end') then "after"
    end as "after",
    case
        when "before" not in ('search_start', 'fault', 'membership', 'service_end', 'database_start', 'end')
            then "before"
    end as "before",
    "at",
    resolution_s,
    has_message_id,
    -- of those who elect a leader each sees it at its own time, and the first counts
    node_key is distinct from surviving_key
    and node_key is not null
    and source <> 'client'
    and kind not in ('leader', 'leader_chosen', 'leader_suspect', 'leader_down', 'upstream_lost', 'route_up') as is_other_node,
    node,
    instance,
    database,
    file_id,
    line_no,
    part

from on_subject
