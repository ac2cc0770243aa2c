-- Runs of the HADR simulator cannot be planned by as they are: see `hadr_warning`. What holds for many runs is one finding.
-- severity: warning or note
select
    severity,
    configuration,
    format(
        '{} of {} {} of the HADR simulator in `{}`: {}.',
        runs,
        of_runs,
        case when warning = 'run_once' then 'settings' else 'runs' end,
        configuration,
        text
    ) as text,
    file_id,
    line_no

from hadr_warning
