-- One row per phase of a used run, of any kind of fault, that counts in statistics of this kind, with all columns of
-- `phase`: its last step counts.
-- from: phase by configuration, run, phase
-- columns:
--   fault_kind: kind of fault of the run; `not known` where no line and no study.toml says it
--   uncertainty_s: standard uncertainty of the duration in this run, seconds
select phase.*, coalesce(run.fault_kind, 'not known') as fault_kind

from phase

inner join run using (configuration, run)

where exists (
    select 1

    from kind_milestone as ends

    inner join study.phase_rule as phase_rule
        on ends.milestone = phase_rule.to_milestone

    where
        ends.configuration = phase.configuration
        and ends.run = phase.run
        and phase_rule.phase = phase.phase
)
