-- A resource or a recovery needed a second attempt.
-- severity: warning
select
    configuration,
    run,
    format('In `{}`, {}: a resource or a recovery needed a second attempt.', configuration, run_text(run)) as text,
    file_id,
    line_no

from run

where used and list_contains(string_split(flags, ', '), 'second_attempt')
