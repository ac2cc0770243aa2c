-- One row per incident: an unplanned node loss, whether a service moved or not, or one that study.toml records. Times in UTC.
-- A service moves when the cluster manager starts it on another node, or when a database there runs crash recovery. Without a move the node must
-- certainly be gone (`loss_aftermath`), and a run folder have no loss with one. A crash in jeopardy or of a daemon alone (DDNA), a node that
-- leaves in order and a planned switch are no incidents; a planned take-over is one only where nothing else happened in the unit.
-- materialised: read by several steps of the failover analysis
-- rows by: configuration
-- empty without rows of: node_loss
-- columns:
--   run: run the incident is: the folder, with #2, #3 for further incidents in it; else 1, 2, ... by time
--   run_no: number of the run
--   is_extra: a further incident in a run folder
--   loss_no: number of the node loss in the unit
--   loss_at: first evidence of the loss
--   search_start_at: earliest time at which a sign of this loss may stand: by the timers, after the peer's last life sign
--   membership_at: membership change without the lost node on the surviving node
--   end_at: next node loss or one hour after this one, exclusive
--   lost_node: node that was lost; null if unknown, or if it may be the one that took over: only its id is known
--   lost_key: the same in small letters; empty if unknown
--   lost_id: its LLT id
--   lost_keys: all nodes lost in the event, in small letters; their own lines are no evidence for what the others did
--   surviving_node: node on which the service came up; where that is doubtful the first on which it was started
--   surviving_key: the same in small letters
--   event_no: number of the event in `loss_event`; null where no log shows one
--   partition_outcome: where nodes declared each other lost: moved, split_brain, undecided (see `network_partition`); else null
--   is_target_lost: a node that was taking over was lost in the event too, and the surviving one took over from it
--   has_moved: a service started on another node
--   is_planned: the lost node had announced that it leaves, or somebody ordered the take-over
--   is_commanded: as in `node_loss`
--   is_hadr: as in `node_loss`
--   file_id: file of the first evidence
with

moves as (

    select
        node_loss.configuration,
        node_loss.unit_run,
        node_loss.loss_no,
        service_sign.node,
        bool_or(coalesce(service_sign.node_key = node_loss.winner_key, false)) as is_winner,
        min(service_sign.rank) as rank,
        count(*) as line_count

    from node_loss

    inner join service_sign
        on
            node_loss.configuration = service_sign.configuration
            and node_loss.unit_run is not distinct from service_sign.unit_run
            and service_sign.sign = 'start'
            and service_sign."at" >= node_loss.loss_at
            and service_sign."at" < node_loss.end_at

    where
        not coalesce(list_contains(node_loss.lost_keys, service_sign.writer_key), false)
        and not coalesce(list_contains(node_loss.lost_keys, service_sign.node_key), false)

    group by node_loss.configuration, node_loss.unit_run, node_loss.loss_no, service_sign.node

),

observers as (

    select
        node_loss.configuration,
        node_loss.unit_run,
        node_loss.loss_no,
        min(cluster_line.node) as node

    from node_loss

    inner join cluster_line
        on
            node_loss.configuration = cluster_line.configuration
            and node_loss.unit_run is not distinct from cluster_line.unit_run
            and node_loss.file_id = cluster_line.file_id
            and node_loss.line_no = cluster_line.line_no
            and not coalesce(list_contains(node_loss.lost_keys, cluster_line.node_key), false)

    group by node_loss.configuration, node_loss.unit_run, node_loss.loss_no

),

survivors as (

    select configuration, unit_run, loss_no, node

    from moves

    qualify row_number() over (
        partition by configuration, unit_run, loss_no order by not is_winner, node is null, rank, line_count desc, node
    ) = 1

),

possible as (

    select
        node_loss.*,
        -- where no message names the target, the node that saw the loss wrote about its own service
        coalesce(survivors.node, observers.node) as surviving_node,
        survivors.configuration is not null as has_moved

    from node_loss

    left join survivors
        on
            node_loss.configuration = survivors.configuration
            and node_loss.unit_run is not distinct from survivors.unit_run
            and node_loss.loss_no = survivors.loss_no

    left join observers
        on
            node_loss.configuration = observers.configuration
            and node_loss.unit_run is not distinct from observers.unit_run
            and node_loss.loss_no = observers.loss_no

    left join loss_aftermath
        on
            node_loss.configuration = loss_aftermath.configuration
            and node_loss.unit_run is not distinct from loss_aftermath.unit_run
            and node_loss.loss_no = loss_aftermath.loss_no

    left join run_unit
        on node_loss.configuration = run_unit.configuration and node_loss.unit_run is not distinct from run_unit.unit_run

    where
        node_loss.manifest_fault_at is not null
        or (
            survivors.configuration is not null
            and not node_loss.is_orderly
            and coalesce(node_loss.partition_outcome in ('moved', 'split_brain', 'undecided'), true)
        )
        -- runs that measure something do so while a node is lost too
        or (survivors.configuration is null and loss_aftermath.is_unmoved and not coalesce(run_unit.has_performance_data, false))

),

kept as (  -- what counts of several losses in one unit

    select *

    from possible

    window unit as (partition by configuration, unit_run)

    qualify
        manifest_fault_at is not null
        or is_commanded
        or (
            (not is_planned or bool_and(is_planned) over unit)
            and (has_moved or unit_run is null or not bool_or(has_moved and not is_planned) over unit)
        )

),

memberships as (

    select
        kept.configuration,
        kept.unit_run,
        kept.loss_no,
        first(
            evidence."at"
            order by
                evidence.node_key is distinct from lower(kept.surviving_node),
                case evidence.layer when 'gab' then 1 when 'had' then 2 else 3 end,
                evidence.port,
                evidence."at"
        ) as membership_at

    from kept

    inner join node_loss_evidence as evidence
        on
            kept.configuration = evidence.configuration
            and kept.unit_run is not distinct from evidence.unit_run
            and kept.lost_key = evidence.lost_key
            and evidence."at" >= kept.loss_at
            and evidence."at" < kept.end_at

    where evidence.is_decisive

    group by kept.configuration, kept.unit_run, kept.loss_no

),

timed as (

    select
        kept.*,
        coalesce(memberships.membership_at, kept.loss_at) as membership_at,
        least(kept.loss_at, kept.manifest_fault_at)
        - to_seconds(30 + greatest(
            cluster_timer.peerinact_s + cluster_timer.stable_s,
            cluster_timer.deadtime_s + cluster_timer.keepalive_s,
            cluster_timer.token_s + cluster_timer.consensus_s,
            case when kept.is_hadr then cluster_timer.hadr_timeout_s end
        )) as earliest_at

    from kept

    left join memberships
        on
            kept.configuration = memberships.configuration
            and kept.unit_run is not distinct from memberships.unit_run
            and kept.loss_no = memberships.loss_no

    inner join cluster_timer
        on
            kept.configuration = cluster_timer.configuration
            and kept.unit_run is not distinct from cluster_timer.unit_run

),

life_signs as (

    select
        timed.configuration,
        timed.unit_run,
        timed.loss_no,
        max(cluster_line."at") as last_active_at

    from timed

    inner join cluster_line
        on
            timed.configuration = cluster_line.configuration
            and timed.unit_run is not distinct from cluster_line.unit_run
            and cluster_line.source = 'llt'
            and cluster_line.kind = 'active'
            and (timed.lost_id is null or cluster_line.node_id = timed.lost_id)
            and cluster_line.node_key is distinct from timed.lost_key
            and cluster_line."at" between timed.earliest_at and timed.membership_at

    group by timed.configuration, timed.unit_run, timed.loss_no

),

ordered as (

    select
        timed.*,
        starts_with(timed.lost_key, 'node ')
        and not coalesce(list_contains(timed.observers, lower(timed.surviving_node)), false) as is_doubtful,
        greatest(timed.earliest_at, life_signs.last_active_at) as search_start_at,
        -- a recorded fault time says which of several incidents in a folder is the run
        row_number() over (
            partition by timed.configuration, timed.unit_run
            order by
                case when timed.unit_run is not null then timed.manifest_fault_at is null end,
                timed.loss_no
        ) as incident_no

    from timed

    left join life_signs
        on
            timed.configuration = life_signs.configuration
            and timed.unit_run is not distinct from life_signs.unit_run
            and timed.loss_no = life_signs.loss_no

)

select
    configuration,
    unit_run,
    case
        when unit_run is null then incident_no::varchar
        when incident_no = 1 then unit_run
        else unit_run || '#' || incident_no
    end as run,
    case
        when unit_run is null then incident_no
        else try_cast(regexp_extract(unit_run, '^\D*(\d{1,9})\D*$', 1) as integer)
    end::integer as run_no,
    unit_run is not null and incident_no > 1 as is_extra,
    loss_no,
    loss_at,
    search_start_at,
    membership_at,
    end_at,
    -- only an id is known, and the node that took over did not say itself that it is another one
    case when is_doubtful then null else lost_node end as lost_node,
    lost_key,
    lost_id,
    lost_keys,
    surviving_node,
    lower(surviving_node) as surviving_key,
    event_no,
    partition_outcome,
    is_target_lost,
    manifest_fault_at,
    has_moved,
    is_planned,
    is_commanded,
    is_hadr,
    file_id,
    line_no

from ordered

order by configuration, unit_run, incident_no
