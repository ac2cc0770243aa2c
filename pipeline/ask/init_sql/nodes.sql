-- One row per host with dated lines: the zones of its files.
with

zones as (

    select
        node,
        coalesce(timezone, 'none') || ' (' || timezone_source || ')' as zone,
        timezone_source = 'assumed' as is_assumed

    from source_file

    where node is not null and status = 'parsed' and first_at is not null

)

select node, count(*) as files, string_agg(distinct zone, ', ' order by zone) as zones, bool_or(is_assumed) as is_assumed

from zones

group by node

order by node
