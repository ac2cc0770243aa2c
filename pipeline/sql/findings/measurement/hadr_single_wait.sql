-- A monitor shows a mean wait of log writes for HADR that is the time of one write.
-- severity: note
select
    hadr_status.configuration,
    hadr_status.run,
    format(
        '{}, line {}: the mean wait for HADR of {} s is one wait, not a mean.',
        source_file.path,
        hadr_status.line_no,
        round(hadr_status.wait_accumulated_s, 3)
    ) as text,
    hadr_status.file_id,
    hadr_status.line_no

from hadr_status

inner join source_file using (file_id)

where hadr_status.wait_count = 1 and hadr_status.wait_accumulated_s > 1
