-- Lines of a file have numbers that are not finite or out of the range of numbers: they are rejected.
-- severity: warning
select
    source_file.configuration,
    source_file.run,
    format(
        '{} of {} {} rejected because of a number out of range. {} line {}: {}.',
        case when count(*) = 1 then 'One line' else format('{:,} lines', count(*)) end,
        source_file.path,
        case when count(*) = 1 then 'is' else 'are' end,
        case when count(*) = 1 then 'It is' else 'The first is' end,
        min(rejected_line.line_no),
        replace(arg_min(rejected_line.reason, rejected_line.line_no), 'number out of range: ', '')
    ) as text,
    rejected_line.file_id,
    min(rejected_line.line_no) as line_no

from rejected_line

inner join source_file using (file_id)

where starts_with(rejected_line.reason, 'number out of range')

group by source_file.configuration, source_file.run, source_file.path, rejected_line.file_id
