-- A file was not read.
-- severity: note
select
    configuration,
    run,
    format('{} was not read ({}): {}.', path, status, coalesce(reason, 'no reason given')) as text,
    file_id

from source_file

where status in ('unrecognised', 'unreadable')
