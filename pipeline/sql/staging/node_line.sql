-- One row per thing that lines say of the hosts and ids of a ring, and how many lines say it.
-- columns:
--   kind: named (a line prints id and host), bound (the address of the host's own corosync), host (it is in the
--     cluster), or membership, members, leave_missed
--   node: host, short name as printed
--   node_key: the same in small letters
--   node_id: id that the line prints with the host
--   address: address that the host's own corosync binds to
--   left_ids: ids that left the ring
--   member_ids: ids that are in the ring
--   member_count: hosts in the ring, where a line counts them
--   line_count: lines that say it
with

hosts as (

    select configuration, node, node_key from ha_line where stack in ('corosync', 'pacemaker') and node is not null
    union
    select configuration, peer, peer_key from ha_line where kind in ('member_lost', 'member_joined') and peer is not null

)

select
    configuration,
    case when kind = 'node_named' then 'bound' else kind end as kind,
    node,
    node_key,
    case when kind = 'node_named' then object end as address,
    case when kind <> 'node_named' then old_state end as left_ids,
    case when kind <> 'node_named' then new_state end as member_ids,
    case when kind <> 'node_named' then value end as member_count,
    count(*) as line_count

from ha_line

where stack = 'corosync' and kind in ('membership', 'members', 'leave_missed', 'node_named')

group by all

union all by name

select configuration, 'named' as kind, peer as node, peer_key as node_key, peer_id as node_id, count(*) as line_count

from ha_line

where peer_id is not null and peer is not null and not regexp_matches(peer, '^\d+$')

group by all

union all by name

select configuration, 'host' as kind, node, node_key, 1 as line_count from hosts
