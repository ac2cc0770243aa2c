-- A service group was disabled until it was probed.
-- severity: warning
select
    configuration,
    run,
    format('In `{}`, {}: a service group was disabled until probed.', configuration, run_text(run)) as text,
    file_id,
    line_no

from run

where used and list_contains(string_split(flags, ', '), 'autodisabled')
