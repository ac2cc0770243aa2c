-- One row per incident and log line that says what became of it, besides its steps. Times in UTC. See `study.outcome_rule`.
-- Lines of the lost node's own logs, and lines about other nodes than the surviving one, are left out.
-- materialised: reads the text of every syslog line of an incident
-- rows by: configuration
-- empty without rows of: incident
-- columns:
--   says: fault (a step failed), left (a step failed in a service group that never came online, while another one did), down (the service went down), start (the node restarted), by_hand, stop, lost (the node was lost as well),
--     back (a step that means service was done, however late)
--   at: stamp as printed
with

files as (

    select file_id, configuration, run, node from source_file where status = 'parsed' and configuration is not null

),

incidents as (

    select * from incident

),

incident_hours as (

    select *, unnest(hours_between(least(loss_at, membership_at), end_at)) as hour from incident

),

syslog_hosts as (

    select file_id, line_no, host from log.syslog_event where part = 1 and host is not null and product = 'VCS'

),

rule_kinds as (

    select distinct position, says, text_pattern, unnest(kinds) as kind from study.outcome_rule where source = 'vcs'

),

vcs_messages as (  -- few messages fit a rule, and each is in many lines

    select
        rule.says,
        message.message_no,
        lower(short_host(message.system)) as system_key,
        message."group",
        message.resource,
        message.text

    from log.vcs_event_message as message

    inner join rule_kinds as rule
        on
            message.kind = rule.kind
            and (rule.text_pattern is null or regexp_matches(message.text, rule.text_pattern))

    where
        -- a switch names the node that it leads to
        message.kind <> 'group_switch' or rule.says = 'by_hand'

),

uncritical as (  -- its fault leaves the group online, or partly so

    select distinct applicable_file.configuration, cluster_attribute.entity as resource

    from log.cluster_attribute as cluster_attribute

    inner join applicable_file using (file_id)

    where cluster_attribute.entity_kind = 'resource' and cluster_attribute.attribute = 'Critical' and cluster_attribute.value = '0'

),

resource_groups as (

    select configuration, resource, min("group") as "group" from resource_type group by configuration, resource

),

vcs_lines as (

    select
        message.says,
        files.configuration,
        files.run as file_run,
        lower(writer_host(syslog_hosts.host, files.node)) as node_key,
        message.system_key,
        coalesce(message."group", resource_groups."group") as "group",
        line."at",
        message.text,
        line.file_id,
        line.line_no

    from vcs_messages as message

    inner join log.vcs_event_line as line using (message_no)

    inner join files using (file_id)

    left join uncritical
        on files.configuration = uncritical.configuration and message.resource = uncritical.resource

    left join resource_groups
        on files.configuration = resource_groups.configuration and message.resource = resource_groups.resource

    left join syslog_hosts
        on line.file_id = syslog_hosts.file_id and line.line_no = syslog_hosts.line_no

    where uncritical.resource is null or message.says <> 'fault'

),

ha_lines as (

    select
        rule.says,
        ha_line.configuration,
        ha_line.unit_run,
        ha_line.node_key,
        case when ha_line.kind in ('shutdown_notice', 'resource_failed') then ha_line.peer_key end as system_key,
        ha_line."at",
        ha_event.text,
        ha_line.file_id,
        ha_line.line_no

    from ha_line

    inner join study.outcome_rule as rule
        on
            rule.source = 'ha'
            and list_contains(rule.kinds, ha_line.kind)
            and (len(rule.actions) = 0 or list_contains(rule.actions, ha_line.action))

    inner join log.ha_event as ha_event using (file_id, line_no, part)

    union all

    select
        rule.says,
        cluster_line.configuration,
        cluster_line.unit_run,
        cluster_line.node_key,
        null,
        cluster_line."at",
        format('{} of {} failed', cluster_line.action, cluster_line.resource),
        cluster_line.file_id,
        cluster_line.line_no

    from cluster_line

    inner join study.outcome_rule as rule
        on
            rule.source = 'ha'
            and list_contains(rule.kinds, 'operation_failed')
            and (len(rule.actions) = 0 or list_contains(rule.actions, cluster_line.action))

    where cluster_line.kind = 'operation_done' and cluster_line.state = 'failed'

    union all

    select
        rule.says,
        cluster_line.configuration,
        cluster_line.unit_run,
        cluster_line.node_key,
        null,
        cluster_line."at",
        replace(cluster_line.kind, '_', ' '),
        cluster_line.file_id,
        cluster_line.line_no

    from cluster_line

    inner join study.outcome_rule as rule
        on rule.source = 'db2diag' and list_contains(rule.kinds, cluster_line.kind)

    where cluster_line.source = 'db2diag'

),

other_groups as (  -- started on the surviving node besides those that count

    select
        configuration,
        run,
        list("group") filter (where is_own_group) as own_groups,
        count("group") filter (where is_own_group) > 0 as is_known

    from service_window

    group by configuration, run

),

online_groups as (  -- that came online on the surviving node

    select distinct incident_hours.configuration, incident_hours.run, cluster_line."group"

    from incident_hours

    inner join cluster_line
        on
            incident_hours.configuration = cluster_line.configuration
            and incident_hours.unit_run is not distinct from cluster_line.unit_run
            and time_bucket(interval 1 hour, cluster_line."at") = incident_hours.hour
            and cluster_line.kind = 'group_online'
            and cluster_line."group" is not null
            and cluster_line."at" >= incident_hours.membership_at
            and cluster_line."at" < incident_hours.end_at
            and cluster_line.system_key is not distinct from incident_hours.surviving_key

),

back_lines as (

    select distinct
        incident_hours.configuration,
        incident_hours.run,
        cluster_line."at",
        rule.milestone,
        cluster_line.file_id,
        cluster_line.line_no

    from incident_hours

    inner join cluster_line
        on
            incident_hours.configuration = cluster_line.configuration
            and incident_hours.unit_run is not distinct from cluster_line.unit_run
            and time_bucket(interval 1 hour, cluster_line."at") = incident_hours.hour
            and cluster_line."at" >= incident_hours.membership_at
            and cluster_line."at" < incident_hours.end_at
            and cluster_line.node_key is distinct from incident_hours.lost_key
            and (cluster_line.system_key is null or cluster_line.system_key is not distinct from incident_hours.surviving_key)

    inner join study.milestone_rule as rule
        on
            rule.ends_recovery = 1
            and cluster_line.source = rule.source
            and (
                list_contains(rule.kinds, cluster_line.kind) or list_contains(rule.message_ids, cluster_line.message_id)
            )
            and (len(rule.resource_classes) = 0 or list_contains(rule.resource_classes, cluster_line.resource_class))
            and (len(rule.actions) = 0 or list_contains(rule.actions, cluster_line.action))
            and (len(rule.states) = 0 or list_contains(rule.states, cluster_line.state))

    left join resource_type
        on cluster_line.configuration = resource_type.configuration and cluster_line.resource = resource_type.resource

    where len(rule.resource_types) = 0 or list_contains(rule.resource_types, resource_type.resource_type)

),

rule_words as (

    select position, unnest(words) as word from study.outcome_rule where source = 'syslog'

),

file_hours as (

    select files.file_id, incident_hours.hour, incident_hours.loss_at, incident_hours.end_at

    from incident_hours

    inner join files
        on
            incident_hours.configuration = files.configuration
            and (files.run is null or files.run is not distinct from incident_hours.unit_run)

),

informative as (  -- few lines of incidents hold a word

    select distinct
        rule_words.position,
        syslog_event."at",
        syslog_event.host,
        syslog_event.text,
        syslog_event.file_id,
        syslog_event.line_no

    from log.syslog_event as syslog_event

    semi join file_hours
        on
            syslog_event.file_id = file_hours.file_id
            and time_bucket(interval 1 hour, syslog_event."at") = file_hours.hour
            and syslog_event."at" >= file_hours.loss_at
            and syslog_event."at" < file_hours.end_at

    inner join rule_words
        on contains(syslog_event.text, rule_words.word)

),

fitting_texts as materialized (  -- an expression that is not the same for all rows is translated for each: once for equal texts

    select different.position, different.text, rule.says

    from (select distinct position, text from informative) as different

    inner join study.outcome_rule as rule
        on different.position = rule.position and regexp_matches(different.text, rule.text_pattern)

),

placed as (

    select
        incident_hours.configuration,
        incident_hours.run,
        vcs_lines.says,
        vcs_lines.node_key,
        vcs_lines.system_key,
        vcs_lines."group",
        vcs_lines."at",
        vcs_lines.text,
        vcs_lines.file_id,
        vcs_lines.line_no

    from vcs_lines

    left join run_range
        on
            vcs_lines.file_run is null
            and vcs_lines.configuration = run_range.configuration
            and vcs_lines."at" >= run_range.start_at
            and vcs_lines."at" < run_range.end_at

    inner join incident_hours
        on
            vcs_lines.configuration = incident_hours.configuration
            and coalesce(vcs_lines.file_run, run_range.run) is not distinct from incident_hours.unit_run
            and time_bucket(interval 1 hour, vcs_lines."at") = incident_hours.hour

    union all

    select
        incident_hours.configuration,
        incident_hours.run,
        ha_lines.says,
        ha_lines.node_key,
        ha_lines.system_key,
        null,
        ha_lines."at",
        ha_lines.text,
        ha_lines.file_id,
        ha_lines.line_no

    from ha_lines

    inner join incident_hours
        on
            ha_lines.configuration = incident_hours.configuration
            and ha_lines.unit_run is not distinct from incident_hours.unit_run
            and time_bucket(interval 1 hour, ha_lines."at") = incident_hours.hour

    union all

    select
        incident_hours.configuration,
        incident_hours.run,
        rule.says,
        lower(writer_host(syslog_event.host, files.node)),
        null,
        null,
        syslog_event."at",
        syslog_event.text,
        syslog_event.file_id,
        syslog_event.line_no

    from incident_hours

    inner join files
        on
            incident_hours.configuration = files.configuration
            and (files.run is null or files.run is not distinct from incident_hours.unit_run)

    inner join informative as syslog_event
        on
            files.file_id = syslog_event.file_id
            and incident_hours.hour = time_bucket(interval 1 hour, syslog_event."at")
            and syslog_event."at" >= incident_hours.loss_at
            and syslog_event."at" < incident_hours.end_at

    inner join fitting_texts as rule
        on syslog_event.position = rule.position and syslog_event.text = rule.text

)

select
    placed.configuration,
    placed.run,
    case
        when
            placed.says = 'fault'
            and list_contains(other_groups.own_groups, placed."group")
            and exists (
                select 1

                from online_groups

                where online_groups.configuration = placed.configuration and online_groups.run = placed.run
            )
            and not exists (
                select 1

                from online_groups

                where
                    online_groups.configuration = placed.configuration
                    and online_groups.run = placed.run
                    and online_groups."group" = placed."group"
            )
            then 'left'
        else placed.says
    end as says,
    placed."at",
    placed.text,
    placed.file_id,
    placed.line_no

from placed

inner join incidents using (configuration, run)

left join other_groups using (configuration, run)

where
    placed."at" >= case when placed.says in ('by_hand', 'stop') then incidents.loss_at else incidents.membership_at end
    and placed."at" < incidents.end_at
    and placed.node_key is distinct from incidents.lost_key
    and (placed.says <> 'start' or placed.node_key is not distinct from incidents.surviving_key)
    and (
        placed.system_key is null
        or placed.system_key is not distinct from incidents.surviving_key
        -- nothing started anywhere, and no node was lost: what faulted is what the fault hit
        or (placed.says = 'fault' and incidents.surviving_key is null and incidents.lost_key = '')
    )
    and (
        placed."group" is null
        or not coalesce(other_groups.is_known, false)
        or list_contains(other_groups.own_groups, placed."group")
    )

union all

select configuration, run, 'back', "at", format('`{}`', milestone), file_id, line_no from back_lines

union all

-- the surviving node is lost as well, and no further node takes over
select
    incidents.configuration,
    incidents.run,
    case when node_loss.is_orderly or node_loss.is_planned then 'stop' else 'lost' end,
    node_loss.loss_at,
    node_loss.lost_node || ' was lost as well',
    node_loss.file_id,
    node_loss.line_no

from incidents

inner join node_loss
    on
        incidents.configuration = node_loss.configuration
        and incidents.unit_run is not distinct from node_loss.unit_run
        and node_loss.lost_key = incidents.surviving_key
        and node_loss.loss_at > incidents.loss_at
        and node_loss.loss_at <= incidents.end_at

order by 1, 2, 4, 6, 7, 3
