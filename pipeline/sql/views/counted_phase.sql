-- One row per phase of a used run that counts in statistics, with all columns of `phase`: its last step counts.
-- columns:
--   configuration: folder group
--   run: run
--   phase: phase
--   start_s: begin, seconds after the fault
--   end_s: end, seconds after the fault
--   duration_s: end minus begin, seconds
--   duration_low_s: least that the stamps of both ends allow, and the fault interval where it begins with the fault, seconds
--   duration_high_s: most that they allow, seconds
--   uncertainty_s: standard uncertainty of the duration in this run, seconds
--   common_error_s: half width of the error that may be the same in all runs of the configuration, seconds
--   common_cause: its cause, the same text where configurations share it
--   resolution_s: coarser resolution of the two stamps, seconds
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
