-- One row per run folder with dated files: the time it covers. Gives lines of a log that lies above the run folders
-- their run. Ranges of a configuration do not overlap: a range ends where the next begins.
-- materialised: every typed view reads it
-- rows by: configuration
-- columns:
--   run: run folder
--   start_at: first stamp in the folder, UTC
--   end_at: end of the range, exclusive, UTC
with

ranges as (

    select
        configuration,
        run,
        min(first_at) as start_at,
        max(last_at) + interval 1 second as last_at

    from source_file

    where status = 'parsed' and configuration is not null and run is not null and first_at is not null

    group by configuration, run

)

select
    configuration,
    run,
    start_at,
    least(last_at, lead(start_at) over (partition by configuration order by start_at, run)) as end_at

from ranges

order by configuration, start_at, run
