-- One row per node loss: nodes declared lost in one event, by several hosts and layers. Times in UTC.
-- Of a partition of the network the lost node is the one that lost the service; see `network_partition`. Of several nodes lost at once it is the one that had
-- the service; where no line says so, the first to be declared lost. A fault time from study.toml that no evidence is near makes a row of its
-- own, as do a primary of HADR that only its standby missed (`hadr_loss`), and a take-over of HADR without either. Not every loss is an
-- incident: see `incident`.
-- materialised: read by several steps of the failover analysis
-- rows by: configuration
-- empty without rows of: loss_event, cluster_line, study.run
-- columns:
--   loss_no: number of the loss in the unit, by time
--   loss_at: first evidence, of a partition the first by a node that is not lost
--   end_at: next loss or one hour later, whichever is first
--   lost_node: host name, or `node 0` where only the id is known; null if only study.toml knows of the loss
--   lost_key: the same in small letters; empty if unknown
--   lost_id: LLT or corosync id of the lost node, where known
--   lost_keys: all nodes lost in the event, in small letters; empty if unknown
--   manifest_fault_at: fault time from study.toml
--   is_planned: the node leaves in order, or somebody ordered a take-over without force
--   is_commanded: no line shows that a node was lost: somebody ordered a take-over of HADR
--   is_hadr: only the standby of HADR shows that its primary was lost
--   is_orderly: the node had left in order (LEAVING, EXITING, EXITED) before
--   event_no: number of the event in `loss_event`; null where none was seen
--   partition_outcome: outcome of `network_partition`; null if no nodes declared each other lost
--   winner_key: node that serves after a partition, in small letters
--   observers: hosts that declared the node lost, in small letters
--   is_target_lost: a node that was taking over was lost in the event too, and another one took over
--   file_id: file of the first evidence
with

events as (

    select
        loss_event.configuration,
        loss_event.unit_run,
        loss_event.event_no,
        min(loss_event.loss_at) as event_at,
        bool_or(loss_event.is_target) as is_target_lost,
        first(loss_event.is_planned order by loss_event.loss_at, loss_event.lost_key) as is_planned,
        any_value(network_partition.outcome) as partition_outcome,
        any_value(network_partition.winner_key) as winner_key,
        list(distinct loss_event.lost_key order by loss_event.lost_key) as event_keys,
        any_value(network_partition.lost) as against_winner

    from loss_event

    left join network_partition
        on
            loss_event.configuration = network_partition.configuration
            and loss_event.unit_run is not distinct from network_partition.unit_run
            and loss_event.event_no = network_partition.event_no

    group by loss_event.configuration, loss_event.unit_run, loss_event.event_no

),

losers as (

    select *, case when list_has_any(against_winner, event_keys) then against_winner else event_keys end as lost_keys from events

),

served as (  -- which of several lost nodes had the service

    select
        loss_event.configuration,
        loss_event.unit_run,
        loss_event.event_no,
        loss_event.lost_key,
        max(service_sign."at") as served_at

    from loss_event

    inner join losers
        on
            loss_event.configuration = losers.configuration
            and loss_event.unit_run is not distinct from losers.unit_run
            and loss_event.event_no = losers.event_no
            and len(losers.lost_keys) > 1

    inner join service_sign
        on
            loss_event.configuration = service_sign.configuration
            and loss_event.unit_run is not distinct from service_sign.unit_run
            and loss_event.lost_key = service_sign.node_key
            and service_sign.sign in ('start', 'up')
            and service_sign."at" < loss_event.loss_at

    where not loss_event.is_target

    group by loss_event.configuration, loss_event.unit_run, loss_event.event_no, loss_event.lost_key

),

declared as (  -- the node that stands for the event, with the first line of those that are left

    select
        losers.configuration,
        losers.unit_run,
        losers.event_no,
        coalesce(first_line."at", loss_event.loss_at) as loss_at,
        loss_event.lost_node,
        loss_event.lost_key,
        loss_event.lost_id,
        loss_event.observers,
        losers.lost_keys,
        losers.is_planned,
        losers.is_target_lost,
        losers.partition_outcome,
        losers.winner_key,
        coalesce(first_line.file_id, loss_event.file_id) as file_id,
        coalesce(first_line.line_no, loss_event.line_no) as line_no

    from losers

    inner join loss_event
        on
            losers.configuration = loss_event.configuration
            and losers.unit_run is not distinct from loss_event.unit_run
            and losers.event_no = loss_event.event_no
            and list_contains(losers.lost_keys, loss_event.lost_key)

    left join served
        on
            loss_event.configuration = served.configuration
            and loss_event.unit_run is not distinct from served.unit_run
            and loss_event.event_no = served.event_no
            and loss_event.lost_key = served.lost_key

    left join node_loss_evidence as first_line
        on
            losers.partition_outcome is not null
            and losers.configuration = first_line.configuration
            and losers.unit_run is not distinct from first_line.unit_run
            and loss_event.lost_key = first_line.lost_key
            and first_line.is_decisive
            and not list_contains(losers.lost_keys, first_line.node_key)
            and first_line."at" >= losers.event_at
            and first_line."at" < losers.event_at + interval 1 hour

    qualify row_number() over (
        partition by losers.configuration, losers.unit_run, losers.event_no
        order by
            case when losers.partition_outcome is not null then list_position(losers.lost_keys, loss_event.lost_key) end,
            loss_event.is_target,
            served.served_at desc nulls last,
            loss_event.loss_at,
            loss_event.lost_key,
            first_line."at",
            first_line.file_id,
            first_line.line_no,
            first_line.part
    ) = 1

),

seen as (

    select *, false as is_hadr from declared

    union all by name

    select
        configuration,
        unit_run,
        loss_at,
        lost_node,
        lost_key,
        case when lost_key <> '' then [lost_key] end as lost_keys,
        [observer_key] as observers,
        true as is_hadr,
        file_id,
        line_no

    from hadr_loss

    where not exists (
        select 1

        from declared

        where
            declared.configuration = hadr_loss.configuration
            and declared.unit_run is not distinct from hadr_loss.unit_run
            and declared.loss_at between hadr_loss.loss_at - interval 15 minute and coalesce(hadr_loss.command_at, hadr_loss.loss_at) + interval 1 second
    )

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
                and seen.loss_at <= cluster_line."at" + interval 1 second
                and seen.loss_at >= cluster_line."at" - case when seen.is_hadr then interval 1 hour else interval 15 minute end
        )
        and not exists (  -- what follows a fault that study.toml records belongs to it

            select 1

            from recorded

            where
                recorded.configuration = cluster_line.configuration
                and recorded.unit_run is not distinct from cluster_line.unit_run
                and recorded.fault_at between cluster_line."at" - interval 1 hour and cluster_line."at" + interval 1 second
        )

),

orders as (  -- several commands within a minute are one order, by force if any is

    select *, bool_or(state is not null) over (partition by configuration, unit_run, order_no) as is_by_force

    from (

        select
            *,
            count(*) filter (where is_first) over (
                partition by configuration, unit_run order by "at", file_id, line_no, part
            ) as order_no

        from commands
    ) as numbered

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

    select configuration, unit_run, "at" as loss_at, not is_by_force as is_planned, true as is_commanded, file_id, line_no

    from orders

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
    coalesce(losses.lost_keys, []) as lost_keys,
    losses.manifest_fault_at,
    coalesce(losses.is_planned, false) as is_planned,
    coalesce(losses.is_commanded, false) as is_commanded,
    coalesce(losses.is_hadr, false) as is_hadr,
    coalesce(
        (
            select max_by(upper(cluster_line.state), (cluster_line."at", cluster_line.file_id, cluster_line.line_no))

            from cluster_line

            where
                cluster_line.source = 'vcs'
                and cluster_line.kind = 'system_state'
                and cluster_line.configuration = losses.configuration
                and cluster_line.unit_run is not distinct from losses.unit_run
                and (cluster_line.system_key = losses.lost_key or cluster_line.node_id = losses.lost_id)
                and cluster_line."at" <= losses.loss_at
                and upper(cluster_line.state) <> 'FAULTED'
        ) in ('LEAVING', 'EXITING', 'EXITED'),
        false
    )
    or exists (  -- stopped by a command of VCS

        select 1

        from departure

        inner join source_file using (file_id)

        where
            losses.is_planned
            and source_file.format like 'vcs%'
            and departure.configuration = losses.configuration
            and departure.unit_run is not distinct from losses.unit_run
            and departure.node_key in (losses.lost_key, '*')
            and losses.loss_at between departure."at" - interval 5 second and departure.until_at
    ) as is_orderly,
    losses.event_no,
    losses.partition_outcome,
    losses.winner_key,
    coalesce(losses.observers, []) as observers,
    coalesce(losses.is_target_lost, false) as is_target_lost,
    losses.file_id,
    losses.line_no

from losses

window unit as (partition by losses.configuration, losses.unit_run order by losses.loss_at, losses.lost_key)

order by losses.configuration, losses.unit_run, loss_no
