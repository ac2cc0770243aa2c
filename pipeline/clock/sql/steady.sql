-- Neighbouring lines with the kernel's uptime: by how much wall clock less uptime changed from the one to the other
select
    file_id,
    line_no,
    lead(line_no) over series_in_order as next_line,
    lead(epoch_us("at") - (1000000 * uptime_s)::bigint) over series_in_order
    - (epoch_us("at") - (1000000 * uptime_s)::bigint) as change_us

from log.syslog_event

where uptime_s is not null and "at" is not null and file_id in (select file_id from log.clock_set)

window series_in_order as (partition by file_id, host order by line_no)

qualify next_line is not null
