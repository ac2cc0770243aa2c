-- The take-over was planned.
-- severity: warning
select
    configuration,
    run,
    format('In `{}`, {}: the take-over was planned, and is counted from the notice or command that began it.', configuration, run_text(run)) as text,
    file_id,
    line_no

from run

where used and list_contains(string_split(flags, ', '), 'planned_takeover')
