-- One row per configuration, disk and metric that is compared: the spread of the means of used runs, as iostat_summary has it.
-- Disks that did nothing, partitions and means of zero are left out; of several tools on a node the first by name counts.
-- materialised: read by every comparison, and costly
-- empty without rows of: iostat_report
-- from: iostat_summary by configuration, device; of mean
-- columns:
--   source: format of the files: iostat, iostat_json, sar, sadf
--   metric: column of `iostat_device`
--   label: the device, with its node where several nodes of the configuration have one of this name
--   mean: mean of the runs
--   stddev: sample standard deviation of the runs; null for one run
--   common_error: half of the last printed digit where all runs are equal, else 0
select
    configuration,
    node,
    source,
    device,
    metric,
    unit,
    case
        when count(*) over (partition by configuration, device, metric) > 1 then concat(device, ' of ', coalesce(node, 'no node'))
        else device
    end as label,
    runs,
    mean,
    stddev,
    (case when stddev = 0 then 0.005 else 0 end)::double as common_error

from (
    select
        *,
        max(case when metric in ('r_per_s', 'w_per_s', 'tps') then mean end)
            over (partition by configuration, node, source, device) as requests,
        bool_or(metric = 'r_per_s') over (partition by configuration, node, source, device) as has_reads

    from iostat_summary

    where device_kind in ('disk', 'drbd', 'md', 'dm', 'nfs')

    qualify source = min(source) over (partition by configuration, node, device)
)

where
    requests > 0.05
    and mean > 0
    and metric in (
        'r_per_s', 'w_per_s', 'f_per_s', 'tps', 'rkb_per_s', 'wkb_per_s', 'await_ms', 'r_await_ms', 'w_await_ms', 'aqu_sz', 'util_pct'
    )
    -- transfers are reads and writes together
    and (metric <> 'tps' or not has_reads)

order by configuration, device, node, metric
