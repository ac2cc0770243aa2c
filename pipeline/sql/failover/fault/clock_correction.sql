-- One row per range of log lines whose times were moved, and cause: a clock that was set, or a file in another zone.
-- `at` holds the moved time in every relation, `local_at` of schema `log` the stamp as printed. Where several rows
-- hold a line their shifts add up. An instant whose line lies in a range is uncertain by its `error_s` besides what
-- its stamp leaves open; a duration between two lines of one range is not.
-- columns:
--   run: run folder of the file; null where it has none
--   from_at: earliest time in the range, UTC, as moved
--   to_at: latest time in the range
--   shift_s: seconds added to the printed time; 0 where only the error concerns the lines
--   error_s: half width of that, seconds
--   source: what proves it: ntpd, chronyd, uptime, ... or zone
--   from_line: first line
--   to_line: last line
--   change_at: first instant on the new clock, UTC; null for a file in another zone
--   change_file_id: file that shows the change
--   change_line_no: its first line on the new clock
with

ranges as (

    select
        correction.*,
        clock_change."at" as change_at,
        clock_change.file_id as change_file_id,
        clock_change.line_no as change_line_no,
        clock_change.node as change_node

    from log.clock_correction as correction

    left join log.clock_change as clock_change using (change_no)

)

select
    source_file.configuration,
    source_file.run,
    coalesce(source_file.node, ranges.change_node) as node,
    min(event_line."at") as from_at,
    max(event_line."at") as to_at,
    ranges.shift_s,
    ranges.error_s,
    ranges.source,
    ranges.file_id,
    ranges.from_line,
    ranges.to_line,
    ranges.change_at,
    ranges.change_file_id,
    ranges.change_line_no

from ranges

inner join source_file using (file_id)

left join event_line
    on
        ranges.file_id = event_line.file_id
        and event_line.line_no between ranges.from_line and ranges.to_line

group by all

order by source_file.configuration, source_file.run, ranges.file_id, ranges.from_line, ranges.change_at
