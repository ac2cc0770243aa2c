-- One row per host that wrote logs; of a file that several hosts write, its messages count for each. Times in UTC.
with

written as (

    select
        file_id,
        node,
        count(*) as lines,
        min("at") as first_at,
        max("at") as last_at,
        count(*) over (partition by file_id) as writers

    from main.event

    where node is not null

    group by file_id, node

),

wrote as (

    select
        source_file.format,
        source_file.timezone || ' (' || source_file.timezone_source || ')' as zone,
        coalesce(written.node, source_file.node) as node,
        coalesce(written.lines, source_file.lines) as lines,
        coalesce(written.first_at, source_file.first_at) as first_at,
        coalesce(written.last_at, source_file.last_at) as last_at

    from main.source_file

    left join written on source_file.file_id = written.file_id and written.writers > 1

    where source_file.status = 'parsed'

)

select
    node,
    string_agg(distinct format, ', ' order by format) as formats,
    count(*) as files,
    sum(lines)::bigint as lines,
    string_agg(distinct zone, ', ' order by zone) as timezones,
    min(first_at) as first_at,
    max(last_at) as last_at

from wrote

where node is not null

group by node

order by node
