-- More than one line of a hundred of a file could not be read.
-- severity: warning
select
    source_file.configuration,
    source_file.run,
    format(
        '{} of {} lines of {} could not be read.',
        source_file.rejected_lines,
        source_file.lines,
        source_file.path
    ) as text,
    source_file.file_id,
    first_rejected.line_no

from source_file

left join (
    select file_id, min(line_no) as line_no from rejected_line group by file_id
) as first_rejected
    on source_file.file_id = first_rejected.file_id

where source_file.status = 'parsed' and source_file.rejected_lines > 0.01 * source_file.lines
