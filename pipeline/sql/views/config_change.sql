-- One row per change of a database's or the database manager's configuration that db2diag.log records.
-- A run in whose time a person changed something (is_self_tuned is false) did not run under one configuration.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the line lies; null outside of all
--   node: host that wrote the line, short name; else the host that the file is from
--   at: time, UTC; null for an undated line
--   local_at: wall clock of the writer
--   scope: db (of a database) or dbm (of the database manager)
--   instance: DB2 instance
--   database: database whose configuration changed; null for the database manager
--   member: database partition or member
--   host: HOSTNAME field
--   parameter: key in capitals, as `db2 get db cfg` prints it; null where none is told
--   old_value: value before, as printed
--   new_value: value after, as printed
--   is_old_automatic: DB2 was free to choose the value before
--   is_new_automatic: DB2 is free to choose the value from then on
--   is_self_tuned: changed by DB2's self tuning of memory, not by a person
--   authid: authorisation id that made the change
--   process: process that made the change
--   text: the record's words
--   file_id: file
--   line_no: line
--   part: part of the record, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(coalesce(config_change.host, source_file.node)) as node,
    config_change."at",
    config_change.local_at,
    config_change.scope,
    config_change.instance,
    config_change.database,
    config_change.member,
    config_change.host,
    config_change.parameter,
    config_change.old_value,
    config_change.new_value,
    config_change.is_old_automatic,
    config_change.is_new_automatic,
    config_change.is_self_tuned,
    config_change.authid,
    config_change.process,
    config_change.text,
    config_change.file_id,
    config_change.line_no,
    config_change.part

from log.config_change as config_change

inner join source_file
    on config_change.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or config_change."at" >= run_window.start_at)
        and (run_window.end_at is null or config_change."at" < run_window.end_at)
