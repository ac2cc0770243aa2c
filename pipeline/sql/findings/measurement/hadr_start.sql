-- The start of HADR on a primary was given up, as no standby came in time.
-- severity: warning
select
    failed.configuration,
    failed.run,
    format(
        '{}, line {}: HADR gave up its start{}{}: no standby came in time, and the database starts only by force.',
        source_file.path,
        failed.line_no,
        coalesce(format(' {} s after it began', round(epoch(failed."at") - epoch(max(begun."at")), 3)), ''),
        coalesce(format(' (timeout {} s)', failed.timeout_s::bigint), '')
    ) as text,
    failed.file_id,
    failed.line_no

from hadr_event as failed

inner join source_file on failed.file_id = source_file.file_id

left join hadr_event as begun
    on
        begun.kind = 'hadr_start'
        and contains(begun.text, 'begun')
        and begun.file_id = failed.file_id
        and begun."at" between failed."at" - interval 1 hour and failed."at"

where failed.kind = 'hadr_start_failed'

group by
    failed.configuration, failed.run, failed.file_id, failed.line_no, failed."at", failed.timeout_s, source_file.path
