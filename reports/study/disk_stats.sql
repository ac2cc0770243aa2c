-- One row per configuration, host, device and metric: the spread of the means of used runs.
select
    summary.configuration,
    summary.node,
    summary.source,
    summary.device,
    summary.metric,
    summary.unit,
    summary.runs,
    summary.mean,
    summary.ci95_low,
    summary.ci95_high

from main.iostat_summary as summary

left join main.configuration_order as configurations using (configuration)

where summary.device_kind in ('disk', 'drbd', 'md', 'dm', 'nfs')

order by summary.device, summary.metric, configurations.position, summary.configuration, summary.node, summary.source
