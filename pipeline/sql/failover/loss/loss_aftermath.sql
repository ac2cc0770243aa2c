-- One row per node loss: what the lines show of the service afterwards, where no service moved to another node. Times in UTC.
-- A node loss without a move is an incident if the node is certainly gone and nobody had ordered it: its detection and fencing have times.
-- materialised: read by several steps of the failover analysis
-- rows by: configuration
-- empty without rows of: node_loss
-- columns:
--   loss_no: number of the loss in the unit, by time
--   loss_at: first evidence of the loss
--   lost_node: node that was lost
--   is_planned: the node leaves in order, or somebody ordered a take-over
--   is_orderly: the node left in order
--   observers: hosts that declared the node lost, in small letters
--   partition_outcome: outcome of `network_partition`; null if no nodes declared each other lost
--   doubt: what is doubtful of a partition
--   other_start_node: another node that starts a service, from ten minutes before the loss on
--   lost_started_at: first start of a service by the lost node itself, before it restarted
--   down_observer: who declared the loss, where it went down itself and no other node has cluster messages
--   giving_up_node: who declared the loss, where it gave the service up
--   has_lost_logs: the lost node has logs that go on after the loss
--   is_end_of_logs: the logs end with the loss
--   is_fenced: the lost node was fenced
--   is_certain: more than links says that the node is gone, in no jeopardy
--   is_unmoved: the node is certainly gone, unplanned, and nothing contradicts that no service moved
with

losses as (


    select
        node_loss.configuration,
        node_loss.unit_run,
        node_loss.loss_at,
        node_loss.lost_node,
        node_loss.loss_no,
        node_loss.is_planned,
        node_loss.is_orderly or (node_loss.is_planned and not node_loss.is_commanded) as is_orderly,
        node_loss.observers,
        node_loss.partition_outcome,
        network_partition.doubt,
        coalesce(network_partition.file_id, node_loss.file_id) as file_id,
        coalesce(network_partition.line_no, node_loss.line_no) as line_no,
        (
            select min(service_sign.node)

            from service_sign

            where
                service_sign.configuration = node_loss.configuration
                and service_sign.unit_run is not distinct from node_loss.unit_run
                and service_sign.sign = 'start'
                and not coalesce(list_contains(node_loss.lost_keys, service_sign.node_key), false)
                and not coalesce(list_contains(node_loss.lost_keys, service_sign.writer_key), false)
                and service_sign."at" >= node_loss.loss_at - interval 10 minute
                and service_sign."at" < node_loss.end_at
        ) as other_start_node,
        (  -- before it started again itself
            select min(service_sign."at")

            from service_sign

            where
                service_sign.configuration = node_loss.configuration
                and service_sign.unit_run is not distinct from node_loss.unit_run
                and service_sign.sign = 'start'
                and service_sign.node_key = node_loss.lost_key
                and service_sign.writer_key = node_loss.lost_key
                and service_sign."at" >= node_loss.loss_at
                and service_sign."at" < node_loss.end_at
                and not exists (
                    select 1

                    from cluster_line

                    where
                        cluster_line.configuration = node_loss.configuration
                        and cluster_line.unit_run is not distinct from node_loss.unit_run
                        and cluster_line.node_key = node_loss.lost_key
                        and cluster_line.kind in ('boot', 'cluster_started')
                        and cluster_line."at" between node_loss.loss_at and service_sign."at"
                )
        ) as lost_started_at,
        (  -- who saw it started again within the hour, and no other node has cluster messages
            select min(cluster_line.node)

            from cluster_line

            where
                cluster_line.configuration = node_loss.configuration
                and cluster_line.unit_run is not distinct from node_loss.unit_run
                and cluster_line.kind in ('boot', 'cluster_started')
                and node_loss.observers = [cluster_line.node_key]
                and cluster_line."at" > node_loss.loss_at
                and cluster_line."at" < node_loss.loss_at + interval 1 hour
                and not exists (
                    select 1

                    from cluster_line as others

                    where
                        others.configuration = node_loss.configuration
                        and others.unit_run is not distinct from node_loss.unit_run
                        and others.node_key <> cluster_line.node_key
                        and others."at" >= node_loss.loss_at
                )
        ) as down_observer,
        (
            select min(service_sign.node)

            from service_sign

            where
                service_sign.configuration = node_loss.configuration
                and service_sign.unit_run is not distinct from node_loss.unit_run
                and service_sign.sign = 'stop'
                and list_contains(node_loss.observers, service_sign.node_key)
                and service_sign."at" >= node_loss.loss_at
                and service_sign."at" < least(node_loss.end_at, node_loss.loss_at + interval 10 minute)
        ) as giving_up_node,
        exists (
            select 1

            from source_file

            where
                source_file.configuration = node_loss.configuration
                and (source_file.run is null or source_file.run is not distinct from node_loss.unit_run)
                and source_file.last_at > node_loss.loss_at
                and lower(short_host(source_file.node)) = node_loss.lost_key
        ) as has_lost_logs,
        -- who saw it wrote nothing a minute later, and the lost node nothing after the loss
        coalesce(
            (
                select max(source_file.last_at) filter (where list_contains(node_loss.observers, lower(short_host(source_file.node))))
                < node_loss.loss_at + interval 1 minute
                and not bool_or(
                    coalesce(lower(short_host(source_file.node)) = node_loss.lost_key and source_file.last_at > node_loss.loss_at, false)
                )

                from source_file

                where
                    source_file.configuration = node_loss.configuration
                    and (source_file.run is null or source_file.run is not distinct from node_loss.unit_run)
            ),
            false
        ) as is_end_of_logs,
        exists (

            select 1

            from cluster_line

            where
                cluster_line.configuration = node_loss.configuration
                and cluster_line.unit_run is not distinct from node_loss.unit_run
                and cluster_line.kind = 'fence_done'
                and cluster_line.system_key = node_loss.lost_key
                and cluster_line."at" >= node_loss.loss_at - interval 1 minute
                and cluster_line."at" < node_loss.end_at
        ) as is_fenced,
        -- of HADR `hadr_loss` says it; links alone may be cut; in jeopardy, or where a daemon died alone, nobody knows whether the node is gone
        node_loss.is_hadr
        or exists (

            select 1

            from node_loss_evidence as evidence

            where
                evidence.configuration = node_loss.configuration
                and evidence.unit_run is not distinct from node_loss.unit_run
                and evidence.lost_key = node_loss.lost_key
                and evidence.layer <> 'llt'
                and evidence.is_decisive
                and evidence."at" >= node_loss.loss_at
                and evidence."at" < node_loss.end_at
        )
        and not exists (

            select 1

            from cluster_line

            where
                cluster_line.configuration = node_loss.configuration
                and cluster_line.unit_run is not distinct from node_loss.unit_run
                and cluster_line.kind in ('jeopardy', 'ddna')
                and cluster_line."at" between node_loss.loss_at - interval 1 hour and node_loss.loss_at + interval 1 minute
        ) as is_certain

    from node_loss

    left join network_partition
        on
            node_loss.configuration = network_partition.configuration
            and node_loss.unit_run is not distinct from network_partition.unit_run
            and node_loss.event_no = network_partition.event_no

)

select
    *,
    -- of a partition in which no service is seen to start, fencing alone says who is gone
    (partition_outcome is null or (partition_outcome = 'not_started' and is_fenced))
    and lost_node is not null
    and is_certain
    and not is_orderly
    and not is_planned
    and lost_started_at is null
    and down_observer is null
    and giving_up_node is null
    and (is_fenced or not is_end_of_logs) as is_unmoved

from losses

order by configuration, unit_run, loss_no
