-- One row per monitor element with a number that a snapshot of DB2 shows, of the database or of a thing within it.
-- A snapshot whose date may be read in two ways has no time, unless study.toml declares `date_order` for its file.
-- columns:
--   run: run folder, else the run in whose time the snapshot lies; null outside of all
--   at: time of the snapshot, UTC; null where it is open
--   local_at: wall clock of the snapshot
--   date_order: how the order of its date is known: iso, name, dots, epoch, day, stated (study.toml); open: not known
--   label: element as printed
--   value: value in the unit
--   unit: unit in the label: ms, s, bytes, pages; null where it gives none
select
    source_file.configuration,
    coalesce(source_file.run, long_run.run, run_hour.run) as run,
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

inner join source_file using (file_id)

left join run_hour as long_run
    on source_file.run is null and is_in_long_run(source_file.configuration, snapshot_element."at", long_run)

left join run_hour
    on source_file.run is null and is_in_run_hour(source_file.configuration, snapshot_element."at", run_hour)

where snapshot_element.number is not null
