-- One row per configuration with used runs: the kind of fault that its statistics are of. Times to recovery of several
-- kinds have no common mean. Of several kinds it is the one that most runs of the study have, so that configurations
-- are compared in the same kind. Runs whose kind is not known are a kind of their own. Planned take-overs are one only
-- where a configuration has no other runs.
-- from: run by configuration
-- columns:
--   fault_kind: kind of the runs that count; `not known` where no line and no study.toml says it
--   runs: used runs of this kind
--   kinds: kinds that the configuration has
--   fault_kinds: all of them with their runs: 8 power off, 2 kill
with

runs as (

    select
        run.configuration,
        run.run,
        coalesce(run.fault_kind, 'not known') as fault_kind,
        coalesce(run_outcome.outcome = 'planned', false) as is_planned

    from run

    left join run_outcome using (configuration, run)

    where run.used

),

considered as (

    select *

    from runs

    qualify not is_planned or bool_and(is_planned) over (partition by configuration)

),

counts as (

    select
        configuration,
        fault_kind,
        count(*) as runs,
        sum(count(*)) over (partition by fault_kind) as study_runs

    from considered

    group by configuration, fault_kind

)

select
    counts.configuration,
    arg_max(counts.fault_kind, (counts.study_runs, counts.runs, counts.fault_kind)) as fault_kind,
    arg_max(counts.runs, (counts.study_runs, counts.runs, counts.fault_kind)) as runs,
    count(*) as kinds,
    string_agg(counts.runs || ' ' || counts.fault_kind, ', ' order by counts.runs desc, counts.fault_kind) as fault_kinds

from counts

group by counts.configuration
