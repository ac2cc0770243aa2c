-- An operator switched a service during the failover.
-- severity: warning
select
    configuration,
    run,
    format('In `{}`, {}: an operator switched a service.', configuration, run_text(run)) as text,
    file_id,
    line_no

from run

where used and list_contains(string_split(flags, ', '), 'planned_switch')
