-- One row per run with a fault, or set aside because of what followed one: what became of it, and the line that says so.
-- Recovered is a run that shows every step that means service (`recovery_step`), with no hand in it and no further failure until 5 minutes
-- later. Of a run that does not, the earliest line that says why decides; without one it is the end of its logs. Runs of mere measurements,
-- and those of logs without any loss, have no row. Whether the recovery of a run counts is `is_counted`: not in planned take-overs, not in
-- runs that study.toml excludes, not in further incidents of a folder, not where the lost node had no service to move.
-- materialised: read by every statistic
-- rows by: configuration
-- empty without rows of: incident, run_progress, node_loss, cluster_line
-- columns:
--   outcome: recovered, recovered_by_hand, failed, aborted, log_ended, planned, unknown
--   reason: why, in words; seconds are those after the fault
--   censored_at: what comes after this instant is no automatic recovery, UTC; null for recovered and planned runs
--   censored_s: the same in seconds after the fault
--   recovered_at: when the last step that means service was done, whoever did it; null where it was not
--   last_step: last step that is shown
--   missing_step: step that means service and is not shown
--   is_counted: counts in `recovery`
with

lines as (

    select * from outcome_line

),

backs as (  -- what a person brings back may come after the window in which steps are looked for

    select run_progress.*, coalesce(run_progress.recovered_at, late.back_at) as back_at

    from run_progress

    left join (
        select configuration, run, max("at") as back_at from lines where says = 'back' group by configuration, run
    ) as late
        on run_progress.configuration = late.configuration and run_progress.run = late.run

),

moments as (

    select
        progress.configuration,
        progress.run,
        min_by(lines, (lines."at", lines.file_id, lines.line_no)) filter (
            where lines.says = 'by_hand' and lines."at" <= progress.back_at
        ) as by_hand,
        min_by(lines, (lines."at", lines.file_id, lines.line_no)) filter (
            where lines.says = 'left' or (lines.says in ('stop', 'fault', 'start', 'lost') and progress.recovered_at is null)
        ) as failure,
        min_by(lines, (lines."at", lines.file_id, lines.line_no)) filter (
            where lines.says in ('stop', 'start', 'lost') and lines."at" <= progress.recovered_at
        ) as stopped,
        -- the database needs a recovery before its first step of service: that one is no further failure
        min_by(lines, (lines."at", lines.file_id, lines.line_no)) filter (
            where
            lines.says in ('down', 'fault')
            and lines."at" > progress.first_service_at
            and lines."at" >= progress.first_service_by
            and lines."at" <= progress.recovered_at + interval 5 minute
        ) as down,
        min_by(lines, (lines."at", lines.file_id, lines.line_no)) filter (
            where
            lines.says in ('start', 'lost')
            and lines."at" > progress.recovered_at
            and lines."at" <= progress.recovered_at + interval 5 minute
        ) as lost,
        min(lines."at") filter (where lines.says in ('stop', 'by_hand') and lines."at" > progress.recovered_at) as touched_at

    from backs as progress

    left join lines using (configuration, run)

    group by progress.configuration, progress.run

),

next_incidents as (  -- the surviving node was lost, and another one took over: a failover of its own

    select here.configuration, here.run

    from incident as here

    inner join incident as there
        on
            here.configuration = there.configuration
            and here.unit_run is not distinct from there.unit_run
            and here.surviving_key = there.lost_key
            and here.end_at = there.loss_at

),

unserved as (  -- clients that asked on in vain after the last step

    select
        client_outage.configuration,
        client_outage.run,
        max(client_outage.last_failure_at) as last_failure_at,
        first(client_outage.file_id order by client_outage.last_failure_at desc, client_outage.file_id, client_outage.line_no) as file_id,
        first(client_outage.line_no order by client_outage.last_failure_at desc, client_outage.file_id, client_outage.line_no) as line_no

    from client_outage

    group by client_outage.configuration, client_outage.run

    having count(*) filter (where client_outage.first_success_at is not null or client_outage.failed = 0) = 0

),

losses as (  -- what ran on a node ended with it, unless the nodes only lost sight of each other

    select
        configuration,
        unit_run,
        unnest(lost_keys) as node_key,
        'lost' as sign,
        loss_at as "at",
        file_id,
        line_no

    from incident

    where partition_outcome is null

),

signs as (

    select
        *,
        count(*) filter (where sign = 'lost') over earlier as life_no,
        coalesce(sign in ('start', 'up') and lag(sign) over earlier in ('start', 'up'), false) as is_kept

    from (
        select configuration, unit_run, node_key, sign, "at", file_id, line_no

        from service_sign

        where sign in ('start', 'up', 'stop') and node_key is not null

        union all by name

        select * from losses
    ) as changes

    window earlier as (partition by configuration, unit_run, node_key order by "at", sign = 'lost' desc, file_id, line_no)

),

states as (  -- of each sign, and where a node was lost of each node of its unit; one that no stop follows holds until the node is lost

    select
        * exclude (life_no, is_kept),
        case sign
            when 'lost' then false
            when 'stop' then bool_or(is_kept) over (
                partition by configuration, unit_run, node_key, life_no order by "at", file_id, line_no rows unbounded preceding
            )
            else true
        end as has_service,
        null as run,
        null as lost_key

    from signs

    union all by name

    select incident.configuration, incident.unit_run, nodes.node_key, incident.loss_at as "at", incident.run, incident.lost_key

    from incident

    inner join (select distinct configuration, unit_run, node_key from signs) as nodes
        on incident.configuration = nodes.configuration and incident.unit_run is not distinct from nodes.unit_run

    where not incident.has_moved

),

services as (  -- which nodes had a service as a node was lost, of losses after which none moved

    select
        configuration,
        run,
        bool_or(node_key = lost_key) as is_of_lost,
        bool_or(node_key <> lost_key) as is_elsewhere

    from (

        select configuration, run, node_key, lost_key

        from (

            select
                *,
                last_value(has_service ignore nulls) over (
                    partition by configuration, unit_run, node_key
                    order by "at", run is null, sign = 'lost' desc, file_id, line_no
                    rows unbounded preceding
                ) as had_service

            from states

        ) as placed

        where run is not null and had_service

        union all

        select configuration, run, lost_key, lost_key from incident where is_hadr and not has_moved  -- a primary has it

        union all

        -- the cluster says of the lost node that its service ended with it
        select incident.configuration, incident.run, incident.lost_key, incident.lost_key

        from incident

        inner join service_sign
            on
                incident.configuration = service_sign.configuration
                and incident.unit_run is not distinct from service_sign.unit_run
                and incident.lost_key = service_sign.node_key
                and incident.lost_key is distinct from service_sign.writer_key
                and service_sign.sign = 'stop'
                and service_sign."at" between incident.loss_at and incident.membership_at + interval 1 minute

        where not incident.has_moved
    ) as placed

    group by configuration, run

),

moved as (

    select distinct configuration from incident where has_moved and not is_planned

),

ends as (  -- of logs of runs in which no node took over

    select incident.configuration, incident.run, max(least(source_file.last_at, incident.end_at)) as logs_end_at

    from incident

    inner join source_file
        on
            incident.configuration = source_file.configuration
            and (source_file.run is null or source_file.run is not distinct from incident.unit_run)
            and source_file.status = 'parsed'

    where incident.surviving_node is null

    group by incident.configuration, incident.run

),

facts as (

    select
        progress.* exclude (recovered_at, back_at),
        progress.recovered_at,
        progress.back_at,
        incident.is_planned,
        incident.is_extra,
        not incident.has_moved and incident.manifest_fault_at is null as is_unmoved,
        is_unmoved
        and not coalesce(services.is_of_lost, false)
        and (coalesce(services.is_elsewhere, false) or moved.configuration is null) as is_idle,
        is_unmoved and services.run is null as is_unplaced,
        incident.surviving_node,
        incident.loss_at + interval 1 hour as searched_until_at,
        incident.file_id as loss_file_id,
        incident.line_no as loss_line_no,
        moments.by_hand,
        moments.failure,
        moments.stopped,
        case when moments.touched_at is null or moments.touched_at > moments.down."at" then moments.down end as down,
        case
            when next_incidents.run is null and (moments.touched_at is null or moments.touched_at > moments.lost."at")
                then moments.lost
        end as lost,
        case when unserved.last_failure_at > progress.recovered_at + interval 30 second then unserved end as unserved,
        coalesce(
            progress.deciding_end_at > greatest(progress.progress_at, progress.last_step_at) + interval 1 second
            and progress.deciding_end_at - progress.fault_at
            >= to_microseconds((1000000 * coalesce(1.5 * progress.needed_s, 600))::bigint),
            false
        ) as goes_on,
        coalesce(
            progress.is_begun
            and progress.end_at - progress.fault_at
            >= to_microseconds((1000000 * coalesce(2 * progress.needed_s, 600))::bigint),
            false
        ) as hangs,
        coalesce(
            ends.logs_end_at - moments.failure."at" >= to_microseconds((1000000 * coalesce(1.5 * progress.needed_s, 600))::bigint), false
        ) as goes_on_faulted

    from backs as progress

    inner join incident using (configuration, run)

    inner join moments using (configuration, run)

    left join services using (configuration, run)

    left join moved using (configuration)

    left join ends using (configuration, run)

    left join next_incidents using (configuration, run)

    left join unserved using (configuration, run)

),

decided as (

    select
        *,
        case
            when is_planned then 'planned'
            when fault_at is null then 'untimed'
            when is_unmoved and recovered_at is null then 'unmoved'
            when failure.says = 'left' then 'fault'
            when recovered_at is null then
                case
                    when by_hand is not null and failure is not null and failure.says <> 'stop' and failure."at" < by_hand."at"
                        then 'by_hand'
                    when failure is not null and failure.says = 'stop' then 'stop'
                    when failure.says = 'fault' and surviving_node is null then case when goes_on_faulted then 'stuck' else 'silent' end
                    when failure is not null then failure.says
                    when is_hidden then 'hidden'
                    when goes_on or hangs then 'never'
                    when progress_at is null then 'silent'
                    else 'ended'
                end
            when stopped is not null and (by_hand is null or stopped."at" < by_hand."at")
                then case when stopped.says = 'stop' then 'stop' else 'restarted' end
            when by_hand is not null then 'by_hand'
            when down is not null then 'down'
            when lost is not null then 'lost_after'
            when unserved is not null then 'unserved'
            else 'recovered'
        end as verdict

    from facts

),

worded as (

    select
        decided.*,
        case verdict
            when 'planned' then 'planned'
            when 'recovered' then 'recovered'
            when 'by_hand' then 'recovered_by_hand'
            when 'stop' then 'aborted'
            when 'ended' then 'log_ended'
            when 'hidden' then 'unknown'
            when 'silent' then 'unknown'
            when 'untimed' then 'unknown'
            when 'unmoved' then case when is_idle or is_unplaced then 'unknown' else 'failed' end
            else 'failed'
        end as outcome,
        case
            when verdict = 'by_hand' then by_hand
            when verdict in ('stop', 'restarted') then coalesce(failure, stopped)
            when verdict in ('fault', 'stuck', 'start', 'lost') then failure
            when verdict = 'down' then down
            when verdict = 'lost_after' then lost
        end as line

    from decided

),

timed as (

    select
        *,
        case
            when verdict in ('planned', 'recovered') then null
            when line is not null then line."at"
            when verdict = 'unserved' then recovered_at
            when verdict in ('never', 'hidden', 'unmoved') then coalesce(greatest(deciding_end_at, end_at), last_step_at)
            else coalesce(greatest(progress_at, last_step_at), deciding_end_at, end_at)
        end as censored_at

    from worded

),

found as (

    select
        configuration,
        run,
        outcome,
        case verdict
            when 'planned' then 'somebody ordered the take-over'
            when 'unmoved' then
                case
                    when is_idle and progress_at is null
                        then 'no log of the surviving node''s cluster manager or database is there to show whether a service moved'
                    when is_idle or is_unplaced then 'no service moved, and no line shows that the lost node had one'
                    else 'no service started on another node after the loss'
                end
            when 'recovered' then format('every step that means service was done, the last `{}`', service_step)
            when 'by_hand' then format('a person stepped in after {} s: {}', printed_s, line.text)
            when 'stop' then format('the cluster or the node was stopped after {} s: {}', printed_s, line.text)
            when 'fault' then format('a step failed on {} after {} s: {}', surviving_node, printed_s, line.text)
            when 'stuck' then format('a resource faulted after {} s, and no service started anywhere: {}', printed_s, line.text)
            when 'start' then format('the node that took over, {}, went down too: it restarted after {} s', surviving_node, printed_s)
            when 'restarted' then format('the node that took over, {}, went down too before the service was back: after {} s, {}', surviving_node, printed_s, line.text)
            when 'lost' then format('the node that took over, {}, was lost too, after {} s', surviving_node, printed_s)
            when 'lost_after' then format('the node that took over, {}, was lost too, after {} s, just after the service was back', surviving_node, printed_s)
            when 'down' then
                format('the service went down again after {} s, after its first recovery: {}', printed_s, line.text)
            when 'unserved' then 'the cluster''s last step was done, but clients asked in vain to the end of their log'
            when 'never' then
                format(
                    case
                        when greatest(deciding_end_at, end_at) >= searched_until_at
                            then '{} did not come within the hour after the loss in which steps are looked for'
                        else '{} never came, though the logs go on until {:.0f} s'
                    end,
                    coalesce('`' || missing_step || '`', 'a step that means service'),
                    (epoch_us(greatest(deciding_end_at, end_at)) - epoch_us(fault_at)) / 1000000
                )
            when 'hidden' then
                format('no log of the run can show `{}`, and `{}` alone does not say that the service was back', missing_step, last_step)
            when 'untimed' then 'no line shows when the fault happened, so that no step can be counted from it (say it in study.toml: `fault_at` of `[[run]]`)'
            when 'silent' then
                case
                    when surviving_node is null then 'no line shows that a service started after the fault, nor on which node'
                    else 'no log of the surviving node''s cluster manager or database is there'
                end
            when 'ended' then
                format(
                    'the logs of {} say nothing of the failover after {} s{}',
                    surviving_node,
                    printed_s,
                    coalesce(format(' (last step `{}`), before `{}`', last_step, missing_step), '')
                )
        end as reason,
        censored_at,
        censored_s,
        case when verdict = 'by_hand' then back_at else recovered_at end as recovered_at,
        last_step,
        missing_step,
        is_extra,
        is_idle,
        case
            when verdict in ('planned', 'untimed', 'unmoved') then loss_file_id
            when line is not null then line.file_id
            when verdict = 'recovered' then service_file_id
            when verdict = 'unserved' then unserved.file_id
            when verdict in ('never', 'ended') then coalesce(progress_file_id, loss_file_id)
            else coalesce(step_file_id, loss_file_id)
        end as file_id,
        case
            when verdict in ('planned', 'untimed', 'unmoved') then loss_line_no
            when line is not null then line.line_no
            when verdict = 'recovered' then service_line_no
            when verdict = 'unserved' then unserved.line_no
            when verdict in ('never', 'ended') then coalesce(progress_line_no, loss_line_no)
            else coalesce(step_line_no, loss_line_no)
        end as line_no

    from (
        select
            *,
            (epoch_us(censored_at) - epoch_us(fault_at)) / 1000000 as censored_s,
            format('{:.1f}', (epoch_us(censored_at) - epoch_us(fault_at)) / 1000000) as printed_s

        from timed
    ) as printed

    union all by name

    -- a node was lost and nothing started anywhere else
    select
        run.configuration,
        run.run,
        case when node_loss.is_orderly or node_loss.is_planned then 'planned' else 'failed' end as outcome,
        case when node_loss.is_orderly or node_loss.is_planned then 'the node left in order' else 'no service started on another node after the loss' end as reason,
        case when not (node_loss.is_orderly or node_loss.is_planned) then node_loss.loss_at end as censored_at,
        false as is_extra,
        node_loss.file_id,
        node_loss.line_no

    from run

    inner join run_unit
        on run.configuration = run_unit.configuration and run.run = coalesce(run_unit.unit_run, '1')

    inner join node_loss
        on
            run.configuration = node_loss.configuration
            and run_unit.unit_run is not distinct from node_loss.unit_run
            and node_loss.loss_no = 1

    where
        contains(run.flags, 'no_incident')
        -- measured runs of a configuration without any failover are no failover tests
        and (not run.used or node_loss.is_orderly or node_loss.is_planned)

    union all by name

    -- an operator moved the service; no node was lost
    select
        run.configuration,
        run.run,
        'planned' as outcome,
        'an operator moved the service' as reason,
        false as is_extra,
        min_by(cluster_line.file_id, (cluster_line."at", cluster_line.file_id, cluster_line.line_no)) as file_id,
        min_by(cluster_line.line_no, (cluster_line."at", cluster_line.file_id, cluster_line.line_no)) as line_no

    from run

    inner join run_unit
        on run.configuration = run_unit.configuration and run.run = coalesce(run_unit.unit_run, '1')

    inner join cluster_line
        on
            run.configuration = cluster_line.configuration
            and run_unit.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.kind in ('group_switch', 'standby_wanted')

    left join node_loss
        on
            run.configuration = node_loss.configuration
            and run_unit.unit_run is not distinct from node_loss.unit_run

    where contains(run.flags, 'no_incident') and node_loss.configuration is null

    group by run.configuration, run.run

)

select
    found.configuration,
    found.run,
    found.outcome,
    found.reason,
    found.censored_at,
    found.censored_s,
    found.recovered_at,
    found.last_step,
    found.missing_step,
    found.outcome <> 'planned' and not found.is_extra and not coalesce(found.is_idle, false) and not contains(run.flags, 'excluded') as is_counted,
    found.file_id,
    found.line_no

from found

inner join run using (configuration, run)

order by found.configuration, run.run_no, found.run
