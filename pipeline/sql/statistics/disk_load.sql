-- One row per configuration, disk and metric that is compared: the spread of the means of used runs, as iostat_summary
-- has it. Disks that did nothing, partitions and means of zero are left out; of several tools on a node the first by
-- name counts.
-- materialised: read by every comparison, and costly
-- empty without rows of: iostat_report
-- from: iostat_summary by configuration, device, metric; of mean
-- from: iostat_summary by configuration, device; except mean
-- columns:
--   label: the device, with its node where several nodes of the configuration have one of this name
--   mean: mean of the runs
--   common_error: half of the last printed digit where all runs are equal, else 0
with

disks as (

    select
        *,
        max("max") filter (where metric in ('r_per_s', 'w_per_s', 'tps')) over device_rows as most_requests,
        bool_or(metric = 'r_per_s') over device_rows as has_reads

    from iostat_summary

    where metric in (
        'r_per_s', 'w_per_s', 'f_per_s', 'tps', 'rkb_per_s', 'wkb_per_s', 'await_ms', 'r_await_ms', 'w_await_ms', 'aqu_sz', 'util_pct'
    )

    window device_rows as (partition by configuration, node, source, device)

    qualify source = min(source) over (partition by configuration, node, device)

)

select
    disks.configuration,
    disks.node,
    disks.source,
    disks.device,
    disks.metric,
    disks.unit,
    case
        when count(*) over (partition by disks.configuration, disks.device, disks.metric) > 1
            then concat(disks.device, ' of ', coalesce(disks.node, 'no node'))
        else disks.device
    end as label,
    disks.runs,
    disks.mean,
    disks.stddev,
    (case when disks.stddev = 0 then 0.005 else 0 end)::double as common_error

from disks

where
    disks.mean > 0
    and disks.most_requests > 0.05
    and disks.device_kind in ('disk', 'drbd', 'md', 'dm', 'nfs')
    -- transfers are reads and writes together
    and (disks.metric <> 'tps' or not disks.has_reads)

order by disks.configuration, disks.device, disks.node, disks.metric
