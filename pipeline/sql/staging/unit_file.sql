-- One row per log file and unit that it tells of: those of its run folder, and those that lie above the run folders.
-- columns:
--   unit_run: run folder; null for files that lie in none
with

files as (

    select configuration, run, node_key, last_at, format, file_id from node_file

),

run_folders as (

    select distinct configuration, run from files where run is not null

),

above as (

    select run_folders.configuration, run_folders.run, files.* exclude (configuration, run)

    from run_folders

    inner join files
        on run_folders.configuration = files.configuration and files.run is null

)

select configuration, run as unit_run, * exclude (configuration, run)

from (select * from files union all select * from above)
