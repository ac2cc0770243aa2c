-- One row per db2diag or notification record about HADR; a record with several socket buffers has several.
-- A message that is in db2diag.log and in the notification log of its host is here once, from db2diag.log.
-- columns:
--   run: run folder, else the run in whose time the line lies; null outside of all
--   database: database; where DB is not printed, the one that the EDU is named after
--   text: what the record says of it
--   part: part of the record, from 1
with

events as (

    select
        source_file.configuration,
        coalesce(source_file.run, long_run.run, run_hour.run) as run,
        writer_host(hadr_event.host, source_file.node) as node,
        hadr_event.* exclude (file_id, line_no, part),
        hadr_event.file_id,
        hadr_event.line_no,
        hadr_event.part,
        source_file.format

    from log.hadr_event as hadr_event

    inner join source_file using (file_id)

    left join run_hour as long_run
        on source_file.run is null and is_in_long_run(source_file.configuration, hadr_event."at", long_run)

    left join run_hour
        on source_file.run is null and is_in_run_hour(source_file.configuration, hadr_event."at", run_hour)

)

select events.* exclude (format)

from events

where
    events.format <> 'db2_nfy'
    or not exists (
        select 1

        from events as twin

        where
            twin.format <> 'db2_nfy'
            and twin.configuration is not distinct from events.configuration
            and twin.run is not distinct from events.run
            and twin.node is not distinct from events.node
            and twin.instance is not distinct from events.instance
            and upper(twin.database) is not distinct from upper(events.database)
            and twin.message_code = events.message_code
            and abs(epoch_us(twin."at") - epoch_us(events."at")) <= 1000000
    )
