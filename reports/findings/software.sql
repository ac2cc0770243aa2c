-- One row per product whose lines or outputs were read, with the versions that files state of it; then operating
-- systems.
with

products as (

    select distinct stack as product, 1 as place from main.ha_event where stack is not null

    union

    select distinct format, 0

    from main.source_file

    where status = 'parsed'
        and format in (
            'vcs_engine', 'db2diag', 'postgresql', 'patroni', 'pgbench', 'sysbench', 'hammerdb', 'benchmarksql', 'simhadr'
        )

),

versions as (

    select
        case subject when 'db2' then 'db2diag' else subject end as product,
        string_agg(distinct value, ' and ' order by value) as version

    from main.environment

    where name in ('version', 'release') and subject <> 'os'

    group by all

),

systems as (

    select
        names.value as product,
        string_agg(distinct releases.value, ' and ' order by releases.value) as version

    from main.environment as names

    left join main.environment as releases
        on names.configuration = releases.configuration
        and names.node is not distinct from releases.node
        and releases.subject = 'os'
        and releases.name = 'release'

    where names.subject = 'os' and names.name = 'name'

    group by names.value

)

select products.product, any_value(versions.version) as version, min(products.place) as place

from products

left join versions on products.product = versions.product

group by products.product

union all

select product, version, 2 from systems

order by place, product
