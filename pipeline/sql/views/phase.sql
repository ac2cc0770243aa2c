-- One row per run and phase: from the latest of its first milestones to its last one, in seconds after the fault.
-- Phases overlap, as the cluster works in parallel, and are never added up. A phase whose end no line shows is absent, as is
-- one that would end before it began.
-- columns:
--   configuration: folder group
--   run: run
--   phase: phase
--   start_s: begin, seconds after the fault
--   end_s: end, seconds after the fault
--   duration_s: end minus begin, seconds
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

instants as (

    select configuration, run, milestone, elapsed_s from milestone
    union all
    select configuration, run, 'fault', 0 from run where fault_at is not null

),

begun as (

    select
        instants.configuration,
        instants.run,
        alternatives.phase,
        alternatives.to_milestone,
        alternatives.term,
        first(instants.elapsed_s order by alternatives.preference) as elapsed_s

    from alternatives

    inner join instants
        on alternatives.milestone = instants.milestone

    group by instants.configuration, instants.run, alternatives.phase, alternatives.to_milestone, alternatives.term

),

starts as (

    select configuration, run, phase, to_milestone, max(elapsed_s) as start_s

    from begun

    group by configuration, run, phase, to_milestone

)

select
    starts.configuration,
    starts.run,
    starts.phase,
    starts.start_s,
    milestone.elapsed_s as end_s,
    milestone.elapsed_s - starts.start_s as duration_s

from starts

inner join milestone
    on
        starts.configuration = milestone.configuration
        and starts.run = milestone.run
        and starts.to_milestone = milestone.milestone

where milestone.elapsed_s >= starts.start_s

-- stacks have phases of one name: the first whose end the run shows
qualify row_number() over (
    partition by starts.configuration, starts.run, starts.phase order by milestone.elapsed_s, starts.to_milestone
) = 1

order by starts.configuration, starts.run, starts.phase
