-- A file was read in part only, as it is damaged, was cut, or changed meanwhile.
-- severity: warning
select
    configuration,
    run,
    format('{} was read in part: {}. No number includes the rest of it.', path, note) as text,
    file_id

from source_file

where
    status = 'parsed'
    and regexp_matches(
        note,
        'compressed data|ends? early|reading (stopped|broke off)|changed while|bytes before this member|checksum'
    )
