-- A run is left out of statistics for another reason than study.toml.
-- severity: warning
select
    run.configuration,
    run.run,
    format(
        'In `{}`, {} is set aside: {}.{}',
        run.configuration,
        run_text(run.run),
        case
            when missing_incident.basis = 'no_loss' and run_outcome.outcome = 'planned' then 'an operator moved the service, and no node was lost'
            else run.excluded_reason
        end,
        case
            when missing_incident.basis in ('no_loss', 'start_without_loss') and run_outcome.outcome is null
                then ' If there was a fault, say in study.toml when it was: `fault_at` of `[[run]]`.'
            else ''
        end
    ) as text,
    run.file_id,
    run.line_no

from run

left join missing_incident
    on run.configuration = missing_incident.configuration and run.run is not distinct from missing_incident.unit_run

left join run_outcome
    on run.configuration = run_outcome.configuration and run.run = run_outcome.run

where not run.used and not contains(run.flags, 'excluded') and run.same_as is null
