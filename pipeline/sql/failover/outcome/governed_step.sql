-- One row per configuration and step of its failovers that a setting governs, over runs that recovered by themselves
-- and show both ends. The steps are those of `study.setting_rule` whose stack fails over in the configuration. What a
-- step takes is part of the time until the service is back, as the headline of `recovery_step` has it.
-- from: milestone by configuration, to_milestone as milestone
-- columns:
--   of_stack: stack of `ha_event` whose setting it is, or `llt`
--   from_milestone: milestone that begins the step; `fault`: the fault itself
--   to_milestone: milestone that ends it
--   step: the step in a sentence
--   settings: the settings in a sentence
--   runs: runs behind the means
--   mean_s: mean length of the step, seconds
--   total_s: mean time from the fault until the service is back, over the same runs, seconds
--   error_s: half of the interval in which the step is known to begin with the fault, mean over these runs, seconds; 0
--     where a line begins it, null where nothing bounds the fault
--   total_error_s: the same of the time from the fault until the service is back
--   share: mean_s as a part of total_s
--   dominates: the step is the longest of those that a setting governs here, and more than half of the time; even
--     where the fault came as late as the logs allow it takes longer than all other steps
with

stacks as (  -- who elects a leader, who sends clients to it, and what notices that a node is silent

    select configuration, stack from leader_change
    union
    select configuration, stack from ha_line where kind in ('route_up', 'token_lost', 'peer_dead')
    union
    select configuration, source from cluster_line where source = 'llt'

),

ends as (

    select
        milestone.configuration,
        milestone.run,
        milestone.elapsed_s,
        (epoch_us(run.fault_at_high) - epoch_us(run.fault_at_low)) / 2000000 as fault_error_s

    from milestone

    inner join recovery_step
        on
            milestone.configuration = recovery_step.configuration
            and milestone.milestone = recovery_step.milestone
            and recovery_step.is_headline

    inner join run_outcome
        on
            milestone.configuration = run_outcome.configuration
            and milestone.run = run_outcome.run
            and run_outcome.outcome = 'recovered'

    inner join run
        on milestone.configuration = run.configuration and milestone.run = run.run

    inner join counted_run
        on milestone.configuration = counted_run.configuration and milestone.run = counted_run.run

),

steps as (

    select
        ends.configuration,
        rule.*,
        count(*) as runs,
        favg(finish.elapsed_s - coalesce(start.elapsed_s, 0) order by finish.elapsed_s - coalesce(start.elapsed_s, 0)) as mean_s,
        favg(ends.elapsed_s order by ends.elapsed_s) as total_s,
        -- no mean where one is not known
        case when count(ends.fault_error_s) = count(*) then favg(ends.fault_error_s order by ends.fault_error_s) end as total_error_s

    from ends

    inner join stacks using (configuration)

    inner join study.setting_rule as rule
        on stacks.stack = rule.of_stack

    inner join milestone as finish
        on ends.configuration = finish.configuration and ends.run = finish.run and rule.to_milestone = finish.milestone

    left join milestone as start
        on ends.configuration = start.configuration and ends.run = start.run and rule.from_milestone = start.milestone

    where rule.from_milestone = 'fault' or start.elapsed_s is not null

    group by all

)

select
    configuration,
    of_stack,
    from_milestone,
    to_milestone,
    step,
    settings,
    runs::integer as runs,
    mean_s,
    case when from_milestone = 'fault' then total_error_s else 0 end as error_s,
    total_s,
    total_error_s,
    mean_s / nullif(total_s, 0) as share,
    coalesce(
        mean_s > total_s / 2
        and mean_s - case when from_milestone = 'fault' then total_error_s else 0 end > total_s - mean_s
        and total_error_s is not null
        and row_number() over (partition by configuration order by mean_s desc, position) = 1, false
    ) as dominates

from steps

order by configuration, position
