-- A monitor shows a log gap of HADR between log positions that are equal.
-- severity: note
with

positions as (

    select
        file_id,
        status_no,
        any_value(number) filter (where name = 'HADR_LOG_GAP') as gap_bytes,
        any_value(line_no) filter (where name = 'HADR_LOG_GAP') as line_no,
        any_value(value) filter (where name = 'PRIMARY_LOG_FILE') as primary_file,
        any_value(value) filter (where name = 'STANDBY_LOG_FILE') as standby_file,
        any_value(value) filter (where name = 'PRIMARY_LOG_POS') as primary_position,
        any_value(value) filter (where name = 'STANDBY_LOG_POS') as standby_position

    from hadr_status_value

    group by file_id, status_no

)

select
    source_file.configuration,
    source_file.run,
    format(
        '{}, line {}: a log gap of {} bytes is printed, although primary and standby are at the same log position {}: the gap is a running average and no distance.',
        source_file.path,
        positions.line_no,
        positions.gap_bytes::bigint,
        positions.primary_position
    ) as text,
    positions.file_id,
    positions.line_no

from positions

inner join source_file using (file_id)

where
    positions.gap_bytes > 0
    and positions.primary_file = positions.standby_file
    and positions.primary_position = positions.standby_position
