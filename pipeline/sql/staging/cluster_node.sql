-- One row per configuration, series of ids and id: the host it stands for. LLT counts nodes from 0; corosync's ids are any 32 bits.
-- LLT: read from HAD lines that print both (`System alder (Node '0')`), else from llthosts. CVMNodeId numbers are another series.
-- Corosync: from lines that print both (`Node alder state is now lost | nodeid=2`), else from the nodelist of corosync.conf and the nodes of the
-- cluster information base; else the host is alone in its ring, or is not the one of two that it says has left; else the id
-- is made of the address that the host binds to; else it is the only id and the only host that is left over.
-- materialised: small, and read by every step of the failover analysis
-- rows by: configuration
-- empty without rows of: cluster_line, ha_line, log.parameter_value
-- columns:
--   series: llt or corosync
--   node_id: id in the series
--   node: host, short name as printed
with

printed as (

    select configuration, 'llt' as series, node_id, system as node, count(*) as line_count, 1 as rank

    from cluster_line

    where source = 'vcs' and node_id is not null and system is not null

    group by configuration, node_id, system

),

llthosts as (

    select
        applicable_file.configuration,
        case
            when regexp_matches(parameter_value.name, '^\d+$') then parameter_value.name
            else parameter_value.value
        end as node_id,
        short_host(
            case
                when regexp_matches(parameter_value.name, '^\d+$') then parameter_value.value
                else parameter_value.name
            end
        ) as node,
        applicable_file.distance

    from log.parameter_value as parameter_value

    inner join applicable_file
        on parameter_value.file_id = applicable_file.file_id

    where parameter_value.scope = 'llthosts'

),

named as (

    select configuration, peer_id as node_id, peer as node, count(*) as line_count

    from ha_line

    where peer_id is not null and peer is not null and not regexp_matches(peer, '^\d+$')

    group by configuration, peer_id, peer

),

settings as (

    select
        applicable_file.configuration,
        applicable_file.distance,
        parameter_value.file_id,
        regexp_extract(parameter_value.name, '^nodelist\.(node(?:\[\d+\])?)\.', 1) as entry,
        max(parameter_value.value) filter (where ends_with(parameter_value.name, '.nodeid')) as id_text,
        max(parameter_value.value) filter (where ends_with(parameter_value.name, '.name')) as name,
        max(parameter_value.value) filter (where ends_with(parameter_value.name, '.ring0_addr')) as address

    from log.parameter_value as parameter_value

    inner join applicable_file
        on parameter_value.file_id = applicable_file.file_id

    where parameter_value.scope = 'corosync.conf' and starts_with(parameter_value.name, 'nodelist.node')

    group by all

),

bound as (  -- the address that a host's own corosync has

    select configuration, object as address, min(node) as node

    from ha_line

    where stack = 'corosync' and kind = 'node_named' and object is not null and node is not null

    group by configuration, object

    having count(distinct node_key) = 1

),

listed as (

    select
        settings.configuration,
        try_cast(settings.id_text as bigint) as node_id,
        short_host(
            coalesce(
                settings.name,
                bound.node,
                case when not regexp_matches(settings.address, '^[\d.]+$|:') then settings.address end
            )
        ) as node,
        settings.distance

    from settings

    left join bound using (configuration, address)

    union all

    select
        applicable_file.configuration,
        try_cast(regexp_extract(parameter_value.name, '^node (\d+)$', 1) as bigint),
        short_host(regexp_extract(parameter_value.value, '^(\S+)', 1)),
        applicable_file.distance

    from log.parameter_value as parameter_value

    inner join applicable_file
        on parameter_value.file_id = applicable_file.file_id

    where parameter_value.scope = 'crm' and parameter_value.description = 'node'

),

ring_lines as (

    select configuration, node, node_key, kind, value, old_state, new_state

    from ha_line

    where stack = 'corosync' and kind in ('membership', 'members', 'leave_missed')

),

ring_ids as (

    select distinct configuration, try_cast(unnest(string_split(coalesce(states.ids, ''), ' ')) as bigint) as node_id

    from (
        select configuration, old_state as ids from ring_lines
        union all
        select configuration, new_state from ring_lines
    ) as states

),

pairs_of_ids as (

    select configuration, min(node_id) as first_id, max(node_id) as second_id

    from ring_ids

    where node_id is not null

    group by configuration

    having count(*) = 2

),

alone as (

    select configuration, try_cast(new_state as bigint) as node_id, node, count(*) as line_count

    from ring_lines

    where kind = 'members' and value = 1 and node is not null

    group by all

),

stayed as (

    select
        ring_lines.configuration,
        case when ring_lines.old_state = first_id::varchar then second_id else first_id end as node_id,
        ring_lines.node,
        count(*) as line_count

    from ring_lines

    inner join pairs_of_ids using (configuration)

    where
        ring_lines.kind in ('membership', 'leave_missed')
        and ring_lines.old_state in (first_id::varchar, second_id::varchar)
        and ring_lines.node is not null

    group by all

),

octets as (

    select
        configuration,
        node,
        split_part(address, '.', 1)::bigint as first,
        split_part(address, '.', 2)::bigint as second,
        split_part(address, '.', 3)::bigint as third,
        split_part(address, '.', 4)::bigint as fourth

    from bound

    where regexp_matches(address, '^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$')

),

made as (  -- of the address, in the order of the network or of the machine, perhaps without its highest bit (totemconfig.c, totemip.c)

    select configuration, node, unnest([forwards, forwards & 2147483647, backwards, backwards & 2147483647]) as node_id

    from (
        select
            configuration,
            node,
            ((first * 256 + second) * 256 + third) * 256 + fourth as forwards,
            ((fourth * 256 + third) * 256 + second) * 256 + first as backwards

        from octets
    )

),

candidates as (

    select configuration, series, node_id::bigint as node_id, node, line_count, rank from printed
    union all
    select configuration, 'llt', try_cast(node_id as smallint), node, 1, 2 + distance from llthosts
    union all
    select configuration, 'corosync', node_id, node, line_count, 1 from named
    union all
    select configuration, 'corosync', node_id, node, 1, 2 + distance from listed
    union all
    select configuration, 'corosync', node_id, node, line_count, 10 from alone
    union all
    select configuration, 'corosync', node_id, node, line_count, 11 from stayed
    union all
    select configuration, 'corosync', node_id, node, 1, 12 from made inner join ring_ids using (configuration, node_id)

),

known as (

    select configuration, series, node_id, node

    from candidates

    where node_id is not null and node is not null and node <> ''

    qualify row_number() over (
        partition by configuration, series, node_id order by rank, line_count desc, node
    ) = 1

),

hosts as (

    select configuration, node_key, min(node) as node

    from (
        select configuration, node_key, node from ha_line where stack in ('corosync', 'pacemaker') and node is not null
        union all
        select configuration, peer_key, peer from ha_line where kind in ('member_lost', 'member_joined') and peer is not null
    )

    group by configuration, node_key

),

left_over as (

    select ids.configuration, ids.node_id, others.node

    from (
        select configuration, min(ring_ids.node_id) as node_id

        from ring_ids

        left join (select configuration, node_id, node from known where series = 'corosync') as named_ids
            using (configuration, node_id)

        where ring_ids.node_id is not null and named_ids.node is null

        group by configuration

        having count(*) = 1
    ) as ids

    inner join (
        select hosts.configuration, min(hosts.node) as node

        from hosts

        left join (select distinct configuration, lower(node) as node_key from known where series = 'corosync') as named_hosts
            using (configuration, node_key)

        where named_hosts.node_key is null

        group by hosts.configuration

        having count(*) = 1
    ) as others using (configuration)

    where
        (select count(*) from ring_ids where ring_ids.configuration = ids.configuration and ring_ids.node_id is not null)
        = (select count(*) from hosts where hosts.configuration = ids.configuration)
        and not exists (  -- nobody sees itself leave

            select 1

            from ring_lines

            where
                ring_lines.configuration = ids.configuration
                and ring_lines.node_key = lower(others.node)
                and list_contains(string_split(ring_lines.old_state, ' '), ids.node_id::varchar)
        )

)

select configuration, series, node_id, node from known
union all
select configuration, 'corosync', node_id, node from left_over

order by configuration, series, node_id
