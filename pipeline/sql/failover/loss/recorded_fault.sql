-- One row per unit and fault time that study.toml records for it. Times in UTC.
-- columns:
--   unit_run: run folder; null where the group has none and is split by time
--   fault_at: fault time from study.toml
with

units as (

    select configuration, unit_run from run_unit

),

recorded as (

    select configuration, run, fault_at from study.run where fault_at is not null

)

select distinct units.configuration, units.unit_run, recorded.fault_at

from recorded

inner join units
    on recorded.configuration = units.configuration and (units.unit_run is null or same_run(recorded.run, units.unit_run))
