-- One row per phase of a used run that counts in statistics, with all columns of `phase`: its last step counts.
-- columns:
--   uncertainty_s: standard uncertainty of the duration in this run, seconds
select phase.*

from phase

where exists (
    select 1

    from counted_milestone as ends

    inner join study.phase_rule as phase_rule
        on ends.milestone = phase_rule.to_milestone

    where
        ends.configuration = phase.configuration
        and ends.run = phase.run
        and phase_rule.phase = phase.phase
)
