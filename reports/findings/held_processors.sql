-- One row per configuration, host and tool, the busiest first: over the intervals of its monitors how busy its
-- processors were.
select
    cpu.configuration,
    cpu.node,
    cpu.source,
    count(*) as reports,
    sum(cpu.interval_s) as span_s,
    favg(cpu.busy_pct order by cpu.busy_pct) as busy_pct,
    favg(cpu.iowait_pct order by cpu.iowait_pct) as iowait_pct

from main.processor_share as cpu

where not coalesce(cpu.is_since_boot, false)
    and cpu.busy_pct is not null

group by cpu.configuration, cpu.node, cpu.source

order by busy_pct desc, cpu.configuration, cpu.node, cpu.source
