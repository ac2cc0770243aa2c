-- One row per used run of the kind of fault that statistics of its configuration are of; planned changes only where
-- nothing else happened.
-- columns:
--   fault_kind: kind of fault of the run; `not known` where no line and no study.toml says it
select run.configuration, run.run, counted_kind.fault_kind

from run

inner join counted_kind
    on run.configuration = counted_kind.configuration and coalesce(run.fault_kind, 'not known') = counted_kind.fault_kind

anti join planned_beside
    on run.configuration = planned_beside.configuration and run.run = planned_beside.run

where run.used
