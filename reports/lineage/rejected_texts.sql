-- One row per line of these that no parser took, with its text.
select
    asked.path,
    asked.line_no,
    rejected.text

from (select unnest($paths::varchar[]) as path, unnest($numbers::bigint[]) as line_no) as asked

inner join main.source_file as files
    on asked.path = files.path

inner join main.rejected_line as rejected
    on files.file_id = rejected.file_id
    and asked.line_no = rejected.line_no

order by asked.path, asked.line_no
