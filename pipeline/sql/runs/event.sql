-- One row per log message of every format, dated or not. A message that has a typed row too is here once.
-- What syslog carried is source syslog, also when `vcs_event`, `llt_event` and others hold its typed form.
-- columns:
--   source: syslog, vcs, db2diag, llt, gab, storage, ha, ...
--   severity: severity or level as the source has it
--   message_id: vendor's message id; function and probe for db2diag records without one
with

carried as (

    select * from event_line where source = 'syslog'

),

-- by a window, not by a join with itself: what is read twice DuckDB keeps, and beside a result that is kept
-- it reads all columns of all lines for any question
-- of log: the relation of that name is read for every event as it is
coded as (

    select
        own.file_id,
        own.line_no,
        own.part,
        source_file.format,
        count(*) filter (where source_file.format = 'db2diag') over (
            partition by
                writer_host(own.host, source_file.node), own.instance, upper(own.database), own.message_code
            order by own."at"
            range between interval 1 second preceding and interval 1 second following
        ) > 0 as has_twin

    from log.db2diag_record as own

    inner join source_file
        on own.file_id = source_file.file_id and source_file.format in ('db2_nfy', 'db2diag')

    where own.message_code is not null and own."at" is not null and exists (from source_file where format = 'db2_nfy')

),

repeated_notice as (  -- DB2 writes its notifications into the diagnostic log too

    select file_id, line_no, part from coded where format = 'db2_nfy' and has_twin

),

others as (

    select event_line.*

    from event_line

    where  -- `not in`: a join may be turned round, and then holds all lines but these few
        event_line.source <> 'syslog'
        and (event_line.file_id, event_line.line_no) not in (select (file_id, line_no) from carried_line)
        and (
            event_line.source <> 'db2diag'
            or (event_line.file_id, event_line.line_no, event_line.part)
            not in (select (file_id, line_no, part) from repeated_notice)
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
