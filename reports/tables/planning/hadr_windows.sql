-- One row per configuration, sync mode and window: the TCP window that runs had against the one that their network
-- needs.
select
    windows.configuration,
    windows.syncmode,
    windows.window_bytes,
    count(*) as runs,
    favg(windows.granted_bytes order by windows.granted_bytes) as granted_bytes,
    favg(windows.needed_bytes order by windows.needed_bytes) as needed_bytes,
    favg(windows.limit_mb_s order by windows.limit_mb_s) as limit_mb_s,
    max(windows.mb_s) as best_mb_s,
    any_value(windows.verdict order by windows.run_id) as verdict,
    any_value(windows.advice order by windows.run_id) as advice

from main.hadr_window as windows

left join main.configuration_order as configurations using (configuration)

group by configurations.position, windows.configuration, windows.syncmode, windows.window_bytes, windows.verdict

order by
    configurations.position,
    windows.configuration,
    array_position(['SYNC', 'NEARSYNC', 'ASYNC', 'SUPERASYNC', 'RCU'], windows.syncmode),
    windows.window_bytes nulls last
