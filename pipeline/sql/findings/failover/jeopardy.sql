-- One link was left between the nodes before the fault.
-- severity: warning
select
    configuration,
    run,
    format('In `{}`, {}: the cluster was in jeopardy (one link left) before the fault.', configuration, run_text(run)) as text,
    file_id,
    line_no

from run

where used and list_contains(string_split(flags, ', '), 'jeopardy')
