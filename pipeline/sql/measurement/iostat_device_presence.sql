-- One row per file, invocation and device of iostat or sar: in which reports it is.
-- materialised: every row of a device reads it
-- rows by: file_id
-- columns:
--   section: whose reports are counted together
--   first_report_no: first report that shows it
--   last_report_no: last report that shows it
--   reports: reports that show it
with

sixties as (  -- reports by sixty, each as a bit: so different ones are counted without all numbers in memory

    select
        device.file_id,
        mark.invocation_no,
        mark.section,
        device.device,
        min(mark.report_no) as first_report_no,
        max(mark.report_no) as last_report_no,
        bit_count(bit_or(cast(1 as bigint) << (mark.report_no % 60))) as reports

    from log.iostat_device as device

    inner join log.iostat_mark as mark
        on device.file_id = mark.file_id and device.mark_line = mark.line_no

    group by device.file_id, mark.invocation_no, mark.section, device.device, mark.report_no // 60

)

select
    file_id,
    invocation_no,
    section,
    device,
    min(first_report_no) as first_report_no,
    max(last_report_no) as last_report_no,
    cast(sum(reports) as bigint) as reports

from sixties

group by file_id, invocation_no, section, device

order by file_id, invocation_no, section, device
