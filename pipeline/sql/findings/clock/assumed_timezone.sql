-- The files of a configuration state no time zone.
-- severity: note
select
    configuration,
    format(
        '{} of `{}` {} no time zone: durations hold, absolute times are wall clock.',
        case when count(*) = 1 then '1 file' else count(*) || ' files' end,
        configuration,
        case when count(*) = 1 then 'states' else 'state' end
    ) as text,
    min(file_id) as file_id

from source_file

where timezone_source = 'assumed' and status = 'parsed' and first_at is not null

group by configuration
