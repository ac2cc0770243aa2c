-- One row per line of a configuration file that may set a timer of node loss, and configuration that the file applies to.
select
    applicable_file.configuration,
    applicable_file.run,
    applicable_file.distance,
    parameter_value.scope,
    parameter_value.name,
    parameter_value.value,
    parameter_value.file_id,
    parameter_value.line_no

from applicable_file

inner join log.parameter_value as parameter_value
    on applicable_file.file_id = parameter_value.file_id

where
    parameter_value.scope in ('llttab', 'gabtab', 'ha.cf', 'corosync.conf', 'sentinel.conf', 'repmgr.conf')
    or (parameter_value.scope = 'db' and upper(parameter_value.name) = 'HADR_TIMEOUT')
    or (parameter_value.scope in ('my.cnf', 'mysql') and parameter_value.name similar to '.*evs\.(suspect_timeout|inactive_check_period)')
    or (parameter_value.scope = 'postgresql.conf' and parameter_value.name = 'wal_receiver_timeout')
