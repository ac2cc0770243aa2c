-- One row per lost node and event that it was lost in: losses that are one event have one number. Times in UTC.
-- One event are: nodes that declare each other lost (a partition of the network), nodes lost within a minute, of which the later had not
-- begun to take over, and a node lost as it was taking over, where a third one then starts the service. The next loss is another event.
-- materialised: read by several steps of the failover analysis
-- rows by: configuration
-- empty without rows of: lost_node
-- columns:
--   event_no: number of the event in the unit, by time
--   loss_at: first evidence of the loss of this node
--   observers: hosts that declared it lost, in small letters
--   is_partition: another node of the event and this one declared each other lost
--   is_target: it was taking over as it was lost, from another node of the event
--   file_id: file of the first evidence
with

losses as (  -- of leaders that change one after another each change is an event; a later one has one at most an hour before in its own hour or in the one before

    select *, time_bucket(interval 1 hour, loss_at) as hour from lost_node where not is_leader_change

),

earlier_hours as (

    select losses.*, unnest([hour, hour - interval 1 hour]) as earlier_hour from losses

),

starts as (

    select *, time_bucket(interval 1 hour, "at") as hour from service_sign where sign = 'start'

),

thirds as (  -- which nodes started the service within an hour of a loss, the lost one aside

    select
        lost.configuration,
        lost.unit_run,
        lost.lost_key,
        lost.loss_at,
        list(distinct starts.node_key) as started

    from (select *, unnest([hour, hour + interval 1 hour]) as start_hour from losses) as lost

    inner join starts
        on
            lost.configuration = starts.configuration
            and lost.unit_run is not distinct from starts.unit_run
            and lost.start_hour = starts.hour
            and lost.lost_key <> starts.node_key
            and starts."at" between lost.loss_at and lost.loss_at + interval 1 hour

    group by lost.configuration, lost.unit_run, lost.lost_key, lost.loss_at

),

pairs as (

    select
        later.configuration,
        later.unit_run,
        earlier.lost_key as earlier_key,
        earlier.loss_at as earlier_at,
        later.lost_key,
        later.loss_at,
        list_contains(later.observers, earlier.lost_key) as is_seen_by_lost,
        -- of a node that only its id is known of, nobody knows what it wrote itself
        (list_contains(later.observers, earlier.lost_key) or starts_with(earlier.lost_key, 'node '))
        and (list_contains(earlier.observers, later.lost_key) or starts_with(later.lost_key, 'node '))
        and (list_contains(later.observers, earlier.lost_key) or list_contains(earlier.observers, later.lost_key))
        and later.loss_at <= earlier.loss_at + interval 2 minute
        and not exists (  -- a node that starts finds the others gone
            select 1

            from cluster_line

            where
                cluster_line.configuration = later.configuration
                and cluster_line.unit_run is not distinct from later.unit_run
                and cluster_line.kind in ('boot', 'cluster_started')
                and cluster_line.node_key = earlier.lost_key
                and cluster_line."at" between earlier.loss_at and later.loss_at
        ) as is_mutual,
        (
            select min(service_sign."at")

            from service_sign

            where
                service_sign.configuration = later.configuration
                and service_sign.unit_run is not distinct from later.unit_run
                and service_sign.sign = 'start'
                and service_sign.node_key = later.lost_key
                and service_sign."at" between earlier.loss_at and later.loss_at
        ) as started_at,
        exists (
            select 1

            from service_sign

            where
                service_sign.configuration = later.configuration
                and service_sign.unit_run is not distinct from later.unit_run
                and service_sign.is_last_step
                and service_sign.node_key = later.lost_key
                and service_sign."at" between earlier.loss_at and later.loss_at
        ) as is_complete,
        coalesce(len(thirds.started) > list_contains(thirds.started, earlier.lost_key)::integer, false) as has_third

    from earlier_hours as later

    inner join losses as earlier
        on
            later.configuration = earlier.configuration
            and later.unit_run is not distinct from earlier.unit_run
            and later.earlier_hour = earlier.hour
            and later.lost_key <> earlier.lost_key
            and (later.loss_at, later.lost_key) > (earlier.loss_at, earlier.lost_key)
            and later.loss_at <= earlier.loss_at + interval 1 hour
            and later.is_planned = earlier.is_planned

    left join thirds
        on
            later.configuration = thirds.configuration
            and later.unit_run is not distinct from thirds.unit_run
            and later.lost_key = thirds.lost_key
            and later.loss_at = thirds.loss_at

),

joined as (

    select
        *,
        not is_seen_by_lost and started_at is not null and not is_complete and has_third as is_target

    from pairs

    where
        is_mutual
        or (not is_seen_by_lost and started_at is null and loss_at <= earlier_at + interval 1 minute)
        or (not is_seen_by_lost and started_at is not null and not is_complete and has_third)

),

marked as (

    select
        lost_node.*,
        exists (
            select 1

            from joined

            where
                joined.configuration = lost_node.configuration
                and joined.unit_run is not distinct from lost_node.unit_run
                and joined.is_mutual
                and (
                    (joined.lost_key = lost_node.lost_key and joined.loss_at = lost_node.loss_at)
                    or (joined.earlier_key = lost_node.lost_key and joined.earlier_at = lost_node.loss_at)
                )
        ) as is_partition,
        coalesce(later.is_target, false) as is_target,
        later.lost_key is null as begins

    from lost_node

    left join (
        select configuration, unit_run, lost_key, loss_at, bool_or(is_target) as is_target from joined group by all
    ) as later
        on
            lost_node.configuration = later.configuration
            and lost_node.unit_run is not distinct from later.unit_run
            and lost_node.lost_key = later.lost_key
            and lost_node.loss_at = later.loss_at

)

select
    configuration,
    unit_run,
    sum(begins::integer) over (
        partition by configuration, unit_run order by loss_at, lost_key rows unbounded preceding
    )::integer as event_no,
    lost_node,
    lost_key,
    lost_id,
    loss_at,
    observers,
    is_partition,
    is_target,
    is_planned,
    file_id,
    line_no

from marked

order by configuration, unit_run, loss_at, lost_key
