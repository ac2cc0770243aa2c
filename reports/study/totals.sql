-- One row: files and lines of the study, without its study.toml.
select
    count(*) as files,
    count(*) filter (where status = 'parsed') as parsed_files,
    count(*) filter (where status = 'unrecognised') as unrecognised_files,
    count(*) filter (where status = 'skipped') as skipped_files,
    count(*) filter (where status = 'unreadable') as unreadable_files,
    coalesce(sum(lines), 0)::bigint as lines,
    coalesce(sum(rejected_lines), 0)::bigint as rejected_lines,
    count(distinct configuration) filter (where status = 'parsed') as configurations

from main.source_file

where path <> 'study.toml'
