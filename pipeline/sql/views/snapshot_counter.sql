-- One row per monitor element with a number that a snapshot of DB2 shows, of the database or of a thing within it.
-- A snapshot whose date may be read in two ways has no time, unless study.toml states `date_order` for its file.
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the snapshot lies; null outside of all
--   node: host that the file is from, if known
--   at: time of the snapshot, UTC; null where it is open
--   local_at: wall clock of the snapshot
--   printed_at: time of the snapshot as printed
--   date_order: how the order of its date is known: iso, name, dots, epoch, day, stated (study.toml); open: not known
--   snapshot_no: number of the snapshot within the file
--   level: what the snapshot is of: database, tablespace, bufferpool, application, ...
--   database: database
--   entity_kind: what within it: tablespace, bufferpool, application, member, ...
--   entity: name of that; null for the database as a whole
--   element: identifier of the element: commit_sql_stmts, log_writes, ...
--   label: element as printed
--   value: value in the unit
--   unit: unit that the label states: ms, s, bytes, pages; null where it states none
--   is_counter: counts up from the first connection or the last reset on
--   counted_since: first connection and last reset as printed
--   file_id: file
--   line_no: line
--   part: number within the line, from 1
select
    source_file.configuration,
    coalesce(source_file.run, run_window.run) as run,
    short_host(source_file.node) as node,
    snapshot_element."at",
    snapshot_element.local_at,
    snapshot_element.printed_at,
    snapshot_element.date_order,
    snapshot_element.snapshot_no,
    snapshot_element.level,
    snapshot_element.database,
    snapshot_element.entity_kind,
    snapshot_element.entity,
    snapshot_element.element,
    snapshot_element.label,
    snapshot_element.number as value,
    snapshot_element.unit,
    snapshot_element.is_counter,
    snapshot_element.counted_since,
    snapshot_element.file_id,
    snapshot_element.line_no,
    snapshot_element.part

from log.snapshot_element as snapshot_element

inner join source_file
    on snapshot_element.file_id = source_file.file_id

left join run_window
    on
        source_file.run is null
        and source_file.configuration = run_window.configuration
        and (run_window.start_at is null or snapshot_element."at" >= run_window.start_at)
        and (run_window.end_at is null or snapshot_element."at" < run_window.end_at)

where snapshot_element.number is not null
