-- A daemon was down while its node was alive.
-- severity: warning
select
    configuration,
    run,
    format('In `{}`, {}: a daemon was down while its node was alive (DDNA).', configuration, run_text(run)) as text,
    file_id,
    line_no

from run

where used and list_contains(string_split(flags, ', '), 'ddna')
