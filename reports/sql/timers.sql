-- One row per configuration and set of timers in force, seconds; a timer that no file states is the product's default.
select distinct
    configurations.position,
    timers.configuration,
    timers.peerinact_s,
    timers.peertrouble_s,
    timers.heartbeat_s,
    timers.stable_s,
    timers.is_peerinact_assumed,
    timers.is_peertrouble_assumed,
    timers.is_stable_assumed

from main.cluster_timer as timers

inner join main.configuration_order as configurations
    on timers.configuration = configurations.configuration

order by configurations.position, timers.configuration, timers.peerinact_s, timers.stable_s
