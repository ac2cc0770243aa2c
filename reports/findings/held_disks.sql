-- One row per disk, the busiest first: over the intervals of its monitors how busy it was, and how long requests took.
select
    disks.node,
    disks.device,
    count(*) as reports,
    sum(disks.interval_s) as span_s,
    favg(disks.util_pct order by disks.util_pct) as util_pct,
    favg(coalesce(disks.await_ms, disks.r_await_ms, disks.w_await_ms) order by coalesce(disks.await_ms, disks.r_await_ms, disks.w_await_ms)) as await_ms

from main.iostat_device as disks

where not coalesce(disks.is_since_boot, false)

group by disks.node, disks.device

order by util_pct desc nulls last, reports desc, disks.node, disks.device
