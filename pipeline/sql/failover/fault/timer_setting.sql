-- One row per line of a configuration file that may set a timer of node loss, or of a log that prints one, and
-- configuration that it applies to.
-- columns:
--   scope: of a line of a log its stack
--   value: as printed
with

settings as (

    select scope, name, value, file_id, line_no

    from log.parameter_value

    where
        scope in ('llttab', 'gabtab', 'ha.cf', 'corosync.conf', 'sentinel.conf', 'repmgr.conf', 'keepalived.conf', 'patroni.yml')
        or (scope = 'db' and upper(name) = 'HADR_TIMEOUT')
        or (scope in ('my.cnf', 'mysql') and contains(name, 'evs.'))
        or (scope = 'postgresql.conf' and name = 'wal_receiver_timeout')

    union all

    select stack, action, new_state, file_id, line_no from log.ha_event where kind = 'timer_stated'

)

select
    applicable_file.configuration,
    applicable_file.run,
    applicable_file.distance,
    settings.*

from applicable_file

inner join settings using (file_id)
