-- A study.toml lies in a folder below the study, or its name is not in small letters; so nothing in it counts.
-- severity: warning
select
    format('{} is {}.', path, reason) as text,
    file_id

from source_file

where
    status = 'skipped'
    and lower(parse_filename(path)) = 'study.toml'
    and path <> 'study.toml'
