-- study.toml excludes a run: the last step without and with the excluded runs stands beside it.
-- severity: warning
with

last_steps as (

    select distinct on (configuration) *

    from milestone_sensitivity

    where runs > 0

    order by configuration, mean_s desc, milestone

)

select
    run.configuration,
    run.run,
    format('In `{}`, {} is set aside: {}.', run.configuration, run_text(run.run), run.excluded_reason)
    || coalesce(
        format(
            ' `{}` takes {} without and {} with {}.',
            last_steps.milestone,
            value_text(last_steps.mean_s, 's'),
            value_text(last_steps.mean_with_excluded_s, 's'),
            case when last_steps.runs_with_excluded - last_steps.runs = 1 then 'it' else 'the excluded runs' end
        ),
        ''
    ) as text,
    run.file_id,
    run.line_no

from run

left join last_steps using (configuration)

where not run.used and contains(run.flags, 'excluded')
