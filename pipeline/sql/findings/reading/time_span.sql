-- Only the lines of a span count, which --since or --until named.
-- severity: note
select
    format(
        'Only lines {} count (--since, --until); {} of the {} files with lines lie outside altogether.',
        case
            when info.since = '' then format('before {} UTC', rtrim(replace(info.until, 'T', ' '), 'Z'))
            when info.until = '' then format('from {} UTC on', rtrim(replace(info.since, 'T', ' '), 'Z'))
            else format(
                'from {} UTC until {} UTC',
                rtrim(replace(info.since, 'T', ' '), 'Z'),
                rtrim(replace(info.until, 'T', ' '), 'Z')
            )
        end,
        count(*) filter (where source_file.status = 'skipped'),
        count(*)
    ) as text

from store_info as info

inner join source_file
    on source_file.lines > 0

where info.asked_span != ''

group by info.since, info.until
