-- One row per configuration, node, source, device and metric: the spread of the means of used runs.
-- The mean of a run is weighted by the seconds of each report; sizes and times of requests are weighted by the requests. Left out are
-- reports since boot, rows that were cut, and the first row of a device that came later, which may hold totals. Devices are not added
-- up: partitions, groups and DRBD over its disk carry the same requests, as `device_kind` tells.
-- columns:
--   configuration: folder group
--   node: host
--   source: format of the files: iostat, iostat_json, sar, sadf
--   device: device
--   device_kind: disk, partition, drbd, md, dm, loop, optical, ram, nfs, group, controller
--   parent_device: disk that the partition or path is part of
--   metric: column of `iostat_device`
--   unit: unit of the values
--   runs: runs that have it
--   reports: reports of these runs
--   mean: mean of the runs
--   stddev: sample standard deviation of the runs; null for one run
--   cv_pct: standard deviation in percent of the mean
--   ci95_low: lower end of the 95 % t interval of the mean; null below three runs
--   ci95_high: upper end
--   min: least of the runs
--   median: median of the runs
--   max: greatest of the runs
with

used_rows as (

    select
        iostat_device.configuration,
        iostat_device.run,
        iostat_device.node,
        iostat_device.source,
        iostat_device.device,
        iostat_device.device_kind,
        iostat_device.parent_device,
        coalesce(iostat_device.interval_s, 1) as weight_s,
        iostat_device.r_per_s as reads,
        iostat_device.w_per_s as writes,
        iostat_device.d_per_s as discards,
        iostat_device.f_per_s as flushes,
        coalesce(iostat_device.r_per_s + iostat_device.w_per_s, iostat_device.tps) as requests,
        iostat_device.r_per_s,
        iostat_device.w_per_s,
        iostat_device.d_per_s,
        iostat_device.f_per_s,
        iostat_device.rkb_per_s,
        iostat_device.wkb_per_s,
        iostat_device.dkb_per_s,
        iostat_device.rrqm_per_s,
        iostat_device.wrqm_per_s,
        iostat_device.drqm_per_s,
        iostat_device.r_await_ms,
        iostat_device.w_await_ms,
        iostat_device.d_await_ms,
        iostat_device.f_await_ms,
        iostat_device.await_ms,
        iostat_device.rareq_kb,
        iostat_device.wareq_kb,
        iostat_device.dareq_kb,
        iostat_device.areq_kb,
        iostat_device.aqu_sz,
        iostat_device.wait_q,
        iostat_device.actv_q,
        iostat_device.wsvc_ms,
        iostat_device.util_pct,
        iostat_device.wait_pct,
        iostat_device.tps,
        iostat_device.tkb_per_s

    from iostat_device

    left join run
        on iostat_device.configuration = run.configuration and iostat_device.run = run.run

    where
        coalesce(run.used, true)
        and iostat_device.run is not null
        and not iostat_device.is_since_boot
        and not regexp_matches(coalesce(iostat_device.flags, ''), 'first_seen|truncated')

),

points as (

    select *

    from used_rows

    unpivot (value for metric in (
        r_per_s,
        w_per_s,
        d_per_s,
        f_per_s,
        rkb_per_s,
        wkb_per_s,
        dkb_per_s,
        rrqm_per_s,
        wrqm_per_s,
        drqm_per_s,
        r_await_ms,
        w_await_ms,
        d_await_ms,
        f_await_ms,
        await_ms,
        rareq_kb,
        wareq_kb,
        dareq_kb,
        areq_kb,
        aqu_sz,
        wait_q,
        actv_q,
        wsvc_ms,
        util_pct,
        wait_pct,
        tps,
        tkb_per_s
    ))

),

weighted as (

    select
        *,
        weight_s * case
            when metric in ('r_await_ms', 'rareq_kb') then reads
            when metric in ('w_await_ms', 'wareq_kb') then writes
            when metric in ('d_await_ms', 'dareq_kb') then discards
            when metric in ('f_await_ms') then flushes
            when metric in ('await_ms', 'areq_kb', 'wsvc_ms') then requests
            else 1
        end as weight

    from points

),

per_run as (

    select
        configuration,
        run,
        node,
        source,
        device,
        any_value(device_kind) as device_kind,
        any_value(parent_device) as parent_device,
        metric,
        count(*) as reports,
        sum(value * weight) / nullif(sum(case when value is not null then weight end), 0) as value

    from weighted

    group by configuration, run, node, source, device, metric

),

spread as (

    select
        configuration,
        node,
        source,
        device,
        any_value(device_kind) as device_kind,
        any_value(parent_device) as parent_device,
        metric,
        count(*) as runs,
        sum(reports)::bigint as reports,
        favg(value) as mean,
        case when count(*) > 1 then stddev_samp(value) end as stddev,
        min(value) as min,
        median(value) as median,
        max(value) as max

    from per_run

    where value is not null

    group by configuration, node, source, device, metric

)

select
    spread.configuration,
    spread.node,
    spread.source,
    spread.device,
    spread.device_kind,
    spread.parent_device,
    spread.metric,
    case
        when spread.metric like '%kb_per_s' then 'KiB/s'
        when spread.metric like '%_per_s' or spread.metric = 'tps' then '1/s'
        when spread.metric like '%_ms' then 'ms'
        when spread.metric like '%_kb' then 'KiB'
        when spread.metric like '%_pct' then '%'
    end as unit,
    spread.runs,
    spread.reports,
    spread.mean,
    spread.stddev,
    100 * spread.stddev / nullif(abs(spread.mean), 0) as cv_pct,
    spread.mean - quantile.t * spread.stddev / sqrt(spread.runs) as ci95_low,
    spread.mean + quantile.t * spread.stddev / sqrt(spread.runs) as ci95_high,
    spread.min,
    spread.median,
    spread.max

from spread

left join t_quantile as quantile
    on least(spread.runs - 1, 200) = quantile.df and quantile.level = 0.95 and spread.runs >= 3

left join configuration_order
    on spread.configuration = configuration_order.configuration

order by configuration_order.position, spread.node, spread.source, spread.device, spread.metric
