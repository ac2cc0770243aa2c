-- One row per configuration and host: shares of the processors' time, means over used runs of the means of each run,
-- percent.
with

per_run as (

    select
        cpu.configuration,
        cpu.run,
        cpu.node,
        cpu.source,
        favg(cpu.user_pct order by cpu.user_pct) as user_pct,
        favg(cpu.system_pct order by cpu.system_pct) as system_pct,
        favg(cpu.iowait_pct order by cpu.iowait_pct) as iowait_pct,
        favg(cpu.idle_pct order by cpu.idle_pct) as idle_pct,
        favg(cpu.busy_pct order by cpu.busy_pct) as busy_pct

    from main.processor_share as cpu

    inner join main.run as runs using (configuration, run)

    where runs.used
        and not cpu.is_since_boot

    group by cpu.configuration, cpu.run, cpu.node, cpu.source

)

select
    per_run.configuration,
    per_run.node,
    per_run.source,
    count(*) as runs,
    favg(per_run.user_pct order by per_run.user_pct) as user_pct,
    favg(per_run.system_pct order by per_run.system_pct) as system_pct,
    favg(per_run.iowait_pct order by per_run.iowait_pct) as iowait_pct,
    favg(per_run.idle_pct order by per_run.idle_pct) as idle_pct,
    favg(per_run.busy_pct order by per_run.busy_pct) as busy_pct,
    case when count(*) > 1 then stddev_samp(per_run.busy_pct order by per_run.busy_pct) end as busy_stddev

from per_run

left join main.configuration_order as configurations using (configuration)

group by per_run.configuration, per_run.node, per_run.source, configurations.position

order by configurations.position, per_run.configuration, per_run.node, per_run.source
