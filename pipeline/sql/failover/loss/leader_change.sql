-- One row per change of a leader: another node than the one that led before has become leader of its group. Times in UTC.
-- Of stacks whose nodes elect a leader and log no membership. Who led before is the leader of the change before, else who held the lead by the
-- last line that says so; of a node that said after that change whom it follows or misses, it is that one. Several lines say the same change: the first
-- counts. A leader that takes its own role back is no change.
-- An address that moves between nodes (keepalived, vip-manager) counts only where no server of the unit has a leader, a coordinator (etcd, Consul, ZooKeeper) only where nothing
-- else has one.
-- materialised: read by the evidence of losses and by the signs of services
-- rows by: configuration
-- empty without rows of: ha_line
-- columns:
--   stack: whose leader it is
--   group: scope, monitored name or replica set; empty where lines name none
--   leader: node that has become leader
--   leader_key: the same in small letters
--   former: node that led before
--   former_key: the same in small letters
--   at: first line that names the new leader
--   loss_at: first of the lines about the lost leader, no two of them over a minute apart; where there is none, when the new one became leader
--   is_planned: somebody ordered it, or the former leader was stopped in order, or no server of a stack that says so missed it
--   node: host that wrote the line at `at`
with

spoken as (

    select
        configuration,
        unit_run,
        stack,
        kind,
        coalesce(object, '') as "group",
        coalesce(peer, node) as leader,
        coalesce(peer_key, node_key) as leader_key,
        node,
        node_key,
        peer is not null as is_named,
        "at",
        file_id,
        line_no,
        part

    from ha_line

    where
        kind in ('leader', 'leader_alive') and coalesce(peer, node) is not null
        or kind = 'leader_down' and peer is not null  -- who says that an unnamed one is lost is not it

),

databases as (  -- Oracle's observer names databases: the one that has just become primary by the log of a node is that node's

    select distinct named.configuration, named.unit_run, named.stack, named.leader_key as name_key, own.leader, own.leader_key

    from spoken as named

    asof inner join (select * from spoken where stack = 'oracle' and kind = 'leader' and not is_named) as own
        on
            named.configuration = own.configuration
            and coalesce(named.unit_run, '') = coalesce(own.unit_run, '')
            and named.stack = own.stack
            and named."at" >= own."at"

    where
        named.kind = 'leader'
        and named.is_named
        and named.leader_key <> own.leader_key
        and named."at" - own."at" < interval 5 minute
        and not exists (

            select 1

            from ha_line

            where
                ha_line.configuration = named.configuration
                and ha_line.unit_run is not distinct from named.unit_run
                and ha_line.node_key = named.leader_key
        )

    qualify row_number() over (
        partition by named.configuration, named.unit_run, named.leader_key order by named."at", named.file_id, named.line_no
    ) = 1

),

heard as (

    select
        spoken.* exclude (is_named, leader, leader_key),
        coalesce(databases.leader, spoken.leader) as leader,
        coalesce(databases.leader_key, spoken.leader_key) as leader_key

    from spoken

    left join databases
        on
            spoken.configuration = databases.configuration
            and spoken.unit_run is not distinct from databases.unit_run
            and spoken.stack = databases.stack
            and spoken.leader_key = databases.name_key

),

ranked as (

    select *, case when stack in ('etcd', 'consul', 'zookeeper') then 3 when stack in ('keepalived', 'vip_manager') then 2 else 1 end as rank

    from heard

),

counted as (

    select * exclude (rank)

    from ranked

    qualify rank <= coalesce(min(rank) filter (where kind = 'leader') over (partition by configuration, unit_run), rank)

),

became as (

    select
        *,
        lag(leader) over succession as previous,
        lag(leader_key) over succession as previous_key,
        lag("at") over succession as held_since

    from counted

    where kind = 'leader'

    window succession as (partition by configuration, unit_run, stack, "group" order by "at", file_id, line_no, part)

),

followed as (  -- whom the new leader said last that it follows or misses: a log may be of several clusters

    select
        became.* exclude (previous, previous_key),
        case when own."at" > coalesce(became.held_since, own."at" - interval 1 second) then own.leader else became.previous end as previous,
        case when own."at" > coalesce(became.held_since, own."at" - interval 1 second) then own.leader_key else became.previous_key end as previous_key

    from became

    asof left join (select * from counted where kind in ('leader_alive', 'leader_down') and node_key <> leader_key) as own
        on
            became.configuration = own.configuration
            and coalesce(became.unit_run, '') = coalesce(own.unit_run, '')
            and became.stack = own.stack
            and became.leader_key = own.node_key
            and became."at" > own."at"

    where became.previous_key is distinct from became.leader_key

),

changes as (

    select
        became.configuration,
        became.unit_run,
        became.stack,
        became."group",
        became.leader,
        became.leader_key,
        coalesce(became.previous, holder.leader) as former,
        coalesce(became.previous_key, holder.leader_key) as former_key,
        became.node,
        became.node_key,
        became."at",
        became.held_since,
        became.file_id,
        became.line_no,
        became.part

    from followed as became

    left join counted as holder
        on
            became.previous_key is null
            and became.configuration = holder.configuration
            and became.unit_run is not distinct from holder.unit_run
            and became.stack = holder.stack
            and holder.kind in ('leader_alive', 'leader_down')
            and holder.leader_key <> became.leader_key
            and holder."at" < became."at"

    where became.previous_key is distinct from became.leader_key

    qualify row_number() over (
        partition by became.file_id, became.line_no, became.part order by holder."at" desc, holder.file_id, holder.line_no desc, holder.part desc
    ) = 1

),

gone as (  -- a member of a group without a leader; who is left alone forgets the others too, but does not go on

    select
        ha_line.configuration,
        ha_line.unit_run,
        ha_line.stack,
        '' as "group",
        ha_line.node as leader,
        ha_line.node_key as leader_key,
        ha_line.peer as former,
        ha_line.peer_key as former_key,
        ha_line.node,
        ha_line.node_key,
        ha_line."at",
        ha_line.file_id,
        ha_line.line_no,
        ha_line.part,
        coalesce(
            ha_line."at" - lag(ha_line."at") over (
                partition by ha_line.configuration, ha_line.unit_run, ha_line.stack, ha_line.peer_key
                order by ha_line."at", ha_line.file_id, ha_line.line_no, ha_line.part
            ) > interval 10 second,
            true
        ) as is_first,
        lag(ha_line."at") over (
            partition by ha_line.configuration, ha_line.unit_run, ha_line.stack, ha_line.peer_key
            order by ha_line."at", ha_line.file_id, ha_line.line_no, ha_line.part
        ) as held_since

    from ha_line

    where
        ha_line.kind = 'member_gone'
        and ha_line.peer_key is not null
        and ha_line.node_key <> ha_line.peer_key
        and exists (

            select 1

            from ha_line as view

            where
                view.file_id = ha_line.file_id
                and view.stack = ha_line.stack
                and view.kind = 'leader_ready'
                and view."at" between ha_line."at" - interval 5 second and ha_line."at" + interval 5 second
        )

),

known as (

    select *, row_number() over (order by configuration, unit_run, "at", file_id, line_no, part) as change_no

    from (
        select * from changes where former_key is not null
        union all by name
        select * exclude (is_first) from gone where is_first
    )

),

symptoms as (  -- a chain of lines before the change, no two of them over a minute apart

    select known.change_no, ha_line."at"

    from known

    inner join ha_line
        on
            known.configuration = ha_line.configuration
            and known.unit_run is not distinct from ha_line.unit_run
            and (
                (
                    ha_line.kind in ('leader_suspect', 'leader_down', 'upstream_lost')
                    and (ha_line.peer_key is null or ha_line.peer_key = known.former_key)
                    and ha_line.node_key is distinct from known.former_key
                )
                or (  -- the holder of an address says itself that a check of it fails
                    known.stack = 'keepalived'
                    and ha_line.stack = 'keepalived'
                    and ha_line.kind in ('resource_failed', 'vrrp_fault')
                    and ha_line.node_key = known.former_key
                )
            )
            and ha_line."at" between known."at" - interval 10 minute and known."at"
            and ha_line."at" > coalesce(known.held_since, ha_line."at" - interval 1 second)

    where not exists (  -- the node found the same leader again

        select 1

        from ha_line as again

        where
            again.configuration = known.configuration
            and again.unit_run is not distinct from known.unit_run
            and again.kind = 'following'
            and again.node_key = ha_line.node_key
            and again."at" > ha_line."at"
            and again."at" < known."at"
    )
    and not exists (  -- what was said of the leader before it took the lead is another matter

        select 1

        from known as earlier

        where
            earlier.configuration = known.configuration
            and earlier.unit_run is not distinct from known.unit_run
            and earlier.leader_key = known.former_key
            and earlier."at" between ha_line."at" and known."at"
    )

    union all

    select change_no, "at" from known

),

chained as (

    select
        change_no,
        "at",
        coalesce(lead("at") over (partition by change_no order by "at") - "at" > interval 60 second, false) as is_break

    from symptoms

),

chains as (

    select *, sum(is_break::integer) over (partition by change_no order by "at" desc rows unbounded preceding) as breaks from chained

),

firsts as (

    select change_no, min("at") as loss_at from chains where breaks = 0 group by change_no

),

orders as (  -- an order belongs to the next change

    select known.change_no

    from known

    inner join ha_line
        on
            known.configuration = ha_line.configuration
            and known.unit_run is not distinct from ha_line.unit_run
            and ha_line.kind = 'leader_wanted'
            and (ha_line.object is null or known."group" = '' or ha_line.object = known."group")
            and ha_line."at" between known."at" - interval 2 minute and known."at" + interval 5 second

    qualify row_number() over (partition by ha_line.file_id, ha_line.line_no, ha_line.part order by known."at") = 1

    union

    select known.change_no  -- these stacks say of every leader that fails that it does

    from known

    inner join firsts using (change_no)

    where
        known.stack in ('redis', 'mysql', 'galera')
        and not exists (

            select 1

            from ha_line

            where
                ha_line.configuration = known.configuration
                and ha_line.unit_run is not distinct from known.unit_run
                and ha_line.stack = known.stack
                and ha_line.peer_key = known.former_key
                and ha_line."at" between firsts.loss_at and known."at"
                and (ha_line.kind = 'leader_suspect' or (ha_line.kind = 'leader_down' and known.stack = 'redis'))
        )

    union

    select known.change_no  -- the former leader has handed its role over, and nothing had failed there

    from known

    inner join ha_line as resignation
        on
            known.configuration = resignation.configuration
            and known.unit_run is not distinct from resignation.unit_run
            and known.stack = 'sqlserver'
            and resignation.stack = 'sqlserver'
            and resignation.kind = 'give_up'
            and resignation.node_key = known.former_key
            and resignation."at" between greatest(known."at" - interval 2 minute, known.held_since) and known."at" + interval 5 second

    where not exists (

        select 1

        from ha_line as failure

        where
            failure.configuration = known.configuration
            and failure.unit_run is not distinct from known.unit_run
            and failure.stack in ('sqlserver', 'wsfc')
            and failure.kind = 'resource_failed'
            and failure.node_key = known.former_key
            and failure."at" between resignation."at" - interval 1 minute and resignation."at" + interval 1 second
    )

    union

    select known.change_no  -- a node of a higher rank is back, and takes the address from one that works

    from known

    inner join ha_line
        on
            known.configuration = ha_line.configuration
            and known.unit_run is not distinct from ha_line.unit_run
            and ha_line.kind = 'leader_outranked'
            and ha_line.stack = known.stack
            and ha_line."at" between known."at" - interval 5 second and known."at" + interval 2 second

    where not exists (

        select 1

        from ha_line as failure

        where
            failure.configuration = known.configuration
            and failure.unit_run is not distinct from known.unit_run
            and failure.stack = known.stack
            and failure.kind in ('resource_failed', 'vrrp_fault')
            and failure.node_key = known.former_key
            and failure."at" between greatest(known."at" - interval 1 minute, known.held_since) and known."at" + interval 1 second
    )

    union

    select known.change_no  -- the former leader was stopped

    from known

    inner join firsts using (change_no)

    inner join ha_line
        on
            known.configuration = ha_line.configuration
            and known.unit_run is not distinct from ha_line.unit_run
            and ha_line.kind in ('db_shutdown', 'shutdown_notice', 'program_stopped')
            and coalesce(case when ha_line.kind = 'program_stopped' then ha_line.peer_key end, ha_line.node_key) = known.former_key
            and coalesce(ha_line.action, '') <> 'immediate'
            and ha_line."at" between firsts.loss_at - interval 30 second and known."at"
            -- what was stopped and started led again
            and ha_line."at" >= coalesce(known.held_since, ha_line."at")

    where not exists (  -- it stops itself, as it has lost its lock

        select 1

        from ha_line as demotion

        where
            demotion.configuration = known.configuration
            and demotion.unit_run is not distinct from known.unit_run
            and demotion.stack = 'patroni'
            and demotion.kind = 'give_up'
            and demotion.node_key = known.former_key
            and demotion."at" between ha_line."at" - interval 1 minute and ha_line."at" + interval 5 second
    )

    group by known.change_no

)

select
    known.configuration,
    known.unit_run,
    known.stack,
    known."group",
    known.leader,
    known.leader_key,
    known.former,
    known.former_key,
    known."at",
    firsts.loss_at,
    orders.change_no is not null as is_planned,
    known.node,
    known.node_key,
    known.file_id,
    known.line_no,
    known.part

from known

inner join firsts using (change_no)

left join orders using (change_no)

order by known.configuration, known.unit_run, known."at", known.file_id, known.line_no, known.part
