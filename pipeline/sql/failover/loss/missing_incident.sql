-- One row per run folder or undivided folder group without an incident: what the lines show instead, and why it counts as no failover.
-- Each sentence holds for the lines of the unit: `basis` names the condition that makes it true.
-- columns:
--   basis: measured_only (no failover test), partition_stayed, partition_both_down, partition_not_started, left_in_order, switched_in_order,
--     reversed (the node declared lost starts the service), observer_down (who saw the loss went down itself), given_up (who saw the loss
--     gave the service up), logs_end, not_moved, cluster_start,
--     start_without_loss, no_loss
--   reason: the sentence; null where the unit is no failover test
--   is_partition: nodes declared each other lost
--   is_double_loss: all nodes of the partition went down, or who saw the loss went down itself
--   loss_at: first evidence of the node loss, where there is one
with

without_incident as (

    select run_unit.*

    from run_unit

    left join incident
        on
            run_unit.configuration = incident.configuration
            and run_unit.unit_run is not distinct from incident.unit_run

    where incident.configuration is null

),

losses as (

    select *

    from loss_aftermath

    qualify row_number() over (
        partition by configuration, unit_run order by partition_outcome is null, is_orderly, loss_no
    ) = 1

),

seen as (

    select
        configuration,
        unit_run,
        bool_or(kind = 'initial_acquisition') as has_start,
        bool_or(kind in ('group_switch', 'user_command')) as has_switch,
        bool_or(kind in ('jeopardy', 'ddna')) as has_jeopardy

    from cluster_line

    group by configuration, unit_run

),

starts as (  -- by a cluster manager that had been running: one that starts takes its resources up without a loss

    select
        configuration,
        unit_run,
        first(node order by "at", file_id, line_no) as node,
        min("at") as "at",
        first(file_id order by "at", file_id, line_no) as file_id,
        first(line_no order by "at", file_id, line_no) as line_no

    from service_sign

    where
        sign = 'start'
        and is_managed
        and node is not null
        and not exists (
            select 1

            from cluster_line

            where
                cluster_line.configuration = service_sign.configuration
                and cluster_line.unit_run is not distinct from service_sign.unit_run
                and cluster_line.kind in ('boot', 'cluster_started')
                and (cluster_line.node_key = service_sign.node_key or cluster_line.node_key = service_sign.writer_key)
                and cluster_line."at" between service_sign."at" - interval 10 minute and service_sign."at"
        )

    group by configuration, unit_run

),

based as (

    select
        without_incident.configuration,
        without_incident.unit_run,
        case
            when
                without_incident.has_performance_data
                and without_incident.configuration not in (select configuration from incident)
                then 'measured_only'  -- measured runs of a configuration without any failover are no failover tests
            when losses.partition_outcome = 'both_down' then 'partition_both_down'
            when losses.partition_outcome = 'stayed' then 'partition_stayed'
            when losses.partition_outcome is not null then 'partition_not_started'
            when losses.is_orderly and losses.other_start_node is not null then 'switched_in_order'
            when losses.is_orderly then 'left_in_order'
            when losses.lost_started_at is not null then 'reversed'
            when losses.down_observer is not null then 'observer_down'
            when losses.giving_up_node is not null then 'given_up'
            when losses.is_end_of_logs and not seen.has_jeopardy then 'logs_end'
            when losses.configuration is not null then 'not_moved'
            when seen.has_start then 'cluster_start'
            when not (without_incident.has_failover_logs or not without_incident.has_performance_data) then 'measured_only'
            when starts.configuration is not null and not seen.has_switch then 'start_without_loss'
            else 'no_loss'
        end as basis,
        losses.loss_at,
        losses.lost_node,
        losses.observers,
        losses.doubt,
        losses.partition_outcome,
        losses.down_observer,
        losses.giving_up_node,
        losses.other_start_node,
        losses.has_lost_logs,
        coalesce(seen.has_jeopardy, false) as has_jeopardy,
        starts.node as start_node,
        starts."at" as started_at,
        coalesce(losses.file_id, case when not coalesce(seen.has_start or seen.has_switch, false) then starts.file_id end) as file_id,
        coalesce(losses.line_no, case when not coalesce(seen.has_start or seen.has_switch, false) then starts.line_no end) as line_no

    from without_incident

    left join losses
        on
            without_incident.configuration = losses.configuration
            and without_incident.unit_run is not distinct from losses.unit_run

    left join seen
        on
            without_incident.configuration = seen.configuration
            and without_incident.unit_run is not distinct from seen.unit_run

    left join starts
        on
            without_incident.configuration = starts.configuration
            and without_incident.unit_run is not distinct from starts.unit_run

)

select
    configuration,
    unit_run,
    basis,
    case basis
        when 'partition_both_down' then 'the nodes declared each other lost, and ' || doubt
        when 'partition_stayed' then 'the nodes declared each other lost, and ' || doubt
        when 'partition_not_started' then 'the nodes declared each other lost, and ' || doubt
        when 'switched_in_order' then format('`{}` left in order, and the service was started on `{}`; no failover', lost_node, other_start_node)
        when 'left_in_order' then 'node left in order; no failover'
        when 'reversed' then format(
            '`{}` was declared lost, yet it started the service itself; no line of it says when it lost the others', lost_node
        )
        when 'observer_down' then format(
            '`{}` declared `{}` lost and then started again itself; no other node has logs that show what became of the service',
            down_observer,
            lost_node
        )
        when 'given_up' then format(
            '`{}` declared `{}` lost and gave the service up; no line shows that another node started it', giving_up_node, lost_node
        )
        when 'logs_end' then 'the logs end with the node loss; no line shows what became of the service'
        when 'not_moved' then 'no service moved after the node loss'
            -- what the lost node did, if it was not dead, only its own logs could show
            || case when has_lost_logs or has_jeopardy then '' else format(', by the logs of `{}`', array_to_string(observers, '`, `')) end
        when 'cluster_start' then 'resources were acquired as the cluster started; no node loss found'
        when 'start_without_loss' then format(
            'no node loss found; a service was started on `{}` at {}', start_node, strftime(started_at, '%Y-%m-%d %H:%M:%S')
        )
        when 'no_loss' then 'no node loss found'
    end as reason,
    partition_outcome is not null as is_partition,
    basis in ('partition_both_down') as is_double_loss,
    loss_at,
    file_id,
    line_no

from based
