-- A resource faulted during the failover.
-- severity: warning
select
    configuration,
    run,
    format('In `{}`, {}: a resource faulted or was cleaned during the failover.', configuration, run_text(run)) as text,
    file_id,
    line_no

from run

where used and list_contains(string_split(flags, ', '), 'faulted_resource')
