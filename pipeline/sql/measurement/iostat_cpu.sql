-- One row per report and processor of iostat, vmstat, sar -u, mpstat or sadf. Null: the tool does not print it.
-- columns:
--   run: run folder, else the run in whose time the report lies; null outside of all
--   source: iostat, vmstat, sar, mpstat, sadf
--   interval_s: seconds that the report covers
--   busy_pct: 100 less idle and iowait, percent; 100 less idle where iowait is not distinguished (flag busy_includes_iowait)
--   not_idle_pct: 100 less idle, percent
--   flags: doubts: no_sample (all shares zero: the row is empty), cpu_sum (shares are not 100 together), coarse, truncated, elided,
--     gap, clock_step, busy_includes_iowait
--   part: processor within the line, from 1
with

shares as (

    select *

    from log.iostat_cpu

    union all by name

    select
        file_id,
        line_no,
        part,
        mark_line,
        'all' as cpu,
        'vmstat' as source_kind,
        user_pct,
        system_pct,
        idle_pct,
        iowait_pct,
        steal_pct,
        guest_pct,
        raw,
        flags

    from log.vmstat

    where idle_pct is not null

)

select
    report.configuration,
    report.run,
    report.node,
    shares.cpu,
    report.report_no,
    report."at",
    report.offset_s,
    shares.source_kind as source,
    report.invocation_no,
    report.is_since_boot,
    report.interval_s,
    shares.user_pct,
    shares.nice_pct,
    shares.system_pct,
    shares.iowait_pct,
    shares.steal_pct,
    shares.idle_pct,
    shares.irq_pct,
    shares.soft_pct,
    shares.guest_pct,
    shares.physc,
    shares.entc_pct,
    100 - shares.idle_pct - coalesce(shares.iowait_pct, 0) as busy_pct,
    100 - shares.idle_pct as not_idle_pct,
    shares.raw,
    nullif(concat_ws(
        ', ',
        case when shares.iowait_pct is null and shares.idle_pct is not null then 'busy_includes_iowait' end,
        shares.flags,
        report.flags
    ), '') as flags,
    shares.file_id,
    shares.line_no,
    shares.part,
    report.report_line

from shares

inner join log.iostat_mark as mark
    on shares.file_id = mark.file_id and shares.mark_line = mark.line_no

inner join iostat_report as report
    on mark.file_id = report.file_id and mark.report_line = report.report_line
