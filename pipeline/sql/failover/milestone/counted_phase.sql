-- One row per phase of a used run that counts in statistics, with all columns of `phase`: runs of one kind of fault
-- (`counted_kind`).
select kind_phase.* exclude (fault_kind)

from kind_phase

inner join counted_kind using (configuration, fault_kind)
