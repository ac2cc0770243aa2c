-- One row per configuration, rate and event: what the event did to the rate, over the used runs that show it.
-- Depth and times are means over the dips; recovery over those of them that came back.
select
    dips.configuration,
    dips.metric,
    dips.unit,
    dips.event,
    coalesce(dips.text, case dips.event when 'fault' then 'fault' else 'change of the rate' end) as text,
    count(distinct dips.run) as runs,
    count(distinct dips.run) filter (where dips.dip_s is not null) as dip_runs,
    favg(dips.baseline order by dips.baseline) as baseline,
    favg(dips.lowest order by dips.lowest) filter (where dips.dip_s is not null) as lowest,
    favg(dips.depth_pct order by dips.depth_pct) filter (where dips.dip_s is not null) as depth_pct,
    max(dips.outage_s) as longest_outage_s,
    count(distinct dips.run) filter (where dips.is_recovered) as recovered_runs,
    favg(dips.recovered_s order by dips.recovered_s) filter (where dips.is_recovered) as recovered_s,
    max(dips.recovered_s) filter (where dips.is_recovered) as longest_recovered_s,
    favg(dips.lost order by dips.lost) as lost,
    favg((dips.lost_high - dips.lost_low) / 2 order by dips.lost_high - dips.lost_low) as lost_half_width,
    max(dips.resolution_s) as resolution_s

from main.measurement_dip as dips

left join main.run as runs using (configuration, run)

left join main.configuration_order as configurations using (configuration)

where coalesce(runs.used, true) and not dips.is_repeated

group by dips.configuration, dips.metric, dips.unit, dips.event, dips.text, configurations.position

order by configurations.position, dips.configuration, dips.metric, min(dips.event_s), text
