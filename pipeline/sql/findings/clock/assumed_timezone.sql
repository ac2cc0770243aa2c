-- Files state no time zone.
-- severity: note
select
    case when count(distinct configuration) = 1 then any_value(configuration) end as configuration,
    format(
        '{}{} no time zone: durations hold, absolute times are wall clock.',
        case when count(*) = 1 then '1 file' else count(*) || ' files' end,
        case when count(distinct configuration) = 1 then format(' of `{}`', any_value(configuration)) else '' end
        || case when count(*) = 1 then ' states' else ' state' end
    ) as text,
    min(file_id) as file_id

from source_file

where timezone_source = 'assumed' and status = 'parsed' and first_at is not null

having count(*) > 0
