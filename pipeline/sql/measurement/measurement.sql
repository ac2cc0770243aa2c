-- One row per run-level number of a benchmark: throughput, elapsed seconds, events per hour, ... The time of one query
-- or statement is a metric of its own (`query 4`). `label` (a command) and `clients` (the load) are part of what was
-- measured.
-- materialised: small beside the logs, and read by all statistics
-- columns:
--   configuration: folder group, else as the file names it
--   run: run folder, else as the file names it, else the incident in whose time the number is, else the summary's
--     place in its file
--   metric: tps, tpm, nopm, tpmC, events_per_hour, elapsed_s, MB/s, query 4, ...
--   unit: unit of the value; null if unknown
--   source: format of the file
--   label: what was measured, where a file measures several things: a command, a transaction
--   clients: clients, threads, virtual users, terminals or queues at work
--   duration_s: length of the run as ordered or measured, seconds
--   repetitions: measurements that the value is the mean of, where printed
--   low: least of them, where printed
--   high: greatest of them, where printed
--   spread: their standard deviation, where printed
--   at: time that the file gives for it, UTC
--   is_valid: false where the output itself shows that the value does not stand for the run, or stands for what was
--     left of it after a start of the same load was lost; then no statistic has it
with

benchmarks as (

    select
        place.configuration,
        coalesce(
            case when place.is_in_folder or place.named_run is not null then place.run end,
            long_run.run,
            run_hour.run,
            place.run
        ) as run,
        measured.metric,
        measured.unit,
        measured.value,
        source_file.format as source,
        measured.file_id,
        measured.line_no,
        measured.part,
        measured.label,
        measured.clients,
        measured.duration_s,
        measured.repetitions,
        measured.low,
        measured.high,
        measured.spread,
        measured."at",
        measured.is_valid and not coalesce(bool_or(not measured.is_valid) over earlier, false) as is_valid,
        coalesce(
            measured.doubt,
            case when bool_or(not measured.is_valid) over earlier then 'an earlier start of it, in the same run, was lost' end
        ) as doubt

    from log.measurement_value as measured

    inner join source_file using (file_id)

    inner join measurement_place as place
        on
            measured.file_id = place.file_id
            and measured.summary_no is not distinct from place.summary_no
            and measured.configuration is not distinct from place.named_configuration
            and measured.run is not distinct from place.named_run
            and measured.label is not distinct from place.label
            and measured.clients is not distinct from place.clients

    left join run_hour as long_run
        on
            source_file.run is null
            and long_run.start_at is not null
            and is_in_long_run(place.configuration, measured."at", long_run)

    left join run_hour
        on source_file.run is null and is_in_run_hour(place.configuration, measured."at", run_hour)

    window earlier as (  -- starts of one load, before this one
        partition by measured.file_id, place.configuration, place.run, measured.label, measured.clients
        order by measured.summary_no
        range between unbounded preceding and 1 preceding
    )

)

select * from benchmarks
union all by name
select * from simhadr_measurement
union all by name
select * from client_measurement

order by file_id, line_no, part
