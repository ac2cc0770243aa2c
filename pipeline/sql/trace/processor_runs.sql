-- One row per run, host and tool, and two lines of it: the first and the last report of all processors. Percent of the time.
with

reported as (

    select
        iostat_cpu.configuration,
        iostat_cpu.run,
        iostat_cpu.file_id,
        count(*) as reports,
        min(iostat_cpu.line_no) as first_line_no,
        max(iostat_cpu.line_no) as last_line_no

    from iostat_cpu

    where
        iostat_cpu.configuration = $configuration
        and iostat_cpu.node is not distinct from $node
        and iostat_cpu.source = $source
        and not iostat_cpu.is_since_boot
        and iostat_cpu.cpu = 'all'

    group by iostat_cpu.configuration, iostat_cpu.run, iostat_cpu.file_id

),

means as (

    select
        iostat_cpu.run,
        avg(iostat_cpu.user_pct) as user_pct,
        avg(iostat_cpu.system_pct) as system_pct,
        avg(iostat_cpu.iowait_pct) as iowait_pct,
        avg(iostat_cpu.idle_pct) as idle_pct,
        avg(iostat_cpu.busy_pct) as busy_pct

    from iostat_cpu

    where
        iostat_cpu.configuration = $configuration
        and iostat_cpu.node is not distinct from $node
        and iostat_cpu.source = $source
        and not iostat_cpu.is_since_boot
        and iostat_cpu.cpu = 'all'

    group by iostat_cpu.run

)

select
    reported.configuration,
    reported.run,
    run.used as is_used,
    case when not run.used then coalesce(run.excluded_reason, run.flags) end as reason,
    means.user_pct,
    means.system_pct,
    means.iowait_pct,
    means.idle_pct,
    means.busy_pct,
    case places.place when 1 then 'first report' else 'last report' end as role,
    'mean of the run''s reports' as how,
    reported.reports || ' reports, lines ' || reported.first_line_no || ' to ' || reported.last_line_no as note,
    null::timestamp as "at",
    reported.file_id,
    case places.place when 1 then reported.first_line_no else reported.last_line_no end as line_no

from reported

inner join means
    on reported.run is not distinct from means.run

inner join run
    on reported.configuration = run.configuration and reported.run = run.run

cross join range(1, 3) as places (place)

where places.place = 1 or reported.last_line_no > reported.first_line_no

order by run.run_no nulls last, reported.run, reported.file_id, places.place
