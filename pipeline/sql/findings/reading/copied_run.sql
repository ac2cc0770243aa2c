-- A run holds the same as another one: it is set aside, and the other one counts.
-- severity: warning
select
    configuration,
    min(run) as run,
    format(
        'In `{}`, {} {} the same as {}: {} once. If these are different runs, their logs were mixed up.',
        configuration,
        runs_text(list(run_text(run) order by run_no, run)),
        case when count(*) = 1 then 'holds' else 'hold' end,
        runs_text(list(format('`{}`', same_as) order by run_no, run)),
        case when count(*) = 1 then 'it counts' else 'each counts' end
    ) as text,
    min(file_id) as file_id,
    min(line_no) as line_no

from run

where same_as is not null and list_contains(string_split(flags, ', '), 'copy')

group by configuration
