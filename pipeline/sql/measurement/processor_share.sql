-- One row per report of iostat, vmstat, sar -u, mpstat or sadf on all processors of a host together. Null: the tool
-- does not print it.
-- columns:
--   run: run folder, else the run in whose time the report lies; null outside of all
--   source: iostat, vmstat, sar, mpstat, sadf
--   busy_pct: 100 less idle and iowait, percent; 100 less idle where iowait is not distinguished
--   part: processor within the line, from 1
with

reports as (

    select *

    from iostat_cpu

    where cpu = 'all'

    union all by name

    select
        *,
        'vmstat' as source,
        100 - idle_pct - coalesce(iowait_pct, 0) as busy_pct

    from vmstat

    where idle_pct is not null

)

select
    configuration,
    run,
    node,
    source,
    report_no,
    "at",
    offset_s,
    is_since_boot,
    interval_s,
    user_pct,
    system_pct,
    iowait_pct,
    idle_pct,
    busy_pct,
    file_id,
    line_no,
    part

from reports
