-- One row per line by which other nodes missed a leader that nobody replaced. Times in UTC.
-- Of servers that elect a leader: nodes say that the one that led does not answer, and that one of them wanted to lead, or that they agree that it is
-- gone; for an hour none does, and the leader shows no sign for five minutes, though a log goes on for one. A race that nobody wins is a failed failover,
-- and no other line says so.
-- Losses that somebody ordered are not here, nor addresses that move between nodes; a coordinator (etcd, Consul, ZooKeeper) is only where nothing
-- else has a leader.
-- materialised: read by the evidence of losses, the signs of services and fault times
-- rows by: configuration
-- empty without rows of: ha_line
-- columns:
--   stack: whose leader it was
--   former: node that led
--   former_key: the same in small letters
--   loss_at: first line by which another node missed it
--   seen_at: last line before that says that it led; null where there is none
--   node: host that wrote the line
with

lines as (

    select *

    from ha_line

    where stack not in ('keepalived', 'vip_manager', 'haproxy', 'galera', 'pgbouncer')

),

ranked as (

    select
        *,
        case when stack in ('etcd', 'consul', 'zookeeper') then 2 else 1 end
        > min(case when stack in ('etcd', 'consul', 'zookeeper') then 2 else 1 end) over (partition by configuration, unit_run) as is_aside

    from lines

    where kind in ('leader', 'leader_alive', 'leader_ready', 'leader_suspect', 'leader_down', 'election', 'election_failed')

),

counted as (

    select * from ranked where not is_aside

),

sightings as (

    select configuration, unit_run, stack, coalesce(peer, node) as leader, coalesce(peer_key, node_key) as leader_key, "at"

    from counted

    where kind in ('leader', 'leader_alive', 'leader_ready') and coalesce(peer, node) is not null

    union all

    select configuration, unit_run, stack, peer, peer_key, "at" from lines where kind = 'following' and peer is not null

),

missed as (

    select configuration, unit_run, stack, peer, peer_key, node, node_key, "at", file_id, line_no, part, kind

    from counted

    where
        kind in ('leader_suspect', 'leader_down')
        and peer_key is distinct from node_key
        -- an observer of Oracle misses the primary, and names it before only
        and (peer_key is not null or stack = 'oracle')

),

held as (  -- of stacks that name any member so, the one that led

    select
        missed.* exclude (peer, peer_key),
        coalesce(missed.peer, sightings.leader) as peer,
        coalesce(missed.peer_key, sightings.leader_key) as peer_key,
        sightings.leader_key as holder_key,
        sightings."at" as seen_at

    from missed

    asof left join sightings
        on
            missed.configuration = sightings.configuration
            and coalesce(missed.unit_run, '') = coalesce(sightings.unit_run, '')
            and missed.stack = sightings.stack
            and missed."at" > sightings."at"

),

of_leaders as (

    select
        *,
        coalesce(
            "at" - lag("at") over (partition by configuration, unit_run, stack, peer_key order by "at", file_id, line_no, part)
            > interval 10 minute,
            true
        ) as is_first

    from held

    where
        holder_key = peer_key
        -- these name nothing but leaders
        or (holder_key is null and stack in ('redis', 'repmgr', 'stolon'))

),

chained as (

    select
        *,
        max("at") filter (where is_first) over (
            partition by configuration, unit_run, stack, peer_key order by "at", file_id, line_no, part rows unbounded preceding
        ) as loss_at

    from of_leaders

),

losses as (

    select configuration, unit_run, stack, peer_key, loss_at, max(seen_at) filter (where "at" = loss_at) as seen_at, bool_or(kind = 'leader_down') as is_agreed

    from chained

    group by configuration, unit_run, stack, peer_key, loss_at

),

unreplaced as (

    select losses.*

    from losses

    where
        (
            losses.is_agreed
            or exists (

                select 1

                from counted as race

                where
                    race.configuration = losses.configuration
                    and race.unit_run is not distinct from losses.unit_run
                    and race.stack = losses.stack
                    and race.kind in ('election', 'election_failed')
                    and race."at" between losses.loss_at - interval 5 second and losses.loss_at + interval 5 minute
            )
        )
        and not exists (

            select 1

            from lines as winner

            where
                winner.configuration = losses.configuration
                and winner.unit_run is not distinct from losses.unit_run
                and winner.kind in ('leader', 'db_promoted')
                and coalesce(winner.peer_key, winner.node_key) is distinct from losses.peer_key
                and winner."at" between losses.loss_at - interval 1 minute and losses.loss_at + interval 1 hour
        )
        and not exists (

            select 1

            from sightings as other

            where
                other.configuration = losses.configuration
                and other.unit_run is not distinct from losses.unit_run
                and other."at" between losses.loss_at + interval 5 second and losses.loss_at + interval 5 minute
        )
        and not exists (

            select 1

            from lines as stop

            where
                stop.configuration = losses.configuration
                and stop.unit_run is not distinct from losses.unit_run
                and (
                    stop.kind = 'leader_wanted'
                    or (
                        stop.kind in ('db_shutdown', 'shutdown_notice', 'program_stopped')
                        and coalesce(case when stop.kind = 'program_stopped' then stop.peer_key end, stop.node_key) = losses.peer_key
                        and coalesce(stop.action, '') <> 'immediate'
                    )
                )
                and stop."at" between losses.loss_at - interval 2 minute and losses.loss_at + interval 5 second
        )

),

named as (

    select
        unreplaced.*,
        chained.peer as former,
        chained.node,
        chained."at",
        chained.file_id,
        chained.line_no,
        chained.part

    from unreplaced

    inner join chained
        on
            unreplaced.configuration = chained.configuration
            and unreplaced.unit_run is not distinct from chained.unit_run
            and unreplaced.stack = chained.stack
            and unreplaced.peer_key = chained.peer_key
            and unreplaced.loss_at = chained.loss_at

    where chained."at" < unreplaced.loss_at + interval 1 minute

),

symptoms as (  -- who was connected to it missed it before

    select * from named

    union all by name

    select
        named.* exclude (node, "at", file_id, line_no, part),
        lines.node,
        lines."at",
        lines.file_id,
        lines.line_no,
        lines.part

    from (select distinct on (configuration, unit_run, stack, peer_key, loss_at) * from named order by all) as named

    inner join lines
        on
            named.configuration = lines.configuration
            and named.unit_run is not distinct from lines.unit_run
            and lines.kind = 'upstream_lost'
            and (lines.peer_key is null or lines.peer_key = named.peer_key)
            and lines.node_key is distinct from named.peer_key
            and lines."at" between named.loss_at - interval 2 minute and named.loss_at

    where not exists (  -- it found a leader again

        select 1

        from lines as again

        where
            again.configuration = lines.configuration
            and again.unit_run is not distinct from lines.unit_run
            and again.kind = 'following'
            and again.node_key = lines.node_key
            and again."at" between lines."at" and named.loss_at
    )

),

logged as (

    select symptoms.*, max(source_file.last_at) over loss as last_at

    from symptoms

    inner join source_file using (file_id)

    window loss as (partition by symptoms.configuration, symptoms.unit_run, symptoms.stack, symptoms.peer_key, symptoms.loss_at)

)

select
    configuration,
    unit_run,
    stack,
    former,
    peer_key as former_key,
    min("at") over (partition by configuration, unit_run, stack, peer_key, loss_at) as loss_at,
    seen_at,
    node,
    "at",
    file_id,
    line_no,
    part

from logged

where last_at >= loss_at + interval 1 minute

order by configuration, unit_run, "at", file_id, line_no, part
