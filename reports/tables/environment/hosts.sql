-- One row per host that wrote logs. Times in UTC.
select
    node,
    string_agg(distinct format, ', ' order by format) as formats,
    count(*) as files,
    sum(lines)::bigint as lines,
    string_agg(distinct timezone || ' (' || timezone_source || ')', ', ' order by timezone || ' (' || timezone_source || ')')
        as timezones,
    min(first_at) as first_at,
    max(last_at) as last_at

from main.source_file

where status = 'parsed' and node is not null

group by node

order by node
