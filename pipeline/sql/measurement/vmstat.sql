-- One row per report of vmstat. Null: the system does not print it. Memory is as printed (KiB on Linux, unless -S says
-- otherwise).
-- columns:
--   run: run folder, else the run in whose time the report lies; null outside of all
--   interval_s: seconds that the report covers
--   flags: doubts: counter_wrap, negative, truncated, elided, gap, clock_step
--   part: always 1
select
    report.configuration,
    report.run,
    report.node,
    report.report_no,
    report."at",
    report.offset_s,
    report.invocation_no,
    report.is_since_boot,
    report.interval_s,
    vmstat.* exclude (file_id, line_no, part, mark_line, flags),
    nullif(concat_ws(', ', vmstat.flags, report.flags), '') as flags,
    vmstat.file_id,
    vmstat.line_no,
    vmstat.part

from log.vmstat as vmstat

inner join log.iostat_mark as mark
    on vmstat.file_id = mark.file_id and vmstat.mark_line = mark.line_no

inner join iostat_report as report
    on mark.file_id = report.file_id and mark.report_line = report.report_line
