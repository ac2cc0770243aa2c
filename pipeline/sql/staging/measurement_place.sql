-- One row per summary, series or named run that a benchmark's file holds: the configuration and run that it belongs
-- to. The folder names the run; else the file itself; else the summaries of a file are its runs 1, 2, ... in their
-- order. Several files of a folder without runs are run 1 together. A run that a file names by number is the run
-- folder of that number, where there is one.
-- materialised: small, and read by every view of measurements
-- columns:
--   summary_no: number of the summary in its file; null for parts that several files hold
--   named_configuration: configuration as the file itself names it
--   named_run: run as the file itself names it
--   configuration: folder group, else the configuration that the file names
--   is_in_folder: a run folder, or a file name, names the run
with

summaries as (

    select file_id, summary_no, configuration, run, label, clients from log.measurement_value
    union
    select file_id, summary_no, configuration, run, label, clients from log.measurement_point

),

counted as (

    select
        summaries.*,
        source_file.run as folder_run,
        coalesce(summaries.configuration, source_file.configuration) as place_configuration,
        -- a progress file and its summary state the load or not: the order counts per load
        dense_rank() over (
            partition by summaries.file_id, summaries.configuration, summaries.run, summaries.label, summaries.clients
            order by summaries.summary_no
        ) as number

    from summaries

    inner join source_file using (file_id)

),

folders as (

    select distinct configuration, run from source_file where run is not null and status = 'parsed'

),

matched as (

    select
        counted.*,
        min(folders.run) as run_folder

    from counted

    inner join folders
        on
            counted.place_configuration = folders.configuration
            and same_run(coalesce(counted.run, counted.number::varchar), folders.run)

    group by all

)

select
    counted.file_id,
    counted.summary_no,
    counted.configuration as named_configuration,
    counted.run as named_run,
    counted.label,
    counted.clients,
    counted.place_configuration as configuration,
    coalesce(
        case when counted.configuration is null then counted.folder_run end,
        matched.run_folder,
        counted.run,
        counted.number::varchar
    ) as run,
    counted.folder_run is not null and counted.configuration is null as is_in_folder

from counted

left join matched
    on
        counted.file_id = matched.file_id
        and counted.summary_no is not distinct from matched.summary_no
        and counted.configuration is not distinct from matched.configuration
        and counted.run is not distinct from matched.run
        and counted.label is not distinct from matched.label
        and counted.clients is not distinct from matched.clients

order by counted.file_id, counted.summary_no, configuration, run, counted.label, counted.clients
