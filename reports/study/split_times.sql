-- One row per configuration and milestone whose runs are shown to divide into two modes: those of the recovery, and
-- those at which the same runs lie apart by at least half as much.
with

recoveries as (

    select splits.*

    from main.mode_split as splits

    where
        splits.subject = 'milestone'
        and exists (
            select 1

            from main.noise_test as tests

            where
                tests.test = 'mode_split'
                and tests.scope in ('sample', 'item')
                and tests.is_noticed
                and tests.subject = splits.subject
                and tests.item = splits.item
                and (tests.configuration = splits.configuration or (tests.scope = 'item' and splits.p_value < 0.05))
        )

),

modes as (

    select
        milestones.configuration,
        milestones.milestone,
        list_contains(recoveries.minority_runs, milestones.run) as is_minority,
        abs(recoveries.minority_mean - recoveries.majority_mean) / 2 as least_distance_s,
        count(*) as runs,
        favg(milestones.elapsed_s order by milestones.elapsed_s) as mean_s

    from main.counted_milestone as milestones

    inner join recoveries using (configuration)

    group by milestones.configuration, milestones.milestone, is_minority, least_distance_s

)

select
    majority.configuration,
    majority.milestone,
    majority.runs + minority.runs as runs,
    minority.runs as minority,
    minority.mean_s as minority_mean,
    majority.mean_s as majority_mean

from modes as majority

inner join modes as minority using (configuration, milestone)

where
    minority.is_minority
    and not majority.is_minority
    and abs(minority.mean_s - majority.mean_s) >= minority.least_distance_s
