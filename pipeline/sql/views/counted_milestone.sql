-- One row per step of a used run that counts in statistics, with all columns of `milestone`.
-- Of a run that did not recover by itself the steps count that were done before it was censored, but none that means service. Planned
-- take-overs count where a configuration has no other runs.
-- columns:
--   configuration: folder group
--   run: run
--   stack: cluster stack of the rule
--   milestone: milestone
--   at: stamp of the line as printed, UTC
--   elapsed_s: best estimate, seconds: the middle of the stamp minus the fault time
--   elapsed_low_s: least that stamp and fault interval allow, seconds; never below zero
--   elapsed_high_s: most that they allow, seconds
--   printed_elapsed_s: the stamp as printed minus the fault time, seconds
--   uncertainty_s: standard uncertainty of the estimate in this run, seconds: the stamp evenly distributed, the fault as the
--     sum of three even parts
--   common_error_s: half width of the error that may be the same in all runs of the configuration, seconds
--   common_cause: its cause, the same text where configurations share it; null where none is known to be shared
--   resolution_s: resolution of the stamp, seconds
--   method: message (by message id), text, inferred (order of lines, for clustered storage)
--   note: what to know about the evidence
--   evidence: 1 if the preferred evidence was found
--   node: host that wrote the line
--   file_id: file
--   line_no: line
with

planned_only as (

    select run_outcome.configuration

    from run_outcome

    inner join run
        on run_outcome.configuration = run.configuration and run_outcome.run = run.run

    where run.used

    group by run_outcome.configuration

    having bool_and(run_outcome.outcome = 'planned')

)

select milestone.*

from milestone

inner join run
    on milestone.configuration = run.configuration and milestone.run = run.run

left join run_outcome
    on milestone.configuration = run_outcome.configuration and milestone.run = run_outcome.run

left join recovery_step
    on milestone.configuration = recovery_step.configuration and milestone.milestone = recovery_step.milestone

where
    run.used
    and case
        when run_outcome.outcome is null or run_outcome.outcome = 'recovered' then true
        when run_outcome.outcome = 'planned'
            then milestone.configuration in (select planned_only.configuration from planned_only)
        else recovery_step.milestone is null and milestone."at" <= run_outcome.censored_at
    end

order by milestone.configuration, run.run_no, milestone.run, milestone.milestone
