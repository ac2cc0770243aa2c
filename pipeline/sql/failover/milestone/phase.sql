-- One row per run and phase: from the latest of its first milestones to its last one, in seconds after the fault.
-- Phases overlap, as the cluster works in parallel, and are never added up. A phase whose end no line shows is absent, as is
-- one that ends before it can have begun. A fault time at its begin brings the uncertainty of the fault; within the run it cancels.
-- from: fault_time by configuration, run
-- from: milestone by configuration, run, start_s as elapsed_s
-- from: milestone by configuration, run, end_s as elapsed_s
-- columns:
--   start_s: begin, seconds after the fault
--   end_s: end, seconds after the fault
--   duration_low_s: least that the stamps of both ends allow, and the fault interval where it begins with the fault, seconds
--   duration_high_s: most that they allow, seconds
--   uncertainty_s: standard uncertainty of the duration in this run, seconds
with

terms as (

    select position, phase, stack, to_milestone, unnest(string_split(from_terms, ',')) as term from study.phase_rule

),

alternatives as (

    select
        terms.phase,
        terms.stack,
        terms.to_milestone,
        terms.term,
        unnest(string_split(terms.term, '|')) as milestone,
        unnest(range(1, 1 + len(string_split(terms.term, '|')))) as preference

    from terms

),

instants as (  -- `fault_s`: what the fault time adds where a phase begins with it

    select
        configuration,
        run,
        milestone,
        round(1000000 * elapsed_s)::bigint as elapsed_us,
        case when stack = 'client' then 0 else round(1000000 * resolution_s)::bigint end as resolution_us,
        null::double as fault_uncertainty_s,
        null::bigint as fault_half_us

    from milestone

    union all

    select
        configuration,
        run,
        'fault',
        0,
        0,
        greatest((epoch_us(fault_at_high) - epoch_us(fault_at_low)) / 1000000 - 2 * fault_common_error_s, 0) / sqrt(36),
        (epoch_us(fault_at_high) - epoch_us(fault_at_low)) // 2

    from run

    where fault_at is not null

),

begun as (

    select
        instants.configuration,
        instants.run,
        alternatives.phase,
        alternatives.to_milestone,
        alternatives.term,
        first(instants order by alternatives.preference, instants.milestone) as instant

    from alternatives

    inner join instants using (milestone)

    group by instants.configuration, instants.run, alternatives.phase, alternatives.to_milestone, alternatives.term

),

starts as (

    select
        configuration,
        run,
        phase,
        to_milestone,
        arg_max(instant, (instant.elapsed_us, term)) as instant

    from begun

    group by configuration, run, phase, to_milestone

),

ends as (

    select
        starts.configuration,
        starts.run,
        starts.phase,
        starts.to_milestone,
        starts.instant as begin,
        milestone.common_error_s,
        milestone.common_cause,
        round(1000000 * milestone.elapsed_s)::bigint as end_us,
        case when milestone.stack = 'client' then 0 else round(1000000 * milestone.resolution_s)::bigint end as end_resolution_us,
        end_us - starts.instant.elapsed_us as duration_us,
        -- two cut stamps: their difference is off by half of each at most
        (starts.instant.resolution_us + end_resolution_us) // 2 + coalesce(starts.instant.fault_half_us, 0) as half_us

    from starts

    inner join milestone
        on
            starts.configuration = milestone.configuration
            and starts.run = milestone.run
            and starts.to_milestone = milestone.milestone

)

select
    configuration,
    run,
    phase,
    begin.elapsed_us / 1000000 as start_s,
    end_us / 1000000 as end_s,
    greatest(duration_us, 0) / 1000000 as duration_s,
    greatest(duration_us - half_us, 0) / 1000000 as duration_low_s,
    (duration_us + half_us) / 1000000 as duration_high_s,
    sqrt(
        ((end_resolution_us / 1000000) ^ 2 + (begin.resolution_us / 1000000) ^ 2) / 12
        + coalesce(begin.fault_uncertainty_s, 0) ^ 2
    ) as uncertainty_s,
    case when begin.milestone = 'fault' then common_error_s else 0 end as common_error_s,
    case when begin.milestone = 'fault' then common_cause end as common_cause,
    greatest(end_resolution_us, begin.resolution_us) / 1000000 as resolution_s

from ends

where duration_us + half_us >= 0

-- stacks have phases of one name: the first whose end the run shows
qualify row_number() over (partition by configuration, run, phase order by end_us, to_milestone) = 1

order by configuration, run, phase
