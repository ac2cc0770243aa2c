-- One row per format found: files and what became of their lines.
select
    format,
    count(*) as files,
    sum(lines)::bigint as lines,
    sum(parsed_lines)::bigint as parsed_lines,
    sum(continuation_lines)::bigint as continuation_lines,
    sum(ignored_lines)::bigint as ignored_lines,
    sum(blank_lines)::bigint as blank_lines,
    sum(rejected_lines)::bigint as rejected_lines

from main.source_file

where status = 'parsed'

group by format

order by format
