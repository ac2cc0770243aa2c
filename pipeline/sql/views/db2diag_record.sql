-- One row per record of db2diag.log or of a notification log, in the layout of V8.1 or of V8.2 and later.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host that wrote the line, short name; else the host that the file is from
--   at: time, UTC; null for an undated line
--   local_at: wall clock of the writer
--   era: layout of the record: v81 or v82
--   kind: what happened: crash_recovery_needed, crash_recovery_done, hadr_state, ...
--   audience: E external, I internal, D debugging
--   record_offset: byte offset that the record states for itself
--   platform: platform letter of the record id
--   record_length: length in bytes that the record states for itself
--   line_count: lines of the record as read, without the empty ones below it
--   byte_count: length as read: bytes of UTF-8 and one line feed a line, without quoting marks
--   character_count: the same in characters: the bytes of a file of one byte a character
--   level: Critical, Severe, Error, Warning, Event, Info, ...; V8.1: from the message code
--   level_source: Origin, OS, Received, Sent where printed
--   pid: process id
--   tid: thread id
--   ktid: kernel thread id
--   process: process name
--   instance: DB2 instance
--   member: database partition or member (printed as NODE)
--   database: database
--   apphdl: application handle
--   appid: application id
--   uowid: unit of work id
--   actid: activity id
--   authid: authorisation id
--   host: HOSTNAME field
--   eduid: engine dispatchable unit id
--   eduname: engine dispatchable unit name
--   product: product of FUNCTION
--   component: component
--   function: function
--   probe: probe point
--   message: MESSAGE, or the text of a V8.1 record; lines joined by one blank
--   message_code: ADM, DIA or SQL code inside the message
--   zrc: ZRC return code, hexadecimal
--   called: CALLED
--   oserr: OSERR
--   retcode: RETCODE
--   event_type: event verb: START, STOP, CHANGE, ...
--   event_text: text of the event
--   impact: IMPACT
--   data: DATA, ARG and CALLSTCK sections as printed
--   sqlcode: first SQLCODE other than 0 among the SQLCA sections
--   zrc_name: symbol of the ZRC: SQLP_NOSPACE, ...
--   object: OBJECT
--   tenantid: tenant id
--   file_id: file
--   line_no: line
--   part: message within the line, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(coalesce(db2diag_record.host, source_file.node)) as node,
    db2diag_record."at",
    db2diag_record.local_at,
    db2diag_record.era,
    db2diag_record.kind,
    db2diag_record.audience,
    db2diag_record.record_offset,
    db2diag_record.platform,
    db2diag_record.record_length,
    db2diag_record.line_count,
    db2diag_record.byte_count,
    db2diag_record.character_count,
    db2diag_record.level,
    db2diag_record.level_source,
    db2diag_record.pid,
    db2diag_record.tid,
    db2diag_record.ktid,
    db2diag_record.process,
    db2diag_record.instance,
    db2diag_record.member,
    db2diag_record.database,
    db2diag_record.apphdl,
    db2diag_record.appid,
    db2diag_record.uowid,
    db2diag_record.actid,
    db2diag_record.authid,
    db2diag_record.host,
    db2diag_record.eduid,
    db2diag_record.eduname,
    db2diag_record.product,
    db2diag_record.component,
    db2diag_record."function",
    db2diag_record.probe,
    db2diag_record.message,
    db2diag_record.message_code,
    db2diag_record.zrc,
    db2diag_record.called,
    db2diag_record.oserr,
    db2diag_record.retcode,
    db2diag_record.event_type,
    db2diag_record.event_text,
    db2diag_record.impact,
    db2diag_record.data,
    db2diag_record.sqlcode,
    db2diag_record.zrc_name,
    db2diag_record.object,
    db2diag_record.tenantid,
    db2diag_record.file_id,
    db2diag_record.line_no,
    db2diag_record.part

from log.db2diag_record as db2diag_record

inner join source_file
    on db2diag_record.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or db2diag_record."at" >= run_window.start_at)
        and (run_window.end_at is null or db2diag_record."at" < run_window.end_at)
