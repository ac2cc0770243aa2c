-- One row per log line that says a node is gone. Times in UTC.
-- A GAB membership counts when the one before it on that port and host had the node; the first membership of a log counts
-- against the nodes known otherwise, unless the cluster layer was just starting. Port h counts where port a is not logged.
-- Planned is what follows from an order or a good-bye of the node (`departure`), unless it was back, or was to be fenced, in between. Corosync's
-- members that left without a lost token, and said so, have left in order; what Pacemaker says of them follows from it. Where no line declares
-- a node lost, fencing after a lost token does; where nodes elect a leader, a change of it (`leader_change`), or that nobody replaced it (`unreplaced_leader`).
-- materialised: read by several steps of the failover analysis
-- rows by: configuration
-- empty without rows of: cluster_line, leader_change, unreplaced_leader
-- columns:
--   layer: llt, gab, had, heartbeat, pacemaker, corosync, or the stack whose leader it was
--   is_leader_change: the node led, and another one does so afterwards
--   is_decisive: counts as node loss; false for the other GAB ports
--   is_planned: the node leaves in order
--   lost_id: LLT or corosync id of the lost node, where known
--   lost_node: host name, or `node 0` where only the id is known
--   node_key: host that wrote the line
--   at: stamp as printed
with

memberships as (

    select
        *,
        lag(members) over (
            partition by configuration, unit_run, coalesce(node_key, file_id::varchar), port
            order by "at", file_id, line_no, part
        ) as previous_members

    from cluster_line

    where source = 'gab' and kind = 'membership' and members is not null

),

hosts_with_port_a as (

    select distinct configuration, unit_run, coalesce(node_key, file_id::varchar) as host_key

    from memberships

    where port = 'a'

),

boots as (

    select configuration, unit_run, coalesce(node_key, file_id::varchar) as host_key, "at"

    from cluster_line

    where kind = 'boot'

),

known_ids as (

    select distinct configuration, unnest(members) as node_id from memberships
    union
    select distinct configuration, node_id from cluster_line where source in ('vcs', 'llt') and node_id is not null

),

left_membership as (

    select * exclude (gone_id), gone_id as lost_id

    from (select *, unnest(previous_members) as gone_id from memberships where previous_members is not null)

    where not list_contains(members, gone_id)

),

missing_at_first as (

    select memberships.*, known_ids.node_id as lost_id

    from memberships

    inner join known_ids using (configuration)

    where
        memberships.previous_members is null
        and len(memberships.members) > 0
        and not list_contains(memberships.members, known_ids.node_id)
        and not exists (
            select 1

            from boots

            where
                boots.configuration = memberships.configuration
                and boots.unit_run is not distinct from memberships.unit_run
                and boots.host_key = coalesce(memberships.node_key, memberships.file_id::varchar)
                and boots."at" between memberships."at" - interval 10 minute and memberships."at"
        )

),

gab_losses as (

    select * from left_membership
    union all by name
    select * from missing_at_first

),

expiries as (

    select * from cluster_line where source = 'llt' and kind = 'expired' and node_id is not null

),

links as (

    select configuration, unit_run, coalesce(node_key, file_id::varchar) as host_key, node_id, count(distinct link) as link_count

    from cluster_line

    where source = 'llt' and node_id is not null

    group by configuration, unit_run, host_key, node_id

),

llt_losses as (  -- the expiry by which every link to the peer is gone

    select expiries.*, links.link_count

    from expiries

    inner join links
        on
            expiries.configuration = links.configuration
            and expiries.unit_run is not distinct from links.unit_run
            and coalesce(expiries.node_key, expiries.file_id::varchar) = links.host_key
            and expiries.node_id = links.node_id

    where (
        select count(distinct others.link)

        from expiries as others

        where
            others.configuration = expiries.configuration
            and others.unit_run is not distinct from expiries.unit_run
            and others.node_key is not distinct from expiries.node_key
            and others.node_id = expiries.node_id
            and others."at" between expiries."at" - interval 10 second and expiries."at"
    ) >= links.link_count

),

had_losses as (

    select *

    from cluster_line

    where
        source = 'vcs'
        and system_key is distinct from node_key
        and (
            (kind = 'system_state' and upper(previous_state) = 'RUNNING' and upper(state) = 'FAULTED')
            or (
                kind = 'down_state'
                and not exists (
                    select 1

                    from boots

                    where
                        boots.configuration = cluster_line.configuration
                        and boots.unit_run is not distinct from cluster_line.unit_run
                        and boots.host_key = coalesce(cluster_line.node_key, cluster_line.file_id::varchar)
                        and boots."at" between cluster_line."at" - interval 10 minute and cluster_line."at"
                )
            )
        )

),

farewells as (  -- a peer that says that it leaves

    select * from cluster_line where source = 'ha' and kind = 'shutdown_notice' and system_key <> node_key

),

fencings as (

    select configuration, unit_run, system_key as node_key, "at"

    from cluster_line

    where kind in ('fence_start', 'fence_done') and system_key is not null

),

returns as (

    select configuration, unit_run, system_key as node_key, "at"

    from cluster_line

    where kind in ('member_joined', 'status_up') and system_key is not null

    union all

    select configuration, unit_run, node_key, "at" from cluster_line where kind in ('cluster_started', 'boot')

    union all

    select back.configuration, back.unit_run, lower(cluster_node.node), back."at"

    from (

        select configuration, unit_run, "at", try_cast(unnest(string_split(state, ' ')) as bigint) as node_id

        from cluster_line

        where source = 'ha' and kind = 'membership' and state is not null

    ) as back

    inner join cluster_node
        on back.configuration = cluster_node.configuration and cluster_node.series = 'corosync' and back.node_id = cluster_node.node_id

),

ha_losses as (

    select cluster_line.*, cluster_line.kind = 'shutdown_notice' as is_planned

    from cluster_line

    where
        cluster_line.source = 'ha'
        and cluster_line.kind in ('peer_dead', 'member_lost', 'shutdown_notice')
        and cluster_line.system_key is distinct from cluster_line.node_key
        -- lost after it had been there: a node that starts alone finds its peer dead
        and coalesce(cluster_line.previous_state, 'member') = 'member'
        and not exists (
            select 1

            from cluster_line as boot

            where
                boot.source = 'ha'
                and boot.kind = 'cluster_started'
                and cluster_line.kind = 'peer_dead'
                and boot.file_id = cluster_line.file_id
                and boot.node_key is not distinct from cluster_line.node_key
                and boot."at" between cluster_line."at" - interval 10 minute and cluster_line."at"
                and not exists (
                    select 1

                    from cluster_line as alive

                    where
                        alive.source = 'ha'
                        and alive.kind in ('link_up', 'member_joined', 'status_up')
                        and alive.file_id = cluster_line.file_id
                        and alive.system_key = cluster_line.system_key
                        and alive."at" between boot."at" and cluster_line."at"
                )
        )
        -- the death of a peer that had said good-bye is no further loss
        and not exists (
            select 1

            from farewells

            where
                cluster_line.kind <> 'shutdown_notice'
                and farewells.configuration = cluster_line.configuration
                and farewells.unit_run is not distinct from cluster_line.unit_run
                and farewells.system_key = cluster_line.system_key
                and farewells."at" between cluster_line."at" - interval 10 minute and cluster_line."at"
                and not exists (

                    select 1

                    from fencings

                    where
                        fencings.configuration = cluster_line.configuration
                        and fencings.unit_run is not distinct from cluster_line.unit_run
                        and fencings.node_key = cluster_line.system_key
                        and fencings."at" between farewells."at" and cluster_line."at" + interval 2 second
                )
                and not exists (

                    select 1

                    from returns

                    where
                        returns.configuration = cluster_line.configuration
                        and returns.unit_run is not distinct from cluster_line.unit_run
                        and returns.node_key = cluster_line.system_key
                        and returns."at" > farewells."at"
                        and returns."at" < cluster_line."at"
                )
        )

),

ring_lines as (

    select
        *,
        coalesce(node_key, file_id::varchar) as host_key,
        lag("at") over (
            partition by configuration, unit_run, coalesce(node_key, file_id::varchar) order by "at", file_id, line_no, part
        ) as previous_at

    from cluster_line

    where source = 'ha' and kind = 'membership'

),

ring_losses as (  -- corosync shows ids only

    select
        *,
        not exists (  -- who loses the token says so; a node that another one asks to look for members does not

            select 1

            from cluster_line as token

            where
                token.configuration = ring_lines.configuration
                and token.unit_run is not distinct from ring_lines.unit_run
                and token.kind = 'token_lost'
                and token."at" between ring_lines."at" - interval 5 minute and ring_lines."at" + interval 1 second
                and (
                    coalesce(token.node_key, token.file_id::varchar) <> ring_lines.host_key
                    or ring_lines.previous_at is null
                    or token."at" >= ring_lines.previous_at
                )
                and (
                    coalesce(token.node_key, token.file_id::varchar) = ring_lines.host_key
                    or token."at" >= ring_lines."at" - interval 1 minute
                )
        )
        and not exists (

            select 1

            from cluster_line as missed

            where
                missed.configuration = ring_lines.configuration
                and missed.unit_run is not distinct from ring_lines.unit_run
                and missed.kind = 'leave_missed'
                and missed."at" between ring_lines."at" - interval 5 second and ring_lines."at" + interval 5 second
                and list_has_any(string_split(missed.previous_state, ' '), string_split(ring_lines.previous_state, ' '))
        ) as is_orderly,
        unnest(string_split(previous_state, ' ')) as left_id

    from ring_lines

    where regexp_matches(previous_state, '^\d+( \d+)*$')

),

declared as (

    select
        gab_losses.configuration,
        gab_losses.unit_run,
        'gab' as layer,
        gab_losses.port,
        gab_losses.port = 'a' or (gab_losses.port = 'h' and hosts_with_port_a.host_key is null) as is_decisive,
        false as is_planned,
        gab_losses.lost_id,
        null::varchar as system,
        gab_losses.node,
        gab_losses."at",
        gab_losses.file_id,
        gab_losses.line_no,
        gab_losses.part

    from gab_losses

    left join hosts_with_port_a
        on
            gab_losses.configuration = hosts_with_port_a.configuration
            and gab_losses.unit_run is not distinct from hosts_with_port_a.unit_run
            and coalesce(gab_losses.node_key, gab_losses.file_id::varchar) = hosts_with_port_a.host_key

    union all

    select configuration, unit_run, 'llt', null, true, false, node_id, null, node, "at", file_id, line_no, part from llt_losses

    union all

    select configuration, unit_run, 'had', null, true, false, node_id, system, node, "at", file_id, line_no, part from had_losses

    union all

    select configuration, unit_run, stack, null, true, is_planned, node_id, system, node, "at", file_id, line_no, part from ha_losses

    union all

    select configuration, unit_run, stack, null, true, is_orderly, try_cast(left_id as bigint), null, node, "at", file_id, line_no, part
    from ring_losses

),

fenced_alone as (  -- logs that begin late or were cut show no membership: who is fenced after a lost token was lost

    select *

    from cluster_line

    where
        kind = 'fence_done'
        and state is distinct from 'failed'
        and system_key <> node_key
        and exists (

            select 1

            from cluster_line as token

            where
                token.configuration = cluster_line.configuration
                and token.unit_run is not distinct from cluster_line.unit_run
                and token.kind = 'token_lost'
                and token."at" between cluster_line."at" - interval 5 minute and cluster_line."at"
        )
        and not exists (

            select 1

            from declared

            where
                declared.configuration = cluster_line.configuration
                and declared.unit_run is not distinct from cluster_line.unit_run
                and declared."at" between cluster_line."at" - interval 1 hour and cluster_line."at" + interval 1 hour
        )

),

leader_losses as (  -- nodes that elect a leader log no membership: what they say of the one that was lost, and who leads after it

    select
        leader_change.configuration,
        leader_change.unit_run,
        leader_change.stack,
        leader_change.is_planned,
        leader_change.former as system,
        ha_line.node,
        ha_line."at",
        ha_line.file_id,
        ha_line.line_no,
        ha_line.part

    from leader_change

    inner join ha_line
        on
            leader_change.configuration = ha_line.configuration
            and leader_change.unit_run is not distinct from ha_line.unit_run
            and ha_line."at" between leader_change.loss_at and leader_change."at"
            and (
                (
                    ha_line.kind in ('leader_suspect', 'leader_down', 'upstream_lost')
                    and (ha_line.peer_key is null or ha_line.peer_key = leader_change.former_key)
                    and ha_line.node_key is distinct from leader_change.former_key
                )
                or (
                    ha_line.file_id = leader_change.file_id
                    and ha_line.line_no = leader_change.line_no
                    and ha_line.part = leader_change.part
                )
            )

    where not exists (

        select 1

        from declared

        where
            declared.configuration = leader_change.configuration
            and declared.unit_run is not distinct from leader_change.unit_run
            and declared."at" between leader_change."at" - interval 1 hour and leader_change."at" + interval 1 hour
    )

),

evidence as (

    select * from declared

    union all

    select configuration, unit_run, stack, 'leader', true, is_planned, null, system, node, "at", file_id, line_no, part from leader_losses

    union all

    select configuration, unit_run, stack, null, true, false, null, former, node, "at", file_id, line_no, part from unreplaced_leader

    union all

    select configuration, unit_run, stack, null, true, false, node_id, system, node, "at", file_id, line_no, part from fenced_alone

),

systems as (

    select applicable_file.configuration, short_host(cluster_system.system) as system

    from log.cluster_system as cluster_system

    inner join applicable_file using (file_id)

    group by applicable_file.configuration, short_host(cluster_system.system)

),

pairs as (  -- in a cluster of two the lost node is the one that does not write

    select writer.configuration, writer.system as node, min(other.system) as other_node

    from systems as writer

    inner join systems as other
        on writer.configuration = other.configuration and lower(writer.system) <> lower(other.system)

    group by writer.configuration, writer.system

    having count(*) = 1

),

identified as (

    select
        evidence.configuration,
        evidence.unit_run,
        evidence.layer,
        evidence.port,
        evidence.is_decisive,
        evidence.is_planned,
        coalesce(evidence.lost_id, ids.node_id) as lost_id,
        coalesce(evidence.system, names.node, pairs.other_node) as lost_node,
        evidence.node,
        lower(evidence.node) as node_key,
        evidence."at",
        evidence.file_id,
        evidence.line_no,
        evidence.part

    from evidence

    left join cluster_node as names
        on
            evidence.configuration = names.configuration
            and case when evidence.layer in ('gab', 'llt', 'had') then 'llt' else 'corosync' end = names.series
            and evidence.lost_id = names.node_id

    left join cluster_node as ids
        on
            evidence.configuration = ids.configuration
            and ids.series = 'llt'
            and evidence.lost_id is null
            and lower(evidence.system) = lower(ids.node)

    left join pairs
        on evidence.configuration = pairs.configuration and lower(evidence.node) = lower(pairs.node)

),

named as (  -- an id without a name is the node that the host names lost within the same minute, or the one that says the same of the host

    select
        identified.* exclude (lost_node),
        coalesce(
            identified.lost_node,
            (
                select min(others.lost_node)

                from identified as others

                where
                    others.configuration = identified.configuration
                    and others.unit_run is not distinct from identified.unit_run
                    and others.lost_node is not null
                    and others.node_key is not distinct from identified.node_key
                    and others."at" between identified."at" - interval 60 second and identified."at" + interval 60 second
            ),
            (
                select case when count(distinct others.node_key) = 1 then min(others.node) end

                from identified as others

                where
                    others.configuration = identified.configuration
                    and others.unit_run is not distinct from identified.unit_run
                    and others.node_key <> identified.node_key
                    and (
                        lower(others.lost_node) = identified.node_key
                        or (others.lost_node is null and others.lost_id <> identified.lost_id)
                    )
                    and others."at" between identified."at" - interval 2 minute and identified."at" + interval 2 minute
            ),
            (
                select min(others.lost_node)

                from identified as others

                where
                    others.configuration = identified.configuration
                    and others.unit_run is not distinct from identified.unit_run
                    -- nobody declares itself lost
                    and lower(others.lost_node) is distinct from identified.node_key
                    and others."at" between identified."at" - interval 60 second and identified."at" + interval 60 second
            ),
            'node ' || identified.lost_id
        ) as lost_node

    from identified

),

lost as (

    select * exclude (lost_node), lost_node, lower(lost_node) as lost_key

    from named

    where lost_node is not null and lower(lost_node) is distinct from node_key

),

ordered_away as (  -- evidence that follows from an order or a good-bye of the node

    select lost.configuration, lost.unit_run, lost.lost_key, lost."at"

    from lost

    inner join departure
        on
            lost.configuration = departure.configuration
            and lost.unit_run is not distinct from departure.unit_run
            and (lost.lost_key = departure.node_key or departure.node_key = '*')
            and not departure.is_revoked
            and lost."at" between departure."at" - interval 5 second and departure.until_at

    where
        not exists (

            select 1

            from departure as later

            where
                later.configuration = departure.configuration
                and later.unit_run is not distinct from departure.unit_run
                and later.node_key = departure.node_key
                and later.is_revoked
                and departure.how <> 'shutdown'
                and later."at" between departure."at" and lost."at"
        )
        and not exists (

            select 1

            from fencings

            where
                fencings.configuration = lost.configuration
                and fencings.unit_run is not distinct from lost.unit_run
                and fencings.node_key = lost.lost_key
                and fencings."at" between departure."at" - interval 1 minute and lost."at" + interval 2 second
        )
        and not exists (

            select 1

            from returns

            where
                returns.configuration = lost.configuration
                and returns.unit_run is not distinct from lost.unit_run
                and returns.node_key = lost.lost_key
                and returns."at" > departure."at"
                and returns."at" < lost."at"
                and departure.how = 'shutdown'
        )

    group by all

),

fenced as (  -- a node that is to be fenced leaves in no order, no matter what corosync hears of it

    select lost.configuration, lost.unit_run, lost.lost_key, lost."at"

    from lost

    inner join fencings
        on
            lost.configuration = fencings.configuration
            and lost.unit_run is not distinct from fencings.unit_run
            and lost.lost_key = fencings.node_key
            and lost."at" between fencings."at" - interval 1 minute and fencings."at" + interval 2 minute

    group by all

),

by_ring as (

    select configuration, unit_run, lost_key, "at", is_planned from lost where layer = 'corosync'

)

select
    lost.configuration,
    lost.unit_run,
    lost.layer,
    nullif(lost.port, 'leader') as port,
    lost.port is not distinct from 'leader' as is_leader_change,
    lost.is_decisive,
    (lost.is_planned and (fenced.lost_key is null or lost.layer = 'heartbeat'))
    or ordered_away.lost_key is not null
    or (
        lost.layer = 'pacemaker'
        and fenced.lost_key is null
        and coalesce(
            (
                select bool_and(by_ring.is_planned)

                from by_ring

                where
                    by_ring.configuration = lost.configuration
                    and by_ring.unit_run is not distinct from lost.unit_run
                    and by_ring.lost_key = lost.lost_key
                    and by_ring."at" between lost."at" - interval 1 minute and lost."at" + interval 1 minute
            ),
            false
        )
    ) as is_planned,
    lost.lost_id,
    lost.lost_node,
    lost.lost_key,
    lost.node_key,
    lost."at",
    lost.file_id,
    lost.line_no,
    lost.part

from lost

left join ordered_away
    on
        lost.configuration = ordered_away.configuration
        and lost.unit_run is not distinct from ordered_away.unit_run
        and lost.lost_key = ordered_away.lost_key
        and lost."at" = ordered_away."at"

left join fenced
    on
        lost.configuration = fenced.configuration
        and lost.unit_run is not distinct from fenced.unit_run
        and lost.lost_key = fenced.lost_key
        and lost."at" = fenced."at"

order by lost.configuration, lost.unit_run, lost."at", lost.file_id, lost.line_no, lost.part, lost.lost_id
