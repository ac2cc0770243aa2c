-- One row per dated message of a cluster manager, replication or database, made ready for the failover analysis. Times
-- in UTC.
-- materialised: every step of the failover analysis of these stacks reads it
-- rows by: configuration
-- columns:
--   stack: heartbeat, drbd, corosync, pacemaker, ...
--   kind: what the message says
--   node_key: the same in small letters; where nobody says who wrote a file, the file
--   object: resource, group, device, address or mount point
--   object_class: address, replication, mount, database, application, fencing; where the message does not tell, what
--     study.toml, other messages or the cluster's configuration say of the object, else its name under Pacemaker
--   agent: resource agent or script
--   action: operation on the resource: start, stop, promote, ...
--   peer: host that the message is about, short name
--   peer_key: the same in small letters
--   former: leader that the message says was replaced
--   former_key: the same in small letters
--   peer_id: its id in corosync's ring, as printed
--   value: number that the message states
--   process: program that wrote it
--   at: stamp as printed
with

files as (

    select file_id, configuration, run, node, path from source_file where status = 'parsed' and configuration is not null

),

lines as (

    select
        files.configuration,
        coalesce(files.run, run_range.run) as unit_run,
        writer_host(ha_event.host, files.node) as node,
        unknown_writer(files.path) as file_key,
        short_host(ha_event.peer) as peer,
        case when ha_event.stack = 'pgpool' then 'backend ' || ha_event.peer_id end as number,
        case
            when ha_event.kind <> 'leader' then null
            -- a server by its address and port
            when regexp_full_match(ha_event.old_state, '\S+ \d+') then replace(ha_event.old_state, ' ', ':')
            when ha_event.old_state = 'itself' then coalesce(writer_host(ha_event.host, files.node), unknown_writer(files.path))
        end as former,
        case  -- an agent stamps its lines to the second, in a file of finer stamps too
            when ha_event.host is null and ha_event.agent = ha_event.process then greatest(stamp_resolution.resolution_s, 1)
            else line_resolution(ha_event."at", stamp_resolution.resolution_s, stamp_resolution.whole_milli_s, stamp_resolution.whole_second_s)
        end as resolution_s,
        ha_event.* exclude (host, local_at, uptime_s, peer, text, rule)

    from log.ha_event as ha_event

    inner join files using (file_id)

    inner join stamp_resolution using (file_id)

    left join run_range
        on files.run is null and is_in_range(files.configuration, ha_event."at", run_range)

    where ha_event."at" is not null

),

own_addresses as (  -- servers that others know by address and port alone, or a monitor by their names as well

    select configuration, address, min(node) as node

    from (
        select configuration, coalesce(object, peer) as address, node

        from lines

        where kind in ('node_named', 'leader_ready') and stack = 'redis' and contains(coalesce(object, peer), ':')

        union all

        select configuration, peer, object from lines where kind = 'peer_named' and stack = 'pg_auto_failover'
    )

    where node is not null

    group by configuration, address

    having count(distinct lower(node)) = 1

),

own_hosts as (  -- a program says which id it has, and others know where the one with this id is

    select lines.configuration, split_part(known.peer, ':', 1) as host, min(lines.node) as node

    from lines

    inner join lines as known
        on
            is_same_unit(lines, known)
            and lines.stack = known.stack
            and lines.object = known.object

    where
        lines.kind = 'writer_named' and lines.stack = 'redis' and known.kind = 'peer_named' and lines.node is not null
        and not starts_with(known.peer, '127.') and not starts_with(known.peer, 'localhost')

    group by lines.configuration, split_part(known.peer, ':', 1)

    having count(distinct lower(lines.node)) = 1

),

own_ids as (  -- members of a group that say who they are

    select configuration, unit_run, stack, object as id, coalesce(min(node), min(file_key)) as node

    from lines

    where kind = 'writer_named'

    group by configuration, unit_run, stack, object

),

own_numbers as (  -- repmgr and Pgpool give nodes numbers, and say one alone where they know no more

    select configuration, unit_run, stack, peer_id, min(peer) as node

    from lines

    where stack in ('repmgr', 'pgpool') and peer is not null

    group by configuration, unit_run, stack, peer_id

    having count(distinct lower(peer)) = 1

),

by_study as (

    select
        lines.configuration,
        lines.object,
        first(lower(declared_type.resource_type) order by declared_type.position) as object_class

    from (select distinct configuration, object from lines where object is not null) as lines

    inner join study.resource_type as declared_type
        on lines.object glob declared_type.pattern

    group by lines.configuration, lines.object

),

declared as (  -- in the configuration of the cluster manager

    select configuration, resource, max(object_class) as object_class, max(agent_type) as agent

    from crm_resource

    group by configuration, resource

    having count(distinct object_class) = 1

),

by_message as (

    select configuration, object, max(object_class) as object_class, max(agent) as agent

    from lines

    where object is not null and object_class is not null

    group by configuration, object

    having count(distinct object_class) = 1

)

select
    lines.configuration,
    lines.unit_run,
    lines.node,
    lower(coalesce(lines.node, lines.file_key)) as node_key,
    lines.stack,
    lines.kind,
    lines.object,
    coalesce(
        by_study.object_class,
        lines.object_class,
        by_message.object_class,
        declared.object_class,
        case when lines.stack = 'pacemaker' then class_of_name(lines.object) end
    ) as object_class,
    coalesce(lines.agent, by_message.agent, declared.agent) as agent,
    lines.action,
    coalesce(own_addresses.node, own_hosts.node, own_ids.node, own_numbers.node, lines.peer, lines.number) as peer,
    lower(coalesce(own_addresses.node, own_hosts.node, own_ids.node, own_numbers.node, lines.peer, lines.number)) as peer_key,
    coalesce(former_addresses.node, former_hosts.node, lines.former) as former,
    lower(coalesce(former_addresses.node, former_hosts.node, lines.former)) as former_key,
    case when lines.stack not in ('repmgr', 'pgpool') then lines.peer_id end as peer_id,
    lines.old_state,
    lines.new_state,
    lines.return_code,
    lines.value,
    lines.process,
    lines.pid,
    lines."at",
    lines.resolution_s,
    lines.file_id,
    lines.line_no,
    lines.part

from lines

left join own_addresses
    on lines.configuration = own_addresses.configuration and lines.peer = own_addresses.address

left join own_hosts
    on lines.configuration = own_hosts.configuration and lines.stack = 'redis' and split_part(lines.peer, ':', 1) = own_hosts.host

left join own_addresses as former_addresses
    on lines.configuration = former_addresses.configuration and lines.former = former_addresses.address

left join own_hosts as former_hosts
    on
        lines.configuration = former_hosts.configuration
        and lines.stack = 'redis'
        and split_part(lines.former, ':', 1) = former_hosts.host

left join own_ids
    on
        is_same_unit(lines, own_ids)
        and lines.stack = own_ids.stack
        and lines.peer = own_ids.id

left join own_numbers
    on
        is_same_unit(lines, own_numbers)
        and lines.stack = own_numbers.stack
        and lines.peer is null
        and lines.peer_id = own_numbers.peer_id

left join by_study
    on lines.configuration = by_study.configuration and lines.object = by_study.object

left join by_message
    on lines.configuration = by_message.configuration and lines.object = by_message.object

left join declared
    on lines.configuration = declared.configuration and lines.object = declared.resource

order by lines.configuration, lines.unit_run, lines."at", lines.file_id, lines.line_no, lines.part
