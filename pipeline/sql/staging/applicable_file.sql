-- One row per configuration and file that states facts about it: its own files, then those of folders above it.
-- columns:
--   configuration: folder group that the file applies to
--   run: run folder the file lies in, for which alone it speaks; else null
--   distance: 0 the configuration's own file, 1 a folder above, 2 the study folder itself; the nearest wins
with

configurations as (

    select distinct configuration from source_file where configuration is not null and status = 'parsed'

),

files as (

    select file_id, path, configuration, run from source_file where configuration is not null and status = 'parsed'

)

select
    configurations.configuration,
    files.file_id,
    files.run,
    case
        when files.configuration = configurations.configuration then 0
        when starts_with(configurations.configuration, files.configuration || '/') then 1
        else 2
    end as distance

from configurations

inner join files
    on
        files.configuration = configurations.configuration
        or starts_with(configurations.configuration, files.configuration || '/')
        or not contains(files.path, '/')
