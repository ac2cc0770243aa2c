-- One row per step of a used run that counts in statistics, with all columns of `milestone`: runs of one kind of fault (`counted_kind`).
-- columns:
--   at: stamp of the line as printed, UTC
--   elapsed_low_s: least that stamp and fault interval allow, seconds; never below zero
select kind_milestone.* exclude (fault_kind)

from kind_milestone

inner join counted_kind using (configuration, fault_kind)
