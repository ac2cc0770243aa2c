-- One row per run: its time, and its place in the order of its configuration's runs. The fault shows the time, else
-- the first stamp of the run's measurements, else the time that a measurement itself gives. Where a run of a
-- configuration has no time, its runs follow their numbers.
-- columns:
--   run_no: number of the run
--   source: fault, file, measurement, or null
--   place: place among the runs of the configuration, from 1
--   is_timed: the place follows the times, not the numbers
--   is_counted: the run is neither excluded, nor a copy, nor a further incident of its folder
with

files as (

    select source_file.configuration, source_file.run, min(source_file.first_at) as first_at

    from source_file

    inner join log_format using (format)

    where log_format.role = 'measurement' and source_file.status = 'parsed' and source_file.run is not null

    group by source_file.configuration, source_file.run

),

measured as (

    select configuration, run, min("at") as first_at from measurement group by configuration, run

),

timed as (

    select
        run.configuration,
        run.run,
        run.run_no,
        coalesce(run.fault_at, files.first_at, measured.first_at) as "at",
        case
            when run.fault_at is not null then 'fault'
            when files.first_at is not null then 'file'
            when measured.first_at is not null then 'measurement'
        end as source,
        not list_has_any(string_split(run.flags, ', '), ['excluded', 'copy', 'extra_incident']) as is_counted

    from run

    left join files using (configuration, run)

    left join measured using (configuration, run)

)

select
    configuration,
    run,
    run_no,
    "at",
    source,
    row_number() over (
        partition by configuration
        order by case when all_timed then epoch_us("at") end, run_no, natural_order(run), run
    ) as place,
    all_timed as is_timed,
    is_counted

from (select *, count("at") over (partition by configuration) = count(*) over (partition by configuration) as all_timed from timed)

order by configuration, place
