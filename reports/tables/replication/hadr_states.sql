-- One row per run, host and database: what the monitor of HADR showed each time that it was asked, put together.
select
    states.configuration,
    states.run,
    states.node,
    states.database,
    states.role,
    count(*) as times_asked,
    string_agg(distinct states.state, ', ' order by states.state) as states,
    string_agg(distinct states.syncmode, ', ' order by states.syncmode) as syncmodes,
    string_agg(distinct states.connect_status, ', ' order by states.connect_status) as connect_states,
    max(states.log_gap_bytes) as log_gap_bytes,
    max(states.wait_recent_s) as wait_recent_s,
    max(states.receive_buffer_pct) as receive_buffer_pct,
    max(states.heartbeat_missed) as heartbeat_missed

from main.hadr_status as states

left join main.configuration_order as configurations using (configuration)

group by states.configuration, states.run, states.node, states.database, states.role, configurations.position

order by configurations.position, states.configuration, states.run, states.database, states.node, states.role
