-- One row per configuration and milestone in which study.toml excludes runs: the statistics without and with them.
-- Seconds.
-- from: milestone by configuration, milestone; of elapsed_s
-- columns:
--   mean_s: mean over used runs, seconds
--   stddev_s: sample standard deviation over used runs, seconds
--   runs_with_excluded: used and excluded runs
--   mean_with_excluded_s: mean over both, seconds
--   stddev_with_excluded_s: sample standard deviation over both, seconds
with

considered as (

    select
        milestone.configuration,
        milestone.milestone,
        milestone.elapsed_s,
        run.used

    from milestone

    inner join run using (configuration, run)

    left join counted_milestone as counted using (configuration, run, milestone)

    left join counted_kind on milestone.configuration = counted_kind.configuration

    -- a further incident of a folder is no run, no matter what the study says of the folder
    where
        counted.milestone is not null
        or (
            contains(run.flags, 'excluded')
            and not contains(run.flags, 'extra_incident')
            and coalesce(run.fault_kind, 'not known') = coalesce(counted_kind.fault_kind, 'not known')
        )

)

select
    considered.configuration,
    considered.milestone,
    count(*) filter (where considered.used) as runs,
    favg(considered.elapsed_s order by considered.elapsed_s) filter (where considered.used) as mean_s,
    case
        when count(*) filter (where considered.used) > 1
            then stddev_samp(considered.elapsed_s order by considered.elapsed_s) filter (where considered.used)
    end as stddev_s,
    count(*) as runs_with_excluded,
    favg(considered.elapsed_s order by considered.elapsed_s) as mean_with_excluded_s,
    case when count(*) > 1 then stddev_samp(considered.elapsed_s order by considered.elapsed_s) end as stddev_with_excluded_s

from considered

group by considered.configuration, considered.milestone

having count(*) > count(*) filter (where considered.used)
