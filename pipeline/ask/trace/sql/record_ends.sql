-- One row per wanted line that begins a record of several lines: the last line before the next record of its file.
with

wanted as (

    select unnest($files) as file_id, unnest($lines) as line_no

),

own as (

    select distinct wanted.file_id, wanted.line_no, source_file.lines

    from wanted

    inner join source_file
        on wanted.file_id = source_file.file_id and source_file.continuation_lines > 0

    inner join event_line
        on wanted.file_id = event_line.file_id and wanted.line_no = event_line.line_no

    where list_contains($files, event_line.file_id)

)

select
    own.file_id,
    own.line_no,
    coalesce(min(event_line.line_no), own.lines + 1) - 1 as last_line_no

from own

left join event_line
    on own.file_id = event_line.file_id and event_line.line_no > own.line_no

group by own.file_id, own.line_no, own.lines
