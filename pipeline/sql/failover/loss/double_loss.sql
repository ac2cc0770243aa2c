-- One row per incident whose surviving node was lost too: before a node that was lost had come back, and before the service was back for a
-- minute. Times in UTC.
-- Shown by the other nodes, or by the node's own log: it panics, or starts again without having been shut down. A node lost while it was taking
-- over, from which a third took over, is in the incident's `is_target_lost`, and is here as well.
-- A node that starts again minutes after the service was back has a fault of its own, or none: it says nothing of this recovery.
-- materialised: reads logs of the surviving nodes
-- rows by: configuration
-- empty without rows of: incident
-- columns:
--   node: node that was lost too
--   at: time of the line that shows it
--   how: declared lost, fenced, panicked, restarted
with

returned as (  -- from then on the next loss is one of its own

    select incident.configuration, incident.run, min(cluster_line."at") as return_at

    from incident

    inner join cluster_line
        on
            incident.configuration = cluster_line.configuration
            and incident.unit_run is not distinct from cluster_line.unit_run
            and cluster_line."at" > incident.membership_at
            and cluster_line."at" <= incident.loss_at + interval 1 hour
            -- a lost node that lives on counts itself as a member
            and not coalesce(list_contains(incident.lost_keys, cluster_line.node_key), false)
            and (
                (cluster_line.kind = 'membership' and list_contains(cluster_line.members, incident.lost_id))
                or (
                    cluster_line.kind = 'system_state'
                    and cluster_line.system_key = incident.lost_key
                    and upper(cluster_line.state) = 'RUNNING'
                )
                or (cluster_line.kind in ('member_joined', 'link_up', 'status_up') and cluster_line.system_key = incident.lost_key)
            )

    where incident.lost_key <> ''

    group by incident.configuration, incident.run

),

windows as (

    select
        incident.configuration,
        incident.unit_run,
        incident.run,
        incident.event_no,
        incident.lost_keys,
        incident.surviving_node,
        incident.surviving_key,
        incident.membership_at,
        coalesce(returned.return_at, incident.loss_at + interval 1 hour) as until_at

    from incident

    left join returned using (configuration, run)

    where incident.surviving_key is not null and not incident.is_commanded

),

declared as (

    select windows.configuration, windows.run, windows.surviving_node as node, evidence."at", 'declared lost' as how, evidence.file_id, evidence.line_no

    from windows

    inner join node_loss_evidence as evidence
        on
            windows.configuration = evidence.configuration
            and windows.unit_run is not distinct from evidence.unit_run
            and evidence.is_decisive
            and not evidence.is_planned
            and evidence.lost_key = windows.surviving_key
            and not coalesce(list_contains(windows.lost_keys, evidence.node_key), false)
            and evidence."at" > windows.membership_at
            and evidence."at" < windows.until_at

    union all

    select windows.configuration, windows.run, loss_event.lost_node, loss_event.loss_at, 'declared lost', loss_event.file_id, loss_event.line_no

    from windows

    inner join loss_event
        on
            windows.configuration = loss_event.configuration
            and windows.unit_run is not distinct from loss_event.unit_run
            and windows.event_no = loss_event.event_no
            and loss_event.is_target

),

own_lines as (

    select windows.*, syslog_event."at", syslog_event.file_id, syslog_event.line_no, syslog_event.text

    from windows

    inner join source_file
        on
            windows.configuration = source_file.configuration
            and (source_file.run is null or source_file.run is not distinct from windows.unit_run)

    inner join log.syslog_event as syslog_event
        on
            source_file.file_id = syslog_event.file_id
            and lower(writer_host(syslog_event.host, source_file.node)) = windows.surviving_key
            and syslog_event."at" > windows.membership_at
            and syslog_event."at" < windows.until_at

),

endings as (

    select
        configuration,
        run,
        surviving_node as node,
        "at",
        case
            when regexp_matches(text, '(?i)\bpanic|halting system due to|ejected from cluster|lost the (?:fencing )?race') then 'panicked'
            when regexp_matches(text, 'Linux version \d|SunOS Release \d|AIX Version|Booting Linux|savecore: reboot') then 'restarted'
            else 'shut down'
        end as how,
        file_id,
        line_no

    from own_lines

    where
        regexp_matches(
            text,
            '(?i)\bpanic|halting system due to|ejected from cluster|lost the (?:fencing )?race'
            || '|linux version \d|sunos release \d|aix version|booting linux|savecore: reboot'
            || '|exiting on signal 15|shutting down|rebooted by|halted by|reached target (?:shutdown|reboot)|going down'
        )
        and not regexp_matches(text, '(?i)panic_?on|panic=|kernel\.panic|won the')

    union all

    select windows.configuration, windows.run, windows.surviving_node, cluster_line."at", 'restarted', cluster_line.file_id, cluster_line.line_no

    from windows

    inner join cluster_line
        on
            windows.configuration = cluster_line.configuration
            and windows.unit_run is not distinct from cluster_line.unit_run
            and windows.surviving_key = cluster_line.node_key
            and cluster_line.kind in ('boot', 'cluster_started')
            and cluster_line."at" > windows.membership_at
            and cluster_line."at" < windows.until_at

    union all

    select windows.configuration, windows.run, windows.surviving_node, cluster_line."at", 'shut down', cluster_line.file_id, cluster_line.line_no

    from windows

    inner join cluster_line
        on
            windows.configuration = cluster_line.configuration
            and windows.unit_run is not distinct from cluster_line.unit_run
            and (
                (cluster_line.kind = 'shutdown_notice' and coalesce(cluster_line.system_key, cluster_line.node_key) = windows.surviving_key)
                or (
                    cluster_line.kind = 'system_state'
                    and cluster_line.system_key = windows.surviving_key
                    and upper(cluster_line.state) in ('LEAVING', 'EXITING', 'EXITED')
                )
            )
            and cluster_line."at" > windows.membership_at
            and cluster_line."at" < windows.until_at

),

fenced as (

    select windows.configuration, windows.run, windows.surviving_node as node, cluster_line."at", 'fenced' as how, cluster_line.file_id, cluster_line.line_no

    from windows

    inner join cluster_line
        on
            windows.configuration = cluster_line.configuration
            and windows.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.kind = 'fence_done'
            and cluster_line.system_key = windows.surviving_key
            and cluster_line."at" > windows.membership_at
            and cluster_line."at" < windows.until_at

),

shown as (  -- by the steps that mean service: of those of the least number that the configuration shows

    select candidate.configuration, candidate.run, candidate.milestone, rule.ends_recovery, min(candidate."at") as shown_at

    from milestone_candidate as candidate

    inner join (
        select milestone, min(ends_recovery) as ends_recovery from study.milestone_rule where ends_recovery >= 0 group by milestone
    ) as rule using (milestone)

    group by candidate.configuration, candidate.run, candidate.milestone, rule.ends_recovery

    qualify rule.ends_recovery = min(rule.ends_recovery) over (partition by candidate.configuration)

),

signs as (

    select * from service_sign where "at" is not null

),

started as (  -- the first start after the loss; looked up by time, as each sign is after most losses

    select windows.configuration, windows.unit_run, windows.run, windows.surviving_key, signs."at" as start_at

    from windows

    asof inner join (from signs where sign = 'start') as signs
        on
            windows.configuration = signs.configuration
            and windows.unit_run is not distinct from signs.unit_run
            and windows.surviving_key = signs.node_key
            and windows.membership_at < signs."at"

),

idle as (  -- where no step means service, as the types of resources are not known: the manager has nothing left to do

    select started.configuration, started.run, signs."at" as recovered_at

    from started

    asof inner join (from signs where is_last_step) as signs
        on
            started.configuration = signs.configuration
            and started.unit_run is not distinct from signs.unit_run
            and started.surviving_key = signs.node_key
            and started.start_at < signs."at"

),

recovered as (

    select configuration, run, coalesce(steps.recovered_at, idle.recovered_at) as recovered_at

    from (select configuration, run, max(shown_at) as recovered_at from shown group by configuration, run) as steps

    full join idle using (configuration, run)

),

losses as (

    select * from declared
    union all
    select * from fenced
    union all
    select *

    from endings

    where
        how <> 'shut down'
        and not exists (
            select 1

            from endings as ordered

            where
                ordered.how = 'shut down'
                and ordered.configuration = endings.configuration
                and ordered.run = endings.run
                and ordered."at" between endings."at" - interval 10 minute and endings."at"
        )

),

last_signs as (  -- of a node that starts again: it may have been gone since the line before

    select losses.configuration, losses.run, losses.file_id, losses.line_no, max(own_lines."at") as lived_at

    from losses

    inner join own_lines using (configuration, run)

    where losses.how in ('panicked', 'restarted') and own_lines."at" < losses."at"

    group by losses.configuration, losses.run, losses.file_id, losses.line_no

)

select losses.*

from losses

left join recovered using (configuration, run)

left join last_signs
    on
        losses.configuration = last_signs.configuration
        and losses.run = last_signs.run
        and losses.file_id = last_signs.file_id
        and losses.line_no = last_signs.line_no

where
    recovered.recovered_at is null
    or case when losses.how in ('panicked', 'restarted') then coalesce(last_signs.lived_at, recovered.recovered_at) else losses."at" end
    <= recovered.recovered_at + interval 1 minute

qualify row_number() over (partition by losses.configuration, losses.run order by losses."at", losses.file_id, losses.line_no) = 1

order by losses.configuration, losses.run
