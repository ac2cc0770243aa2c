-- One row per node loss: evidence of several hosts and layers about one node, no more than 60 s apart. Times in UTC.
-- A fault time from study.toml that no evidence is near makes a row of its own, as does a take-over of HADR that somebody ordered. Not every loss is an incident: see `incident`.
-- materialised: read by several steps of the failover analysis
-- empty without rows of: node_loss_evidence, cluster_line, study.run
-- columns:
--   configuration: folder group
--   unit_run: run folder; null where the group has none
--   loss_no: number of the loss in the unit, by time
--   loss_at: first evidence
--   end_at: next loss or one hour later, whichever is first
--   lost_node: host name, or `node 0` where only the id is known; null if only study.toml knows of the loss
--   lost_key: the same in small letters; empty if unknown
--   lost_id: LLT or corosync id of the lost node, where known
--   manifest_fault_at: fault time from study.toml
--   is_planned: the node announced to its peer that it leaves, or somebody ordered a take-over without force
--   is_commanded: no node was lost: somebody ordered a take-over of HADR
--   is_orderly: the node had left in order (LEAVING, EXITING, EXITED) before
--   file_id: file of the first evidence
--   line_no: line of the first evidence
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
        min("at") as loss_at,
        min(lost_node) as lost_node,
        lost_key,
        min(lost_id) as lost_id,
        first(is_planned order by "at", file_id, line_no, part) as is_planned,
        first(file_id order by "at", file_id, line_no, part) as file_id,
        first(line_no order by "at", file_id, line_no, part) as line_no

    from numbered

    group by configuration, unit_run, lost_key, cluster_no

),

recorded as (

    select
        run_unit.configuration,
        run_unit.unit_run,
        recorded_run.fault_at

    from study.run as recorded_run

    inner join run_unit
        on
            recorded_run.configuration = run_unit.configuration
            and (
                run_unit.unit_run is null
                or same_run(recorded_run.run, run_unit.unit_run)
            )

    where recorded_run.fault_at is not null

),

matched as (  -- a recorded time belongs to the first loss seen after it

    select
        recorded.*,
        seen.loss_at,
        seen.lost_key

    from recorded

    left join seen
        on
            recorded.configuration = seen.configuration
            and recorded.unit_run is not distinct from seen.unit_run
            and seen.loss_at between recorded.fault_at - interval 5 second and recorded.fault_at + interval 15 minute

    qualify row_number() over (
        partition by recorded.configuration, recorded.unit_run, recorded.fault_at order by seen.loss_at, seen.lost_key
    ) = 1

),

commands as (  -- a take-over of HADR that somebody ordered, with no node lost before it

    select
        cluster_line.*,
        coalesce(
            cluster_line."at" - lag(cluster_line."at") over (
                partition by cluster_line.configuration, cluster_line.unit_run
                order by cluster_line."at", cluster_line.file_id, cluster_line.line_no, cluster_line.part
            ) > interval 60 second,
            true
        ) as is_first

    from cluster_line

    where
        cluster_line.kind = 'hadr_takeover_command'
        and not exists (
            select 1

            from seen

            where
                seen.configuration = cluster_line.configuration
                and seen.unit_run is not distinct from cluster_line.unit_run
                and seen.loss_at between cluster_line."at" - interval 15 minute and cluster_line."at" + interval 1 second
        )

),

losses as (

    select seen.*, matched.fault_at as manifest_fault_at

    from seen

    left join matched
        on
            seen.configuration = matched.configuration
            and seen.unit_run is not distinct from matched.unit_run
            and seen.loss_at = matched.loss_at
            and seen.lost_key = matched.lost_key

    -- of two recorded times before one loss the nearer is its own
    qualify row_number() over (
        partition by seen.configuration, seen.unit_run, seen.lost_key, seen.loss_at order by matched.fault_at desc
    ) = 1

    union all by name

    select configuration, unit_run, fault_at as loss_at, fault_at as manifest_fault_at

    from matched

    where loss_at is null

    union all by name

    select configuration, unit_run, "at" as loss_at, state is null as is_planned, true as is_commanded, file_id, line_no

    from commands

    where is_first

)

select
    losses.configuration,
    losses.unit_run,
    row_number() over unit::integer as loss_no,
    losses.loss_at,
    least(losses.loss_at + interval 1 hour, lead(losses.loss_at) over unit) as end_at,
    losses.lost_node,
    coalesce(losses.lost_key, '') as lost_key,
    losses.lost_id,
    losses.manifest_fault_at,
    coalesce(losses.is_planned, false) as is_planned,
    coalesce(losses.is_commanded, false) as is_commanded,
    exists (
        select 1

        from cluster_line

        where
            cluster_line.source = 'vcs'
            and cluster_line.kind = 'system_state'
            and upper(cluster_line.state) in ('LEAVING', 'EXITING', 'EXITED')
            and cluster_line.configuration = losses.configuration
            and cluster_line.unit_run is not distinct from losses.unit_run
            and (cluster_line.system_key = losses.lost_key or cluster_line.node_id = losses.lost_id)
            and cluster_line."at" between losses.loss_at - interval 10 minute and losses.loss_at
    ) as is_orderly,
    losses.file_id,
    losses.line_no

from losses

window unit as (partition by losses.configuration, losses.unit_run order by losses.loss_at, losses.lost_key)

order by losses.configuration, losses.unit_run, loss_no
