-- Runs of the HADR simulator cannot be planned by as they are: see `hadr_warning`. What holds for many runs is one
-- finding.
-- severity: warning or note
with

single_runs as (  -- of settings that were run once

    select
        simhadr_run.configuration,
        'run_once' as warning,
        list(
            decisive_line(simhadr_run.configuration, simhadr_run.run, null::varchar, simhadr_run.file_id, simhadr_run.line_no)
            order by simhadr_run.file_id, simhadr_run.line_no
        ) as lines

    from simhadr_run

    inner join simhadr_repeat
        on
            simhadr_run.configuration = simhadr_repeat.configuration
            and simhadr_run.setting = simhadr_repeat.setting
            and simhadr_repeat.runs = 1

    where simhadr_run.is_decisive and simhadr_run.mb_s is not null and simhadr_run.status = 'complete'

    group by simhadr_run.configuration

)

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
    line_no,
    single_runs.lines

from hadr_warning

left join single_runs using (configuration, warning)
