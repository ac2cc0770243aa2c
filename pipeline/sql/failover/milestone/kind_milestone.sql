-- One row per step of a used run, of any kind of fault, that counts in statistics of this kind, with all columns of
-- `milestone`. Of a run that did not recover by itself the steps count that were done before it was censored, but none
-- that means service. Planned take-overs count where a configuration has no other runs.
-- from: milestone by configuration, run, milestone
-- columns:
--   fault_kind: kind of fault of the run; `not known` where no line and no study.toml says it
--   at: stamp of the line as printed, UTC
--   elapsed_low_s: least that stamp and fault interval allow, seconds; never below zero
select milestone.*, coalesce(run.fault_kind, 'not known') as fault_kind

from milestone

inner join run using (configuration, run)

left join run_outcome using (configuration, run)

left join planned_beside using (configuration, run)

left join recovery_step using (configuration, milestone)

where
    run.used
    and case
        when run_outcome.outcome is null or run_outcome.outcome = 'recovered' then true
        when run_outcome.outcome = 'planned' then planned_beside.run is null
        else recovery_step.milestone is null and milestone."at" <= run_outcome.censored_at
    end

order by milestone.configuration, run.run_no, milestone.run, milestone.milestone
