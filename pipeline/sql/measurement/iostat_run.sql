-- One row per used run, node, source, device and metric: the mean of the run's reports. Weighted by the seconds of
-- each report; sizes and times of requests are weighted by the requests. Left out are reports since boot where there
-- are others, rows that were cut, and the first row of a device that came later, which may hold totals. Devices are
-- not added up: partitions, groups and DRBD over its disk carry the same requests, as `device_kind` shows.
-- columns:
--   source: format of the files: iostat, iostat_json, sar, sadf
--   metric: column of `iostat_device`
--   reports: reports that it is the mean of
--   value: mean of these reports; no row where one says 1e15 or more
--   file_id: file of the first of these reports
--   is_since_boot: all that there is covers the time since the start of the system, not an interval
with

only_since_boot as (

    select configuration, run, node, source, device

    from iostat_device

    group by all

    having bool_and(is_since_boot)

),

used_rows as (

    select
        iostat_device.*,
        coalesce(iostat_device.interval_s, 1) as weight_s,
        iostat_device.r_per_s as reads,
        iostat_device.w_per_s as writes,
        iostat_device.d_per_s as discards,
        iostat_device.f_per_s as flushes,
        coalesce(iostat_device.r_per_s + iostat_device.w_per_s, iostat_device.tps) as requests

    from iostat_device

    left join run using (configuration, run)

    left join only_since_boot
        on
            iostat_device.configuration = only_since_boot.configuration
            and iostat_device.run is not distinct from only_since_boot.run
            and iostat_device.node is not distinct from only_since_boot.node
            and iostat_device.source = only_since_boot.source
            and iostat_device.device = only_since_boot.device

    where
        coalesce(run.used, true)
        and iostat_device.run is not null
        and (not iostat_device.is_since_boot or only_since_boot.device is not null)
        and not regexp_matches(coalesce(iostat_device.flags, ''), 'first_seen|truncated')

),

points as (

    select *

    from used_rows

    unpivot (value for metric in (
        r_per_s, w_per_s, d_per_s, f_per_s, tps,
        rkb_per_s, wkb_per_s, dkb_per_s, tkb_per_s,
        rrqm_per_s, wrqm_per_s, drqm_per_s,
        r_await_ms, w_await_ms, d_await_ms, f_await_ms, await_ms, wsvc_ms,
        rareq_kb, wareq_kb, dareq_kb, areq_kb,
        aqu_sz, wait_q, actv_q,
        util_pct, wait_pct
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

means as (

    select
        configuration,
        run,
        node,
        source,
        device,
        any_value(device_kind) as device_kind,
        any_value(parent_device) as parent_device,
        metric,
        bool_and(is_since_boot) as is_since_boot,
        count(*) as reports,
        exact_sum(value * weight) / nullif(exact_sum(weight), 0) as value,
        min((file_id, line_no)) as place

    from weighted

    group by configuration, run, node, source, device, metric

)

select
    configuration,
    run,
    node,
    source,
    device,
    device_kind,
    parent_device,
    metric,
    case
        when metric like '%kb_per_s' then 'KiB/s'
        when metric like '%_per_s' or metric = 'tps' then '1/s'
        when metric like '%_ms' then 'ms'
        when metric like '%_kb' then 'KiB'
        when metric like '%_pct' then '%'
    end as unit,
    reports,
    is_since_boot,
    value,
    place[1] as file_id,
    place[2] as line_no

from means

where value is not null

order by configuration, run, node, source, device, metric
