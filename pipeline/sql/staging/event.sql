-- One row per log message of every format, dated or not. A message that has a typed row too is here once.
-- What syslog carried is source syslog, also when `vcs_event`, `llt_event` and others hold its typed form.
-- columns:
--   source: syslog, vcs, db2diag, llt, gab, storage, ha, ...
--   severity: severity or level as the source has it
--   message_id: vendor's message id; function and probe for db2diag records without one
--   process: program, agent or process
with

carried as (

    select * from event_line where source = 'syslog'

),

others as (

    select event_line.*

    from event_line

    where
        event_line.source <> 'syslog'
        and not exists (
            select 1

            from log.syslog_event as twin

            where twin.file_id = event_line.file_id and twin.line_no = event_line.line_no
        )
        -- DB2 writes its notifications into the diagnostic log too
        and not exists (
            select 1

            from db2diag_record as notice

            inner join source_file as notice_file
                on notice.file_id = notice_file.file_id and notice_file.format = 'db2_nfy'

            inner join db2diag_record as twin
                on
                    notice.node is not distinct from twin.node
                    and notice.instance is not distinct from twin.instance
                    and upper(notice.database) is not distinct from upper(twin.database)
                    and notice.message_code = twin.message_code
                    and twin."at" between notice."at" - interval 1 second and notice."at" + interval 1 second

            inner join source_file as twin_file
                on twin.file_id = twin_file.file_id and twin_file.format = 'db2diag'

            where
                event_line.source = 'db2diag'
                and notice.file_id = event_line.file_id
                and notice.line_no = event_line.line_no
                and notice.part = event_line.part
        )

),

events as (

    select * from carried
    union all
    select * from others

)

select
    file_id,
    line_no,
    configuration,
    run,
    node,
    "at",
    source,
    severity,
    message_id,
    process,
    pid,
    text,
    part

from events
