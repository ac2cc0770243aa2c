-- One row per configuration and disk, the busiest first: over the intervals of its monitors how busy it was, and how
-- long requests took.
with

intervals as (

    select
        disks.configuration,
        disks.node,
        disks.device,
        disks.interval_s,
        disks.util_pct,
        disks.tps,
        disks.rkb_per_s,
        disks.wkb_per_s,
        coalesce(disks.await_ms, disks.r_await_ms, disks.w_await_ms) as await_ms

    from main.iostat_device as disks

    where not coalesce(disks.is_since_boot, false)

)

select
    configuration,
    node,
    device,
    count(*) as reports,
    sum(interval_s) as span_s,
    favg(util_pct order by util_pct) as util_pct,
    favg(await_ms order by await_ms) as await_ms,
    favg(tps order by tps) as tps,
    favg(rkb_per_s order by rkb_per_s) as rkb_per_s,
    favg(wkb_per_s order by wkb_per_s) as wkb_per_s

from intervals

group by configuration, node, device

order by util_pct desc nulls last, reports desc, configuration, node, device
