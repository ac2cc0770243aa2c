-- The lines that give the fault time contradict each other.
-- severity: warning
select
    configuration,
    run,
    format('In `{}`, {}: the lines that show the fault time contradict each other.', configuration, run_text(run)) as text,
    file_id,
    line_no

from run

where used and list_contains(string_split(flags, ', '), 'inconsistent_fault')
