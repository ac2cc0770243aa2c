-- One row per report and processor of iostat, sar -u, mpstat or sadf. Null: the tool does not print it.
-- columns:
--   run: run folder, else the run in whose time the report lies; null outside of all
--   source: iostat, sar, mpstat, sadf
--   interval_s: seconds that the report covers
--   busy_pct: 100 less idle and iowait, percent; 100 less idle where iowait is not distinguished (flag
--     busy_includes_iowait)
--   not_idle_pct: 100 less idle, percent
--   flags: doubts: no_sample (all shares zero: the row is empty), cpu_sum (shares are not 100 together), coarse,
--     truncated, elided, gap, clock_step, busy_includes_iowait
--   part: processor within the line, from 1
select
    report.configuration,
    report.run,
    report.node,
    cpu.cpu,
    report.report_no,
    report."at",
    report.offset_s,
    cpu.source_kind as source,
    report.invocation_no,
    report.is_since_boot,
    report.interval_s,
    cpu.user_pct,
    cpu.nice_pct,
    cpu.system_pct,
    cpu.iowait_pct,
    cpu.steal_pct,
    cpu.idle_pct,
    cpu.irq_pct,
    cpu.soft_pct,
    cpu.guest_pct,
    cpu.physc,
    cpu.entc_pct,
    100 - cpu.idle_pct - coalesce(cpu.iowait_pct, 0) as busy_pct,
    100 - cpu.idle_pct as not_idle_pct,
    cpu.raw,
    nullif(concat_ws(
        ', ',
        case when cpu.iowait_pct is null and cpu.idle_pct is not null then 'busy_includes_iowait' end,
        cpu.flags,
        report.flags
    ), '') as flags,
    cpu.file_id,
    cpu.line_no,
    cpu.part,
    report.report_line

from log.iostat_cpu as cpu

inner join log.iostat_mark as mark
    on cpu.file_id = mark.file_id and cpu.mark_line = mark.line_no

inner join iostat_report as report
    on mark.file_id = report.file_id and mark.report_line = report.report_line
