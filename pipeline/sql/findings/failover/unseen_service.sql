-- No log shows what became of the service after the loss of a node.
-- severity: warning
select
    run_outcome.configuration,
    format(
        'In {} of `{}` there is no log of a cluster manager or database (such as engine_A.log, pacemaker.log, db2diag.log): nothing shows '
        || 'whether a service moved. Put those of the surviving node into the folder.',
        case when count(*) = 1 then run_text(min(run_outcome.run)) else format('{} runs', count(*)) end,
        run_outcome.configuration
    ) as text

from run_outcome

inner join run_progress using (configuration, run)

where run_outcome.outcome = 'unknown' and not run_outcome.is_counted and run_progress.progress_at is null

group by run_outcome.configuration
