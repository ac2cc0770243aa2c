-- One row per line that sets a timer of node loss for a run, in a file of the run or of a folder above it.
select distinct
    parameter.scope || ' ' || parameter.name as role,
    'value ' || parameter.value as note,
    parameter.file_id,
    parameter.line_no

from parameter

inner join applicable_file
    on parameter.file_id = applicable_file.file_id

where
    applicable_file.configuration = $configuration
    and (applicable_file.run is null or $run is null or applicable_file.run = split_part($run, '#', 1))
    and parameter.scope in ('llttab', 'gabtab', 'ha.cf', 'corosync.conf')
    and regexp_matches(lower(parameter.scope || ' ' || parameter.name || ' ' || parameter.value), $pattern)

order by parameter.file_id, parameter.line_no
