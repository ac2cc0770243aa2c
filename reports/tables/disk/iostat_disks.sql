-- One row per configuration, host and device: means over used runs of the means of each run.
select
    summary.configuration,
    summary.node,
    summary.device,
    any_value(summary.device_kind) as device_kind,
    max(summary.runs) as runs,
    max(case when summary.metric = 'r_per_s' then summary.mean end) as r_per_s,
    max(case when summary.metric = 'w_per_s' then summary.mean end) as w_per_s,
    max(case when summary.metric = 'tps' then summary.mean end) as tps,
    max(case when summary.metric = 'rkb_per_s' then summary.mean end) as rkb_per_s,
    max(case when summary.metric = 'wkb_per_s' then summary.mean end) as wkb_per_s,
    max(case when summary.metric = 'wkb_per_s' then summary.stddev end) as wkb_stddev,
    max(case when summary.metric = 'f_per_s' then summary.mean end) as f_per_s,
    max(case when summary.metric = 'await_ms' then summary.mean end) as await_ms,
    max(case when summary.metric = 'w_await_ms' then summary.mean end) as w_await_ms,
    max(case when summary.metric = 'aqu_sz' then summary.mean end) as aqu_sz,
    max(case when summary.metric = 'util_pct' then summary.mean end) as util_pct

from main.iostat_summary as summary

left join main.configuration_order as configurations using (configuration)

where summary.device_kind in ('disk', 'drbd', 'md', 'dm', 'nfs')

group by summary.configuration, summary.node, summary.source, summary.device, configurations.position

-- a device that did nothing shows nothing
having coalesce(
    max(case when summary.metric in ('r_per_s', 'w_per_s', 'tps') then summary.mean end),
    0
) > 0.05

order by summary.device, configurations.position, summary.configuration, summary.node
