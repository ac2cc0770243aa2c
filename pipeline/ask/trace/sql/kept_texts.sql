-- One row per wanted line that the store keeps something of: the message, else the value that was read from it.
with

wanted as (

    select distinct unnest($files) as file_id, unnest($lines) as line_no

),

kept as (

    select file_id, line_no, 1 as rank, text from event where list_contains($files, file_id)
    union all
    select file_id, line_no, 2, metric || ' = ' || value || coalesce(' ' || unit, '') from measurement
    union all
    select file_id, line_no, 3, name || ' = ' || value from parameter
    union all
    select file_id, line_no, 4, text from rejected_line

)

select wanted.file_id, wanted.line_no, arg_min(kept.text, kept.rank) as text

from wanted

inner join kept using (file_id, line_no)

where kept.text is not null

group by wanted.file_id, wanted.line_no
