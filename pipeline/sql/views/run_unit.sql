-- One row per run folder, and one per folder group without run folders: what a run or a series of runs was recorded in.
-- Configuration files alone make no unit.
-- materialised: small, and read by every step of the failover analysis
-- columns:
--   configuration: folder group
--   unit_run: run folder; null where the group has none and is split by time
--   has_failover_logs: holds cluster messages or a crash recovery
--   has_performance_data: holds files that are neither logs nor configuration
with

files as (

    select
        source_file.file_id,
        source_file.configuration,
        source_file.run,
        coalesce(log_format.role, 'measurement') as role

    from source_file

    left join log_format
        on source_file.format = log_format.format

    where source_file.status = 'parsed' and source_file.configuration is not null

),

failover_files as (

    select distinct file_id from cluster_line

),

units as (

    select
        files.configuration,
        files.run as unit_run,
        bool_or(failover_files.file_id is not null) as has_failover_logs,
        bool_or(files.role = 'measurement') as has_performance_data

    from files

    left join failover_files
        on files.file_id = failover_files.file_id

    where files.role <> 'configuration'

    group by files.configuration, files.run

),

with_folders as (

    select distinct configuration from units where unit_run is not null

)

select units.*

from units

left join with_folders
    on units.configuration = with_folders.configuration

-- a log above run folders belongs to them by time, and is no run of its own
where units.unit_run is not null or with_folders.configuration is null

order by units.configuration, units.unit_run
