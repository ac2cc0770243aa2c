-- One row per run folder, and one per folder group without run folders: what a run or a series of runs was recorded
-- in. Configuration files alone make no unit. Runs that a benchmark's file itself holds (several summaries, a table of
-- runs) are units too, where no failover divides the group.
-- materialised: small, and read by every step of the failover analysis
-- rows by: configuration
-- columns:
--   unit_run: run folder, or run within a benchmark's file; null where the group has none and is split by time
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

    left join log_format using (format)

    where source_file.status = 'parsed' and source_file.configuration is not null

),

speaks_for_others as (  -- a table of measurements that names the configuration in every row

    select file_id from measurement_place group by file_id having count(*) = count(named_configuration)

),

failover_files as (

    select distinct file_id from cluster_line

),

folder_units as (

    select
        files.configuration,
        files.run as unit_run,
        bool_or(failover_files.file_id is not null) as has_failover_logs,
        bool_or(files.role = 'measurement') as has_performance_data

    from files

    left join failover_files using (file_id)

    left join speaks_for_others using (file_id)

    where files.role <> 'configuration' and speaks_for_others.file_id is null

    group by files.configuration, files.run

),

divided as (  -- by its incidents

    select configuration from folder_units where unit_run is null and has_failover_logs

),

places as (

    select distinct measurement_place.configuration, measurement_place.run

    from measurement_place

    left join divided using (configuration)

    where divided.configuration is null and not measurement_place.is_in_folder

    union

    select simhadr_measurement.configuration, simhadr_measurement.run

    from simhadr_measurement

    left join divided using (configuration)

    where divided.configuration is null and simhadr_measurement.run is not null

),

units as (

    select * from folder_units

    union all

    -- the only run of a group without run folders is the group
    select places.configuration, places.run, false, true

    from places

    left join folder_units
        on
            places.configuration = folder_units.configuration
            and (places.run = folder_units.unit_run or (places.run = '1' and folder_units.unit_run is null))

    where
        folder_units.configuration is null
        or (
            folder_units.unit_run is null
            and exists (
                select 1 from places as others where others.configuration = places.configuration and others.run <> '1'
            )
        )

),

with_folders as (

    select distinct configuration from units where unit_run is not null

)

select units.*

from units

left join with_folders using (configuration)

-- a log above run folders belongs to them by time, and is no run of its own
where units.unit_run is not null or with_folders.configuration is null

order by units.configuration, units.unit_run
