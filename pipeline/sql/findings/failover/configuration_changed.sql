-- The configuration of the database was changed during the recovery.
-- severity: warning
select
    configuration,
    run,
    format('In `{}`, {}: the database configuration was changed during the failover.', configuration, run_text(run)) as text,
    file_id,
    line_no

from run

where used and list_contains(string_split(flags, ', '), 'configuration_changed')
