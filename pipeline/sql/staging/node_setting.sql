-- One row per node that a file of settings lists with its id: llthosts, the nodelist of corosync.conf, a cluster
-- information base.
-- columns:
--   series: llt or corosync
--   node_id: id in the series
--   node: host, short name as printed; null where the file has an address alone
--   address: address that its ring binds to
--   host_of_address: the address, where that is a name, as a short name
with

settings as (

    select applicable_file.configuration, applicable_file.distance, parameter_value.*

    from log.parameter_value as parameter_value

    inner join applicable_file using (file_id)

    where parameter_value.scope in ('llthosts', 'corosync.conf', 'crm')

),

nodelist as (

    select
        configuration,
        distance,
        file_id,
        regexp_extract(name, '^nodelist\.(node(?:\[\d+\])?)\.', 1) as entry,
        max(value) filter (where ends_with(name, '.nodeid')) as node_id,
        max(value) filter (where ends_with(name, '.name')) as node,
        max(value) filter (where ends_with(name, '.ring0_addr')) as address

    from settings

    where scope = 'corosync.conf' and starts_with(name, 'nodelist.node')

    group by all

)

select
    configuration,
    'corosync' as series,
    try_cast(node_id as bigint) as node_id,
    short_host(node) as node,
    address,
    case when not regexp_matches(address, '^[\d.]+$|:') then short_host(address) end as host_of_address,
    distance

from nodelist

union all by name

select
    configuration,
    'corosync' as series,
    try_cast(regexp_extract(name, '^node (\d+)$', 1) as bigint) as node_id,
    short_host(regexp_extract(value, '^(\S+)', 1)) as node,
    distance

from settings

where scope = 'crm' and description = 'node'

union all by name

select
    configuration,
    'llt' as series,
    try_cast(case when regexp_matches(name, '^\d+$') then name else value end as smallint) as node_id,
    short_host(case when regexp_matches(name, '^\d+$') then value else name end) as node,
    distance

from settings

where scope = 'llthosts'
