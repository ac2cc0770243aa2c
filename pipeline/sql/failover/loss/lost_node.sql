-- One row per loss of one node: evidence of several hosts and layers about it, no more than 60 s apart. Times in UTC.
-- Links that flap between a loss and the node's return are no further loss. What belongs together is one event in `loss_event`.
-- materialised: read by several steps of the failover analysis
-- rows by: configuration
-- empty without rows of: node_loss_evidence
-- columns:
--   lost_id: LLT or corosync id, where known
--   loss_at: first evidence
--   last_at: last evidence
--   observers: hosts that wrote the evidence, in small letters
--   is_leader_change: the node led, and another one does so afterwards; no line declares it lost
--   file_id: file of the first evidence
with

decisive as (

    select * from node_loss_evidence where is_decisive

),

marked as (

    select
        *,
        coalesce(
            "at" - lag("at") over (
                partition by configuration, unit_run, lost_key order by "at", file_id, line_no, part
            ) > interval 60 second,
            true
        ) as is_first

    from decisive

),

numbered as (

    select
        *,
        sum(is_first::integer) over (
            partition by configuration, unit_run, lost_key order by "at", file_id, line_no, part
            rows unbounded preceding
        ) as cluster_no

    from marked

),

seen as (

    select
        configuration,
        unit_run,
        min(lost_node) as lost_node,
        lost_key,
        min(lost_id) as lost_id,
        min("at") as loss_at,
        max("at") as last_at,
        list_sort(list_distinct(list(node_key) filter (where node_key is not null))) as observers,
        first(is_planned order by "at", file_id, line_no, part) as is_planned,
        bool_and(layer = 'llt') as is_link_only,
        bool_and(is_leader_change) as is_leader_change,
        first(file_id order by "at", file_id, line_no, part) as file_id,
        first(line_no order by "at", file_id, line_no, part) as line_no

    from numbered

    group by configuration, unit_run, lost_key, cluster_no

)

select
    configuration,
    unit_run,
    lost_node,
    lost_key,
    lost_id,
    loss_at,
    last_at,
    observers,
    is_planned,
    is_leader_change,
    file_id,
    line_no

from seen

where
    not is_link_only
    or not exists (  -- a link that comes and goes, of a node that the cluster has without

        select 1

        from seen as earlier

        where
            earlier.configuration = seen.configuration
            and earlier.unit_run is not distinct from seen.unit_run
            and earlier.lost_key = seen.lost_key
            and not earlier.is_link_only
            and earlier.loss_at between seen.loss_at - interval 1 hour and seen.loss_at - interval 1 microsecond
            and not exists (
                select 1

                from cluster_line

                where
                    cluster_line.configuration = seen.configuration
                    and cluster_line.unit_run is not distinct from seen.unit_run
                    and cluster_line."at" between earlier.last_at and seen.loss_at
                    and (
                        (cluster_line.kind = 'membership' and list_contains(cluster_line.members, seen.lost_id))
                        or (cluster_line.kind = 'system_state' and cluster_line.system_key = seen.lost_key and upper(cluster_line.state) = 'RUNNING')
                    )
            )
    )

order by configuration, unit_run, loss_at, lost_key
