-- One row per line that sets a timer of node loss, and configuration and run that its file applies to; run null: to
-- all of them.
select distinct
    applicable_file.configuration,
    applicable_file.run,
    parameter.scope || ' ' || parameter.name as role,
    parameter.value,
    parameter.file_id,
    parameter.line_no

from parameter

inner join applicable_file using (file_id)

where parameter.scope in ('llttab', 'gabtab', 'ha.cf', 'corosync.conf') and parameter.value is not null

order by parameter.file_id, parameter.line_no, role, parameter.value
