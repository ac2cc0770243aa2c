-- One row per zone of the clocks of hosts, with the time that their files cover, UTC.
select
    min(first_at) as first_at,
    max(last_at) as last_at,
    timezone

from main.source_file

where status = 'parsed' and node is not null and first_at is not null

group by timezone

order by timezone
