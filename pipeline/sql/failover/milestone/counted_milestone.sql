-- One row per step of a used run that counts in statistics, with all columns of `milestone`: runs of one kind of fault
-- (`counted_kind`).
-- columns:
--   at: stamp of the line as printed, UTC
select kind_milestone.* exclude (fault_kind)

from kind_milestone

inner join counted_kind using (configuration, fault_kind)
