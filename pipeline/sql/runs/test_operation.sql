-- One row per operation of a test that injects faults: those of its clients, and those of the nemesis. Times in UTC. A
-- history with times counts where a run has one, else the operations that the log of the test shows. Times of a
-- history count from the line of the log that says when they begin; without that log from the time in the name of the
-- run's folder, which is up to a minute early.
-- materialised: reads every operation, and is read three times
-- rows by: configuration
-- columns:
--   run: run folder, else the run in whose time the operation lies
--   at: when it was asked or ended; null where nothing says when times of the history begin
--   offset_s: time since the history begins, seconds; null where the log of the test shows the operation
--   basis: how its time is known: log (on its line), begin (from the line of the log at which times begin), folder
--     (from the folder's name); null without a time
--   type: invoke, ok, fail, info
with

begins as (

    select source_file.configuration, source_file.run, min(logged."at") as begin_at

    from log.logged_operation as logged

    inner join source_file using (file_id)

    where logged.type = 'begin'

    group by source_file.configuration, source_file.run

),

timed as (

    select
        source_file.configuration,
        source_file.run,
        coalesce(
            begins.begin_at,
            timezone('UTC', try_strptime(regexp_extract(source_file.run, '\d{8}T\d{6}\.\d{3}[+-]\d{4}'), '%Y%m%dT%H%M%S.%g%z'))
        ) + to_microseconds((1000000 * history.offset_s)::bigint) as "at",
        history.offset_s,
        case when begins.begin_at is null then 'folder' else 'begin' end as basis,
        history.*

    from log.history_operation as history

    inner join source_file using (file_id)

    left join begins
        on source_file.configuration = begins.configuration and source_file.run is not distinct from begins.run

    where history.offset_s is not null

),

logged as (

    select
        source_file.configuration,
        source_file.run,
        logged."at",
        null::double as offset_s,
        'log' as basis,
        logged.*

    from log.logged_operation as logged

    inner join source_file using (file_id)

    where
        logged.process is not null
        and not exists (
            select 1

            from (select distinct configuration, run from timed) as history

            where history.configuration = source_file.configuration and history.run is not distinct from source_file.run
        )

),

operations as (

    select * from timed
    union all by name
    select * from logged

)

select
    operations.configuration,
    coalesce(operations.run, long_run.run, run_hour.run) as run,
    operations."at",
    operations.offset_s,
    case when operations."at" is not null then operations.basis end as basis,
    operations.process,
    operations.type,
    operations.f,
    operations.value,
    operations.error,
    operations.file_id,
    operations.line_no,
    operations.part

from operations

left join run_hour as long_run
    on operations.run is null and is_in_long_run(operations.configuration, operations."at", long_run)

left join run_hour
    on operations.run is null and is_in_run_hour(operations.configuration, operations."at", run_hour)

order by operations.configuration, 2, operations.file_id, operations.line_no
