-- A folder is read as a copy of another: it is no configuration and no run of its own.
-- severity: note
with

copied as (

    select
        source_file.configuration,
        source_file.file_id,
        json_extract_string(file_ledger.place_sources, '$.copy') as why

    from source_file

    inner join log.file_ledger as file_ledger using (file_id)

)

select
    min(configuration) as configuration,
    format(
        'The folder {}; its lines count once. If it is a configuration of its own, give it a name that says so.', why
    ) as text,
    min(file_id) as file_id

from copied

where why is not null

group by why
