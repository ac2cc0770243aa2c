-- Something is doubtful about the times of lines: see `log.clock_doubt`.
-- severity: warning
select
    source_file.configuration,
    case when count(distinct source_file.run) = 1 then min(source_file.run) end as run,
    format(
        '{}{}: {}{}.',
        min(source_file.path),
        case when count(*) > 1 then ' and ' || (count(*) - 1) || ' more of its configuration' else '' end,
        case sum(doubt.lines) when 1 then '1 line ' else coalesce(sum(doubt.lines) || ' lines ', '') end,
        doubt.text
    ) as text,
    first(doubt.file_id order by source_file.path) as file_id,
    first(doubt.line_no order by source_file.path) as line_no

from log.clock_doubt as doubt

inner join source_file using (file_id)

group by source_file.configuration, doubt.kind, doubt.text
