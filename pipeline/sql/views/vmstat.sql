-- One row per report of vmstat. Null: the system does not print it. Memory is as printed (KiB on Linux, unless -S says otherwise).
-- columns:
--   configuration: folder group
--   run: run folder, else the run in whose time the report lies; null outside of all
--   node: host
--   report_no: report in the run of the tool, from 1
--   at: time, UTC; null where none was printed or stated
--   offset_s: seconds since the first report of that run of the tool
--   invocation_no: run of the tool in the file, from 1
--   is_since_boot: covers the time since the start of the system, not an interval
--   interval_s: seconds that the report covers
--   runnable: threads that run or wait for a processor (r)
--   blocked: threads blocked (b)
--   swapped: threads swapped out (w)
--   swap_used: swap used, as printed (swpd)
--   swap_free: swap free, as printed (swap of Solaris)
--   active_virtual: active virtual memory, as printed (avm)
--   free: free memory, as printed
--   buffers: buffers, as printed
--   cache: page cache, as printed
--   inactive: inactive memory, as printed
--   active: active memory, as printed
--   swap_in_per_s: swapped in, KiB per second (si)
--   swap_out_per_s: swapped out, KiB per second (so)
--   page_in_per_s: paged in (pi), as printed
--   page_out_per_s: paged out (po), as printed
--   blocks_in_per_s: blocks of 1 KiB read per second (bi)
--   blocks_out_per_s: blocks of 1 KiB written per second (bo)
--   interrupts_per_s: interrupts per second (in)
--   calls_per_s: system calls per second
--   switches_per_s: context switches per second (cs)
--   user_pct: user, percent
--   system_pct: system, percent
--   idle_pct: idle, percent
--   iowait_pct: idle while requests were outstanding, percent
--   steal_pct: taken by the hypervisor, percent
--   guest_pct: guests, percent
--   raw: printed columns that no other column holds, as JSON
--   flags: doubts: counter_wrap, negative, truncated, elided, gap, clock_step
--   file_id: file
--   line_no: line
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
    vmstat.runnable,
    vmstat.blocked,
    vmstat.swapped,
    vmstat.swap_used,
    vmstat.swap_free,
    vmstat.active_virtual,
    vmstat.free,
    vmstat.buffers,
    vmstat.cache,
    vmstat.inactive,
    vmstat.active,
    vmstat.swap_in_per_s,
    vmstat.swap_out_per_s,
    vmstat.page_in_per_s,
    vmstat.page_out_per_s,
    vmstat.blocks_in_per_s,
    vmstat.blocks_out_per_s,
    vmstat.interrupts_per_s,
    vmstat.calls_per_s,
    vmstat.switches_per_s,
    vmstat.user_pct,
    vmstat.system_pct,
    vmstat.idle_pct,
    vmstat.iowait_pct,
    vmstat.steal_pct,
    vmstat.guest_pct,
    vmstat.raw,
    nullif(concat_ws(', ', vmstat.flags, report.flags), '') as flags,
    vmstat.file_id,
    vmstat.line_no,
    vmstat.part

from log.vmstat as vmstat

inner join log.iostat_mark as mark
    on vmstat.file_id = mark.file_id and vmstat.mark_line = mark.line_no

inner join iostat_report as report
    on mark.file_id = report.file_id and mark.report_line = report.report_line
